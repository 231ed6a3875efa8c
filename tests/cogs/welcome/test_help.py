"""``/help`` and its buttons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cogs.welcome.test_greeting import HELLO, add_bot, new_server
from tests.discord.bot_harness import bot_harness, ephemeral_reply, response_of
from tests.discord.test_guests import KINDS, open_abroad
from tests.test_languages import set_language

LABELS = ["Deal me a game", "Learn", "My games"]


async def test_the_help_buttons_start_a_game_or_a_lesson(tmp_path: Path) -> None:
    """Three buttons deal a game, start a lesson and list the user's games, after a restart too."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        asked = await ann.slash("help")
        assert asked.ephemeral
        seen = response_of(asked)
        assert seen.labels == LABELS
        for command in ("toad start", "frogger start", "solitaire start"):
            assert command in seen.text
        await place.restart()
        assert "End turn" in ephemeral_reply(await ann.press("Deal me a game", seen)).labels
        assert "A lesson in Toad" in ephemeral_reply(await ann.press("Learn", seen)).text
        assert "Toad**, just for you" in ephemeral_reply(await ann.press("My games", seen)).text


async def test_help_works_in_dms(tmp_path: Path) -> None:
    """In DMs, the buttons of `/help` start a private match that can be played there."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = response_of(await ann.actor.user.slash("help"))
        assert seen.labels == LABELS
        hand = ephemeral_reply(await ann.press("Deal me a game", seen))
        assert "Your hand" in response_of(await ann.press("End turn", hand)).alt


@pytest.mark.parametrize("kind", KINDS)
async def test_help_buttons_work_for_user_installs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The buttons also work in servers without the bot."""
    async with open_abroad(tmp_path, kind, monkeypatch) as there:
        seen = response_of(await there.ann.slash("help"))
        assert "End turn" in ephemeral_reply(await there.ann.press("Deal me a game", seen)).labels


async def test_help_uses_the_users_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whose Discord is in German gets German button labels."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        set_language(place, monkeypatch, Ann="de")
        assert response_of(await ann.slash("help")).labels == [
            "Gib mir ein Spiel",
            "Lernen",
            "Meine Spiele",
        ]


async def test_help_replaces_a_missing_greeting(tmp_path: Path) -> None:
    """After `/help`, the server's next command does not show the greeting that could not be sent."""
    async with bot_harness(tmp_path) as place:
        guild, channel = new_server(place, is_writable=False)
        await add_bot(place, guild)
        place.guild, place.channel = guild, channel
        ann = place.person("Ann")
        assert not (await ann.slash("help")).followups
        assert HELLO not in ephemeral_reply(await ann.slash("toad rules")).text

"""Tests of ``/toad rules`` and *How to play*."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discord.bot_harness import bot_harness, ephemeral_reply, response_of


@pytest.mark.parametrize(
    ("game", "text", "alt"),
    [("toad", "exactly 10 red", "A toad"), ("solitaire", "foundations", "King on Ace")],
)
async def test_the_rules_are_ephemeral_and_illustrated(
    game: str, text: str, alt: str, tmp_path: Path
) -> None:
    """The rules are ephemeral, with a picture of each page's subject."""
    async with bot_harness(tmp_path) as place:
        answer = await place.person("Ann").slash(f"{game} rules")
        assert answer.ephemeral
        assert text in response_of(answer).text
        assert alt in response_of(answer).alt


async def test_each_button_shows_its_page_of_the_rules(tmp_path: Path) -> None:
    """A button edits the message to show its page, also after a restart."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        first = response_of(await ann.slash("toad rules"))
        assert "10 red and exactly 10 black" in first.text
        assert first.labels[:4] == ["A turn", "Ribit!", "Lives", "Playing here"]
        assert "eight of hearts, red" in first.alt
        await place.restart()
        lives = response_of(await ann.press("Lives", first))
        assert lives.id == first.id
        assert "loses a life to the **pot**" in lives.text
        assert "10 red" not in lives.text
        assert lives.labels[:4] == ["In short", "A turn", "Ribit!", "Playing here"]


async def test_every_table_has_a_how_to_play_button(tmp_path: Path) -> None:
    """Lobbies and solitaire tables have the button *How to play*, which answers in private."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("frogger start")
        lobby = ephemeral_reply(await ann.press("How to play", place.table))
        assert "Excuse" in lobby.text
        await ann.slash("solitaire start")
        solitaire = ephemeral_reply(await ann.press("How to play", place.table))
        assert "foundations" in solitaire.text


async def test_a_spectator_can_read_how_to_play(tmp_path: Path) -> None:
    """A user without a seat can press *How to play* during a match."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ben", "Cleo")
        watcher = place.person("Dora")
        assert "toad" in ephemeral_reply(await watcher.press("How to play", place.table)).text


async def test_invalid_page_numbers_and_games_are_handled(tmp_path: Path) -> None:
    """A number past the last page shows the last page. An unknown game is refused."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        page = response_of(await ann.slash("toad rules"))
        assert "</toad rules:" in response_of(await ann.send(page, "r:toad:99")).text
        refused = ephemeral_reply(await ann.send(page, "r:chess:0"))
        assert "out of date" in refused.text

"""Slash commands in sentences, which Discord makes clickable by their ids."""

from __future__ import annotations

from pathlib import Path

from bot.engine.names import inert
from bot.messages.commands import clickable, know_commands
from tests.discord.pond import Pond, pond, shown


def command_ids(place: Pond) -> dict[str, int]:
    """Return the ids that Discord gave the commands, by the first word of their names."""
    return {
        str(name): int(known["id"]) for (name, _kind), known in place.env.backend.commands[None].items()
    }


async def said(place: Pond) -> str:
    return shown(await place.person("Ann").slash("toad table")).text


async def test_commands_in_sentences_are_clickable(tmp_path: Path) -> None:
    """A command that a sentence names is a mention of it, by the id that Discord gave it."""
    async with pond(tmp_path) as place:
        start = f"</toad start:{command_ids(place)['toad']}>"
        assert f"Start one with {start}." in await said(place)
        board = shown(await place.person("Ann").slash("leaderboard"))
        assert start in board.text


async def test_a_start_knows_the_ids_without_asking(tmp_path: Path) -> None:
    """A start with the same commands asks Discord nothing about them, and still mentions them."""
    async with pond(tmp_path) as place:
        before = await said(place)
        assert "</toad start:" in before
        await place.restart()
        asked = [request for request in place.env.http_requests if "/commands" in request.path]
        assert len(asked) == 1
        assert await said(place) == before


async def test_where_the_ids_are_not_known(tmp_path: Path) -> None:
    """A start at which Discord fails the commands writes them as they are typed."""
    async with pond(tmp_path) as place:
        for note in ("older ones", "{}", '{"digest": "another", "ids": {"toad": 1}}'):
            await place.bot.database.notes.put(f"commands of {place.bot.application_id}", note)
            place.env.inject_error("PUT", "/applications/*/commands", status=502, times=1)
            await place.restart()
            assert "Start one with `/toad start`." in await said(place)
        await place.restart()
        assert "</toad start:" in await said(place)


async def test_a_game_is_no_command(tmp_path: Path) -> None:
    """Discord can be given no command that has others under it, so that stands as it is typed."""
    async with pond(tmp_path) as place:
        await place.person("Ann").slash("toad start")
        refused = shown(await place.person("Ben").slash("frogger stop"))
        assert "its commands begin with `/toad`" in refused.text


def test_names_mention_no_command() -> None:
    """A name that looks like a command in a sentence stays a name."""
    know_commands({"toad start": 1})
    try:
        assert "</" not in clickable(f"**{inert('`/toad start`')}** won")
        assert clickable("see `/toad start`") == "see </toad start:1>"
    finally:
        know_commands({})

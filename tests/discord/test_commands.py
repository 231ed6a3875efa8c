"""Slash commands in sentences, which Discord makes clickable by their ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from simcord.backend.ops.commands import COMMAND_FIELDS

from bot import app
from bot.engine.name_sanitizing import inert
from bot.engine.translation import _, languages, speaking
from bot.languages import LOCALES, load_languages
from bot.messages.mentions import clickable, register_commands
from bot.requests.command_sync import ENTRY_POINT, TRIES, command_texts
from tests.discord.bot_harness import BotHarness, bot_harness, response_of


def command_ids(place: BotHarness) -> dict[str, int]:
    """Return the ids that Discord gave the commands, by the first word of their names."""
    return {
        str(name): int(known["id"]) for (name, _kind), known in place.env.backend.commands[None].items()
    }


def command_requests(place: BotHarness) -> list[str]:
    """Return the methods of the requests about commands so far."""
    return [request.method for request in place.env.http_requests if request.path.endswith("/commands")]


async def table_text(place: BotHarness) -> str:
    return response_of(await place.person("Ann").slash("toad table")).text


async def test_commands_in_sentences_are_mentions(tmp_path: Path) -> None:
    """A command that a sentence names is a mention of it, by the id that Discord gave it."""
    async with bot_harness(tmp_path) as place:
        start = f"</toad start:{command_ids(place)['toad']}>"
        assert f"Start one with {start}." in await table_text(place)
        board = response_of(await place.person("Ann").slash("leaderboard"))
        assert start in board.text


async def test_unchanged_commands_cause_no_requests_at_startup(tmp_path: Path) -> None:
    """A start with the same commands asks Discord nothing about them, and still mentions them."""
    async with bot_harness(tmp_path) as place:
        before = await table_text(place)
        assert "</toad start:" in before
        first_start = command_requests(place)
        await place.restart()
        assert command_requests(place) == first_start == ["GET", "PUT"]
        assert await table_text(place) == before


async def test_a_sync_keeps_the_entry_point_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The app's entry point command is sent again: Discord refuses a bulk overwrite without it."""
    for module in ("backend.ops", "http.routes"):
        fields = (*COMMAND_FIELDS, "handler")
        monkeypatch.setattr(f"simcord.{module}.commands.COMMAND_FIELDS", fields)
    launch = {
        "id": "7",
        "type": ENTRY_POINT,
        "name": "launch",
        "name_localizations": {"de": "öffnen"},
        "handler": 2,
        "version": "1",
    }
    async with bot_harness(tmp_path) as place:
        place.env.backend.commands[None]["launch", ENTRY_POINT] = launch
        await place.bot.database.notes.store_note(
            f"commands of {place.bot.application_id}", "an older digest {}"
        )
        await place.restart()
        kept = place.env.backend.commands[None]["launch", ENTRY_POINT]
        assert (kept["id"], kept["handler"]) == ("7", 2)
        assert kept["name_localizations"] == {"de": "öffnen"}
        assert "</toad start:" in await table_text(place)


async def test_commands_are_translated_once_per_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each text is looked up once, for German, as no other language has a catalogue."""
    looked_up: list[str] = []

    def looking_up(text: str) -> str:
        looked_up.append(text)
        return _(text)

    monkeypatch.setattr("bot.requests.command_sync._", looking_up)
    async with bot_harness(tmp_path) as place:
        texts = [
            part[field]
            for command in place.bot.tree.get_commands()
            for part, field, context in command_texts(command.to_dict(place.bot.tree))
            if context is None
        ]
    assert sorted(looked_up) == sorted(texts)


async def test_commands_without_ids_are_shown_as_plain_text(tmp_path: Path) -> None:
    """A start at which Discord fails the commands writes them as they are typed."""
    async with bot_harness(tmp_path) as place:
        for note in ("older ones", "{}", '{"digest": "another", "ids": {"toad": 1}}'):
            await place.bot.database.notes.store_note(f"commands of {place.bot.application_id}", note)
            place.env.inject_error("PUT", "/applications/*/commands", status=502, times=TRIES)
            await place.restart()
            assert "Start one with `/toad start`." in await table_text(place)
        await place.restart()
        assert "</toad start:" in await table_text(place)


async def test_a_game_is_named_as_plain_text(tmp_path: Path) -> None:
    """A game is named as plain text, because Discord links no command that has subcommands."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start")
        refused = response_of(await place.person("Ben").slash("frogger stop"))
        assert "Its commands start with `/toad`" in refused.text


def test_player_names_are_not_turned_into_mentions() -> None:
    """A name that looks like a command in a sentence stays a name."""
    register_commands({"toad start": 1})
    try:
        assert "</" not in clickable(f"**{inert('`/toad start`')}** won")
        assert clickable("see `/toad start`") == "see </toad start:1>"
    finally:
        register_commands({})


# ---- what Discord's own menus show -----------------------------------------------------------------

OF_USER, OF_MESSAGE = 2, 3
MOST_NAME, MOST_WORDS, MOST_LETTERS = 32, 100, 8000
"""Discord's limits for a name, a description or choice, and all the words of one command."""


def sibling_groups(parts: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield each group of siblings: commands, options and subcommands, choices."""
    yield parts
    for part in parts:
        for inside in ("options", "choices"):
            if part.get(inside):
                yield from sibling_groups(part[inside])


def command_length(part: dict[str, Any]) -> int:
    """Return the counted length of a command, with the longest translation of each word."""
    own = sum(
        max(map(len, (str(part.get(key, "")), *(part.get(f"{key}_localizations") or {}).values())))
        for key in ("name", "description")
    )
    return own + sum(map(command_length, (*part.get("options", ()), *part.get("choices", ()))))


async def test_discord_shows_commands_in_german(tmp_path: Path) -> None:
    """Names, descriptions and choices are German there, and in all languages by Discord's rules."""
    async with bot_harness(tmp_path) as place:
        known = [dict(told) for told in place.env.backend.commands[None].values()]
    [toad] = [told for told in known if told["name"] == "toad"]
    start = next(told for told in toad["options"] if told["name"] == "start")
    frogs = next(told for told in start["options"] if told["name"] == "frogs")
    strength = next(told for told in start["options"] if told["name"] == "strength")
    assert start["name_localizations"] == {"de": "starten"}
    assert "eröffne" in start["description_localizations"]["de"].lower()
    assert frogs["name_localizations"] == {"de": "frösche"}
    assert [choice["name_localizations"]["de"] for choice in strength["choices"]] == [
        "Kaulquappe",
        "Jungfrosch",
        "Kröte",
    ]
    for side_by_side, language in product(sibling_groups(known), languages()):
        said = [
            (part.get("name_localizations") or {}).get(language, part["name"]) for part in side_by_side
        ]
        assert len(set(said)) == len(said), said
        for part, name in zip(side_by_side, said, strict=True):
            if "value" in part:
                assert len(name) <= MOST_WORDS, name
                continue
            assert len(name) <= MOST_NAME, name
            if side_by_side is known and part.get("type") in {OF_USER, OF_MESSAGE}:
                # The name of a context menu may be anything, and it has no other words.
                continue
            assert re.fullmatch(r"[-_\w]+", name), name
            assert name == name.lower(), name
            words = part["description_localizations"].get(language, part["description"])
            assert len(words) <= MOST_WORDS, f"{len(words)}: {words}"
    assert max(map(command_length, known)) <= MOST_LETTERS


async def test_a_changed_translation_registers_the_commands_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start with a changed translation registers the commands again. The next start does not."""

    def told(place: BotHarness) -> int:
        return len([each for each in place.env.http_requests if each.method == "PUT"])

    changed = tmp_path / "locales" / "de"
    changed.mkdir(parents=True)
    catalogue = read_po(BytesIO((LOCALES / "de" / "ribit.po").read_bytes()), locale="de")
    start = catalogue.get("start", "slash command")
    assert start is not None
    start.string = "loslegen"
    with (changed / "ribit.mo").open("wb") as compiled:
        write_mo(compiled, catalogue)
    try:
        async with bot_harness(tmp_path) as place:
            await place.restart()
            assert told(place) == 1
            monkeypatch.setattr(app, "load_languages", lambda: load_languages(changed.parent))
            for _start in range(2):
                await place.restart()
                assert told(place) == 2
            (toad,) = (one for one in place.env.backend.commands[None].values() if one["name"] == "toad")
            names = [each["name_localizations"].get("de") for each in toad["options"]]
            assert "loslegen" in names
    finally:
        load_languages()


def test_commands_that_are_not_links_have_translated_names() -> None:
    """A command that is not a link has its German name in a German text, as in Discord's menu."""
    load_languages()
    with speaking("de"):
        assert (
            clickable("`/toad start frogs:2`, `/toad table`")
            == "`/toad starten frösche:2`, `/toad tisch`"
        )
    assert clickable("`/toad start frogs:2`") == "`/toad start frogs:2`"

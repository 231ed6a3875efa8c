"""Complete catalogues, and the right language for everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po
from simcord.results import InteractionResult

import bot
import cogs
from bot.engine.game import AnyGame
from bot.engine.translation import _, speaking
from bot.games import games
from bot.languages import LOCALES, load_languages
from tests.command_words import command_words
from tests.discord.bot_harness import BotHarness, Seen, bot_harness
from tests.pseudo_language import CODE, install_language, lengthen
from tests.rendering.legibility import truncated_texts
from tests.rendering.scenes import NAMES, recorded_scenes

PACKAGES = [Path(package.__path__[0]) for package in (bot, cogs)]
LANGUAGES = sorted(path.parent.name for path in LOCALES.glob("*/ribit.po"))
PAGE_LIMIT = 1300
"""Discord's limit for all texts of one message."""

Said = str | tuple[str, ...]

KEYWORDS: dict[str, Any] = {**DEFAULT_KEYWORDS, "N_": None}


def code_messages() -> set[tuple[str | None, Said]]:
    """Every sentence of the code and of its commands, with its context and its plural if it has one."""
    found = {
        (context, words if isinstance(words, str) else tuple(words))
        for folder in PACKAGES
        for _file, _line, words, _comments, context in extract_from_dir(folder, keywords=KEYWORDS)
    }
    return found | command_words()


def catalogue_messages(language: str | None) -> set[tuple[str | None, Said]]:
    return {
        (message.context, message.id if isinstance(message.id, str) else tuple(message.id))
        for message in translatable_messages(language)
    }


def catalogue(language: str | None) -> Catalog:
    path = LOCALES / language / "ribit.po" if language else LOCALES / "ribit.pot"
    return read_po(BytesIO(path.read_bytes()), locale=language, abort_invalid=True)


def translatable_messages(language: str | None) -> Iterator[Message]:
    return (message for message in catalogue(language) if message.id)


def message_forms(said: object) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(map(str, said)) if isinstance(said, tuple) else ()


def placeholders(sentence: str) -> list[str]:
    return sorted(re.findall(r"{\w*}", sentence))


def markup_in(sentence: str) -> list[str]:
    """Markup that is equal in all languages: bold, commands, mentions, line breaks."""
    return sorted(re.findall(r"`[^`]+`|<[@#t]|\*\*|^#+ |^-# |\n|\]\(", sentence))


# ---- catalogues ----------------------------------------------------------------------------------


def test_every_installed_catalogue_is_loaded() -> None:
    """The bot loads every installed catalogue, German among them."""
    assert load_languages() == LANGUAGES
    assert "de" in LANGUAGES


def test_f_strings_contain_no_translatable_sentences() -> None:
    """The extractor does not read f-strings on Python 3.11, so sentences are outside them."""
    files = [path for folder in PACKAGES for path in folder.rglob("*.py")]
    hidden = re.compile(r"""\{(?:_|N_|ngettext)\((?:"|')""")
    assert [path.name for path in files if hidden.search(path.read_text("utf-8"))] == []


def test_the_template_is_up_to_date() -> None:
    """``ribit.pot`` has every sentence of the code and no other: ``poe words`` writes it."""
    assert catalogue_messages(None) == code_messages()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_complete(language: str) -> None:
    """A catalogue has every sentence of the code, translated for certain, and nothing left over."""
    assert catalogue_messages(language) == code_messages()
    assert not catalogue(language).obsolete
    plurals = catalogue(language).num_plurals
    for message in translatable_messages(language):
        translated = message_forms(message.string)
        assert not message.fuzzy, message.id
        assert all(form.strip() for form in translated), message.id
        assert len(translated) == (plurals if message.pluralizable else 1), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_placeholders_and_markup(language: str) -> None:
    """Placeholders, bold, commands and mentions are in a translation as they are in the sentence."""
    for message in translatable_messages(language):
        ids = message_forms(message.id)
        for form in message_forms(message.string):
            assert placeholders(form) in [placeholders(said) for said in ids], message.id
            assert not set(markup_in(ids[0])) - set(markup_in(form)), message.id
            assert form.count("**") % 2 == 0, message.id


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_rules_have_the_same_pages_in_every_language(game: AnyGame, language: str) -> None:
    """Each page names the same commands as in English, and is short enough for a phone."""
    command = re.compile(r"`(/[^`]+)`")
    with speaking("en"):
        english = game.pages()
    with speaking(language):
        pages = game.pages()
    assert max(len(page.text) for page in pages) <= PAGE_LIMIT
    named = [command.findall(page.text) for page in pages]
    assert named == [command.findall(page.text) for page in english]


def test_the_german_rules_use_the_labels_of_the_table() -> None:
    """The rules of Toad are German where German is spoken, with the words of the table in them."""
    load_languages()
    with speaking("de"):
        page = "".join(each.text for each in games()["toad"].pages())
        words = [_(said) for said in ("Stock", "Pot", "My hand", "Ribit!", "Toadus Maximus")]
    assert [word for word in words if word not in page] == []


# ---- who is spoken to in which language -----------------------------------------------------------


def set_language(place: BotHarness, monkeypatch: pytest.MonkeyPatch, **locales: str) -> None:
    """Set the language of users' Discord. SimCord always uses American English."""
    backend = place.env.backend
    told = backend.emit
    wanted = {str(place.person(name).id): locale for name, locale in locales.items()}

    def emit(event: str, payload: dict[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            user = payload["member"]["user"] if "member" in payload else payload["user"]
            payload["locale"] = wanted.get(user["id"], payload["locale"])
        told(event, payload)

    monkeypatch.setattr(backend, "emit", emit)


def response_of(result: InteractionResult) -> Seen:
    assert result.response is not None
    return Seen(result.response)


GERMAN_LABELS = {"Meine Hand", "Was ist passiert?", "So geht’s"}
"""The buttons of a table in German. Those of a feature go if it is deleted."""


async def test_a_table_uses_the_servers_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table uses the server's language. DMs and private messages use the player's own."""
    async with bot_harness(tmp_path, "de") as place:
        set_language(place, monkeypatch, Ann="de", Ben="en-GB")
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start")
        assert place.table.labels[:3] == ["Mitspielen", "Aufstehen", "So geht’s"]
        assert "Genau 10 rote" in place.table.text
        await ben.press("Mitspielen")
        assert "3 Leben" in place.table.text
        assert " — Gastgeber" in place.table.text
        await ann.press("Starten")

        assert "Auslage" in place.table.alt
        assert "Runde 1" in place.table.alt
        assert {"Meine Hand", "So geht’s"} <= {*place.table.labels} <= GERMAN_LABELS
        assert any("du bist dran" in line for line in place.reminders)
        assert "Deine Hand" in ann.dm.alt
        assert "Your hand" in ben.dm.alt
        assert "Toad in" in ben.dm.text

        assert "# Toad\n*Ein Spiel" in response_of(await ann.slash("toad rules")).text
        assert "# Toad\n*A game" in response_of(await ben.slash("toad rules")).text
        refused = await place.person("Zoe").press("Meine Hand")
        assert "You're not at this table" in response_of(refused).text
        assert "Deine Hand" in response_of(await ann.press("Meine Hand")).alt


async def test_a_click_does_not_change_the_language_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a move the table stays in the server's language and each hand in its player's."""
    async with bot_harness(tmp_path, "de") as place:
        set_language(place, monkeypatch, Ann="de", Ben="en-GB")
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start")
        await ben.press("Mitspielen")
        await ann.press("Starten")
        mover, passing = (ann, "Zug beenden") if "Zug beenden" in ann.dm.labels else (ben, "End turn")
        await mover.press_dm(passing)
        assert "passt." in place.table.text
        assert ("Ben ist dran." if mover is ann else "passt.") in ann.dm.text
        assert ("Ann's turn." if mover is ben else "passed.") in ben.dm.text


async def test_a_hand_uses_its_players_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an English server the table is English for a German player too, and the hand German."""
    async with bot_harness(tmp_path) as place:
        set_language(place, monkeypatch, Ann="de")
        hands = [person.dm.alt for person in await place.started("Ann", "Ben")]
        assert "Stock" in place.table.alt
        assert "My hand" in place.table.labels
        assert ["Deine Hand" in hand for hand in hands] == [True, False]
        assert ["Your hand" in hand for hand in hands] == [False, True]


async def test_a_language_without_a_catalogue_falls_back_to_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ribit speaks English if there is no catalogue for a language."""
    async with bot_harness(tmp_path, "ja") as place:
        set_language(place, monkeypatch, Ann="ja", Ben="ja")
        ann, ben = await place.started("Ann", "Ben")
        assert "Stock" in place.table.alt
        assert "My hand" in place.table.labels
        assert "Your hand" in ann.dm.alt
        assert "A game by" in response_of(await ben.slash("toad rules")).text


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[None]:
    with install_language(tmp_path / "locales"):
        yield


@pytest.mark.usefixtures("made_up")
async def test_a_new_language_needs_only_a_catalogue_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words half as long again are spoken from their folder, keep Discord's limits, and are not cut."""
    async with bot_harness(tmp_path, CODE) as place:
        set_language(place, monkeypatch, Ann=CODE)
        ann = place.person("Ann")
        await ann.slash("toad start")
        await place.person("Ben").press(lengthen("Join"))
        await ann.press(lengthen("Start"))
        assert lengthen("My hand") in place.table.labels
        assert lengthen("Stock") in place.table.alt
        assert lengthen("Your hand") in ann.dm.alt
        (toad,) = (each for each in place.env.backend.commands[None].values() if each["name"] == "toad")
        assert toad["description_localizations"][CODE] == lengthen("Toad, a card game for 2 to 6")
    found = set().union(*map(truncated_texts, recorded_scenes(CODE)))
    assert [text for text in found if not any(name.startswith(text) for name in NAMES)] == []

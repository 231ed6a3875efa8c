"""Numbers of words that a player reads before the first button. Names and labels are not counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.engine.translation import _, speaking
from bot.games import games
from bot.languages import load_languages
from bot.matches.match import Entry
from bot.messages.components import Row, Text
from bot.messages.hand_message import hand_content
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from bot.sessions.table_state import Table
from tests.messages.tables import NOW, new_lobby, new_players, new_table

AIM, STATUS, LOBBY = 14, 15, 40
GERMAN = 1.25
"""German texts may be longer by this factor."""

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")
MOVES = 60

each_game = pytest.mark.parametrize("key", list(games()))
each_language = pytest.mark.parametrize("language", ["en", "de"])


@pytest.fixture(autouse=True)
def _catalogues() -> None:
    load_languages()


def number_of_words(text: str) -> int:
    """Return the number of words without mentions, times, names, code and numbers of seats."""
    plain = re.sub(r"<[^>]*>|`[^`]*`|^\d+\. ", "", text, flags=re.MULTILINE)
    for name in (*(game.info.name for game in games().values()), *NAMES):
        plain = plain.replace(name, "")
    return len(re.sub(r"[^\w\s]", "", plain).split())


def word_limit(words: int, language: str) -> int:
    return words if language == "en" else int(words * GERMAN)


def random_match_tables(key: str) -> Iterator[Table]:
    """Yield the tables of a match of random moves."""
    game, chance = games()[key], Random(1)
    seated = new_players(*NAMES[: 1 if game.info.is_solo else 3])
    table = new_table(key, seated)
    if not game.info.is_solo:
        table = new_table(key, seated, turn_seconds=3600, turn_ends_at=NOW + 3600)
    while table.outcome is None and table.n < MOVES:
        yield table
        seat, move = table.to_move, game.automatic(table.state)
        assert seat is not None
        move = move or chance.choice(list(game.legal_moves(table.state)))
        table = table.after_move(Entry(table.n, seat, game.write(game.recorded(table.state, move))))


@each_game
@each_language
def test_an_aim_is_short(key: str, language: str) -> None:
    """The aim of a game has at most 14 words."""
    with speaking(language):
        aim = _(games()[key].info.aim)
        assert number_of_words(aim) <= word_limit(AIM, language), aim


@each_game
@each_language
def test_a_status_is_short(key: str, language: str) -> None:
    """The headline of a table or a hand has at most 15 words at any move."""
    with speaking(language):
        for table in random_match_tables(key):
            contents = [table_content(table_view(table))]
            if table.game.info.hidden_hands:
                contents += [hand_content(table_view(table, seat)) for seat in range(3)]
            for content in contents:
                first = content.parts[0]
                assert isinstance(first, Text)
                headline = first.words.split("\n")[0]
                assert number_of_words(headline) <= word_limit(STATUS, language), headline


@each_language
@pytest.mark.parametrize("key", [key for key, game in games().items() if not game.info.is_solo])
def test_a_lobby_is_short(key: str, language: str) -> None:
    """A lobby has at most 40 words before its first button, with any number of players."""
    with speaking(language):
        for seats in range(1, games()[key].info.most + 1):
            table = new_lobby(key, new_players(*NAMES[:seats]), turn_seconds=3600)
            parts = table_content(table_view(table)).parts
            first_row = next(place for place, part in enumerate(parts) if isinstance(part, Row))
            said = "\n".join(part.words for part in parts[:first_row] if isinstance(part, Text))
            assert number_of_words(said) <= word_limit(LOBBY, language), said


@pytest.mark.parametrize("key", [key for key, game in games().items() if game.info.hidden_hands])
@each_language
def test_a_first_turn_is_short(key: str, language: str) -> None:
    """A newcomer's first screen has at most the aim, a status and two short lines above its buttons."""
    with speaking(language):
        table = next(random_match_tables(key))
        table = replace(table, newcomers=frozenset(player.id for player in table.match.players))
        assert table.to_move is not None
        parts = hand_content(table_view(table, table.to_move)).parts
        first_row = next(place for place, part in enumerate(parts) if isinstance(part, Row))
        said = "\n".join(part.words for part in parts[:first_row] if isinstance(part, Text))
        assert number_of_words(said) <= word_limit(AIM + STATUS + 10, language), said

"""A lobby's text about its game, and its enabled buttons."""

from __future__ import annotations

import re

import pytest

from bot.engine.translation import speaking
from bot.matches.match_type import HINTS
from bot.messages.components import Text
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from bot.messages.text_mode import turn_in_words
from tests.messages.tables import labels_of, new_lobby, new_players, new_table, table_after, text_of

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Eve", "Fay")


def lobby_text(seats: int = 2, *, options: dict[str, int] | None = None, seconds: int = 0) -> str:
    """Return the text of a lobby of Toad with this many people in it."""
    players = new_players(*NAMES[:seats])
    return text_of(table_content(table_view(new_lobby("toad", players, options, turn_seconds=seconds))))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "no time limit"),
        (MINUTE, "1 minute per turn"),
        (5 * MINUTE, "5 minutes per turn"),
        (HOUR, "1 hour per turn"),
        (6 * HOUR, "6 hours per turn"),
        (DAY, "1 day per turn"),
        (3 * DAY, "3 days per turn"),
    ],
)
def test_time_limits_are_written_in_their_own_unit(seconds: int, words: str) -> None:
    """A limit of 300 seconds reads "5 minutes per turn", and a limit of 0 reads "no time limit"."""
    assert words in lobby_text(seconds=seconds)


def test_a_lobby_shows_if_there_are_hints() -> None:
    """The lobby says whether there are hints, from two players on or if the option was chosen."""
    assert "hints" not in lobby_text(1)
    assert "no hints" in lobby_text(2)
    assert "no hints" in lobby_text(2, options={HINTS: 0})
    assert "hints allowed" in lobby_text(1, options={HINTS: 1})
    assert "hints allowed" in lobby_text(2, options={HINTS: 1})


def test_a_lobby_shows_free_seats_and_missing_players() -> None:
    """The lobby gives the numbers of free seats and missing players, and a full lobby disables Join."""
    for seats, room, ready, labels in (
        (1, "5 free seats", "1 more player is needed.", ["Join", "Leave", "How to play"]),
        (2, "4 free seats", "Ready: the host can start.", ["Join", "Leave", "Start", "How to play"]),
        (5, "1 free seat ", "Ready: the host can start.", ["Join", "Leave", "Start", "How to play"]),
        (6, "table full", "Ready: the host can start.", ["Leave", "Start", "How to play"]),
    ):
        content = table_content(table_view(new_lobby("toad", new_players(*NAMES[:seats]))))
        assert room in text_of(content)
        assert ready in text_of(content)
        assert [label for label in labels_of(content) if label != "Notify me"] == labels


def test_the_commitment_is_shown_until_the_first_move() -> None:
    """A lobby and a dealt table end with 64 digits, which are gone after the first move of a person."""
    waiting = new_lobby("toad", new_players("Ann", "Ben"), secret=bytes(32))
    table = new_table("toad", new_players("Ann", "Ben"), secret=bytes(32))
    for content in (table_content(table_view(waiting)), table_content(table_view(table))):
        last = content.parts[-1]
        assert isinstance(last, Text)
        assert re.fullmatch("-# 🔏 `[0-9a-f]{64}`", last.words)
        assert text_of(content).count("🔏") == 1
    assert "🔏" not in text_of(table_content(table_view(table_after(table, "end"))))
    assert "🔏" not in text_of(turn_in_words(table_content(table_view(table)), table_view(table))), (
        "nobody hears digits"
    )


LOBBY_WORDS = 40


@pytest.mark.parametrize("game", ["toad", "frogger"])
@pytest.mark.parametrize(("language", "share"), [("en", 1.0), ("de", 1.25)])
def test_a_lobby_has_few_words_above_its_buttons(game: str, language: str, share: float) -> None:
    """At most 40 words are above the first button, besides the title, seats and options."""
    with speaking(language):
        lines = text_of(table_content(table_view(new_lobby(game, new_players("Ann", "Ben"))))).split(
            "\n"
        )
    told = [line.lstrip("-# 🎯") for line in lines if not re.match(r"## |\d\. |-# 🔏", line)]
    sentences = [part for line in told for part in line.split(" · ") if re.search(r"[.!]$", part)]
    assert len(" ".join(sentences).split()) <= LOBBY_WORDS * share, sentences

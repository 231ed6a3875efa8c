"""Order of the texts in a message for a player who plays in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.messages.components import Text
from bot.messages.hand_message import hand_content
from bot.messages.table_view import table_view
from bot.messages.text_mode import IN_WORDS, turn_in_words
from bot.sessions.table_state import Table
from tests.messages.tables import new_players, new_table, table_after, text_of

PLAYERS = new_players("Ann", "Ben")


def first_line(table: Table) -> str:
    """Return the first line that a screen reader reads to the player to move."""
    seat = table.to_move
    assert seat is not None
    return text_of(
        turn_in_words(hand_content(table_view(table, seat), look=IN_WORDS), table_view(table, seat))
    ).split("\n")[0]


@pytest.mark.parametrize(
    ("game", "first_turn", "step", "news", "asked"),
    [
        ("toad", ("draw", "end"), "draw", "-# Round 1", "### You drew "),
        ("frogger", ("play 9MS M from start", "end"), "", "-# Ann", "### Action 2 of 3"),
    ],
)
def test_each_step_of_a_turn_begins_with_its_news(
    game: str, first_turn: tuple[str, ...], step: str, news: str, asked: str
) -> None:
    """A turn begins with the other players' news.

    A later step, after these were read, begins with newer news.
    """
    begun = table_after(new_table(game, PLAYERS), *first_turn)
    assert first_line(begun).startswith(news)
    step = step or begun.game.write(begun.game.legal_moves(begun.state)[0])
    assert first_line(table_after(begun, step)).startswith(asked)


def test_news_lines_are_omitted_rather_than_cut_short() -> None:
    """However much room the other texts leave, a cut line of news has at least two dozen letters."""
    table = table_after(new_table("toad", PLAYERS), "draw")
    view = table_view(table, table.to_move)
    content = hand_content(view, look=IN_WORDS)
    for letters in range(0, 300, 5):
        longer = replace(content, parts=(*content.parts, Text("x" * letters)))
        lines = text_of(turn_in_words(longer, view)).split("\n")
        assert not [line for line in lines if line.endswith("…") and len(line) < 24]

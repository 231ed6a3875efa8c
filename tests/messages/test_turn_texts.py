"""A turn in words for screen readers, short and with the news first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.engine.lots import Lots
from bot.engine.opponent import Strength
from bot.engine.panel import Choice
from bot.matches.match import Entry
from bot.messages.components import Content, Text
from bot.messages.hand_message import hand_content
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from bot.messages.text_mode import IN_WORDS, turn_in_words
from bot.sessions.table_state import Table
from tests.messages.tables import NOW, new_players, new_table

MOST_LETTERS = 350
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")


def match_tables(game: str, seats: int) -> Iterator[Table]:
    """Yield a match after each of its moves, played like tadpoles."""
    players = new_players(*NAMES[:seats])
    computer_players = [replace(player, strength=Strength.TADPOLE) for player in players]
    table = new_table(game, computer_players, {"lives": 1} if game == "toad" else None)
    rules, thinking = table.game, table.game.thinking
    assert thinking is not None
    while (seat := table.to_move) is not None and rules.outcome(table.state) is None:
        yield table.having(players=players)
        move = rules.automatic(table.state)
        if move is None:
            move = thinking.choose(table.memories[seat], Strength.TADPOLE, Lots(table.lot))
        text = rules.write(rules.recorded(table.state, move))
        table = table.after_move(Entry(table.n, seat, text, NOW))


def deal_tables(number: int) -> Iterator[Table]:
    """Yield a deal of solitaire, played with the first offered move and sometimes another."""
    table = new_table("american_toad", new_players("Ann"), {"deal": number})
    for step in range(150):
        yield table
        choices: list[Choice] = [each for each in table.panel(None).choices() if each.move is not None]
        if not choices:
            return
        chosen = choices[step % 3 * step % len(choices)]
        table = table.after_move(Entry(table.n, 0, table.game.write(chosen.move), NOW))


def _text_mode_content(table: Table, seat: int | None) -> Content:
    if seat is None:
        return table_content(table_view(table), (), IN_WORDS)
    return hand_content(table_view(table, seat), look=IN_WORDS)


@pytest.mark.parametrize(("game", "seats"), [("toad", 3), ("toad", 6), ("frogger", 3)])
def test_a_turn_in_text_mode_is_short_and_begins_with_the_news(game: str, seats: int) -> None:
    """A turn in words has the news, the player's cards and the question.

    The table follows on request.
    """
    for table in match_tables(game, seats):
        for seat in {None, table.to_move, 0}:
            shown = _text_mode_content(table, seat)
            parts = turn_in_words(shown, table_view(table, seat)).parts
            told = [part.words for part in parts if isinstance(part, Text)]
            assert sum(map(len, told)) <= MOST_LETTERS, told
            if seat == table.to_move and table.n > table.began:
                assert told[0].startswith("###"), "the player has read the news in an earlier step"
                continue
            asked = next(at for at, words in enumerate(told) if words.startswith("###"))
            held = ("Your hand", "has a toad", "Maximus")  # a safe player sees the shown hand
            assert seat is None or table.pauses or any(one in told[asked - 1] for one in held)
            if any(isinstance(part, Text) and part.news for part in shown.parts):
                assert told[0].startswith("-#"), told
                assert asked > 0


@pytest.mark.parametrize("number", [33, 34])
def test_a_solitaire_turn_in_text_mode_is_short(number: int) -> None:
    """A solitaire's turn in words has the last move, the playable piles and the deal.

    The columns follow on request.
    """
    for table in deal_tables(number):
        shown = turn_in_words(table_content(table_view(table), (), IN_WORDS), table_view(table))
        told = [part.words for part in shown.parts if isinstance(part, Text)]
        assert sum(map(len, told)) <= MOST_LETTERS, told
        text = "\n".join(told)
        assert text.startswith("-#")
        assert text.index("Reserve") < text.index("deal ")

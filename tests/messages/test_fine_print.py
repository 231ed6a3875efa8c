"""Digits of commitments, which no player has to read before the first button."""

from __future__ import annotations

import re

import pytest

from bot.engine.name_sanitizing import Name
from bot.games import games
from bot.matches.duels import board_options
from bot.matches.match_type import DUEL, kept_private
from bot.messages.components import Content, Row, Text
from bot.messages.hand_message import hand_content
from bot.messages.leaderboard_pages import LeaderboardPage, board_content
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from cogs.daily.content import Day, day_board, hidden_day_content
from cogs.duels.content import DuelResults, results_content
from cogs.duels.content import board_content as duel_content
from tests.messages.tables import new_lobby, new_players, new_table, tables_after_leaving

DAY = 20261121
DIGITS = "0123456789abcdef" * 4
SECRET = bytes(range(32))

HIDDEN = [key for key, game in games().items() if game.info.hidden_hands]


def has_digits_below_buttons(content: Content) -> bool:
    """Return whether the content has digits of a commitment, and all of them below its last button."""
    last_row = max(place for place, part in enumerate(content.parts) if isinstance(part, Row))
    found = [
        place
        for place, part in enumerate(content.parts)
        if isinstance(part, Text) and re.search("[0-9a-f]{24}", part.words)
    ]
    return bool(found) and min(found) > last_row


@pytest.mark.parametrize("key", HIDDEN)
def test_a_match_begins_with_its_commitment_below_the_buttons(key: str) -> None:
    """The commitment is below the buttons of a lobby, a table, a private match and a daily duel."""
    seated = new_players("Ann", "Ben")
    assert has_digits_below_buttons(table_content(table_view(new_lobby(key, seated, secret=SECRET))))
    assert has_digits_below_buttons(table_content(table_view(new_table(key, seated, secret=SECRET))))
    alone = new_table(key, seated, dict(kept_private({})), secret=SECRET)
    assert has_digits_below_buttons(hand_content(table_view(alone, 0)))
    duel = new_table(key, seated, {**board_options(games()[key], 0), DUEL: DAY}, secret=SECRET)
    content = duel_content(table_view(duel, 0))
    assert content is not None
    assert has_digits_below_buttons(content)


@pytest.mark.parametrize("key", HIDDEN)
def test_a_match_ends_with_its_commitment_below_the_buttons(key: str) -> None:
    """The results of a match come first, then the buttons, then the digits."""
    *_before, table = tables_after_leaving(new_table(key, new_players("Ann", "Ben"), secret=SECRET))
    assert has_digits_below_buttons(table_content(table_view(table)))


def test_daily_boards_end_with_the_next_days_commitment() -> None:
    """The boards of the day's deal and of the duels have the next day's commitment below all buttons."""
    game, shown = games()["american_toad"], Day(DAY, DAY - 1, 0, 0, DIGITS)
    assert has_digits_below_buttons(hidden_day_content(shown, Name("The Frog Pond")))
    board = day_board(game, shown, Name("The Frog Pond"))
    assert has_digits_below_buttons(board_content(board, LeaderboardPage(0, 0, []), 1))
    found = DuelResults(
        games()["toad"],
        DAY,
        "221",
        5000,
        [5000] * 3,
        [],
        None,
        (1, 1),
        "",
        0,
        0,
        False,
        ["m1"],
        (),
        0,
        DIGITS,
    )
    assert has_digits_below_buttons(results_content(found, 1))

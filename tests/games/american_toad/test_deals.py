"""Winnable deals that are the same for all players."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import islice

import pytest

from bot.games.american_toad.rules import legal_moves, open_deal, play
from bot.games.american_toad.solver import Verdict, Winnable, deal_numbers, solve, winnable_deal
from bot.games.american_toad.state import MOST_DEALS, write
from tests.discord.known_deals import WINNING_LINES, winning_line

NAMES = ("the one of 20261121",)
OPEN_NAME = "9"
"""A name whose first deal the solver leaves undecided."""
SCRIPT = f"""
from bot.games.american_toad.solver import winnable_deal
print([winnable_deal(name) for name in {NAMES}])
"""


def test_a_name_gives_the_same_deal_in_every_process() -> None:
    """Another process with another hash seed finds the same deals and the same par."""
    other_seed = "77" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": other_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{[found_deal(name) for name in NAMES]}\n"


@cache
def found_deal(name: str) -> Winnable:
    """Return the deal of a name, cached for the process."""
    return winnable_deal(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_gets_its_first_winnable_deal(name: str) -> None:
    """The deal of a name is the first one drawn that the solver wins.

    Par is the length of a winning line.
    """
    deal = found_deal(name)
    for number in islice(deal_numbers(name), 50):
        verdict = solve(open_deal(number).position, nodes=20_000).verdict
        assert (verdict is Verdict.WON) == (number == deal.number)
        if number == deal.number:
            break
    assert 30 < deal.par < 150


@pytest.mark.parametrize("number", WINNING_LINES)
def test_known_winning_lines_win_their_deals(number: int) -> None:
    """The winning lines in the test harness win their deals, move by legal move (A11)."""
    state = open_deal(number)
    for text in winning_line(number):
        state = play(state, next(move for move in legal_moves(state) if write(move) == text))
    assert state.position.is_won


def test_an_unsolved_deal_is_skipped() -> None:
    """A name whose first deal the solver leaves undecided gets a later deal of its draw."""
    assert _is_unsolved(next(deal_numbers(OPEN_NAME)))
    deal = winnable_deal(OPEN_NAME)
    assert deal.number != next(deal_numbers(OPEN_NAME))
    assert deal.number in islice(deal_numbers(OPEN_NAME), 9)


def _is_unsolved(number: int) -> bool:
    return solve(open_deal(number).position, nodes=20_000).verdict is not Verdict.WON


def test_each_name_draws_its_own_existing_numbers() -> None:
    """A name draws different numbers, each of an existing deal, and other names draw other numbers."""
    numbers = list(islice(deal_numbers("a name"), 200))
    assert len(set(numbers)) == 200
    assert all(1 <= number <= MOST_DEALS for number in numbers)
    assert not set(numbers) & set(islice(deal_numbers("another name"), 200))

"""Deals that can be won: found by the solver, and the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import count

from bot.engine.values import frozen
from bot.games.american_toad.lines import best_line
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import Verdict, solve
from bot.games.american_toad.state import MOST_DEALS

NODES = 20_000
"""Positions weighed before a deal is passed over for the next one."""


@frozen
class Winnable:
    """A deal that can be won: its number, and par, the moves of the best line that is known."""

    number: int
    par: int


def day_name(day: int) -> str:
    """Return the name under which the deals of a day, such as 20261121, are drawn."""
    return f"deal of the day {day}"


def find_deal(options: Mapping[str, int]) -> Mapping[str, int]:
    """Return the options of a deal that can be won, with its par, in place of a number that was drawn.

    A day has its own deal; any other is drawn under the number in the options. Where any deal was asked
    for, that number itself stays.
    """
    if options["any"]:
        return options
    day = options["daily"]
    found = winnable_deal(day_name(day) if day else f"deal by lot {options['deal']}")
    return {**options, "deal": found.number, "par": found.par}


def winnable_deal(name: str) -> Winnable:
    """Return the first deal drawn under a name that the solver wins.

    The name alone decides: the same one gives the same deal and par in every process.
    """
    for number in drawn(name):
        position = open_deal(number).position
        if solve(position, nodes=NODES).verdict is Verdict.WON:
            return Winnable(number, len(best_line(position, nodes=NODES)))
    raise AssertionError("the draw has no end")


def drawn(name: str) -> Iterator[int]:
    """Yield the numbers of deals that a name draws, without end."""
    for place in count():
        text = f"{name}/{place}" if place else name
        yield 1 + int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % MOST_DEALS

"""What can happen at a table: a click, the clock, a frog's thought, somebody who leaves or asks."""

from __future__ import annotations

from typing import TypeAlias

from bot.engine.match import Entry
from bot.engine.values import frozen
from bot.sessions.click import Click


@frozen
class Clicked:
    """A player clicked; ``made`` is the move that was made where the click meant to make one, if any."""

    click: Click
    player_id: int
    made: Entry | None = None


@frozen
class Rang:
    """The time has come when the table had to be looked at."""


@frozen
class Thought:
    """A frog has thought about move ``n`` of its seat; ``text`` is the move it makes."""

    n: int
    seat: int
    text: str


@frozen
class StoodIn:
    """Somebody seated has a frog play for a seat: one who is away, or the one who leaves it."""

    seat: int
    player_id: int


@frozen
class GaveUp:
    """A seat leaves the match, in or out of turn."""

    seat: int


@frozen
class CameBack:
    """A player who was away is there again."""

    player_id: int


@frozen
class Ended:
    """Somebody who may has ended the table."""


@frozen
class Answered:
    """A player asked something after ``seen`` moves, and the answer is this move, in writing."""

    player_id: int
    seen: int
    text: str


Event: TypeAlias = Clicked | Rang | Thought | StoodIn | GaveUp | CameBack | Ended | Answered

"""What can happen at a table, in its lobby and in its match."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from bot.engine.match import Entry, Player
from bot.engine.server import Stoppers
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
    """The time has come when the table had to be looked at, or whether it can be played may differ.

    ``stands_since`` is since when it cannot be played just now, None where it can.
    """

    stands_since: int | None = None


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
    """A player leaves the match, in or out of turn; a host hands it on to nobody who is ``full``."""

    player_id: int
    full: frozenset[int] = frozenset()


@frozen
class CameBack:
    """A player who was away is there again."""

    player_id: int


@frozen
class ShutOut:
    """A player was found not to see the table's channel any more."""

    player_id: int


@frozen
class Joined:
    """A player takes a free seat of a lobby, or is back at the one that they were away from.

    ``is_barred``: the server lets this player sit down nowhere.
    """

    player: Player
    is_barred: bool = False


@frozen
class Renamed:
    """A player is called something else by now."""

    player: Player


@frozen
class FrogAdded:
    """The host of a lobby seats a computer player of a strength, such as ``tadpole``."""

    player_id: int
    strength: str


@frozen
class FrogRemoved:
    """The host of a lobby sends a computer player away."""

    player_id: int
    frog_id: int


@frozen
class Left:
    """A player gets up from a lobby; who is ``full`` hosts too much already to have it handed over."""

    player_id: int
    full: frozenset[int] = frozenset()


@frozen
class Removed:
    """The host of a lobby, or a moderator any time, takes a player away from the table.

    ``full`` are those who host too much already to have it handed over.
    """

    player_id: int
    by_id: int
    may_manage: bool
    full: frozenset[int] = frozenset()


@frozen
class Started:
    """The host of a lobby starts the match, by an interaction of this id.

    The seed is for a lobby without a secret, which an earlier version has opened.
    """

    player_id: int
    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Stopped:
    """Somebody closes the table, in a server where ``stoppers`` may; who may manage messages always.

    A match in play is closed by players only once all of them have said so.
    """

    player_id: int
    stoppers: Stoppers
    may_manage: bool = False


@frozen
class PlayedOn:
    """A player does not agree to close the match that is being played."""

    player_id: int


@frozen
class Ended:
    """The table is ended without anybody's being asked: its place is gone, or its lesson over."""


@frozen
class Answered:
    """A player asked something after ``seen`` moves, and the answer is this move, in writing."""

    player_id: int
    seen: int
    text: str


@frozen
class TakenUp:
    """The player of a day's deal goes on with it in another channel; ``guest`` as for a match."""

    player_id: int
    guild_id: int | None
    channel_id: int
    guest: bool


Event: TypeAlias = (
    Clicked
    | Rang
    | Thought
    | StoodIn
    | GaveUp
    | CameBack
    | ShutOut
    | Joined
    | Renamed
    | FrogAdded
    | FrogRemoved
    | Left
    | Removed
    | Started
    | Stopped
    | PlayedOn
    | Ended
    | Answered
    | TakenUp
)

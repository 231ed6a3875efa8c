"""What can happen at a table, in its lobby and in its match; a click is a choice as it was seen."""

from __future__ import annotations

from dataclasses import field

from bot.engine.immutable import frozen
from bot.engine.panel import Choice
from bot.engine.thinking import Strength
from bot.matches.match import Entry, Player
from bot.matches.preferences import Stoppers
from bot.sessions.table import Table

FIRST_STEP = "_"  # the key that leads from any step of choosing a move back to the first


@frozen
class Click:
    """A choice as it was clicked: the match as seen after ``seen`` moves, and which choice.

    ``in_public`` says which panel it was: the public one of the table, or the clicker's own.
    ``path`` ends in the choice's key; a path of ``FIRST_STEP`` alone asks for the first step.
    """

    match_id: str
    seen: int
    in_public: bool
    path: tuple[str, ...]

    @property
    def key(self) -> str:
        """The choice in one word: what the journal keeps of it."""
        return ".".join(self.path)

    def choice(self, table: Table, seat: int) -> Choice | None:
        """Return what the player of a seat chose at a table, or None where that is not there.

        What the own panel asks about first is not played from the public one, which knows no hand.
        """
        before, key = self.path[:-1], self.path[-1]
        if not self.in_public:
            return table.choice(seat, before, key)
        choice = table.choice(None, before, key)
        if choice is not None and choice.move is not None and table.game.info.hidden_hands:
            own = table.choice(seat, before, key)
            return own if own is not None and own.move is None else choice
        return choice


class Event:
    """Something that can happen."""

    __slots__ = ()


@frozen
class OfPlayer(Event):
    """What a player does, or what is done to one."""

    player_id: int


@frozen
class Opened(Event):
    """A lobby is opened, with host and frogs; seats are kept for the ``company`` of a match before."""

    frogs: tuple[Strength, ...] = ()
    company: tuple[Player, ...] = ()


@frozen
class Dealt(Event):
    """A match begins without a lobby: a deal or a lesson; the seed is for one without a secret."""

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Clicked(Event):
    """A player clicked; ``made`` is the move that was made where the click meant to make one, if any."""

    click: Click
    player_id: int
    made: Entry | None = None


@frozen
class Rang(Event):
    """The table has to be looked at; it cannot be played since ``stands_since``, or can with None."""

    stands_since: int | None = None


@frozen
class Thought(Event):
    """A frog has thought about move ``n`` of its seat; ``text`` is the move it makes.

    ``is_simple``: no worker chose it in time, so it is by the froglet's rule.
    """

    n: int
    seat: int
    text: str
    is_simple: bool = False


@frozen
class StoodIn(Event):
    """Somebody seated has a frog play for a seat: one who is away, or the one who leaves it."""

    seat: int
    player_id: int


@frozen
class GaveUp(OfPlayer):
    """A player leaves the match, in or out of turn; a host hands it on to nobody who is ``full``."""

    full: frozenset[int] = frozenset()


@frozen
class CameBack(OfPlayer):
    """A player who was away is there again."""


@frozen
class WentOn(OfPlayer):
    """A player has seen the banner of the last move."""


@frozen
class ShutOut(OfPlayer):
    """A player was found not to see the table's channel any more."""


@frozen
class Joined(Event):
    """A player sits down, or is back; one who ``is_barred`` may sit down nowhere in the server."""

    player: Player
    is_barred: bool = False


@frozen
class Renamed(Event):
    """A player is called something else by now."""

    player: Player


@frozen
class FrogAdded(OfPlayer):
    """The host of a lobby seats a computer player of a strength, such as ``tadpole``."""

    strength: str


@frozen
class FrogRemoved(OfPlayer):
    """The host of a lobby sends a computer player away."""

    frog_id: int


@frozen
class Left(OfPlayer):
    """A player gets up from a lobby; who is ``full`` hosts too much already to have it handed over."""

    full: frozenset[int] = frozenset()


@frozen
class Removed(OfPlayer):
    """The host of a lobby, or a moderator any time, removes a player; who is ``full`` never hosts it."""

    by_id: int
    may_manage: bool
    full: frozenset[int] = frozenset()


@frozen
class Started(OfPlayer):
    """The host of a lobby starts the match; the seed is for an earlier version's, without a secret."""

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Stopped(OfPlayer):
    """Somebody closes the table, or asks to close a match in play, as ``stoppers`` or ``may_manage``."""

    stoppers: Stoppers
    may_manage: bool = False


@frozen
class PlayedOn(OfPlayer):
    """A player does not agree to close the match that is being played."""


@frozen
class Ended(Event):
    """The table is ended without anybody's being asked: its place is gone, or its lesson over."""


@frozen
class Answered(OfPlayer):
    """A player asked something after ``seen`` moves, and the answer is this move, in writing."""

    seen: int
    text: str


@frozen
class TakenUp(OfPlayer):
    """The player of a day's deal goes on with it in another channel; ``guest`` as for a match."""

    guild_id: int | None
    channel_id: int
    guest: bool

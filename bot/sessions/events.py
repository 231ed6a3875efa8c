"""Events at a table, in its lobby and in its match."""

from __future__ import annotations

from dataclasses import field

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.panel import Choice
from bot.matches.match import Entry, Player
from bot.matches.preferences import Stoppers
from bot.sessions.table import Table

FIRST_STEP = "_"  # the key that leads from any step of choosing a move back to the first


@frozen
class Click:
    """A click on a choice, with the state that the user saw.

    Attributes:
        seen: The number of moves of the state that the user saw.
        in_public: Whether the click was on the table's public panel instead of the user's own.
        path: The keys of the steps, ending with the choice. ``FIRST_STEP`` alone asks for the first
            step.
    """

    match_id: str
    seen: int
    in_public: bool
    path: tuple[str, ...]

    @property
    def key(self) -> str:
        """The choice as a single string, as stored in the journal."""
        return ".".join(self.path)

    def choice(self, table: Table, seat: int) -> Choice | None:
        """Return the choice of a seat's player at a table, or None if it is not available.

        A public choice does not play its move if the player's own panel asks a question first, because
        the public panel does not depend on the hand.
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
    """An event at a table."""

    __slots__ = ()


@frozen
class OfPlayer(Event):
    """An event about one player."""

    player_id: int


@frozen
class Opened(Event):
    """A lobby was opened.

    Attributes:
        frogs: The computer players to seat.
        company: The players of the match before, for whom seats are reserved.
    """

    frogs: tuple[Strength, ...] = ()
    company: tuple[Player, ...] = ()


@frozen
class Dealt(Event):
    """A match without a lobby begins, as a deal or a lesson.

    Attributes:
        seed: The seed, used if the match has no secret.
        interaction: The ID of the interaction.
    """

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Clicked(Event):
    """A player clicked.

    Attributes:
        made: The stored move with the number that the click was meant for, or None.
    """

    click: Click
    player_id: int
    made: Entry | None = None


@frozen
class Rang(Event):
    """The time of a timed event has come, or the table may have become playable or unplayable.

    Attributes:
        stands_since: Unix time since which the table cannot be played, or None if it can.
    """

    stands_since: int | None = None


@frozen
class Thought(Event):
    """A computer player has chosen a move.

    Attributes:
        n: The number of the move.
        text: The move in the notation.
        is_simple: Whether it follows the froglet's rule because no worker answered in time.
    """

    n: int
    seat: int
    text: str
    is_simple: bool = False


@frozen
class StoodIn(Event):
    """A seated player lets a computer player take over an inactive player's seat or the player's own."""

    seat: int
    player_id: int


@frozen
class GaveUp(OfPlayer):
    """A player leaves the match, in or out of turn.

    Attributes:
        full: Users who already host the most matches allowed, so they cannot become host.
    """

    full: frozenset[int] = frozenset()


@frozen
class CameBack(OfPlayer):
    """An inactive player has returned."""


@frozen
class WentOn(OfPlayer):
    """A player has seen the banner of the last move."""


@frozen
class ShutOut(OfPlayer):
    """A player can no longer see the table's channel."""


@frozen
class Joined(Event):
    """A player sits down or returns.

    Attributes:
        is_barred: Whether the server has banned the player from its tables.
    """

    player: Player
    is_barred: bool = False


@frozen
class Renamed(Event):
    """A player's name has changed."""

    player: Player


@frozen
class FrogAdded(OfPlayer):
    """The host of a lobby adds a computer player of a strength, such as ``tadpole``."""

    strength: str


@frozen
class FrogRemoved(OfPlayer):
    """The host of a lobby removes a computer player."""

    frog_id: int


@frozen
class Left(OfPlayer):
    """A player leaves a lobby.

    Attributes:
        full: Users who already host the most matches allowed, so they cannot become host.
    """

    full: frozenset[int] = frozenset()


@frozen
class Removed(OfPlayer):
    """The host of a lobby, or a moderator at any time, removes a player.

    Attributes:
        by_id: The host or moderator.
        may_manage: Whether ``by_id`` is a moderator.
        full: Users who already host the most matches allowed, so they cannot become host.
    """

    by_id: int
    may_manage: bool
    full: frozenset[int] = frozenset()


@frozen
class Started(OfPlayer):
    """The host of a lobby starts the match.

    Attributes:
        seed: The seed, used for lobbies of earlier versions without a secret.
        interaction: The ID of the interaction.
    """

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Stopped(OfPlayer):
    """A user closes the table, or asks the others to close a match in progress.

    Attributes:
        stoppers: The server's setting for who may close tables.
        may_manage: Whether the user is a moderator.
    """

    stoppers: Stoppers
    may_manage: bool = False


@frozen
class PlayedOn(OfPlayer):
    """A player disagrees with closing the match in progress."""


@frozen
class Ended(Event):
    """The table ends without a request, because its channel is gone or its lesson is complete."""


@frozen
class Answered(OfPlayer):
    """A player's question was answered.

    Attributes:
        seen: The number of moves when the question was asked.
        text: The answer, as a move in the notation.
    """

    seen: int
    text: str


@frozen
class TakenUp(OfPlayer):
    """The player of a day's deal continues it in another channel.

    Attributes:
        guild_id: The server, or None for a DM.
        guest: Whether Ribit can only answer interactions there.
    """

    guild_id: int | None
    channel_id: int
    guest: bool

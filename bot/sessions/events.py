"""Events that can change a table, in its lobby or during its match.

A computer player is called a *frog* in class and field names.
"""

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
    """A click on a button or menu option that plays a move or leads to the next step of choosing one.

    Attributes:
        seen: The number of moves that had been made in the state that the user saw.
        in_public: True if the user clicked in the public table message, False for the user's own panel.
        path: The keys of all steps so far. The last one is the clicked choice. ``FIRST_STEP`` alone
            returns to the first step.
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
        """Return the clicked choice, or None if the player in ``seat`` does not have it.

        The public panel does not depend on the player's hand. If the player's own panel would ask for
        another step before the move, that step is returned instead of the move.
        """
        before, key = self.path[:-1], self.path[-1]
        if not self.in_public:
            return table.choice(seat, before, key)
        choice = table.choice(None, before, key)
        if choice is not None and choice.move is not None and table.game.info.hidden_hands:
            own = table.choice(seat, before, key)
            return own if own is not None and own.move is None else choice
        return choice


class TableEvent:
    """An event at a table."""

    __slots__ = ()


@frozen
class PlayerEvent(TableEvent):
    """An event about one player."""

    player_id: int


@frozen
class Opened(TableEvent):
    """A lobby was opened.

    Attributes:
        computer_players: The computer players to seat.
        company: The previous match's players, whose seats are reserved.
    """

    computer_players: tuple[Strength, ...] = ()
    company: tuple[Player, ...] = ()


@frozen
class Dealt(TableEvent):
    """A match without a lobby begins: a solitaire deal or a lesson.

    Attributes:
        seed: The shuffle seed. It is used only if the match has no secret.
        interaction: The ID of the interaction that started the match.
    """

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Clicked(TableEvent):
    """A player clicked a choice.

    Attributes:
        made: The move that was played in the state that the user saw, or None if none was. It shows
            whether the click is a repeated one.
    """

    click: Click
    player_id: int
    made: Entry | None = None


@frozen
class TimerFired(TableEvent):
    """A table's timer has fired, or it must be checked whether the table can be played.

    Attributes:
        stands_since: The Unix time since which the table cannot be played, or None if it can.
    """

    stands_since: int | None = None


@frozen
class ComputerMoveChosen(TableEvent):
    """A computer player has chosen a move.

    Attributes:
        n: The number of moves before this one.
        text: The move in the game's notation.
        is_simple: True if no worker answered in time, so the weakest computer player (*froglet*) chose
            the move.
    """

    n: int
    seat: int
    text: str
    is_simple: bool = False


@frozen
class Substituted(TableEvent):
    """A player asks a computer player to take over a seat.

    Attributes:
        seat: An inactive player's seat, or the player's own seat.
        player_id: The player who asks.
    """

    seat: int
    player_id: int


@frozen
class GaveUp(PlayerEvent):
    """A player gives up a match in progress. It need not be the player's turn.

    Attributes:
        full: The users who have reached their limit of hosted matches, so they cannot become host.
    """

    full: frozenset[int] = frozenset()


@frozen
class PlayerReturned(PlayerEvent):
    """An inactive player has returned."""


@frozen
class Resumed(PlayerEvent):
    """A player dismisses the banner that explains the last move."""


@frozen
class AccessLost(PlayerEvent):
    """A player can no longer see the table's channel."""


@frozen
class Joined(TableEvent):
    """A player takes a seat, or returns to one.

    Attributes:
        is_barred: True if the server has banned the player from its tables.
    """

    player: Player
    is_barred: bool = False


@frozen
class Renamed(TableEvent):
    """A player's name has changed."""

    player: Player


@frozen
class ComputerAdded(PlayerEvent):
    """The host adds a computer player to a lobby.

    Attributes:
        strength: The computer player's strength, such as ``tadpole``.
    """

    strength: str


@frozen
class ComputerRemoved(PlayerEvent):
    """The host removes a computer player from a lobby."""

    computer_player_id: int


@frozen
class Left(PlayerEvent):
    """A player leaves a lobby.

    Attributes:
        full: The users who have reached their limit of hosted matches, so they cannot become host.
    """

    full: frozenset[int] = frozenset()


@frozen
class Removed(PlayerEvent):
    """The host removes a player from a lobby, or a moderator removes a player at any time.

    Attributes:
        by_id: The host or moderator.
        may_manage: True if ``by_id`` is a moderator.
        full: The users who have reached their limit of hosted matches, so they cannot become host.
    """

    by_id: int
    may_manage: bool
    full: frozenset[int] = frozenset()


@frozen
class Started(PlayerEvent):
    """The host starts the match of a lobby.

    Attributes:
        seed: The shuffle seed. It is used only if an earlier version created the lobby without a secret.
        interaction: The ID of the interaction that started the match.
    """

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class CloseRequested(PlayerEvent):
    """A user closes the table, or asks the other players to close a match in progress.

    Attributes:
        stoppers: The server setting that says who may close tables.
        may_manage: True if the user is a moderator.
    """

    stoppers: Stoppers
    may_manage: bool = False


@frozen
class CloseRefused(PlayerEvent):
    """A player votes against closing the match in progress."""


@frozen
class TableEnded(TableEvent):
    """The bot ends the table, because its channel was deleted or its lesson is complete."""


@frozen
class QuestionAnswered(PlayerEvent):
    """A player's question was answered.

    Attributes:
        seen: The number of moves that had been made when the player asked.
        text: The answer, stored as a move in the game's notation.
    """

    seen: int
    text: str


@frozen
class DealContinued(PlayerEvent):
    """A player continues a deal in another channel.

    Attributes:
        guild_id: The new server, or None for a DM.
        guest: True if Ribit can only answer interactions in the new channel.
    """

    guild_id: int | None
    channel_id: int
    guest: bool

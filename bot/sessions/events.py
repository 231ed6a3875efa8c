"""Events that can change a table, in its lobby or during its match."""

from __future__ import annotations

from dataclasses import field

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.panel import Choice
from bot.matches.match import Entry, Player
from bot.matches.server_settings import Stoppers
from bot.sessions.table_state import Table

FIRST_STEP = "_"  # the key that leads from any step of choosing a move back to the first


@frozen
class Click:
    """A click on a button or menu option for a move. Some moves are chosen in several steps.

    Attributes:
        seen: The number of moves that had been made in the state that the message showed.
        in_public: True if the user clicked in the channel's table message, False for the user's own
            panel.
        path: The keys of the options chosen in all steps so far. The last one was clicked.
            ``FIRST_STEP`` alone means that the user goes back to the first step.
    """

    match_id: str
    seen: int
    in_public: bool
    path: tuple[str, ...]

    @property
    def key(self) -> str:
        """The clicked option as a single string, as stored in the journal."""
        return ".".join(self.path)

    def choice(self, table: Table, seat: int) -> Choice | None:
        """Return the clicked option, or None if it is not among the seat's options.

        A button in the channel looks the same for all hands. If the player must choose something else
        before this move, the option for that step is returned instead of the move.
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
    """Base class of all events at a table."""

    __slots__ = ()


@frozen
class PlayerEvent(TableEvent):
    """Base class of events that concern one player."""

    player_id: int


@frozen
class Opened(TableEvent):
    """A user has opened a lobby.

    Attributes:
        computer_players: The computer players to seat.
        company: The players of the previous match, for whom the lobby reserves seats.
    """

    computer_players: tuple[Strength, ...] = ()
    company: tuple[Player, ...] = ()


@frozen
class Dealt(TableEvent):
    """A user has started a solitaire deal or a lesson, which has no lobby.

    Attributes:
        seed: The seed for shuffling. If the match has a secret, the seed is derived from the secret
            instead.
        interaction: The ID of the interaction that started the match.
    """

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class Clicked(TableEvent):
    """A player has clicked a button or menu option to make a move.

    Attributes:
        made: The journal entry of the move that followed the state that the player saw, or None. If it
            is the player's own, the click is a repeated one.
    """

    click: Click
    player_id: int
    made: Entry | None = None


@frozen
class TimerFired(TableEvent):
    """A table's timer has fired. This event also checks whether the table can still be played.

    Attributes:
        stands_since: The Unix time since which the table cannot be played, for example in an outage, or
            None if it can.
    """

    stands_since: int | None = None


@frozen
class ComputerMoveChosen(TableEvent):
    """A computer player has chosen a move.

    Attributes:
        n: The number of moves before this one.
        text: The move in the game's notation.
        is_simple: True if no worker process answered in time, and the weakest computer player (a
            *froglet*) chose the move in the bot's own process.
    """

    n: int
    seat: int
    text: str
    is_simple: bool = False


@frozen
class Substituted(TableEvent):
    """A player has asked a computer player to take over a seat.

    Attributes:
        seat: The seat of an inactive player, or the player's own seat.
        player_id: The player who asks.
    """

    seat: int
    player_id: int


@frozen
class GaveUp(PlayerEvent):
    """A player has given up a match in progress. This is possible at any time.

    Attributes:
        full: The users who have reached their limit of hosted matches, so they cannot become host.
    """

    full: frozenset[int] = frozenset()


@frozen
class PlayerReturned(PlayerEvent):
    """An inactive player has come back to the match."""


@frozen
class Resumed(PlayerEvent):
    """A player has dismissed the banner that explains the last move."""


@frozen
class AccessLost(PlayerEvent):
    """A player can no longer see the channel of the table."""


@frozen
class Joined(TableEvent):
    """A user wants to take a seat at a table, or a player returns to it.

    Attributes:
        is_barred: True if the server has banned the player from its tables.
    """

    player: Player
    is_barred: bool = False


@frozen
class Renamed(TableEvent):
    """A player's name in Discord has changed."""

    player: Player


@frozen
class ComputerAdded(PlayerEvent):
    """The host has added a computer player to a lobby.

    Attributes:
        strength: The computer player's strength, such as ``tadpole``.
    """

    strength: str


@frozen
class ComputerRemoved(PlayerEvent):
    """The host has removed a computer player from a lobby."""

    computer_player_id: int


@frozen
class Left(PlayerEvent):
    """A player has left a lobby.

    Attributes:
        full: The users who have reached their limit of hosted matches, so they cannot become host.
    """

    full: frozenset[int] = frozenset()


@frozen
class Removed(PlayerEvent):
    """The host has removed a player from a lobby, or a moderator has removed a player from any table.

    Attributes:
        by_id: The ID of the host or moderator.
        may_manage: True if ``by_id`` is a moderator.
        full: The users who have reached their limit of hosted matches, so they cannot become host.
    """

    by_id: int
    may_manage: bool
    full: frozenset[int] = frozenset()


@frozen
class Started(PlayerEvent):
    """The host has started the match of a lobby.

    Attributes:
        seed: The seed for shuffling. If the match has a secret, the seed is derived from the secret
            instead.
        interaction: The ID of the interaction that started the match.
    """

    seed: bytes = field(repr=False)
    interaction: int = 0


@frozen
class CloseRequested(PlayerEvent):
    """A user wants to close a table. In a match in progress, the other players may have to agree.

    Attributes:
        stoppers: The server's setting for the people who may close tables.
        may_manage: True if the user is a moderator.
    """

    stoppers: Stoppers
    may_manage: bool = False


@frozen
class CloseRefused(PlayerEvent):
    """A player has voted against closing the match."""


@frozen
class TableEnded(TableEvent):
    """The bot closes a table, because its channel was deleted or its lesson is complete."""


@frozen
class QuestionAnswered(PlayerEvent):
    """A player has asked the bot about the position and got an answer.

    Attributes:
        seen: The number of moves that had been made when the player asked.
        text: The answer in the game's notation. It is stored like a move.
    """

    seen: int
    text: str


@frozen
class DealContinued(PlayerEvent):
    """A player wants to continue a solitaire deal in another channel.

    Attributes:
        guild_id: The new server, or None for a DM.
        guest: True if Ribit can only respond to interactions in the new channel.
    """

    guild_id: int | None
    channel_id: int
    guest: bool

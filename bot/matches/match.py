"""Matches: players, options, and the seed and numbered moves from which the state is folded."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.opponent import IN_PLACE, Mover, Strength
from bot.engine.translation import N_, _
from bot.matches.match_type import MatchType

LEAVES = "leaves"
"""The entry in the journal for a seat that gave up, the same for each game."""


class Stage(Enum):
    """The stage of a match."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    STOPPED = "stopped"

    @property
    def is_live(self) -> bool:
        return self in (Stage.LOBBY, Stage.PLAYING)


@frozen
class Player:
    """A Discord user or a computer player at a table.

    Attributes:
        id: The user's ID, or a negative number for a computer player.
        name: The name shown at the table.
        missed: The number of consecutive turns that ran out of time.
        strength: The strength of the computer player that plays the seat, or None if the user plays. A
            user has one while replaced by a computer player.
        hints: The number of hints that the player has asked for.
        bank: The seconds left of the player's time for the whole match, besides the time for each turn.
        user_name: The unique Discord name.
        interaction: The ID of the interaction by which the player sat down, or 0.
    """

    id: int
    name: str
    missed: int = 0
    strength: Strength | None = None
    hints: int = field(default=0, compare=False)
    bank: int = 0
    user_name: str = ""
    interaction: int = field(default=0, compare=False)

    @property
    def is_computer_player(self) -> bool:
        """True if no user sits here. The seat then has no DMs, mentions or rating."""
        return self.id < 0

    @property
    def title(self) -> str:
        if self.strength is None or not self.is_computer_player:
            return self.name
        return _(_TITLES[self.strength]).format(name=self.name)


_TITLES = {
    Strength.TADPOLE: N_("{name} Tadpole"),
    Strength.FROGLET: N_("{name} Froglet"),
    Strength.TOAD: N_("{name} Toad"),
}

_NAMES = ("Tilly", "Hugo", "Pip", "Mona", "Otto", "Lily", "Fred", "Nell", "Gus", "Wanda", "Basil", "Dot")
"""Names of computer players. Names at one table are distinct."""


def another_computer_player(match_id: str, players: Iterable[Player], strength: Strength) -> Player:
    """Return the next computer player for a table, always the same for the same table and players."""
    taken = {player.id for player in players}
    first = sum(match_id.encode())
    each = ((first + step) % len(_NAMES) for step in range(len(_NAMES)))
    number = next(number for number in each if -1 - number not in taken)
    return Player(-1 - number, _NAMES[number], strength=strength)


NOWHERE = 0
"""The ID used in place of a channel's for a lesson or a match continued from an earlier moment."""


@frozen
class Roster:
    """IDs of players in special states at one match, each in the order of addition.

    Attributes:
        removed: Players whom the host removed from the lobby. They cannot join again.
        invited: Players of the match before. Seats are reserved for them at first.
        closing: Players who agree to close the match without a result. The first one asked for it.
        refused: Players whose request to close was refused. They cannot ask again.
        shut_out: Players who can no longer see the table's channel.
        handed_over: Players who handed over their seats to a computer player.
        going_on: Players who have seen the banner of the last move.
    """

    removed: tuple[int, ...] = ()
    invited: tuple[int, ...] = ()
    closing: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    shut_out: tuple[int, ...] = ()
    handed_over: tuple[int, ...] = ()
    going_on: tuple[int, ...] = ()


def with_id(ids: tuple[int, ...], player_id: int) -> tuple[int, ...]:
    return ids if player_id in ids else (*ids, player_id)


def without_ids(ids: tuple[int, ...], gone: Iterable[int]) -> tuple[int, ...]:
    left_out = frozenset(gone)
    return tuple(each for each in ids if each not in left_out)


@frozen
class Match:
    """A match as stored, without its moves.

    Attributes:
        game: The key of the game.
        rules_version: The version of the rules.
        guild_id: The server, or None for a DM.
        channel_id: The channel, or ``NOWHERE``.
        players: The players, in seat order.
        limit: The number of seats.
        options: The options by key.
        seed: The seed. None until the match starts, and secret until it has ended.
        secret: The secret that the seed is derived from, or None if no commitment was shown.
        started_by: The ID of the interaction that started the match, or 0.
        opened_by: The ID of the interaction that opened the table, or 0 if the seed does not depend on
            it.
        thinking_version: The version of the computer players, or 0 if unknown.
        opened_at: Unix time, or None if unknown.
        ended_at: Unix time, or None if unknown or in progress.
        turn_seconds: The time limit of a turn in seconds. 0 means no limit.
        turn_ends_at: Unix time at which the current turn is passed, or None if no clock runs.
        rests_since: Unix time since which no player has been active, or None.
        stands_since: Unix time since which the table cannot be played, or None.
        unfinished: Whether the match was stopped because no player came back.
        guest: Whether Ribit is not a member of the server and can only answer interactions.
        roster: Players in special states.
        active_at: Unix time of the last move, or of the host's last action in the lobby, or None.
        wakes_at: Unix time of the next timed event, or None if only a user's action can cause one.
        version: The number of changes so far, including moves and the end.
        shown: The version that the messages showed when the match was read, or -1 if none.
    """

    id: str
    game: str
    rules_version: int
    guild_id: int | None
    channel_id: int
    host_id: int
    players: tuple[Player, ...]
    limit: int
    options: Mapping[str, int]
    stage: Stage = Stage.LOBBY
    seed: bytes | None = field(default=None, repr=False)
    secret: bytes | None = field(default=None, repr=False)
    started_by: int = field(default=0, compare=False)
    opened_by: int = field(default=0, compare=False)
    thinking_version: int = field(default=0, compare=False)
    opened_at: int | None = field(default=None, compare=False)
    ended_at: int | None = field(default=None, compare=False)
    turn_seconds: int = 0
    turn_ends_at: int | None = None
    rests_since: int | None = None
    stands_since: int | None = None
    unfinished: bool = False
    guest: bool = False
    roster: Roster = Roster()
    active_at: int | None = field(default=None, compare=False)
    wakes_at: int | None = field(default=None, compare=False)
    version: int = field(default=0, compare=False)
    shown: int = field(default=-1, compare=False)
    type: MatchType = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", MatchType.parse(self.options))

    # What most callers ask of the type:

    @property
    def day(self) -> int:
        return self.type.day

    @property
    def replay(self) -> int:
        return self.type.replay

    @property
    def par(self) -> int:
        return self.type.par

    @property
    def counts(self) -> bool:
        return self.type.counts

    @property
    def is_lesson(self) -> bool:
        return self.type.is_lesson

    @property
    def is_private(self) -> bool:
        return self.type.is_private

    @property
    def bears_notice(self) -> bool:
        return self.type.bears_notice

    @property
    def is_shown(self) -> bool:
        """True if the messages showed the current version when the match was read."""
        return self.shown == self.version

    @property
    def seconds(self) -> int | None:
        """The duration of the match in seconds, or None if it is unknown or in progress."""
        if self.opened_at is None or self.ended_at is None:
            return None
        return self.ended_at - self.opened_at

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.title for player in self.players)

    @property
    def allows_hints(self) -> bool:
        """True if a player may ask for hints, by the host's choice or because no other people play."""
        return not self.people[1:] if self.type.hints is None else self.type.hints

    @property
    def people(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if not player.is_computer_player)

    @property
    def computer_seats(self) -> tuple[int, ...]:
        return tuple(seat for seat, player in enumerate(self.players) if player.strength is not None)

    def seat_of(self, player_id: int) -> int | None:
        return next((seat for seat, player in enumerate(self.players) if player.id == player_id), None)


@frozen
class Entry:
    """One numbered move of a match.

    Attributes:
        n: The number of the move, from 0.
        seat: The seat that made the move.
        text: The move in the game's notation.
        at: Unix time, or None if unknown.
        choice: The key of the choice that plays the move, by which a double click is recognised.
        mover: The origin of the move. None for moves of Ribit 1.0, which did not store it.
    """

    n: int
    seat: int
    text: str
    at: int | None = field(default=None, compare=False)
    choice: str | None = field(default=None, compare=False)
    mover: Mover | None = field(default=None, compare=False)


@frozen
class Waiting:
    """The part of a match that is read at startup.

    Attributes:
        game: The key of the game.
        guild_id: The server, or None for a DM.
        wakes_at: Unix time of the next timed event, or None.
        rules_version: The version of the rules.
        is_shown: Whether its messages show the current version.
        guest: Whether Ribit can only answer interactions there.
    """

    match_id: str
    game: str
    guild_id: int | None
    channel_id: int
    wakes_at: int | None
    rules_version: int
    is_shown: bool
    guest: bool = False


@frozen
class Result:
    """The result of a seat.

    Attributes:
        won: Whether the seat won.
        figures: The game's figures for the seat.
        played: Whether the seat has moved and play has decided something.
        handed_over: Whether a computer player has moved for the seat at its player's wish.
    """

    seat: int
    won: bool
    figures: Mapping[str, int]
    played: bool = True
    handed_over: bool = False


def opening(game: AnyGame, match: Match) -> Any:
    if match.seed is None:
        raise ValueError(f"match {match.id} has not started")
    return game.deal(len(match.players), match.options, match.seed)


def advance(game: AnyGame, state: Any, entry: Entry) -> Any:
    if entry.text == LEAVES:
        return game.withdraw(state, entry.seat)
    move = game.read(entry.text, state)
    if entry.mover in IN_PLACE:
        state = game.stood_in(state, entry.seat)
    return game.play(state, move)


def states(game: AnyGame, match: Match, entries: Iterable[Entry]) -> Iterator[Any]:
    state = opening(game, match)
    yield state
    for entry in entries:
        state = advance(game, state, entry)
        yield state


def fold(game: AnyGame, match: Match, entries: Iterable[Entry]) -> Any:
    """Return the state of a started match after the given entries."""
    [state] = deque(states(game, match, entries), maxlen=1)
    return state


@frozen
class Change:
    """The consequence of an event at a table.

    It is stored only if the stored match still has the version of ``before``.

    Attributes:
        before: The match before.
        after: The match after.
        entry: The move, or None.
        results: The results of the seats if the match ended.
        is_learned: Whether the host has now learned the game by a lesson.
        place: The new location if the match moves to another one, or None.
        then: A second move of the same click, or None.
    """

    before: Match
    after: Match
    entry: Entry | None = None
    results: tuple[Result, ...] = ()
    is_learned: bool = False
    place: str | None = None
    then: Entry | None = None

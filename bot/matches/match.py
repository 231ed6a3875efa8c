"""Matches: their players, options, seed and numbered moves.

The state of the game is not stored. It is computed from the seed and the moves.
"""

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
"""The text of a journal entry that means that the seat resigned. It is the same for all games."""


class Stage(Enum):
    """The stage of a match. A FINISHED match has a result. A STOPPED match has ended without one."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    STOPPED = "stopped"

    @property
    def is_live(self) -> bool:
        return self in (Stage.LOBBY, Stage.PLAYING)


@frozen
class Player:
    """A Discord user or a computer player who has a seat in a match.

    Attributes:
        id: The user's ID, or a negative number for a computer player.
        name: The name shown in the match.
        missed: The number of turns in a row in which the player's time ran out.
        strength: The strength of the computer player that makes the seat's moves, or None if the user
            makes them. If a computer player has taken over a user's seat, it is set too.
        hints: The number of hints that the player has used.
        bank: The seconds left of the player's extra time for the whole match. They are used when the
            time limit of a turn is over.
        user_name: The player's unique Discord name.
        interaction: The ID of the interaction by which the player joined, or 0.
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
        """True for a computer player, which gets no DMs, mentions or rating."""
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
"""Names of computer players. A name occurs only once in a match."""


def another_computer_player(match_id: str, players: Iterable[Player], strength: Strength) -> Player:
    """Return a computer player with a name that is still free in the match.

    For the same match ID and players, the result is always the same.
    """
    taken_ids = {player.id for player in players}
    first = sum(match_id.encode())
    numbers = ((first + step) % len(_NAMES) for step in range(len(_NAMES)))
    number = next(number for number in numbers if -1 - number not in taken_ids)
    return Player(-1 - number, _NAMES[number], strength=strength)


NOWHERE = 0
"""The channel ID of matches that no channel shows, such as lessons and daily duels."""


@frozen
class Roster:
    """User IDs of a match's players in special situations, each list in the order of events.

    Attributes:
        removed: Players whom the host or a moderator removed from the lobby. They cannot join again.
        invited: Players of the previous match, for whom a rematch reserves seats for a while.
        closing: Players who agree to close the match without a result. The first of them asked for it.
        refused: Players who asked to close the match and were refused. They cannot ask again.
        shut_out: Players who no longer have access to the match's channel.
        handed_over: Players who asked a computer player to take over their seats.
        going_on: Players who have dismissed the banner about the last move.
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
    return tuple(player_id for player_id in ids if player_id not in left_out)


@frozen
class Match:
    """A stored match, without its moves.

    Attributes:
        game: The key of the game.
        rules_version: The version of the rules.
        guild_id: The server, or None for a DM.
        channel_id: The channel, or ``NOWHERE`` if no channel shows the match.
        players: The players, in seat order.
        limit: The maximum number of players.
        options: The options by key.
        seed: The seed for shuffling. It is None until the match starts, and secret until the match has
            ended.
        secret: The secret from which the seed is derived, or None if no hash of a secret was published.
        started_by: The ID of the interaction that started the match, or 0.
        opened_by: The ID of the interaction that opened the match, or 0 if the seed does not depend on
            it.
        thinking_version: The version of the computer players, or 0 if unknown.
        opened_at: Unix time, or None if unknown.
        ended_at: Unix time, or None if the match is in progress or the time is unknown.
        turn_seconds: The time limit for a turn in seconds. 0 means no limit.
        turn_ends_at: Unix time at which the current turn is skipped, or None if no clock runs.
        rests_since: Unix time since which the match is paused because all players are inactive, or None.
        stands_since: Unix time since which the match cannot be played, or None if it can.
        unfinished: True if the match was stopped because no player came back.
        guest: True if Ribit is not a member of the server or group and can only respond to interactions.
        roster: The IDs of players in special situations.
        active_at: Unix time of the last move, or of the host's last action in the lobby, or None.
        wakes_at: Unix time of the next timed event, or None if no such event is scheduled.
        version: The number of changes to the match so far, including moves and its end.
        shown: The version that the match's messages showed when the match was loaded, or -1 if none.
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

    # Shortcuts to properties of the type:

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
        """True if the match's messages showed the current version when the match was loaded."""
        return self.shown == self.version

    @property
    def seconds(self) -> int | None:
        """The match's duration in seconds, or None if it has not ended or its times are unknown."""
        if self.opened_at is None or self.ended_at is None:
            return None
        return self.ended_at - self.opened_at

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.title for player in self.players)

    @property
    def allows_hints(self) -> bool:
        """True if players may ask for hints.

        If the host has not decided this, hints are allowed if only one person plays.
        """
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
    """A numbered entry of a match's journal, which is a move or a resignation.

    Attributes:
        n: The number of the entry, counted from 0.
        seat: The seat that made the move or resigned.
        text: The move in the game's notation, or ``LEAVES`` for a resignation.
        at: Unix time, or None if unknown.
        choice: The key of the button or menu option that was clicked. It is used to recognise double
            clicks.
        mover: The origin of the move, such as a player, a computer player or the clock. None for moves
            made with Ribit 1.0, which did not store it.
    """

    n: int
    seat: int
    text: str
    at: int | None = field(default=None, compare=False)
    choice: str | None = field(default=None, compare=False)
    mover: Mover | None = field(default=None, compare=False)


@frozen
class Waiting:
    """The part of a match that a process needs when it starts.

    Attributes:
        game: The key of the game.
        guild_id: The server, or None for a DM.
        wakes_at: Unix time of the match's next timed event, or None.
        rules_version: The version of the rules.
        is_shown: True if the match's messages show its current version.
        guest: True if Ribit is not a member of the server and can only respond to interactions.
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
    """A seat's result at the end of a match.

    Attributes:
        won: True if the seat won.
        figures: The seat's numbers in this game, such as its points, by key.
        played: True if the seat has moved and the moves of the match decided something.
        handed_over: True if the player let a computer player move for the seat.
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
        state = game.note_substitute(state, entry.seat)
    return game.play(state, move)


def states(game: AnyGame, match: Match, entries: Iterable[Entry]) -> Iterator[Any]:
    state = opening(game, match)
    yield state
    for entry in entries:
        state = advance(game, state, entry)
        yield state


def fold(game: AnyGame, match: Match, entries: Iterable[Entry]) -> Any:
    """Compute the state of a started match by replaying its journal entries."""
    [state] = deque(states(game, match, entries), maxlen=1)
    return state


@frozen
class Change:
    """A change of a match by one event, ready to be stored.

    It is stored only if the stored match still has the version of ``before``.

    Attributes:
        before: The match before the event.
        after: The match after the event.
        entry: The move to store, or None.
        results: The results of all seats. Empty unless the match has ended.
        is_learned: True if the event completes the host's lesson of the game.
        place: The key of the match's new location, or None if it stays in the same channel.
        then: A second move made by the same click, or None.
    """

    before: Match
    after: Match
    entry: Entry | None = None
    results: tuple[Result, ...] = ()
    is_learned: bool = False
    place: str | None = None
    then: Entry | None = None

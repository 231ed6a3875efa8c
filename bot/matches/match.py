"""A match: who plays what, and the seed and numbered moves that it is folded from."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.engine.thinking import IN_PLACE, Mover, Strength
from bot.engine.words import N_, _
from bot.matches.match_type import AGAIN as AGAIN  # noqa: PLC0414 — the keys, for who writes options
from bot.matches.match_type import BANK as BANK  # noqa: PLC0414
from bot.matches.match_type import BEARER as BEARER  # noqa: PLC0414
from bot.matches.match_type import DAY as DAY  # noqa: PLC0414
from bot.matches.match_type import DEAL as DEAL  # noqa: PLC0414
from bot.matches.match_type import HINTS as HINTS  # noqa: PLC0414
from bot.matches.match_type import LESSON as LESSON  # noqa: PLC0414
from bot.matches.match_type import PAR as PAR  # noqa: PLC0414
from bot.matches.match_type import PRIVATE as PRIVATE  # noqa: PLC0414
from bot.matches.match_type import REPLAY as REPLAY  # noqa: PLC0414
from bot.matches.match_type import MatchType

LEAVES = "leaves"
"""What stands in the journal where a seat gave up; every game has it."""


class Stage(Enum):
    """Where a match is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"
    STOPPED = "stopped"

    @property
    def is_live(self) -> bool:
        return self in (Stage.LOBBY, Stage.PLAYING)


@frozen
class Player:
    """A Discord user and the name shown for them at the table, or a computer player.

    ``missed`` counts the turns in a row that ran out of time. ``strength`` is how well the bot plays
    the seat, None where its user does: a computer player's always, a user's while one stands in.
    ``hints`` counts the hints that the player asked for. ``bank`` are the seconds that are left of the
    time that the player has for the whole match, beside that of each turn. ``user_name`` is the one that
    nobody else has. ``interaction`` is the id that Discord gave to the player's sitting down, or 0.
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
        """Whether no user sits here: no DM, no mention, no rating."""
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
"""No two at a table have the same."""


def another_computer_player(match_id: str, players: Iterable[Player], strength: Strength) -> Player:
    """Return the next computer player for a table: the same for the same table and players."""
    taken = {player.id for player in players}
    first = sum(match_id.encode())
    each = ((first + step) % len(_NAMES) for step in range(len(_NAMES)))
    number = next(number for number in each if -1 - number not in taken)
    return Player(-1 - number, _NAMES[number], strength=strength)


NOWHERE = 0
"""In place of a channel's id: a lesson stands in none, nor what is played on from a moment."""


@frozen
class Roster:
    """Ids of players at one match, each in the order in which it came to be.

    ``removed`` were sent away from the lobby and cannot join again. ``invited`` played the match before:
    seats are kept for them at first. ``closing`` agree to close the match without a result, first who
    asked for it; ``refused`` have asked that in vain and cannot ask again. ``shut_out`` may not see
    the table's channel any more. ``handed_over`` have left their seats to a frog by choice. ``going_on``
    have seen the banner of the last move.
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
    """A match as it is stored, without its moves.

    ``players`` stand in the order of their seats. ``limit`` is how many may sit down. ``seed`` is
    None until the match starts, and secret until it has ended. ``guild_id`` is None in a DM.
    ``opened_at`` and ``ended_at`` are seconds since 1970, None where they are not known. A turn may
    take ``turn_seconds``, 0 for as long as it likes: the one that is awaited is passed when
    ``turn_ends_at``, None while no clock runs. ``rests_since`` is since when nobody has been there.
    ``unfinished``: nobody came any more, and it was stopped. A ``guest`` can only answer interactions.
    ``wakes_at`` is when the table next has to be looked at, None for not before somebody does something.
    ``active_at`` is when a move was made, or the host of the lobby did something; ``roster`` is who may
    do what; ``stands_since`` since when it cannot be played, or None.
    ``version`` counts the changes of the match, its moves and its end among them; ``shown`` says
    after how many of them its messages were right when it was read, -1 for never.
    ``secret`` is what the seed is made of with ``interactions_of`` it, None where nobody was shown a
    commitment to it; ``started_by`` is the id of the interaction that started the match, ``opened_by``
    of the one that opened its table, 0 for one that binds nothing else to its secret.
    ``thinking_version`` is of its computer players, 0 where that is not known.
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
        """Whether its messages were right when it was read, and it has not changed since."""
        return self.shown == self.version

    @property
    def seconds(self) -> int | None:
        """How long the match took, or None while it goes on."""
        if self.opened_at is None or self.ended_at is None:
            return None
        return self.ended_at - self.opened_at

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.title for player in self.players)

    @property
    def allows_hints(self) -> bool:
        """Whether a player may ask what a toad would do: as the host said, or else who plays alone.

        That takes nothing from anybody.
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
    """Move ``n`` of a match, counted from 0: the seat that made it, its notation, and when.

    ``choice`` is what was clicked for it, or could have been; so a doubled click is told from another.
    ``mover`` is None for a move of Ribit 1.0, which did not store it.
    """

    n: int
    seat: int
    text: str
    at: int | None = field(default=None, compare=False)
    choice: str | None = field(default=None, compare=False)
    mover: Mover | None = field(default=None, compare=False)


@frozen
class Waiting:
    """What a start has to know of a match: when it has to be looked at, and whether it is shown."""

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
    """How a seat came out of a match; ``played``: it has moved, and play has decided something.

    ``handed_over``: a frog has moved for it, as its player had chosen.
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
    """Return the state of a started match after its entries: resume, replay and audit are this."""
    [state] = deque(states(game, match, entries), maxlen=1)
    return state


@frozen
class Change:
    """What came of an event: the match before and after it, and the move with its results, if any.

    It counts only where the match still stands as ``before``, by its version. ``is_learned``: with it
    the host of a lesson has learned the game. ``place`` is where a match goes on that moves by it, and
    ``then`` a second move of the same click.
    """

    before: Match
    after: Match
    entry: Entry | None = None
    results: tuple[Result, ...] = ()
    is_learned: bool = False
    place: str | None = None
    then: Entry | None = None

"""A table: a match as it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from bot.engine.game import AnyGame, Outcome, Question, Viewer, Words
from bot.engine.immutable import frozen
from bot.engine.lesson import PUPIL, Progress, progress
from bot.engine.panel import Choice, Panel
from bot.engine.scene import Scene
from bot.engine.thinking import IN_PLACE, Mover, Strength
from bot.matches.leaderboard import is_move, results
from bot.matches.match import LEAVES, Entry, Match, Result, Stage, advance, opening

AWAY_AFTER = 3  # how many turns in a row a player misses before the table waits for them no more
MOST_SOLO_MOVES = 2_000
"""After so many moves, questions and those taken back among them, a match for one is given up."""


@frozen
class Table:
    """A match after ``n`` moves, the last of them by ``last_seat``.

    ``state`` is the game's, secrets and all, and None until the match starts; what anybody is
    shown comes from the methods, which all go through the view of a viewer. The turn of the seat to
    move ``began`` after so many moves, and its last move in it was made at ``acted_at``, or None.
    ``memories`` are what the seats that the bot plays remember of what they were shown. ``progress``
    is how far the pupil of a lesson has come; None at any other table. ``left`` are the seats that gave
    up, ``moved`` those that have made a move, ``handed_over`` those for which a frog did at their
    players' wish, ``stood_in`` those whose last move a frog made in a player's place; ``made`` is how
    many entries each seat has. ``plans`` are the moves in writing that a hint has in mind for the seat
    that asked, as long as that seat makes them.
    """

    match: Match
    game: AnyGame
    state: Any = field(default=None, repr=False)
    n: int = 0
    last_seat: int | None = None
    began: int = 0
    acted_at: int | None = None
    memories: Mapping[int, Any] = field(default_factory=dict, repr=False, compare=False)
    progress: Progress | None = field(default=None, repr=False, compare=False)
    left: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()
    handed_over: frozenset[int] = frozenset()
    stood_in: frozenset[int] = frozenset()
    made: Mapping[int, int] = field(default_factory=dict, repr=False, compare=False)
    plans: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    _turn_start: Table | None = field(default=None, repr=False, compare=False)
    answers: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was thought out for who asked about the table as it stands: moves in writing, by question."""
    _views: dict[Viewer, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def dealt(cls, match: Match, game: AnyGame) -> Table:
        state = opening(game, match)
        memories = _recalled(match, game, state, {})
        return cls(match, game, state, memories=memories, progress=_learned(match, game, state, None))

    def after(self, entry: Entry) -> Table:
        state, n = advance(self.game, self.state, entry), entry.n + 1
        seat = frozenset({entry.seat})
        began, acted_at = self.began, self.acted_at
        turn_start: Table | None = self.turn_start
        if _awaited(self.game, self.state) != _awaited(self.game, state):
            began, acted_at, turn_start = n, None, None
        elif entry.seat == self.game.to_move(state):
            acted_at = entry.at
        return replace(
            self,
            state=state,
            n=n,
            last_seat=entry.seat,
            began=began,
            acted_at=acted_at,
            _turn_start=turn_start,
            memories=_recalled(self.match, self.game, state, self.memories),
            progress=_learned(self.match, self.game, state, self.progress, entry),
            left=self.left | seat if entry.text == LEAVES else self.left,
            moved=self.moved | seat if is_move(self.game, self.state, entry) else self.moved,
            handed_over=self.handed_over | (seat if entry.mover is Mover.HANDED_OVER else set()),
            stood_in=self._stood_in_after(entry),
            made={**self.made, entry.seat: self.made.get(entry.seat, 0) + 1},
            plans=self._plans_after(entry),
        )

    def having(self, **fields: Any) -> Table:
        return replace(self, match=replace(self.match, **fields))

    def with_player(self, seat: int, **fields: Any) -> Table:
        players = list(self.match.players)
        players[seat] = replace(players[seat], **fields)
        return self.having(players=tuple(players))

    def _plans_after(self, entry: Entry) -> dict[int, tuple[str, ...]]:
        """Return what is left of a hint after one more entry: nothing once another move was made."""
        plan = self.plans.get(entry.seat, ())
        return {entry.seat: plan[1:]} if plan[:1] == (entry.text,) and plan[1:] else {}

    def _stood_in_after(self, entry: Entry) -> frozenset[int]:
        if entry.mover is Mover.TABLE:
            return self.stood_in
        seat = frozenset({entry.seat})
        return self.stood_in | seat if entry.mover in IN_PLACE else self.stood_in - seat

    @property
    def frogs(self) -> frozenset[int]:
        """The seats that frogs played last; of a person's, its last move says it, not who sits there."""
        players = enumerate(self.match.players)
        return self.stood_in.union(seat for seat, each in players if each.is_computer_player)

    @property
    def is_lobby(self) -> bool:
        return self.match.stage is Stage.LOBBY

    @property
    def is_playing(self) -> bool:
        return self.match.stage is Stage.PLAYING

    @property
    def is_unreadable(self) -> bool:
        """Whether it was dealt, but its rules or a move of it are not known any more."""
        return self.match.seed is not None and self.state is None

    @property
    def is_solo(self) -> bool:
        return self.game.info.is_solo

    @property
    def to_move(self) -> int | None:
        """The seat whose move it is; None unless the match is being played."""
        return self.game.to_move(self.state) if self.is_playing else None

    @property
    def computer(self) -> Strength | None:
        """How well the bot plays the awaited move; where only frogs are left, by rule of thumb."""
        if self.to_move is None or self.pauses or self.rests:
            return None
        strength = self.match.players[self.to_move].strength
        return Strength.FROGLET if strength is not None and self.is_left_to_frogs else strength

    @property
    def lot(self) -> bytes:
        """What a thought about the move that is awaited hangs on, beside what the seat remembers."""
        assert self.match.seed is not None, "the match has started"
        assert self.to_move is not None, "a move is awaited"
        return self.game.lot(self.match.seed, self.n, self.to_move, self.made.get(self.to_move, 0))

    @property
    def gives_hints(self) -> bool:
        return self.game.thinking is not None and not self.is_solo and self.match.allows_hints

    @property
    def hinted(self) -> tuple[Any, ...]:
        """The moves that a hint has in mind for the seat to move; none without one."""
        plan = () if self.to_move is None or self.pauses else self.plans.get(self.to_move, ())
        return tuple(self.game.read(text, self.state) for text in plan)

    @property
    def is_learned(self) -> bool:
        """Whether this is a lesson that was played to its end, or whose pupil has met all of it."""
        lesson, far = self.game.lesson, self.progress
        is_over = self.outcome is not None
        return lesson is not None and far is not None and (is_over or lesson.is_done(far.met))

    @property
    def turn_start(self) -> Table:
        """The table when the turn of the seat to move began: what waiting players are shown."""
        return self._turn_start or self

    @property
    def pauses(self) -> bool:
        """Whether the table itself makes the next move after a pause."""
        return self.is_playing and not self.rests and self.game.automatic(self.state) is not None

    @property
    def rests(self) -> bool:
        """Whether nobody is there to play, so that nothing goes on until somebody comes back."""
        return self.is_playing and self.match.rests_since is not None

    @property
    def stands(self) -> bool:
        """Whether it cannot be played, so that its clock stands still."""
        return self.is_playing and self.match.stands_since is not None

    @property
    def shows_standing(self) -> bool:
        return self.stands and self.match.turn_ends_at is not None

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that are still in the match; none unless it is being played."""
        return self.game.remaining(self.state) if self.is_playing else ()

    @property
    def people(self) -> tuple[int, ...]:
        """Of the seats in the match, those that belong to people, be they there or away."""
        players = self.match.players
        return tuple(seat for seat in self.remaining if not players[seat].is_computer_player)

    @property
    def is_left_to_frogs(self) -> bool:
        """Whether nobody plays any more: of the seats in the match the bot plays every one."""
        return all(self.match.players[seat].strength is not None for seat in self.remaining)

    @property
    def away(self) -> tuple[int, ...]:
        """Of the seats in the match, those that have missed so many turns that they are away."""
        players = self.match.players
        return tuple(seat for seat in self.remaining if players[seat].missed >= AWAY_AFTER)

    @property
    def shows_banner(self) -> bool:
        """Whether a frog waits until people have seen a banner: not where all who are there go on."""
        if self.computer is None or self.is_left_to_frogs or not self.game.has_banner(self.state):
            return False
        there = (seat for seat in self.people if seat not in (*self.away, *self.match.computer_seats))
        return any(self.match.players[seat].id not in self.match.roster.going_on for seat in there)

    @property
    def outcome(self) -> Outcome | None:
        return None if self.state is None else self.game.outcome(self.state)

    @property
    def signature(self) -> object:
        """What tells one state to be shown from another."""
        return (
            self.match.stage,
            self.match.players,
            self.n,
            self.match.turn_ends_at,
            self.match.rests_since,
            self.match.roster,
            self.shows_standing,
        )

    @property
    def results(self) -> tuple[Result, ...]:
        return results(self.game, self.state, self.moved, self.handed_over)

    def scene(self, viewer: Viewer, names: Sequence[str]) -> Scene:
        return self.game.scene(self._view(viewer), names)

    def words(self, viewer: Viewer, names: Sequence[str]) -> Words:
        return self.game.words(self._view(viewer), names)

    @property
    def shared(self) -> tuple[str, ...]:
        """How a deal went, and the way there in signs: no card is in it."""
        return self.game.shared(self._view(None))

    def panel(self, viewer: Viewer, path: tuple[str, ...] = ()) -> Panel:
        return self.game.panel(self._view(viewer), path) if self.is_playing else Panel()

    def choice(self, viewer: Viewer, path: tuple[str, ...], key: str) -> Choice | None:
        return self.panel(viewer, path).choice(key)

    def fits(self, question: Question[Any, Any, Any]) -> bool:
        return question.fits(self._view(None))

    def _view(self, viewer: Viewer) -> Any:
        if viewer not in self._views:
            self._views[viewer] = self.game.view(self.state, viewer)
        return self._views[viewer]


def _awaited(game: AnyGame, state: Any) -> tuple[int | None, bool]:
    return game.to_move(state), game.automatic(state) is not None


def _recalled(match: Match, game: AnyGame, state: Any, memories: Mapping[int, Any]) -> Mapping[int, Any]:
    thinking = game.thinking
    if thinking is None:
        return memories
    return {
        seat: thinking.recall(memories.get(seat), game.view(state, seat))
        for seat in match.computer_seats
    }


def _learned(
    match: Match, game: AnyGame, state: Any, last: Progress | None, entry: Entry | None = None
) -> Progress | None:
    """Return how far the pupil of a lesson has come after one more move; None for any other match.

    A move that followed another in the same click has no choice of its own.
    """
    if not match.is_lesson or game.lesson is None:
        return None
    is_own = entry is not None and entry.seat == PUPIL and entry.choice is not None
    return progress(game.lesson, last, game.view(state, PUPIL), is_own=is_own)

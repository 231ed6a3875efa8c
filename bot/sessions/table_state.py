"""A match together with its current state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Outcome, Viewer
from bot.engine.lesson import PUPIL, Progress, progress
from bot.engine.opponent import IN_PLACE, Mover, Strength
from bot.engine.panel import Choice, Panel
from bot.matches.match import LEAVES, Entry, Match, Result, Stage, advance, opening
from bot.matches.results import is_move, results

AWAY_AFTER = 3  # a player is inactive after missing this many turns in a row
MOST_SOLO_MOVES = 2_000
"""Number of moves after which a solitaire match is given up automatically (A14).

Questions and undone moves are included.
"""


@frozen
class Table:
    """A match and the state of its game after ``n`` moves.

    ``state`` contains secrets such as other players' cards. Content for a user is therefore made only
    from the user's view.

    Attributes:
        game: The game, with the rules version of the match.
        state: The state of the game, including secrets. None until the match starts.
        n: The number of moves made so far.
        last_seat: The seat that made the last move, or None.
        began: The number of moves that had been made when the current turn began.
        acted_at: Unix time of the last move in the current turn, or None.
        memories: The computer players' memories, by seat.
        progress: The pupil's progress in a lesson, or None.
        left: The seats whose players gave up.
        moved: The seats that have moved.
        handed_over: The seats for which a computer player has moved at the player's request.
        substituted_seats: The seats whose last move was made by a computer player in place of the
            player.
        made: The number of journal entries of each seat.
        plans: The remaining moves of a hint, in the game's notation, by the seat that asked for it. If
            the seat makes a different move, they are dropped.
        newcomers: The IDs of the people who had never reached the aim of the game before this match.
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
    substituted_seats: frozenset[int] = frozenset()
    made: Mapping[int, int] = field(default_factory=dict, repr=False, compare=False)
    plans: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    newcomers: frozenset[int] = field(default=frozenset(), repr=False, compare=False)
    _turn_start: Table | None = field(default=None, repr=False, compare=False)
    answers: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Cached answers to questions about the current state, in the game's notation, by question."""
    shown: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Cache of the views from which content is made. Only ``bot.messages.table_view`` uses it."""
    _views: dict[Viewer, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def deal(cls, match: Match, game: AnyGame) -> Table:
        state = opening(game, match)
        memories = _recall_memories(match, game, state, {})
        return cls(
            match, game, state, memories=memories, progress=_lesson_progress(match, game, state, None)
        )

    def after_move(self, entry: Entry) -> Table:
        state, n = advance(self.game, self.state, entry), entry.n + 1
        seat = frozenset({entry.seat})
        began, acted_at = self.began, self.acted_at
        turn_start: Table | None = self.turn_start
        if _awaited_seat(self.game, self.state) != _awaited_seat(self.game, state):
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
            memories=_recall_memories(self.match, self.game, state, self.memories),
            progress=_lesson_progress(self.match, self.game, state, self.progress, entry),
            left=self.left | seat if entry.text == LEAVES else self.left,
            moved=self.moved | seat if is_move(self.game, self.state, entry) else self.moved,
            handed_over=self.handed_over | (seat if entry.mover is Mover.HANDED_OVER else set()),
            substituted_seats=self._substitutes_after(entry),
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
        """Return the remaining moves of hints after a move.

        A move that differs from a hint discards the hint.
        """
        plan = self.plans.get(entry.seat, ())
        return {entry.seat: plan[1:]} if plan[:1] == (entry.text,) and plan[1:] else {}

    def _substitutes_after(self, entry: Entry) -> frozenset[int]:
        if entry.mover is Mover.TABLE:
            return self.substituted_seats
        seat = frozenset({entry.seat})
        return (
            self.substituted_seats | seat if entry.mover in IN_PLACE else self.substituted_seats - seat
        )

    @property
    def is_lobby(self) -> bool:
        return self.match.stage is Stage.LOBBY

    @property
    def is_playing(self) -> bool:
        return self.match.stage is Stage.PLAYING

    @property
    def is_solo(self) -> bool:
        return self.game.info.is_solo

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, or None if the match is not in progress."""
        return self.game.to_move(self.state) if self.is_playing else None

    @property
    def computer(self) -> Strength | None:
        """The strength of the computer player whose turn it is, or None if it is a person's turn.

        If only computer players are left in the match, they all play as froglets, the weakest.
        """
        if self.to_move is None or self.pauses or self.rests:
            return None
        strength = self.match.players[self.to_move].strength
        return (
            Strength.FROGLET if strength is not None and self.is_left_to_computer_players else strength
        )

    @property
    def lot(self) -> bytes:
        """The random seed for the next move of a computer player."""
        assert self.match.seed is not None, "the match has started"
        assert self.to_move is not None, "a move is awaited"
        return self.game.lot(self.match.seed, self.n, self.to_move, self.made.get(self.to_move, 0))

    @property
    def gives_hints(self) -> bool:
        return self.game.thinking is not None and not self.is_solo and self.match.allows_hints

    @property
    def hint_moves(self) -> tuple[Any, ...]:
        """The remaining moves of a hint for the player whose turn it is. Empty if there is no hint."""
        plan = () if self.to_move is None or self.pauses else self.plans.get(self.to_move, ())
        return tuple(self.game.read(text, self.state) for text in plan)

    @property
    def is_learned(self) -> bool:
        """True if the match is a lesson and the lesson is complete.

        A lesson is complete when its match ends or when the pupil has seen all rules that the lesson
        teaches.
        """
        lesson, far = self.game.lesson, self.progress
        is_over = self.outcome is not None
        return lesson is not None and far is not None and (is_over or lesson.is_done(far.met))

    @property
    def is_new(self) -> bool:
        """True until a person has made a move.

        Until then, messages also show facts that do not change later.
        """
        return self.moved.isdisjoint(self.people)

    @property
    def turn_start(self) -> Table:
        """The table at the beginning of the current turn.

        Players who wait for their turn see this table.
        """
        return self._turn_start or self

    @property
    def pauses(self) -> bool:
        """True if the next move is automatic, such as dealing a new round.

        Ribit makes it after a delay.
        """
        return self.is_playing and not self.rests and self.game.automatic(self.state) is not None

    @property
    def rests(self) -> bool:
        """True if the match is paused because all players are inactive.

        It resumes when a player comes back.
        """
        return self.is_playing and self.match.rests_since is not None

    @property
    def is_unplayable(self) -> bool:
        """True if players cannot reach the match, for example in an outage.

        Its turn clock is stopped.
        """
        return self.is_playing and self.match.stands_since is not None

    @property
    def shows_standing(self) -> bool:
        return self.is_unplayable and self.match.turn_ends_at is not None

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that are still in the match. Empty if the match is not in progress."""
        return self.game.remaining(self.state) if self.is_playing else ()

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people who are still in the match, including inactive people."""
        players = self.match.players
        return tuple(seat for seat in self.remaining if not players[seat].is_computer_player)

    @property
    def is_left_to_computer_players(self) -> bool:
        """True if computer players make the moves of all seats that are still in the match."""
        return all(self.match.players[seat].strength is not None for seat in self.remaining)

    @property
    def inactive_seats(self) -> tuple[int, ...]:
        """The seats of players who have missed several turns in a row but are still in the match."""
        players = self.match.players
        return tuple(seat for seat in self.remaining if players[seat].missed >= AWAY_AFTER)

    @property
    def shows_banner(self) -> bool:
        """True if a computer player waits until active people have dismissed the last move's banner."""
        if (
            self.computer is None
            or self.is_left_to_computer_players
            or not self.game.has_banner(self.state)
        ):
            return False
        there = (
            seat
            for seat in self.people
            if seat not in (*self.inactive_seats, *self.match.computer_seats)
        )
        return any(self.match.players[seat].id not in self.match.roster.going_on for seat in there)

    @property
    def outcome(self) -> Outcome | None:
        return None if self.state is None else self.game.outcome(self.state)

    @property
    def signature(self) -> object:
        """A value that changes whenever the messages of the table must be updated.

        Used for comparison.
        """
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

    def panel(self, viewer: Viewer, path: tuple[str, ...] = ()) -> Panel:
        return self.game.panel(self.view(viewer), path) if self.is_playing else Panel()

    def choice(self, viewer: Viewer, path: tuple[str, ...], key: str) -> Choice | None:
        return self.panel(viewer, path).choice(key)

    def view(self, viewer: Viewer) -> Any:
        if viewer not in self._views:
            self._views[viewer] = self.game.view(self.state, viewer)
        return self._views[viewer]


def _awaited_seat(game: AnyGame, state: Any) -> tuple[int | None, bool]:
    return game.to_move(state), game.automatic(state) is not None


def _recall_memories(
    match: Match, game: AnyGame, state: Any, memories: Mapping[int, Any]
) -> Mapping[int, Any]:
    thinking = game.thinking
    if thinking is None:
        return memories
    return {
        seat: thinking.recall(memories.get(seat), game.view(state, seat))
        for seat in match.computer_seats
    }


def _lesson_progress(
    match: Match, game: AnyGame, state: Any, last: Progress | None, entry: Entry | None = None
) -> Progress | None:
    """Return the pupil's progress in a lesson after a move, or None if the match is not a lesson.

    If one click makes two moves, only the first one counts as the pupil's own. The second one has no
    ``choice``.
    """
    if not match.is_lesson or game.lesson is None:
        return None
    is_own = entry is not None and entry.seat == PUPIL and entry.choice is not None
    return progress(game.lesson, last, game.view(state, PUPIL), is_own=is_own)

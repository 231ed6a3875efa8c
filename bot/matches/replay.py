"""Replays of finished matches.

All states of a match are computed once from its moves. Every 50th state is kept in compressed form.
"""

from __future__ import annotations

import pickle
import zlib
from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.highlights import Highlight
from bot.engine.opponent import IN_PLACE, Mover
from bot.matches.match import Entry, Match, advance, opening

KEPT_EVERY = 50
"""The number of moves between two stored states. Computing a state in between takes 1 to 2 ms."""


@frozen
class Course:
    """The states and key moments of a finished match. It contains no player names, and may be cached.

    A position in the match is given as the number of moves since the deal. If the deal cannot be read,
    ``stages`` is empty.

    Attributes:
        stages: Every state after a multiple of ``KEPT_EVERY`` moves, beginning with the deal, together
            with the journal entries up to the next kept state. They are compressed, because a long match
            would otherwise need a hundred times as much memory.
        last: The number of moves that can be read.
        moments: The key moments, each with its position.
        rounds: The positions at which the rounds begin.
        steps: The positions at which the steps of the replay end.
        is_whole: True if all moves can be read.
    """

    stages: tuple[bytes, ...] = ()
    last: int = 0
    moments: tuple[tuple[int, Highlight], ...] = ()
    rounds: tuple[int, ...] = (0,)
    steps: tuple[int, ...] = (0,)
    is_whole: bool = True


def course(game: AnyGame, match: Match, entries: Sequence[Entry]) -> Course:
    try:
        before = state = opening(game, match)
    except (LookupError, ValueError):  # options of an earlier version
        return Course()
    stages, moments, batch = list[bytes](), list[tuple[int, Highlight]](), list[Entry]()
    rounds, steps = [0], [0]
    first, look = set[Highlight](), game.lookback
    for n, entry in enumerate(entries, 1):
        try:
            after = advance(game, state, entry)
        except (UnreadableMoveError, IllegalMoveError):
            break
        if look is not None:
            highlights = [
                highlight for highlight in look.moments(state, after) if highlight not in first
            ]
            moments += [(n, highlight) for highlight in highlights]
            first.update(highlight for highlight in highlights if highlight.is_first)
            rounds += [n] if look.round(after) != look.round(state) else []
        steps += [n] if look is None or look.step(after) != look.step(state) else []
        state = after
        batch.append(entry)
        if len(batch) == KEPT_EVERY:
            stages.append(_pack(before, batch))
            before, batch = state, []
    last = len(stages) * KEPT_EVERY + len(batch)
    stages.append(_pack(before, batch))
    if last > steps[-1]:
        steps.append(last)
    return Course(tuple(stages), last, tuple(moments), tuple(rounds), tuple(steps), last == len(entries))


def _pack(state: Any, entries: list[Entry]) -> bytes:
    return zlib.compress(pickle.dumps((state, entries)), 1)


def evenly(numbers: Sequence[int], most: int) -> list[int]:
    count = min(len(numbers), most)
    return [numbers[round(place * (len(numbers) - 1) / max(count - 1, 1))] for place in range(count)]


@frozen
class Replay:
    """A finished match with all of its states, for watching it move by move."""

    match: Match
    game: AnyGame
    course: Course

    @property
    def last(self) -> int:
        return self.course.last

    def state(self, n: int) -> Any:
        state, entries = self._stage(n // KEPT_EVERY)
        for entry in entries[: n % KEPT_EVERY]:
            state = advance(self.game, state, entry)
        return state

    def entries(self, first: int, last: int) -> list[Entry]:
        near = first // KEPT_EVERY
        found = chain.from_iterable(self._stage(at)[1] for at in range(near, last // KEPT_EVERY + 1))
        return list(found)[first - near * KEPT_EVERY : last - near * KEPT_EVERY]

    def _stage(self, number: int) -> tuple[Any, list[Entry]]:
        stage: tuple[Any, list[Entry]] = pickle.loads(zlib.decompress(self.course.stages[number]))  # noqa: S301 — our own
        return stage

    def view(self, state: Any) -> Any:
        look = self.game.lookback
        return self.game.view(state, None) if look is None else look.opened(state)

    def step_of(self, n: int) -> int:
        """Return the number of the replay step that contains move number ``n``. Step 0 is the deal."""
        return bisect_left(self.course.steps, n)

    def event_lines(self, n: int, view: Any, names: Sequence[str]) -> tuple[str, ...]:
        look, history = self.game.lookback, self.game.history
        if look is None or history is None:
            return self.game.words(view, names).story
        begins = self.course.steps[max(self.step_of(n) - 1, 0)]
        state = self.state(begins)
        happened = list(self.game.view(state, None).events) if not n else []
        for entry in self.entries(begins, n):
            before, state = state, advance(self.game, state, entry)
            happened += look.happened(before, state)
        return tuple(line for page in history(happened, names) for line in page.lines)

    def key_moments(self, first: int, last: int, most: int) -> list[tuple[int, tuple[Highlight, ...]]]:
        """Return the key moments in a part of the match, grouped by move.

        If there are more groups than ``most``, those with the highest weights are returned. Among groups
        with equal weights, the choice is evenly spaced.

        Args:
            first: The position at which the part begins.
            last: The position at which the part ends.
            most: The maximum number of groups.
        """
        of_moves = [
            (n, tuple(moment for _n, moment in group))
            for n, group in groupby(self.course.moments, itemgetter(0))
            if first <= n <= last
        ]
        weights = {n: sum(moment.weight for moment in moments) for n, moments in of_moves}
        least = min(sorted(weights.values(), reverse=True)[:most], default=0)
        above = [n for n, weight in weights.items() if weight > least]
        level = evenly([n for n, weight in weights.items() if weight == least], most - len(above))
        return [one for one in of_moves if one[0] in {*above, *level}]

    def computer_players(self, n: int) -> tuple[int, ...]:
        """Return the seats that computer players are playing after ``n`` moves.

        If a computer player made the last move of a person's seat, this seat is included.
        """
        last, players = dict[int, Entry](), self.match.players
        while n > 0 and len(last) < len(players):
            near = (n - 1) // KEPT_EVERY * KEPT_EVERY
            for entry in reversed(self.entries(near, n)):
                if entry.mover is not Mover.TABLE:
                    last.setdefault(entry.seat, entry)
            n = near
        in_place = {seat for seat, entry in last.items() if entry.mover in IN_PLACE}
        return tuple(
            seat for seat, player in enumerate(players) if player.is_computer_player or seat in in_place
        )

    def round_at(self, n: int) -> tuple[int, int]:
        begins = max(start for start in self.course.rounds if start <= n)
        return begins, min((start for start in self.course.rounds if start > n), default=self.last)


@frozen
class LiveSeat:
    """A player's seat in a match that has not ended.

    Attributes:
        guild_id: The server, or None for a DM.
        name: The player's name in the match.
    """

    match_id: str
    guild_id: int | None
    name: str

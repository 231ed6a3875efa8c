"""A replay: a match that is over as it was after each of its moves, folded once."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.lookback import Moment
from bot.engine.match import Entry, Match, advance, opening
from bot.engine.thinking import IN_PLACE, Mover
from bot.engine.values import frozen

KEPT_EVERY = 50
"""A state is kept after so many moves, from which the next ones are folded in a millisecond or two."""


@frozen
class Replay:
    """A match and its moves, as far as they were read: ``end`` is the state after the last of them.

    ``kept`` are the states after each ``KEPT_EVERY`` moves, the deal first. ``moments`` are those worth
    seeing again, and ``rounds`` where each round begins, both by the number of moves made until then.
    A move after the ``end`` may not be readable any more: then the replay is not ``is_whole``.
    """

    match: Match
    game: AnyGame
    end: Any = field(repr=False)
    kept: tuple[Any, ...] = field(repr=False)
    entries: tuple[Entry, ...] = ()
    moments: tuple[tuple[int, Moment], ...] = ()
    rounds: tuple[int, ...] = (0,)
    is_whole: bool = True

    @classmethod
    def dealt(cls, match: Match, game: AnyGame) -> Replay:
        """Return the replay of a match before its first move."""
        state = opening(game, match)
        return cls(match, game, state, (state,))

    def after(self, entry: Entry) -> Replay:
        """Return the replay with one move more; raises what that move raises."""
        state, look = advance(self.game, self.end, entry), self.game.lookback
        n, moments, rounds = self.last + 1, self.moments, self.rounds
        if look is not None:
            if found := look.moments(self.end, state):
                known = {moment for _n, moment in moments if moment.is_first}
                moments += tuple((n, moment) for moment in found if moment not in known)
            rounds += (n,) if look.round(state) != look.round(self.end) else ()
        return replace(
            self,
            end=state,
            kept=self.kept if n % KEPT_EVERY else (*self.kept, state),
            entries=(*self.entries, entry),
            moments=moments,
            rounds=rounds,
        )

    def cut(self) -> Replay:
        """Return the replay of a match of which the next move cannot be read."""
        return replace(self, is_whole=False)

    @property
    def last(self) -> int:
        """How many moves were made."""
        return len(self.entries)

    def state(self, n: int) -> Any:
        """Return the state after so many moves."""
        near = n // KEPT_EVERY
        state = self.kept[near]
        for entry in self.entries[near * KEPT_EVERY : n]:
            state = advance(self.game, state, entry)
        return state

    def view(self, state: Any) -> Any:
        """Return what is seen of a state of it: the table with every hand open."""
        look = self.game.lookback
        return self.game.view(state, None) if look is None else look.opened(state)

    def frogs(self, n: int) -> tuple[int, ...]:
        """Return the seats that frogs play after so many moves: of a person's, its last move says it."""
        last = {entry.seat: entry for entry in self.entries[:n] if entry.mover is not Mover.TABLE}
        in_place = {seat for seat, entry in last.items() if entry.mover in IN_PLACE}
        players = enumerate(self.match.players)
        return tuple(seat for seat, each in players if each.is_computer_player or seat in in_place)

    def round_at(self, n: int) -> tuple[int, int]:
        """Return where the round that goes on after so many moves begins and ends."""
        begins = max(each for each in self.rounds if each <= n)
        return begins, min((each for each in self.rounds if each > n), default=self.last)


@frozen
class Seat:
    """A seat at a live match in a server, and the name of who sits there."""

    match_id: str
    guild_id: int | None
    name: str


@frozen
class Past:
    """A match that a player has played to its end, and whether they won it."""

    match_id: str
    game: str
    ended_at: int | None
    won: bool

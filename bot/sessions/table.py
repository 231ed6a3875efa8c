"""A table: a match as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.engine.game import AnyGame, Outcome, Viewer, Words
from bot.engine.match import Entry, Match, Result, Stage, advance, opening
from bot.engine.panel import Panel
from bot.engine.scene import Scene

AWAY_AFTER = 3
"""How many turns in a row a player misses before the table waits for them no more."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match after ``n`` moves, the last of them by ``last_seat``.

    ``state`` is the game's, secrets and all, and None until the match starts; what anybody is
    shown comes from the methods, which all go through the view of a viewer. The turn of the seat to
    move ``began`` after so many moves, and its last move in it was made at ``acted_at``, or None.
    """

    match: Match
    game: AnyGame
    state: Any = field(default=None, repr=False)
    n: int = 0
    last_seat: int | None = None
    began: int = 0
    acted_at: int | None = None

    @classmethod
    def dealt(cls, match: Match, game: AnyGame) -> Table:
        """Return the table of a started match before its first move."""
        return cls(match, game, opening(game, match))

    def after(self, entry: Entry) -> Table:
        """Return the table after one entry of its journal; the clock is set by others."""
        state = advance(self.game, self.state, entry)
        after = replace(self, state=state, n=entry.n + 1, last_seat=entry.seat)
        if _awaited(self.game, self.state) != _awaited(self.game, state):
            return replace(after, began=after.n, acted_at=None)
        return replace(after, acted_at=entry.at) if entry.seat == self.game.to_move(state) else after

    @property
    def is_lobby(self) -> bool:
        """Whether players can still join."""
        return self.match.stage is Stage.LOBBY

    @property
    def is_playing(self) -> bool:
        """Whether moves are awaited."""
        return self.match.stage is Stage.PLAYING

    @property
    def is_solo(self) -> bool:
        """Whether the game is for one, so that there is no lobby and its player may always leave."""
        return self.game.info.is_solo

    @property
    def to_move(self) -> int | None:
        """The seat whose move it is; None unless the match is being played."""
        return self.game.to_move(self.state) if self.is_playing else None

    @property
    def pauses(self) -> bool:
        """Whether the table itself makes the next move after a pause."""
        return self.is_playing and not self.rests and self.game.automatic(self.state) is not None

    @property
    def rests(self) -> bool:
        """Whether nobody is there to play, so that nothing goes on until somebody comes back."""
        return self.is_playing and self.match.rests_since is not None

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that are still in the match; none unless it is being played."""
        return self.game.remaining(self.state) if self.is_playing else ()

    @property
    def away(self) -> tuple[int, ...]:
        """Of the seats in the match, those that have missed so many turns that they are away."""
        players = self.match.players
        return tuple(seat for seat in self.remaining if players[seat].missed >= AWAY_AFTER)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None."""
        return None if self.state is None else self.game.outcome(self.state)

    @property
    def signature(self) -> object:
        """What tells one state to be shown from another."""
        return (self.match.stage, self.match.players, self.n, self.match.timing)

    @property
    def results(self) -> tuple[Result, ...]:
        """How each seat came out of the match; none while it goes on."""
        if self.outcome is None:
            return ()
        tally = self.game.tally(self.state)
        return tuple(
            Result(seat, seat in self.outcome.winners, figures) for seat, figures in enumerate(tally)
        )

    def scene(self, viewer: Viewer, names: Sequence[str]) -> Scene:
        """Return what the viewer sees."""
        return self.game.scene(self.game.view(self.state, viewer), names)

    def words(self, viewer: Viewer, names: Sequence[str]) -> Words:
        """Return what the viewer is told."""
        return self.game.words(self.game.view(self.state, viewer), names)

    @property
    def shared(self) -> tuple[str, ...]:
        """How it went, in lines to paste elsewhere."""
        return self.game.shared(self.game.view(self.state, None))

    def panel(self, viewer: Viewer, path: tuple[str, ...] = ()) -> Panel:
        """Return the viewer's choices at a step; none unless the match is being played."""
        return self.game.panel(self.game.view(self.state, viewer), path) if self.is_playing else Panel()


def _awaited(game: AnyGame, state: Any) -> tuple[int | None, bool]:
    """Return what is awaited: a seat's turn, or the table's own move."""
    return game.to_move(state), game.automatic(state) is not None

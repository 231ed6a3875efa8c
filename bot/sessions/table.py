"""A table: a match as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.engine.game import AnyGame, Outcome, Viewer, Words
from bot.engine.match import Match, Stage
from bot.engine.panel import Panel
from bot.engine.scene import Scene


@dataclass(frozen=True, slots=True)
class Table:
    """A match after ``n`` moves, the last of them by ``last_seat``.

    ``state`` is the game's, secrets and all, and None until the match starts; what anybody is
    shown comes from the methods, which all go through the view of a viewer.
    """

    match: Match
    game: AnyGame
    state: Any = field(default=None, repr=False)
    n: int = 0
    last_seat: int | None = None

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
        return self.game.info.most == 1

    @property
    def to_move(self) -> int | None:
        """The seat whose move it is; None unless the match is being played."""
        return self.game.to_move(self.state) if self.is_playing else None

    @property
    def pauses(self) -> bool:
        """Whether the table itself makes the next move after a pause."""
        return self.is_playing and self.game.automatic(self.state) is not None

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None."""
        return None if self.state is None else self.game.outcome(self.state)

    def scene(self, viewer: Viewer, names: Sequence[str]) -> Scene:
        """Return what the viewer sees."""
        return self.game.scene(self.game.view(self.state, viewer), names)

    def words(self, viewer: Viewer, names: Sequence[str]) -> Words:
        """Return what the viewer is told."""
        return self.game.words(self.game.view(self.state, viewer), names)

    def panel(self, viewer: Viewer, path: tuple[str, ...] = ()) -> Panel:
        """Return the viewer's choices at a step; none unless the match is being played."""
        return self.game.panel(self.game.view(self.state, viewer), path) if self.is_playing else Panel()

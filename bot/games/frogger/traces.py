"""What is marked in a picture of Frogger: where the last move led, or where the next one may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bot.engine.scene import Mark
from bot.engine.values import frozen
from bot.games.frogger.state import Back, Happening, Space
from bot.games.frogger.view import View


@frozen
class Traces:
    """The marks of the spaces, of the Excuse as the start, and of home."""

    spaces: Mapping[Space, Mark] = field(default_factory=dict)
    start: Mark | None = None
    home: Mark | None = None


def traces(view: View) -> Traces:
    """Return what to mark: for who chooses, what can be chosen; for all others the last move."""
    return _choices(view) if view.is_mine else _last_move(view)


def _choices(view: View) -> Traces:
    """Return which frogs can move, and where they would land (F5, F7)."""
    spaces: dict[Space, Mark] = {}
    start = None
    plays = [(play.frog, landing.to) for play, landing in view.landings]
    backs = [(move.frog, move.to) for move in view.moves if isinstance(move, Back)]
    home = Mark.LANDING if any(to is None for _frog, to in plays) else None
    for frog, to in (*plays, *backs):
        if to is not None:
            spaces[to] = Mark.LANDING
        if frog is None:
            start = Mark.MAY_MOVE
        else:
            spaces[frog] = Mark.MAY_MOVE
    return Traces(spaces, start, home)


def _last_move(view: View) -> Traces:
    """Return where the frog that moved last came from, and where it is now."""
    moved = (Happening.PLAYED, Happening.MOVED_BACK)
    last = next((event for event in reversed(view.events) if event.what in moved), None)
    if last is None:
        return Traces()
    spaces: dict[Space, Mark] = {}
    start = home = None
    if last.frog is None:
        start = Mark.LEFT
    else:
        spaces[last.frog] = Mark.LEFT
    if last.to is not None:
        spaces[last.to] = Mark.REACHED
    elif last.what is Happening.PLAYED:
        home = Mark.REACHED
    else:
        start = Mark.REACHED
    return Traces(spaces, start, home)

"""The pictures beside the pages of the rules."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.scene import Scene
from bot.games.american_toad import layout, rules
from bot.games.american_toad.scene import example, scene
from bot.games.american_toad.state import (
    COLUMNS,
    FOUNDATIONS,
    FULL,
    PACKS,
    SUITS,
    Place,
    Position,
    State,
    Turn,
    Up,
)
from bot.games.american_toad.view import view

_NAMES = ("Ann",)
_DEAL = 12
_STEPS = 45


def _seen(state: State) -> Scene:
    return scene(view(state, 0), _NAMES)


def _under_way() -> Scene:
    """Return a deal in which every card that could has gone up, or else onto a column (A8)."""
    state = rules.open_deal(_DEAL)
    for _step in range(_STEPS):
        moves = layout.card_moves(state.position)
        state = rules.play(state, next((move for move in moves if isinstance(move, Up | Place)), Turn()))
    return _seen(state)


def _deal() -> Scene:
    """Return a deal as it begins (A1)."""
    return _seen(rules.open_deal(_DEAL))


def _nearly_won() -> Scene:
    """Return a deal in which two runs are left, and go up by themselves (A12)."""
    left = range(0, PACKS * 2, PACKS)
    runs = tuple((Card(4, SUITS[place]), Card(3, SUITS[place])) for place in left)
    heights = tuple(FULL - len(runs[0]) * (place in left) for place in range(FOUNDATIONS))
    columns = (*runs, *((),) * (COLUMNS - len(runs)))
    return _seen(State(_DEAL, Position(5, heights, (), columns, (), (), redeal_left=False)))


PICTURES = (example, _deal, _under_way, _nearly_won, _under_way)

"""The pictures beside the pages of the rules, from one match that is well on its way."""

from __future__ import annotations

from bot.engine.game import Viewer
from bot.engine.scene import Scene
from bot.games.frogger import rules
from bot.games.frogger.scene import example, scene
from bot.games.frogger.view import view

_NAMES = ("Ann", "Ben", "Cleo")
_SEED = b"pages 1"
_EARLY, _MIDDLE, _LATE = 4, 22, 40


def _after(moves: int, viewer: Viewer = None) -> Scene:
    """Return what a viewer sees after so many moves, of which each was the first legal one."""
    state = rules.open_match(len(_NAMES), _SEED)
    for _move in range(moves):
        state = rules.play(state, rules.legal_moves(state)[0])
    return scene(view(state, viewer), _NAMES)


def _race() -> Scene:
    """Return frogs at home, in the corridor and on the Excuse (F1, F3)."""
    return _after(_MIDDLE)


def _deal() -> Scene:
    """Return corridor and market soon after the deal (F2)."""
    return _after(_EARLY)


def _open_cards() -> Scene:
    """Return players who have taken cards from the market, which all have seen (F10)."""
    return _after(_LATE)


def _hand() -> Scene:
    """Return what a player holds, as only that player sees it."""
    return _after(_EARLY, viewer=1)


PICTURES = (_race, _deal, example, _open_cards, _hand)

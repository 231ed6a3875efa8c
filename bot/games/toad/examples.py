"""The pictures beside the pages of the rules, from one match that shows it all."""

from __future__ import annotations

from bot.engine.game import Viewer
from bot.engine.scene import Scene
from bot.games.toad import moves, rounds, rules
from bot.games.toad.scene import example, scene
from bot.games.toad.view import view

_NAMES = ("Ann", "Ben", "Cleo")
_LIVES, _SEED = 3, b"pages 12"
"""Ann begins, holds a ten, and there is another in the stock."""

_TOAD = ("take 4", "discard AH", "ribit")
_BOTH_PASS = ("end", "end")


def _after(*texts: str, viewer: Viewer = None) -> Scene:
    """Return what a viewer sees of the match after some moves."""
    state = rounds.open_match(len(_NAMES), _LIVES, _SEED)
    for text in texts:
        state = rules.play(state, moves.read(text, state))
    return scene(view(state, viewer), _NAMES)


def _turn() -> Scene:
    """Return the table in the middle of a turn: a card is taken, none is discarded yet (T4)."""
    return _after("take 4", "discard AH", "end", "draw")


def _claim() -> Scene:
    """Return a toad laid open: a red ten and a black ten (T11, T14)."""
    return _after(*_TOAD)


def _round_end() -> Scene:
    """Return a round that ended because all who were not safe had passed (T13)."""
    return _after(*_TOAD, *_BOTH_PASS)


def _hand() -> Scene:
    """Return what a player holds, as only that player sees it."""
    return _after("take 4", viewer=0)


PICTURES = (example, _turn, _claim, _round_end, _hand)

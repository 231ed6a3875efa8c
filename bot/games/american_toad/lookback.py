"""Looking back on a deal of American Toad: foundations, the redeal, and where it was stuck or won."""

from __future__ import annotations

from functools import partial

from bot.engine.lookback import Lookback, Moment
from bot.engine.words import N_
from bot.games.american_toad.layout import card_moves
from bot.games.american_toad.state import FULL, State
from bot.games.american_toad.view import view

_FIRST = Moment(N_("The first card goes up"), is_first=True)
_FULL = N_("Foundation {n} is full")
_REDEAL = Moment(N_("The redeal"), is_first=True)
_STUCK = N_("No moves are left")
_GIVEN_UP = N_("{name} gives up")
_WON = N_("{name} wins")


def moments(before: State, after: State) -> tuple[Moment, ...]:
    """Return what is worth seeing again of a move; what was undone and done again counts once."""
    was, now = before.position, after.position
    found = []
    if sum(now.heights) > sum(was.heights):
        found.append(_FIRST)
    if (full := now.heights.count(FULL)) > was.heights.count(FULL):
        found.append(Moment(_FULL, n=full, is_first=True))
    if was.redeal_left and not now.redeal_left:
        found.append(_REDEAL)
    if now.is_won and not was.is_won:
        found.append(Moment(_WON))
    elif now != was and next(iter(card_moves(now)), None) is None:
        found.append(Moment(_STUCK))
    if after.given_up and not before.given_up:
        found.append(Moment(_GIVEN_UP))
    return tuple(found)


LOOKBACK = Lookback(opened=partial(view, viewer=None), moments=moments)

"""How a deal went, to be pasted elsewhere: in bars and numbers, without any card."""

from __future__ import annotations

from bot.engine.words import _, ngettext
from bot.games.american_toad.state import FULL
from bot.games.american_toad.view import View
from bot.games.american_toad.words import ALL_CARDS, helped

LEVELS = 4
"""How many squares high the bar of a full foundation is."""
FILLED, EMPTY = "🟩", "⬛"


def shared(view: View) -> tuple[str, ...]:
    """Return the bars of the eight foundations, and the moves, against par where it has one."""
    result = _("won 🏆") if view.won else _("{n} of {all} cards up").format(n=view.up, all=ALL_CARDS)
    moves = ngettext("{n} move", "{n} moves", view.made).format(n=view.made)
    if view.won and view.par:
        difference = f"{view.made - view.par:+}" if view.made != view.par else "±0"
        moves += " " + _("(par {par}, {difference})").format(par=view.par, difference=difference)
    undos = ngettext("{n} undo", "{n} undos", view.undos).format(n=view.undos)
    return (*_bars(view), " · ".join((result, moves, undos, *helped(view))))


def _bars(view: View) -> tuple[str, ...]:
    """Return the foundations as bars that stand side by side, row by row from the top."""
    return tuple(
        "".join(FILLED if height * LEVELS >= FULL * level else EMPTY for height in view.heights)
        for level in range(LEVELS, 0, -1)
    )

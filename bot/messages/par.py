"""How a player's won deals stand to par: in a line, and as a picture of bars."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.match import Player
from bot.engine.scene import Bars, Caption, Scene
from bot.engine.words import _, ngettext
from bot.messages.player_names import drawn_names

_WIDTH, _MARGIN, _TITLE, _TITLE_LINE = 7.4, 0.2, 0.34, 0.45

_LEAST, _MOST = -10, 50
_BETWEEN = ((-9, -1), (0, 0), (1, 9), (10, 19), (20, 29), (30, 49))
"""The differences that a bar stands for; all below and all above have a bar each."""


def par_line(pars: Mapping[int, int]) -> str:
    """Return best and mean against par; ``pars``: how many deals were won with how many moves more."""
    deals = sum(pars.values())
    mean = sum(difference * count for difference, count in pars.items()) / deals
    words = ngettext(
        "Against par: best **{best}**, mean **{mean}**, in {n} deal won",
        "Against par: best **{best}**, mean **{mean}**, in {n} deals won",
        deals,
    )
    return words.format(best=_signed(min(pars)), mean=_signed(round(mean, 1)), n=deals)


def par_scene(player: Player, pars: Mapping[int, int]) -> Scene:
    """Return the picture of how many deals a player won with how many moves more or less than par."""

    def between(least: int, most: int) -> int:
        return sum(count for difference, count in pars.items() if least <= difference <= most)

    rows = (
        (f"… {_signed(_LEAST)}", between(min(*pars, _LEAST), _LEAST)),
        *(
            (_("par") if least == most else f"{_signed(least)} … {_signed(most)}", between(least, most))
            for least, most in _BETWEEN
        ),
        (f"{_signed(_MOST)} …", between(_MOST, max(*pars, _MOST))),
    )
    (shown,) = drawn_names([player])
    title = (
        Caption(shown, _MARGIN, _MARGIN / 2, _TITLE),
        Caption(_("Moves against par"), _MARGIN, _MARGIN / 2 + _TITLE_LINE, _TITLE),
    )
    bars = Bars(_MARGIN, _MARGIN + 2 * _TITLE_LINE, _WIDTH - 2 * _MARGIN, rows)
    return Scene(_WIDTH, bars.y + bars.height + _MARGIN, (*title, bars))


def _signed(difference: float) -> str:
    """Return a number of moves more or less than par, as it is written."""
    if not difference:
        return "±0"
    return f"{difference:+}".replace("-", "−").removesuffix(".0")

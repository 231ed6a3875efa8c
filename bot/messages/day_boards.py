"""The boards of the days' deals, one after the other, and what can be done with a day that is over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from bot.engine.game import AnyGame
from bot.engine.leaderboard import HELPED, LATE
from bot.engine.names import written
from bot.engine.values import frozen
from bot.engine.words import N_, _
from bot.messages.components import Button, row
from bot.messages.custom_ids import Plain, Turning
from bot.messages.daily_deal import DAILY, as_date, day_of_text, duration, ends_at, short_tomorrow
from bot.messages.leaderboards import Board

_MARKS = {LATE: N_("late"), HELPED: N_("yes")}


@frozen
class DayPage(Turning):
    """A page, counted from 0, of the board of a day."""

    kind = "day board"
    form = "bd:{0.day}:{0.page}"

    day: int
    page: int

    @classmethod
    def read(cls, found: re.Match[str], _values: Sequence[str]) -> Self | None:
        """Return which page of which day; None for a day that there never was."""
        day = day_of_text(found["day"])
        return None if day is None else cls(day, int(found["page"]))


@frozen
class PlayDay(Plain):
    """The deal of a day that is over is to be played for fun."""

    kind = "play day"
    form = "pd:{0.day}"

    day: int


@frozen
class Day:
    """A day and those beside it, as numbers: 0 where there is none. ``number`` is its deal's, or 0.

    ``tomorrow`` is the commitment to the next day's deal, where this is today.
    """

    day: int
    before: int
    after: int
    number: int
    tomorrow: str = ""


def day_board(game: AnyGame, shown: Day, server: str) -> Board:
    """Return the board of a day's deal of a game: who has won it, by moves and then by time.

    The number of the deal is told when the day is over, but not to who plays it still.
    """
    command, is_over = game.info.command, shown.after > 0
    ends = _("This day ends {when}.").format(when=f"<t:{ends_at(shown.day)}:R>")
    number = _("It was deal {n}.").format(n=shown.number) if shown.number else ""
    next_one = f"-# {short_tomorrow(shown.tomorrow)}" if shown.tomorrow else ""
    helped = _(
        "-# Who had a hint or a peek ranks below all who had none, and who won late, after the day, "
        "below all who won on it."
    )
    return Board(
        key=DAILY,
        title=_("## 🏆 Deal of {day} in {server}").format(
            day=as_date(shown.day).isoformat(), server=written(server)
        ),
        hint=_("Nobody here has won the deal of that day.")
        if is_over
        else _("Nobody has won today's deal yet. Try it with `/{command} daily`.").format(
            command=command
        ),
        headings=(_("Moves"), _("Time"), _("Undos"), _("Help")),
        cells=lambda place: (
            str(place.figures["moves"]),
            duration(place.figures["seconds"]),
            str(place.figures["undos"]),
            ", ".join(_(word) for key, word in _MARKS.items() if place.figures[key]) or "–",
        ),
        legend="\n".join(
            filter(None, (helped, f"-# {number or ends}" if number or not is_over else "", next_one))
        ),
        turn=lambda page, button: DayPage(shown.day, page).named(button),
        controls=(
            row(
                _turn("before", "◀ {day}", shown.before),
                _turn("after", "{day} ▶", shown.after),
                *([Button(PlayDay(shown.day).custom_id, _("Play this deal"))] if number else []),
            ),
        ),
    )


def _turn(name: str, label: str, day: int) -> Button:
    """Return the button that turns to another day; a day that there is not leaves it empty."""
    shown = label.format(day=as_date(day).isoformat() if day else "").strip()
    return Button(DayPage(day, 0).named(name), shown, disabled=not day)

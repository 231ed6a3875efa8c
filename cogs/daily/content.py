"""Message content of the deal of the day.

A try is a player's private match with the day's deal. Each player has one try per day that counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Self

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import Name
from bot.engine.panel import Tone
from bot.engine.translation import N_, _, ngettext
from bot.matches.commitment import SHORT
from bot.matches.leaderboard_rules import (
    DAY_SECONDS,
    FREE_HELP,
    HELPED,
    LATE,
)
from bot.matches.match import Match
from bot.messages.components import GOLD, Button, Content, Text, fine_print, layout, row
from bot.messages.components import Row as ControlRow
from bot.messages.custom_ids import PlainControl, RepeatableControl
from bot.messages.deal_calendar import as_date, counts_until, day_of, duration, ends_at
from bot.messages.leaderboard_pages import Board, board_menu
from bot.messages.player_names import written_names
from bot.messages.streaks import Streak, longest_row, streak_lately
from bot.messages.table_view import TableView
from bot.messages.time_limits import when
from bot.sessions.table_state import Table
from bot.storage.daily_deals import day_at
from cogs.daily.store import FROZEN, PLACE, PLAYERS, STREAK, DayTries, won_in_time


def day_of_text(text: str) -> int | None:
    """Parse a day such as 20261121 or 2026-11-21. Return None for any other text."""
    try:
        parsed_date = date.fromisoformat(text)
    except ValueError:
        return None
    return day_of(datetime.combine(parsed_date, time(), UTC))


_MARKS = {LATE: N_("late"), HELPED: N_("with help")}


@frozen
class DayPage(RepeatableControl):
    """A button that shows a page of the leaderboard of a day's deal. Pages are counted from 0."""

    kind = "day board"
    form = "bd:{0.day}:{0.page}"

    day: int
    page: int


class _OfDay(PlainControl):
    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Parse a click. Return None if the date in the custom_id does not exist."""
        return None if day_of_text(found["day"]) is None else super().read(found, values)


@frozen
class DayResults(_OfDay):
    """A button that shows the results of a day's deal to a player who has finished it."""

    kind = "day results"
    form = "dr:{0.day}"

    day: int


@frozen
class PlayDay(_OfDay):
    """A button that starts a match with the deal of a particular day.

    Today's deal is the user's single try. A past day's deal is only for fun.
    """

    kind = "play day"
    form = "pd:{0.day}"

    day: int


def notice_of_day(day: int, over: DayTries, playing: DayTries) -> Content:
    """Return the public message that lists a server's players who play or have played a day's deal.

    Args:
        day: The day, such as 20261121.
        over: The finished tries.
        playing: The tries in progress.
    """
    names = iter(map(str, written_names((*over.players, *playing.players))))
    lines = list[str]()
    for tries, words in ((over, _("✅ Played: {names}")), (playing, _("⏳ Playing: {names}"))):
        entries, unnamed = list(islice(names, len(tries.players))), tries.count - len(tries.players)
        if unnamed > 0:
            entries.append(_("{n} more").format(n=unnamed))
        if entries:
            lines.append(words.format(names=", ".join(entries)))
    return layout(
        Text("\n".join((_("### 📅 Deal of the day {day}").format(day=as_date(day)), *lines))),
        row(_play(day, Tone.GOOD), results_button(day)),
    )


def _play(day: int, tone: Tone = Tone.PLAIN) -> Button:
    return Button(PlayDay(day).custom_id, _("Play this deal"), tone)


def results_button(day: int) -> Button:
    return Button(DayResults(day).custom_id, _("Results"))


@frozen
class Day:
    """A day with a deal of the day, and the days before and after it.

    Attributes:
        day: The day, such as 20261121.
        before: The last earlier day with a deal, or 0 if there is none.
        after: The next day, or 0 if ``day`` is today.
        number: The deal's number, or 0 if it must stay hidden.
        tomorrow: The commitment to tomorrow's deal if ``day`` is today. Otherwise empty.
    """

    day: int
    before: int
    after: int
    number: int
    tomorrow: str = ""


def hidden_day_content(shown: Day, server: Name) -> Content:
    """Return a day's leaderboard page without results, because the day's deal still counts."""
    words = _(
        "A win of this deal can still count until {when}. Until then, only players who have "
        "finished it can see the results."
    )
    lines = (
        _day_title(shown, server),
        words.format(when=when(counts_until(shown.day), DAY_SECONDS)),
        *_day_lines(shown),
    )
    controls = _day_controls(shown, _play(shown.day, Tone.GOOD), results_button(shown.day))
    menu = board_menu(lambda page, button: DayPage(shown.day, page).custom_id_of(button))
    return layout(Text("\n".join(lines)), controls, *menu, *fine_print(_commitment(shown)), colour=GOLD)


def _day_title(shown: Day, server: Name) -> str:
    title = _("## 🏆 Deal of {day} in {server}")
    return title.format(day=as_date(shown.day).isoformat(), server=server)


def _day_lines(shown: Day) -> Iterator[str]:
    if shown.number:
        yield "-# " + _("It was deal {n}.").format(n=shown.number)
    elif not shown.after:
        yield "-# " + _("This day ends {when}.").format(when=when(ends_at(shown.day), DAY_SECONDS))


def _commitment(shown: Day) -> str:
    if not shown.tomorrow:
        return ""
    return _("🔏 tomorrow's deal: `{commitment}`").format(commitment=shown.tomorrow[:SHORT])


def _day_controls(shown: Day, *buttons: Button) -> ControlRow:
    return row(
        _turn("before", "◀ {day}", shown.before), _turn("after", "{day} ▶", shown.after), *buttons
    )


def day_board(game: AnyGame, shown: Day, server: Name) -> Board:
    command, is_over = game.info.command, shown.after > 0
    helped = _(
        "-# A win with more than {n} hints and peeks counts as *with help* and isn't ranked. Wins "
        "after the day has ended rank below all the others."
    ).format(n=FREE_HELP)
    return Board(
        title=_day_title(shown, server),
        hint=_("Nobody here won that day's deal.")
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
        legend="\n".join((helped, *_day_lines(shown))),
        turn=lambda page, button: DayPage(shown.day, page).custom_id_of(button),
        controls=(_day_controls(shown, *([_play(shown.day)] if shown.number else ())),),
        fine_print=_commitment(shown),
    )


def _turn(name: str, label: str, day: int) -> Button:
    text = label.format(day=as_date(day).isoformat() if day else "").strip()
    return Button(DayPage(day, 0).custom_id_of(name), text, disabled=not day)


def end_lines(match: Match, facts: Mapping[str, int]) -> Iterator[str]:
    """Yield a line with the player's place and streak, to show below a finished deal of the day.

    Yield nothing if neither was stored.
    """
    streak = Streak(facts.get(STREAK, 0), facts.get(FROZEN, 0))
    in_a_row = streak.words if streak.length else ""
    place = _("Place {rank} of {players} in this server")
    if day_at(match.ended_at or 0) <= match.day:
        place = _("Place {rank} of {players} in this server so far")
    place = place.format(rank=facts[PLACE], players=facts[PLAYERS]) if PLACE in facts else ""
    if place or in_a_row:
        yield "📅 " + " · ".join(filter(None, (place, in_a_row)))


def next_line(day: int) -> str:
    return _("The next deal comes {when}.").format(when=when(ends_at(day), DAY_SECONDS))


def play_button(table: TableView) -> Button | None:
    return _play(table.match.day) if table.match.day else None


def profile_line(won: Mapping[int, int], today: int, off_days: Collection[date]) -> str:
    """Return the line about deals of the day in a player's profile.

    Args:
        won: The days that the player has won, with the Unix time of each win.
        today: The current day, such as 20261121.
        off_days: Days on which the bot was offline. They do not break a streak.
    """
    words = ngettext("{n} deal of the day won", "{n} deals of the day won", len(won))
    in_time = won_in_time(won)
    in_a_row = streak_lately(in_time, as_date(today), off_days).words
    longest = _("best streak {n}").format(n=longest_row(in_time, off_days))
    return f"📅 {words.format(n=len(won))}, **{in_a_row}**, {longest}"


def tried_words(table: Table, link: str | None) -> str:
    if table.is_playing:
        words = _("You're already playing today's deal.")
    else:
        words = _("You've already played today's deal. The next one comes {when}.").format(
            when=when(ends_at(table.match.day), DAY_SECONDS)
        )
    there = _("[Jump to it]({link}).").format(link=link) if link else ""
    return f"{words} {there}".strip()

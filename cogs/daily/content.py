"""Queries and message content of the deal of the day: winners, tries and leaderboards.

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
from bot.matches.leaderboard import (
    BEYOND,
    DAY_SECONDS,
    FREE_HELP,
    HELPED,
    LATE,
    Facts,
    LeaderboardRow,
    is_with_help,
)
from bot.matches.match import Match, Player, Result
from bot.messages.components import GOLD, Button, Content, Text, fine_print, layout, row
from bot.messages.components import Row as ControlRow
from bot.messages.custom_ids import PlainControl, RepeatableControl
from bot.messages.deal_calendar import (
    Streak,
    as_date,
    counts_until,
    day_of,
    duration,
    ends_at,
    longest_row,
    streak_lately,
)
from bot.messages.leaderboard_pages import Board, board_menu
from bot.messages.player_names import written_names
from bot.messages.table_view import TableView
from bot.messages.time_limits import when
from bot.sessions.lobby import place_of_try
from bot.sessions.table import Table
from bot.storage.daily_deals import DayDeal, day_at
from bot.storage.leaderboard_totals import shown_names
from bot.storage.outages import off_days
from bot.storage.sql import Record, Sql
from bot.storage.writer import ReadStore

MOST_NAMED = 20

STREAK, FROZEN = "days in a row", "days missed in between"
PLACE, PLAYERS = "place of the day", "players of the day"
"""Keys of the facts that are stored when a player wins a deal of the day."""


@frozen
class DayTries:
    """The tries of one day's deal in a server: either the finished ones or those in progress.

    A try is the one match with the day's deal that counts for a player.

    Attributes:
        count: The total number of these tries.
        players: The players of the first ``MOST_NAMED`` tries, by start time.
    """

    count: int
    players: tuple[Player, ...]


class DayWins(ReadStore):
    """Queries for the players who have tried or won a day's deal."""

    async def board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> list[LeaderboardRow]:
        """Return a page of winners for the leaderboard of a day's deal.

        Winners are ordered by moves, then by seconds. Late wins and wins with help come last.

        Args:
            guild_id: The server's ID.
            game: The game's key.
            day: The day, such as 20261121.
            offset: The number of winners to skip.
            limit: The maximum number of winners.
            player_id: If given, return only this player's row.
        """
        of_the_day = {"guild_id": guild_id, "game": game, "day": day}

        async def work(sql: Sql) -> list[LeaderboardRow]:
            if player_id is None:
                found = [row async for row in sql.day_page(**of_the_day, offset=offset, limit=limit)]
            else:
                row = await sql.day_win_of(**of_the_day, player_id=player_id)
                found = [] if row is None else [row]
            return await shown_names(sql, guild_id, map(_row, found))

        return await self._reader.run(work)

    async def position(self, guild_id: int, game: str, day: int, player_id: int) -> int:
        """Return the number of players who rank above a given winner of a day's deal."""
        where = {"guild_id": guild_id, "game": game, "day": day}
        return int(await self._ask("day_position", **where, player_id=player_id))

    async def count(self, guild_id: int, game: str, day: int) -> int:
        return int(await self._ask("day_count", guild_id=guild_id, game=game, day=day))

    async def days_of(self, player_id: int, game: str) -> dict[int, int]:
        """Return the days on which a player has won the deal of the day, latest first.

        Wins with help are not included, because they do not count for a streak.

        Returns:
            The Unix time of the win, by day.
        """
        return await self._reader.run(lambda sql: days_won(sql, player_id, game))

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Return the facts to store when a player has won the deal of the day.

        They are the streak, the player's place and the number of players. Return an empty dict if the
        match was not a deal of the day, was lost, or was won with help. Place and number of players are
        missing for matches outside servers.
        """
        if not match.day or not any(each.won and not is_with_help(each) for each in results):
            return {}
        won = won_in_time(await days_won(sql, match.host_id, match.game))
        streak = streak_lately(won, as_date(match.day), await off_days(sql))
        facts = {STREAK: streak.length, FROZEN: streak.frozen}
        of_the_day = {"guild_id": match.guild_id, "game": match.game, "day": match.day}
        if match.guild_id is not None:
            row = await sql.day_win_of(**of_the_day, player_id=match.host_id)
            if row is not None:
                facts |= {PLACE: row["rank"], PLAYERS: int(await sql.day_count(**of_the_day))}
        return {0: facts}

    async def tries(self, guild_id: int, game: str, day: int) -> tuple[DayTries, DayTries]:
        """Return a server's finished tries of a day's deal, and the tries in progress."""
        first, beyond = (place_of_try(game, day, guild_id, who) for who in ("", "~"))
        places = {"first": first, "beyond": beyond}

        async def work(sql: Sql) -> tuple[DayTries, DayTries]:
            return await _tries(sql, places, is_over=1), await _tries(sql, places, is_over=0)

        return await self._reader.run(work)

    async def deals_before(self, game: str, day: int, limit: int) -> list[DayDeal]:
        found = await self._list("days_before", game=game, day=day, limit=limit)
        return [DayDeal(row["day"], row["deal"], row["par"]) for row in found]


async def days_won(sql: Sql, player_id: int, game: str) -> dict[int, int]:
    found = sql.days_won(player_id=player_id, game=game, beyond=BEYOND)
    return {row["day"]: row["ended_at"] async for row in found}


async def _tries(sql: Sql, places: Mapping[str, str], is_over: int) -> DayTries:
    count = await sql.day_try_count(**places, is_over=is_over)
    found = sql.day_tries(**places, is_over=is_over, limit=MOST_NAMED)
    players = [
        Player(row["host_id"], row["name"], user_name=row["user_name"] or "") async for row in found
    ]
    return DayTries(int(count), tuple(players))


def _row(row: Record) -> LeaderboardRow:
    figures = {key: row[key] for key in (LATE, HELPED, "moves", "undos", "seconds")}
    rank = row["rank"] if row[HELPED] < BEYOND else 0
    return LeaderboardRow(
        rank, row["player_id"], row["name"], 1, 1, figures, user_name=row["user_name"] or ""
    )


def won_in_time(won_at: Mapping[int, int]) -> set[date]:
    """Return the days that count for a player's streak.

    A day counts if the player won its deal before the end of the following day. ``won_at`` is the Unix
    time of each win, by day.
    """
    return {as_date(day) for day, at in won_at.items() if at < counts_until(day)}


def day_of_text(text: str) -> int | None:
    """Parse a day such as 20261121 or 2026-11-21. Return None for any other text."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return day_of(datetime.combine(found, time(), UTC))


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
        named, unnamed = list(islice(names, len(tries.players))), tries.count - len(tries.players)
        if unnamed > 0:
            named.append(_("{n} more").format(n=unnamed))
        if named:
            lines.append(words.format(names=", ".join(named)))
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
    shown = label.format(day=as_date(day).isoformat() if day else "").strip()
    return Button(DayPage(day, 0).custom_id_of(name), shown, disabled=not day)


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

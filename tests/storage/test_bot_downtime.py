"""Outages, as hours of a day and times in which a process did not run."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.delivery.recovery import Recovery
from bot.matches.shards import Shards, read_shards
from bot.messages.streaks import Streak, longest_row, row_lately, saved_days, streak_lately, streak_up_to
from bot.storage.backups import back_up
from bot.storage.database import Database, open_database
from bot.storage.database_lock import last_lived, note_alive, note_left
from tests.storage.database_types import on_sqlite

HOUR = 60 * 60
DAY = 24 * HOUR
MONDAY, TUESDAY, WEDNESDAY, THURSDAY = (date(2026, 11, 23 + n) for n in range(4))
MIDNIGHT = 1_795_392_000
"""Monday at midnight."""


async def test_a_day_mostly_in_outages_is_an_off_day(database: Database) -> None:
    """Outages are added up by process and UTC day, and half a day is not most of it."""
    outages, low, high = database.outages, Shards(0, 3, 8), Shards(4, 7, 8)
    await outages.add(MIDNIGHT + 20 * HOUR, MIDNIGHT + DAY + 12 * HOUR, low)
    assert await outages.off_days() == set()
    await outages.add(MIDNIGHT + DAY + 20 * HOUR, MIDNIGHT + DAY + 22 * HOUR, high)
    assert await outages.off_days() == set()
    await outages.add(MIDNIGHT + DAY + 23 * HOUR, MIDNIGHT + 3 * DAY, low)
    assert await outages.off_days() == {TUESDAY, WEDNESDAY}


def test_a_streak_continues_over_days_of_an_outage() -> None:
    """Days of an outage do not break a streak and do not count in it."""
    off = {TUESDAY, WEDNESDAY}
    assert longest_row({MONDAY, THURSDAY}, off) == 2
    assert longest_row({MONDAY, THURSDAY}, {TUESDAY}) == 1
    assert longest_row({MONDAY, TUESDAY, THURSDAY}, off) == 3
    assert longest_row((), off) == 0
    assert row_lately({MONDAY}, THURSDAY, off) == 1
    assert row_lately({MONDAY}, WEDNESDAY, {TUESDAY}) == 1
    assert row_lately({MONDAY}, WEDNESDAY) == 0


async def test_failed_starts_belong_to_one_outage(database: Database) -> None:
    """Failed starts of a bot belong to one outage with the length of the clock's time."""
    await note_left(database.notes, MIDNIGHT)
    for hours in (5, 6, 11, 13):
        assert await database.outages.off_days() == set(), hours
        now = partial(int, MIDNIGHT + hours * HOUR)
        starting = Recovery(Mock(), Mock(), database, now, None, Mock(), Mock())
        await starting.begins()
    assert await database.outages.off_days() == {MONDAY}


@on_sqlite
async def test_a_restored_database_was_in_use_until_its_backup(
    path: Path, database: Database, tmp_path: Path
) -> None:
    """A restored database was in use until its backup, and not until an earlier stop."""
    await note_left(database.notes, MIDNIGHT - 9 * DAY)
    await note_alive(database.notes, MIDNIGHT)
    back_up(path, tmp_path / "copy")
    copy = await open_database(tmp_path / "copy")
    assert await last_lived(copy.notes) == MIDNIGHT
    await copy.close()


async def test_overlapping_shards_share_their_last_active_time(database: Database) -> None:
    """A process's last life includes processes with some of its shards, even with other shard counts."""
    notes = database.notes
    await note_left(notes, 100)
    await note_alive(notes, 200, read_shards("0-3/8"))
    await note_left(notes, 300, read_shards("4-7/8"))
    assert await last_lived(notes, read_shards("0-1/8")) == 200
    assert await last_lived(notes, read_shards("2-7/8")) == 300
    assert await last_lived(notes, read_shards("0/16")) == 300
    assert await last_lived(notes) == 300


def marked_days(marks: str) -> set[date]:
    return {MONDAY + timedelta(days=n) for n, mark in enumerate(marks) if mark == "x"}


@pytest.mark.parametrize(
    ("marks", "streak"),
    [
        ("xxxxxx.x", Streak(1)),
        ("xxxxxxx.x", Streak(8, 1)),
        ("xxxxxxx..x", Streak(1)),
        ("xxxxxxx.xxxxxx.x", Streak(1)),
        ("xxxxxxx.xxxxxxx.x", Streak(15, 2)),
        ("xxxxxxxxxxxxxx..x", Streak(15, 2)),
        ("xxxxxxxxxxxxxxxxxxxxx...x", Streak(1)),
        ("xxxxxxxxxxxxxxxxxxxxx.x.x.x", Streak(1)),
        ("xxxxxxx", Streak(7)),
        ("xxxxxxx.", Streak(7)),
        ("xxxxxxx..", Streak(7, 1)),
        ("xxxxxxx...", Streak()),
        ("", Streak()),
    ],
)
def test_a_streak_survives_missed_days(marks: str, streak: Streak) -> None:
    """A streak survives one missed day per seven days that it has lasted, but at most two."""
    today = MONDAY + timedelta(days=len(marks) - 1)
    assert streak_lately(marked_days(marks), today) == streak
    assert longest_row(marked_days(marks)) >= streak.length
    assert streak.words.count("❄️") == streak.frozen


def test_later_days_do_not_change_a_past_streak() -> None:
    """A day without a success has none, and later days change nothing."""
    assert streak_up_to(marked_days("xxxxxxx.x"), MONDAY + timedelta(days=7)) == Streak()
    assert streak_up_to(marked_days("xxxxxxx.x"), MONDAY + timedelta(days=6)) == Streak(7)
    assert streak_lately(marked_days("xxxxxxx.x"), MONDAY + timedelta(days=6)) == Streak(7)
    off = {MONDAY + timedelta(days=7)}
    assert streak_lately(marked_days("xxxxxxx.x"), MONDAY + timedelta(days=8), off) == Streak(8)


@pytest.mark.parametrize(
    ("marks", "saved"),
    [
        ("xxxxxxx.x", [7]),
        ("xxxxxxx..", [7]),
        ("xxxxxxx.", []),
        ("xxxxxxx...", []),
        ("xxx.xxx", []),
        ("xxxxxxx.x.x", [7]),
        ("xxxxxxxxxxxxxx..xoxo", [14, 15]),
    ],
)
def test_days_saved_by_a_streak_exclude_outage_days(marks: str, saved: list[int]) -> None:
    """Saved days are the missed days within a streak that are not part of an outage (o)."""
    today = MONDAY + timedelta(days=len(marks) - 1)
    off = {MONDAY + timedelta(days=n) for n, mark in enumerate(marks) if mark == "o"}
    found = saved_days(marked_days(marks), today, off)
    assert sorted((day - MONDAY).days for day in found) == saved

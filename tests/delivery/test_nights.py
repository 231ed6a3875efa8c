"""Tests of quiet hours by the player's local time."""

from __future__ import annotations

from datetime import datetime

import pytest

from bot.delivery.quiet_hours import night_at


@pytest.mark.parametrize(
    ("zone", "now", "begins", "ends"),
    [
        (None, "2026-03-29T00:30", "2026-03-28T22:00", "2026-03-29T06:00"),
        ("Europe/Berlin", "2026-01-10T23:00", "2026-01-10T21:00", "2026-01-11T05:00"),
        ("Europe/Berlin", "2026-07-10T21:00", "2026-07-10T20:00", "2026-07-11T04:00"),
        ("Europe/Berlin", "2026-03-29T03:00", "2026-03-28T21:00", "2026-03-29T04:00"),
        ("Europe/Berlin", "2026-10-25T03:00", "2026-10-24T20:00", "2026-10-25T05:00"),
        ("No/Where", "2026-03-29T00:30", "2026-03-28T22:00", "2026-03-29T06:00"),
    ],
)
def test_quiet_hours_follow_the_local_clock(zone: str | None, now: str, begins: str, ends: str) -> None:
    """A night lasts from ten to six by the local clock, even if daylight saving time begins or ends."""

    def at(written: str) -> int:
        return int(datetime.fromisoformat(f"{written}+00:00").timestamp())

    assert night_at(22, zone, at(now)) == (at(begins), at(ends))

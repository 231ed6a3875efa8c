"""The hours in which nobody is called, by the clock where somebody lives."""

from __future__ import annotations

from datetime import datetime

import pytest

from bot.delivery.turn_pings import night_at


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
def test_a_night_keeps_its_hours(zone: str | None, now: str, begins: str, ends: str) -> None:
    """From ten to six by the clock there, also where that is put forward or back in the night."""

    def at(written: str) -> int:
        return int(datetime.fromisoformat(f"{written}+00:00").timestamp())

    assert night_at(22, zone, at(now)) == (at(begins), at(ends))

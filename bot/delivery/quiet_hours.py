"""Players' quiet hours, in their own time zones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.matches.preferences import NIGHT_HOURS, OwnSettings


def night_seconds_left(own: OwnSettings, now: int) -> int:
    """Return the seconds until a player's quiet hours end, or 0 outside the quiet hours."""
    return 0 if own.night is None else max(0, night_at(own.night, own.zone, now)[1] - now)


def night_at(hour: int, zone: str | None, now: int) -> tuple[int, int]:
    """Return the start and the end of the latest night as Unix times.

    If the clocks change during the night, it is longer or shorter than usual.

    Args:
        hour: The local hour at which the night begins.
        zone: The time zone, or None for UTC.
        now: The current Unix time.
    """
    begins = local_time(zone, now).replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if begins.timestamp() > now:
        begins -= timedelta(days=1)
    return int(begins.timestamp()), int((begins + timedelta(hours=NIGHT_HOURS)).timestamp())


def local_time(zone: str | None, now: int) -> datetime:
    """Convert a Unix time to local time. If the system does not know the time zone, use UTC.

    Args:
        zone: The name of the time zone, or None for UTC.
        now: The Unix time.
    """
    try:
        there = UTC if zone is None else ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        there = UTC
    return datetime.fromtimestamp(now, there)

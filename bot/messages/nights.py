"""A player's night: eight hours by the clock of a time zone, in which nobody is called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.engine.own_settings import NIGHT_HOURS, OwnSettings
from bot.engine.words import _
from bot.sessions.errors import TableError

UTC_NAME = "UTC"
_MOST_NEAR, _NEAR = 3, 0.5


def night_seconds_left(own: OwnSettings, now: int) -> int:
    """Return how long a player's night still lasts; 0 by day."""
    return 0 if own.night is None else max(0, night_at(own.night, own.zone, now)[1] - now)


def night_at(hour: int, zone: str | None, now: int) -> tuple[int, int]:
    """Return when the last night began or this one does, and its end, in seconds since 1970.

    Both are hours of the clock there: where it is changed in a night, that one is longer or shorter.
    """
    begins = local_time(zone, now).replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if begins.timestamp() > now:
        begins -= timedelta(days=1)
    return int(begins.timestamp()), int((begins + timedelta(hours=NIGHT_HOURS)).timestamp())


def local_time(zone: str | None, now: int) -> datetime:
    """Return the time in a time zone, or in UTC where this system has no such zone any more."""
    there: tzinfo = UTC
    if zone is not None:
        try:
            there = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            there = UTC
    return datetime.fromtimestamp(now, there)


@lru_cache(1)
def zones() -> tuple[str, ...]:
    """Return the names of all time zones that are places, and UTC: the same on each system."""
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return (UTC_NAME, *sorted(name for name in names if "/" in name and not name.startswith("Etc/")))


def zones_like(typed: str) -> list[str]:
    """Return the time zones whose names have in them what was typed; else those spelled most like it."""
    wanted = "_".join(typed.split()).casefold()
    if found := [name for name in zones() if wanted in name.casefold()]:
        return sorted(found, key=lambda name: _city(name) != wanted)
    cities = {_city(name): name for name in zones()}
    return [cities[city] for city in get_close_matches(_city(wanted), cities, _MOST_NEAR, _NEAR)]


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].casefold()


def zone_named(typed: str) -> str:
    """Return the time zone that is called so, or raise TableError with those that may be meant."""
    near = zones_like(typed)
    exact = [name for name in near if name.casefold() == typed.strip().casefold()]
    if len(exact or near) == 1:
        return (exact or near)[0]
    words = _("I know no time zone of that name. Take one with a city, such as {zones}.")
    raise TableError(words.format(zones=", ".join(near[:_MOST_NEAR] or ("Europe/Berlin",))))

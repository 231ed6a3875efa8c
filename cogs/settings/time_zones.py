"""Search for time zones by the name of a city."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files

from bot.engine.translation import _
from bot.sessions.errors import TableError
from cogs.settings.panels import (
    UTC_NAME,
)

LONGEST_ZONE = 50


_MOST_NEAR = 3


@lru_cache(1)
def zones() -> tuple[str, ...]:
    """Return ``UTC`` and the names of all geographical time zones, such as ``Europe/Berlin``.

    The names come from the tzdata package, not from the operating system.
    """
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return (UTC_NAME, *sorted(name for name in names if "/" in name and not name.startswith("Etc/")))


def zones_like(typed: str) -> list[str]:
    """Return the time zones whose names contain the typed text.

    If the text is a city's full name, the city's time zones come first.
    """
    wanted = _plain(typed)
    names = [name for name in zones() if wanted in _plain(name)]
    return sorted(names, key=lambda name: _plain(_city(name)) != wanted)


def zone_named(typed: str) -> str:
    """Return the name of the time zone that the user typed, such as ``Europe/Berlin`` or ``berlin``.

    Raises:
        TableError: No time zone matches, or several do. The message suggests similar time zones.
    """
    wanted = _plain(typed)
    for name in zones():
        if _plain(name) == wanted:
            return name
    of_city = [name for name in zones() if _plain(_city(name)) == wanted]
    # If all names of a city have equal rules, they are current and former names of one time zone.
    if len({_rules_of(name) for name in of_city}) == 1:
        return of_city[0]
    near = of_city or (zones_like(typed) if wanted else [])
    words = _("I don't know that time zone. Try one with a city, such as {zones}.")
    raise TableError(words.format(zones=", ".join(near[:_MOST_NEAR] or ("Europe/Berlin",))))


def _rules_of(zone: str) -> bytes:
    return files("tzdata").joinpath("zoneinfo", *zone.split("/")).read_bytes()


def _city(zone: str) -> str:
    return zone.rpartition("/")[2]


def _plain(name: str) -> str:
    """Normalize a time zone's name for comparisons.

    The result is in lower case, without accents, spaces and punctuation except slashes.
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if letter.isalnum() or letter == "/")

"""Addresses: a database is a file of SQLite's or on a server of PostgreSQL's; and its errors."""

from __future__ import annotations

import json
import os
from dataclasses import field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from bot.engine.errors import ConfigurationError, RibitError
from bot.engine.immutable import frozen
from bot.matches.shards import Shards

HOLDER = "holder"
"""The note of who has a database: a lock itself cannot be read everywhere while it is locked."""

_SCHEMES = ("postgresql", "postgres")
_SECRETS = ("password", "sslpassword")


class AddressError(ConfigurationError):
    """The address is none of a database; the sentence says what it should be."""


class DatabaseError(RibitError):
    """The database cannot be used; the sentence says why and what to do."""


class AbsentDatabaseError(DatabaseError):
    """The database cannot be reached; its disk, or its server, may only not be there yet."""


class RefusedDatabaseError(DatabaseError, ConfigurationError):
    """The database cannot be used before a person has changed something."""


class HeldError(ConfigurationError):
    """Another process has the database; the sentence says which."""


class NewerDatabaseError(Exception):
    """The database was written by a newer version of the bot."""


def holder_in(note: str | None) -> str:
    return str(json.loads(note)["who"]) if note else "a process that has not said yet who it is"


@frozen
class Holding:
    """What a database holds, and the version of its shape."""

    version: int
    matches: int
    live: int
    players: int

    def __str__(self) -> str:
        return f"matches: {self.matches} (live: {self.live}), players: {self.players}"


COUNTS = (
    "SELECT (SELECT count(*) FROM matches) AS matches,"
    " (SELECT count(*) FROM matches WHERE stage IN ('lobby', 'playing')) AS live,"
    " (SELECT count(DISTINCT player_id) FROM seats WHERE player_id > 0) AS players"
)
"""The question for what a database holds, to either kind."""


@frozen
class Server:
    """A database of PostgreSQL's, by its whole ``address``. In writing it has no password."""

    address: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.address)
        user, at, host = parts.netloc.rpartition("@")
        asked = [(key, value) for key, value in parse_qsl(parts.query) if key not in _SECRETS]
        shown = user.partition(":")[0] + at + host
        return urlunsplit((parts.scheme, shown, parts.path, urlencode(asked, safe="/"), ""))


Location: TypeAlias = Path | Server


def locate(address: str) -> Location:
    """Return what an address, or a path, names; raises AddressError, which does not repeat it."""
    scheme, is_address, _rest = address.partition("://")
    if not is_address:
        return Path(os.path.expanduser(address))  # noqa: PTH111 — pathlib's fails where there is no home
    if scheme not in _SCHEMES:
        raise AddressError(
            "RIBIT_DATABASE is neither the path of a file nor an address that starts with postgresql://."
        )
    try:
        parts = urlsplit(address)
        _port = parts.port  # read when it is asked for, and only then looked at
    except ValueError:
        parts = urlsplit("")
    if not parts.path.strip("/"):
        raise AddressError(
            "RIBIT_DATABASE is no address of a database: it should look like "
            "postgresql://user:password@host:5432/name, with %40 for an @ in the password and the like."
        )
    return Server(address)


def require_shareable(location: Location, shards: Shards | None) -> None:
    """Raise RefusedDatabaseError for a file that processes with shards each would have to share."""
    if shards is not None and not isinstance(location, Server):
        raise RefusedDatabaseError(
            f"RIBIT_SHARDS is for processes that share a database, and {location} is a file, for one "
            "process. Set RIBIT_DATABASE to postgresql://…, or do not set RIBIT_SHARDS."
        )

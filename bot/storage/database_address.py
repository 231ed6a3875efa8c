"""Database locations (an SQLite file or a PostgreSQL server), and the errors for unusable databases."""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from bot.engine.errors import ConfigurationError, RibitError
from bot.engine.frozen import frozen
from bot.matches.shards import Shards

HOLDER = "holder"
"""Key of the note that describes the process that has locked the database.

The description is not in the lock file, because some systems cannot read a locked file.
"""

_SCHEMES = ("postgresql", "postgres")
_SECRETS = ("password", "sslpassword")


class AddressError(ConfigurationError):
    """Raised when a database address is invalid. The message shows the correct form."""


class DatabaseError(RibitError):
    """Raised when a database cannot be used. The message explains the cause and how to fix it."""


class AbsentDatabaseError(DatabaseError):
    """Raised when a database cannot be reached. Its disk or its server may not be ready yet."""


class RefusedDatabaseError(DatabaseError, ConfigurationError):
    """Raised when a database cannot be used until the bot's operator fixes a setting or the server."""


class DatabaseInUseError(ConfigurationError):
    """Raised when another process has locked the database. The message names that process."""


class NewerDatabaseError(Exception):
    """Raised when a database has a newer schema than this version of Ribit supports."""


def holder_in(note: str | None) -> str:
    """Return the description of the process that has locked a database, as stored in the given note.

    If there is no note, return a phrase that says that the process is unknown.
    """
    return note or "a process that has not said yet who it is"


@frozen
class Holding:
    """A summary of a database's contents.

    Attributes:
        version: The schema version.
        matches: The number of all matches.
        live: The number of matches that have not ended. Their stage is lobby or playing.
        players: The number of people who have a seat in any match.
    """

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
"""The query for the numbers in ``Holding``. It works in SQLite and PostgreSQL."""


@frozen
class Server:
    """The address of a PostgreSQL database. ``str()`` omits the password.

    Attributes:
        address: The complete address, including the password.
    """

    address: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.address)
        user, at, host = parts.netloc.rpartition("@")
        parameters = [(key, value) for key, value in parse_qsl(parts.query) if key not in _SECRETS]
        shown = user.partition(":")[0] + at + host
        return urlunsplit((parts.scheme, shown, parts.path, urlencode(parameters, safe="/"), ""))


Location: TypeAlias = Path | Server


def locate(address: str) -> Location:
    """Parse the setting for the database, which is a file path or a PostgreSQL address.

    Raises:
        AddressError: The address is invalid. The message does not contain the address, which may include
            a password.
    """
    if "://" not in address:
        return Path(os.path.expanduser(address))  # noqa: PTH111 — pathlib's fails where there is no home
    try:
        parts = urlsplit(address)
        _port = parts.port  # urlsplit validates the port only on access
        is_valid = parts.scheme in _SCHEMES and bool(parts.path.strip("/"))
    except ValueError:
        is_valid = False
    if not is_valid:
        raise AddressError(
            "RIBIT_DATABASE is neither the path of a file nor an address of a database, such as "
            "postgresql://user:password@host:5432/name, with %40 for an @ in the password and the like."
        )
    return Server(address)


def require_shareable(location: Location, shards: Shards | None) -> None:
    """Raise an error if several processes are to share an SQLite file. Only PostgreSQL supports this.

    Raises:
        RefusedDatabaseError: Shards are set and the database is a file.
    """
    if shards is not None and not isinstance(location, Server):
        raise RefusedDatabaseError(
            f"RIBIT_SHARDS is for processes that share a database, and {location} is a file, for one "
            "process. Set RIBIT_DATABASE to postgresql://…, or do not set RIBIT_SHARDS."
        )

"""What keeps a database from being opened, in a sentence that says what to do."""

from __future__ import annotations

import errno
import os
import sqlite3
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import asyncpg

from bot.engine.errors import ConfigurationError, RibitError
from bot.storage.location import Location, Server
from bot.storage.migrate import NewerDatabaseError
from bot.storage.postgres import is_away
from bot.storage.sqlite_errors import is_of_kind

_NO_USE_WAITING = (
    errno.EACCES,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.EPERM,
    errno.EROFS,
)
_NO_USE_OPENING = (
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
_OUT_OF_REACH = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY)


_FILES_OF_TLS = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
_CUT_OFF = (ssl.SSLEOFError, ssl.SSLZeroReturnError)
"""What comes of a server that ends meanwhile; any other error of TLS is one of keys and settings."""

_UNKNOWN_OPTIONS = (
    asyncpg.exceptions.ClientConfigurationError,
    asyncpg.UndefinedObjectError,
    asyncpg.InvalidParameterValueError,
    asyncpg.CantChangeRuntimeParamError,
)


class DatabaseError(RibitError):
    """The database cannot be used; the sentence says why and what to do."""


class AbsentDatabaseError(DatabaseError):
    """The database cannot be reached; its disk, or its server, may only not be there yet."""


class RefusedDatabaseError(DatabaseError, ConfigurationError):
    """The database cannot be used before a person has changed something."""


class FaultyFileError(RibitError):
    """The file is not a sound database of Ribit's; the sentence says what to do."""


@contextmanager
def telling_faults(location: Location) -> Iterator[None]:
    """Have what keeps a database from being opened raised as DatabaseError, in a sentence."""
    try:
        yield
    except (OSError, sqlite3.Error, NewerDatabaseError) as error:
        if isinstance(location, Server):
            raise _of_server(location, error) from error
        raise _kind_of(error)(_of_file(location, error)) from error
    except FaultyFileError as error:
        raise RefusedDatabaseError(error.sentence) from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        assert isinstance(location, Server), "only a server has such faults"
        raise _of_server(location, error) from error


def _kind_of(error: Exception) -> type[DatabaseError]:
    """Return whether a file may still come, does not before a person acts, or nobody knows."""
    if isinstance(error, OSError):
        return RefusedDatabaseError if error.errno in _NO_USE_WAITING else AbsentDatabaseError
    if isinstance(error, NewerDatabaseError) or is_of_kind(error, *_NO_USE_OPENING):
        return RefusedDatabaseError
    return AbsentDatabaseError if is_of_kind(error, *_OUT_OF_REACH) else DatabaseError


def _of_file(path: Path, error: Exception) -> str:
    if isinstance(error, NotADirectoryError):
        return (
            f"The database cannot be made: there is no folder {path.parent}. "
            "Make it, or set RIBIT_DATABASE to another path."
        )
    if isinstance(error, NewerDatabaseError):
        return f"The database {path} was written by a newer Ribit. Update Ribit, or use another file."
    if is_of_kind(error, sqlite3.SQLITE_NOTADB):
        return (
            f"The file {path} is not a database. If it was one, restore a backup: ribit restore "
            "FILE; else set RIBIT_DATABASE to another path."
        )
    if is_of_kind(error, sqlite3.SQLITE_CORRUPT):
        return (
            f"The database {path} is damaged ({error}). Restore a backup that is sound: "
            "ribit restore FILE."
        )
    return (
        f"The database {path} cannot be opened or written ({error}). "
        "Check the file's permissions, or set RIBIT_DATABASE to another path."
    )


def _of_server(server: Server, error: Exception) -> DatabaseError:
    said = (str(error) or type(error).__name__).splitlines()[0]
    if isinstance(error, NewerDatabaseError):
        return RefusedDatabaseError(
            f"The database {server} was written by a newer Ribit. Update Ribit, or use another one."
        )
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError):
        return RefusedDatabaseError(
            f"PostgreSQL does not let Ribit in at {server} ({said}). "
            "Check the user, the password and the sslmode in RIBIT_DATABASE."
        )
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return RefusedDatabaseError(
            f"There is no such database at {server}. Make it with createdb, or name another in "
            "RIBIT_DATABASE."
        )
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return RefusedDatabaseError(
            f"The user of {server} may not do what Ribit needs ({said}). Make that user the owner of "
            "the database."
        )
    if (sentence := _of_options(server, error, said)) is not None:
        return RefusedDatabaseError(sentence)
    if is_away(error):
        return AbsentDatabaseError(
            f"The database {server} cannot be reached ({said}). Start PostgreSQL there, or check "
            "RIBIT_DATABASE."
        )
    return DatabaseError(f"The database {server} cannot be used ({said}). See ribit doctor.")


def _of_options(server: Server, error: Exception, said: str) -> str | None:
    """Return, in a sentence, what is wrong with the options of an address, or None."""
    if isinstance(error, FileNotFoundError | PermissionError):
        given = dict(parse_qsl(urlsplit(server.address).query))
        for option in _FILES_OF_TLS:
            file = given.get(option) or os.environ.get(f"PG{option.upper()}")
            if file and not os.access(file, os.R_OK):
                return f"The file {file}, the {option} of the database, cannot be read. Put it there."
        return None
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"The certificate of PostgreSQL at {server} is not to be trusted ({error.verify_message}). "
            "Name who has signed it by sslrootcert, and the host as the certificate does."
        )
    if isinstance(error, ConnectionError) and "rejected SSL" in said:
        return (
            f"PostgreSQL at {server} speaks no TLS, but sslmode asks for it. Switch it on there, or "
            "write sslmode=disable if nobody can listen on the way to it."
        )
    if isinstance(error, _UNKNOWN_OPTIONS) or (
        isinstance(error, ssl.SSLError) and not isinstance(error, _CUT_OFF)
    ):
        return (
            f"PostgreSQL at {server} cannot be connected to as RIBIT_DATABASE says ({said}). Check its "
            "sslmode and the other options in the address."
        )
    return None

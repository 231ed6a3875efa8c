"""Schema migrations.

Each migration is an SQL file for SQLite, which is translated for PostgreSQL. If PostgreSQL needs
different SQL, a file with the same number and the suffix ``.postgres.sql`` replaces the translation.
PostgreSQL skips the migrations before the first such file.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from bot.storage.database_address import NewerDatabaseError
from bot.storage.lazy_logger import LazyLog
from bot.storage.writer import Session

if TYPE_CHECKING:  # ``ribit health`` with PostgreSQL must not import SQLite
    from bot.storage.sqlite_connections import Connection

log = LazyLog(__name__)


CACHE_KIBIBYTES = 64 * 1024
"""SQLite's page cache during a migration, in KiB. It makes scanning a large file three times as fast."""


_LOCK = 0x72696269_74000001
"""Key of the advisory lock held during a migration: "ribi" in ASCII, followed by the lock's number."""

_TYPES = {"INTEGER": "BIGINT", "BLOB": "BYTEA", "TEXT": 'TEXT COLLATE "C"', "REAL": "DOUBLE PRECISION"}
"""PostgreSQL types by SQLite type. Integers have 64 bits, and text is sorted by bytes as in SQLite."""

_WORD = re.compile(r"(?P<kept>'(?:[^']|'')*'|--[^\n]*)|\b(?P<type>INTEGER|BLOB|TEXT|REAL)\b")
_MANNERS = re.compile(r"\)\s*(?:STRICT|WITHOUT ROWID)(?:,\s*(?:STRICT|WITHOUT ROWID))?\s*;")


def migrations() -> list[tuple[int, str]]:
    """Return the SQLite migrations in order. Each is a pair of a version number and an SQL script."""
    return sorted(_scripts("sql").items())


def server_migrations() -> list[tuple[int, str]]:
    """Return the PostgreSQL migrations in order.

    Each is a pair of a version number and an SQL script.
    """
    own = _scripts("postgres.sql")
    common = ((number, script) for number, script in migrations() if number >= min(own))
    return [(number, own.get(number) or to_postgres(script)) for number, script in common]


@lru_cache(maxsize=2)  # one per database system
def _scripts(ending: str) -> Mapping[int, str]:
    entries = files("bot.storage").joinpath("migrations").iterdir()
    wanted = (entry for entry in entries if entry.name.partition(".")[2] == ending)
    return {int(script.name.split("_")[0]): script.read_text("utf-8") for script in wanted}


def newest_version() -> int:
    return migrations()[-1][0]


def columns_of(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return all columns of an SQLite database, as pairs of a table name and a column name."""
    return set(
        connection.execute(
            "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c"
            " WHERE t.type = 'table'"
        )
    )


async def migrate(connection: Connection, steps: list[tuple[int, str]]) -> None:
    """Run the migrations that a database has not run yet. Each runs in its own transaction.

    Args:
        connection: The connection to the database.
        steps: The migrations, as returned by ``migrations``.

    Raises:
        NewerDatabaseError: The database's schema is newer than the last migration.
    """
    await connection.hop(lambda raw: migrate_file(raw, steps))


def migrate_file(raw: sqlite3.Connection, steps: list[tuple[int, str]]) -> None:
    """Run the migrations that an SQLite database has not run yet. Each runs in its own transaction.

    The caller must be in the connection's thread. The errors are those of ``migrate``.
    """
    raw.execute(f"PRAGMA cache_size = {-CACHE_KIBIBYTES}")
    before = file_version(raw)
    for number, script in steps:
        if number <= before:
            continue
        try:
            raw.execute("BEGIN IMMEDIATE")  # a second process waits here, then skips the migration
            if file_version(raw) < number:
                for statement in _statements(script):
                    raw.execute(statement)
                raw.execute(f"PRAGMA user_version = {number}")
            raw.execute("COMMIT")
        except BaseException:
            raw.rollback()
            raise
    _require_known(before, file_version(raw), steps)


def _require_known(before: int | None, version: int, steps: list[tuple[int, str]]) -> None:
    if version > steps[-1][0]:
        raise NewerDatabaseError
    if version != before:
        log.info("database migrated", schema=f"{before} → {version}")


def file_version(raw: sqlite3.Connection) -> int:
    (version,) = raw.execute("PRAGMA user_version").fetchone()
    return int(version)


def _statements(script: str) -> Iterator[str]:
    """Yield a script's statements one by one.

    ``executescript`` cannot be used, because it commits the open transaction first.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    yield statement  # a last statement without a semicolon, a comment, or an empty string


async def migrate_server(session: Session, steps: list[tuple[int, str]]) -> bool:
    """Run the migrations that a PostgreSQL database has not run yet. Each runs in its own transaction.

    Args:
        session: The connection to the server, which has called ``hold_migrations``.
        steps: The migrations, as returned by ``server_migrations``.

    Returns:
        True if the database was new.

    Raises:
        NewerDatabaseError: The database's schema is newer than the last migration.
    """
    before = await server_version(session)
    for number, script in steps:
        if number <= before:
            continue
        async with session.transaction():
            await session.execute("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY)")
            await session.execute(script)
            await session.execute("INSERT INTO migrations (version) VALUES ($1)", number)
    _require_known(before, await server_version(session), steps)
    return not before


async def hold_migrations(session: Session) -> None:
    """Prevent other processes from migrating a PostgreSQL database until this session ends."""
    await session.execute("SELECT pg_advisory_lock($1)", _LOCK)


async def server_version(session: Session) -> int:
    """Return the schema version of a PostgreSQL database, or 0 if Ribit has not used it yet."""
    if await session.fetchval("SELECT to_regclass('migrations')") is None:
        return 0
    return int(await session.fetchval("SELECT coalesce(max(version), 0) FROM migrations"))


def to_postgres(migration: str) -> str:
    """Translate a migration script from SQLite's SQL dialect to PostgreSQL's."""

    def word(found: re.Match[str]) -> str:
        return found["kept"] if found["kept"] is not None else _TYPES[found["type"]]

    return _WORD.sub(word, _MANNERS.sub(");", migration))

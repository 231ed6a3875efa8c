"""Bringing a database file to the shape that this version of the bot reads and writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files

import structlog

from bot.storage.connections import Connection

log = structlog.get_logger(__name__)


CACHE_KIBIBYTES = 64 * 1024
"""How much a migration may keep in memory: what goes through all of a large file is thrice as fast."""


class NewerDatabaseError(Exception):
    """The file was written by a newer version of the bot."""


def migrations() -> list[tuple[int, str]]:
    """Return the migrations, oldest first: number and SQL."""
    folder = files("bot.storage").joinpath("migrations")
    scripts = (entry for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return sorted((int(entry.name.split("_")[0]), entry.read_text("utf-8")) for entry in scripts)


async def migrate(connection: Connection, steps: list[tuple[int, str]]) -> None:
    """Carry out the steps that the file lacks, each with its record in one transaction.

    The record is SQLite's ``user_version``. Raises NewerDatabaseError for a file from the future.
    """
    await connection.hop(lambda raw: _migrate(raw, steps))


def _migrate(raw: sqlite3.Connection, steps: list[tuple[int, str]]) -> None:
    (usual,) = raw.execute("PRAGMA cache_size").fetchone()
    raw.execute(f"PRAGMA cache_size = {-CACHE_KIBIBYTES}")
    for number, script in steps:
        try:
            raw.execute("BEGIN IMMEDIATE")  # a second process waits, then finds it done
            is_missing = _version(raw) < number
            if is_missing:
                for statement in _statements(script):
                    raw.execute(statement)
                raw.execute(f"PRAGMA user_version = {number}")
            raw.execute("COMMIT")
        except BaseException:
            raw.rollback()
            raise
        if is_missing:
            log.info("database migrated", version=number)
    raw.execute(f"PRAGMA cache_size = {usual}")
    if _version(raw) > steps[-1][0]:
        raise NewerDatabaseError


def _version(raw: sqlite3.Connection) -> int:
    (version,) = raw.execute("PRAGMA user_version").fetchone()
    return int(version)


def _statements(script: str) -> Iterator[str]:
    """Yield a script's statements one by one; ``executescript`` would commit before the first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    yield statement  # a last one without its semicolon, a comment, or nothing

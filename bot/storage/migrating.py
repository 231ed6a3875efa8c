"""Bringing a database file to the shape that this version of the bot reads and writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files

import aiosqlite
import structlog

log = structlog.get_logger(__name__)


class NewerDatabaseError(Exception):
    """The file was written by a newer version of the bot."""


def migrations() -> list[tuple[int, str]]:
    """Return the migrations, oldest first: number and SQL."""
    folder = files("bot.storage").joinpath("migrations")
    scripts = (entry for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return sorted((int(entry.name.split("_")[0]), entry.read_text("utf-8")) for entry in scripts)


async def migrate(connection: aiosqlite.Connection, steps: list[tuple[int, str]]) -> None:
    """Carry out the steps that the file lacks, each with its record in one transaction.

    The record is SQLite's ``user_version``. Raises NewerDatabaseError for a file from the future.
    """
    for number, script in steps:
        try:
            await connection.execute("BEGIN IMMEDIATE")  # a second process waits, then finds it done
            is_missing = await _version(connection) < number
            if is_missing:
                for statement in _statements(script):
                    await connection.execute(statement)
                await connection.execute(f"PRAGMA user_version = {number}")
            await connection.execute("COMMIT")
        except BaseException:
            await connection.rollback()
            raise
        if is_missing:
            log.info("database migrated", version=number)
    if await _version(connection) > steps[-1][0]:
        raise NewerDatabaseError


async def _version(connection: aiosqlite.Connection) -> int:
    (row,) = await connection.execute_fetchall("PRAGMA user_version")
    return int(row[0])


def _statements(script: str) -> Iterator[str]:
    """Yield a script's statements one by one; ``executescript`` would commit before the first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    yield statement  # a last one without its semicolon, a comment, or nothing

"""The content of a database of either type at one moment."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.matches.match import Entry, Match, Player, Stage
from bot.storage.database_address import Location, Server
from bot.storage.postgres import connect, disconnect
from bot.storage.writer import Session

AS_STORED = (
    *("id", "game", "rules_version", "guild_id", "channel_id", "host_id"),
    *("seed", "turn_seconds", "opened_at", "ended_at"),
)
"""Fields of a match with a column of the same name."""

_MATCHES = "SELECT * FROM matches"
_SEATS = "SELECT match_id, player_id, name, strength FROM seats ORDER BY match_id, seat"
_MOVES = "SELECT match_id, n, seat, text, at FROM moves ORDER BY match_id, n"
_RESULTS = "SELECT match_id FROM results"
_ALL = (_MATCHES, _SEATS, _MOVES, _RESULTS)

Rows = Sequence[Any]
"""Rows whose columns can be read by index and by name."""


@frozen
class Books:
    """The matches, the moves of each and the number of its results.

    ``ruins`` lists broken rows.
    """

    matches: Sequence[Match]
    entries: Mapping[str, list[Entry]]
    results: Counter[str]
    ruins: Sequence[str]


def read_database(location: Location) -> Books | None:
    """Return the content of a database, or None if it does not exist yet.

    The caller runs this function in a thread of its own.
    """
    if isinstance(location, Server):
        return asyncio.run(_read_server(location))
    return _read_file(location)


async def _read_server(server: Server) -> Books | None:
    session = await connect(server)
    try:
        async with session.transaction(isolation="repeatable_read", readonly=True):
            if await session.fetchval("SELECT to_regclass('matches')") is None:
                return None
            return _parse_rows([await session.fetch(query) for query in _ALL], [])
    finally:
        await disconnect(session)


def _read_file(path: Path) -> Books | None:
    """Read a copy of the file, so that the bot itself recovers the file at its next start."""
    if not path.exists():
        return None
    copy = path.with_name("copy.sqlite3")
    for end in ("", "-wal"):
        source = path.with_name(path.name + end)
        copy.with_name(copy.name + end).unlink(missing_ok=True)
        if source.exists():
            shutil.copyfile(source, copy.with_name(copy.name + end))
    with closing(sqlite3.connect(copy)) as connection:
        connection.row_factory = sqlite3.Row
        ruins = []
        integrity = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        if integrity != ["ok"]:
            ruins.append(f"integrity: {integrity}")
        if connection.execute("PRAGMA foreign_key_check").fetchall():
            ruins.append("a foreign key leads nowhere")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'matches'").fetchone():
            return Books((), {}, Counter(), ruins) if ruins else None
        return _parse_rows([connection.execute(query).fetchall() for query in _ALL], ruins)


def _parse_rows(found: Sequence[Rows], ruins: Sequence[str]) -> Books:
    matches, seats, moves, results = found
    players, entries = defaultdict[str, list[Player]](list), defaultdict[str, list[Entry]](list)
    for match_id, player_id, name, strength in seats:
        kept = Strength(strength) if player_id < 0 else None
        players[match_id].append(Player(player_id, name, strength=kept))
    for match_id, *entry in moves:
        entries[match_id].append(Entry(*entry))
    return Books(
        [_parse_match(row, tuple(players[row["id"]])) for row in matches],
        entries,
        Counter(row[0] for row in results),
        ruins,
    )


def _parse_match(row: Any, players: tuple[Player, ...]) -> Match:
    facts = {name: row[name] for name in AS_STORED}
    facts |= {"limit": row["seat_limit"], "options": json.loads(row["options"])}
    return Match(players=players, stage=Stage(row["stage"]), **facts)


class Glances:
    """Small queries to a database in use, one at a time."""

    def __init__(self, location: Location) -> None:
        self._location = location
        self._session: Session | None = None
        self._one = asyncio.Lock()

    async def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        if isinstance(self._location, Path):
            with closing(sqlite3.connect(f"file:{self._location}?mode=ro", uri=True)) as connection:
                return connection.execute(sql).fetchall()
        async with self._one:
            if self._session is None or self._session.is_closed():
                self._session = await connect(self._location)
            return [tuple(row) for row in await self._session.fetch(sql)]

    async def close(self) -> None:
        """Close the connection."""
        if self._session is not None:
            await disconnect(self._session)

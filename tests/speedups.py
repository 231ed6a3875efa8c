"""Cheaper parts of the bot for tests that are about something else.

``pytest --all`` uses none of them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PIL import Image

from bot.engine.opponent import Strength
from bot.engine.scene import Scene
from bot.engine.translation import language
from bot.sessions.worker_tasks import ChooseMove
from bot.storage import sqlite_connections
from bot.storage.migrate import file_version, migrate_file, migrations
from bot.storage.sqlite_connections import Connection, identity, open_connection
from tests.forked_processes import fork_context

T = TypeVar("T")

EVERY_PART = {"threads", "migrations", "pictures", "deals", "field", "toads", "workers"}


class InlineConnection(Connection):
    """SQLite connection that carries out its work in the event loop's thread.

    Each call still suspends once, so that other tasks can run between two calls.
    """

    def __init__(self, raw: sqlite3.Connection, path: Path, bind: Callable[[Any], Any]) -> None:
        self._raw = raw
        self._bind = bind
        self._path, self._identity = path, identity(path)
        self._is_closed = False

    async def hop(self, task: Callable[[sqlite3.Connection], T]) -> T:
        await asyncio.sleep(0)
        if self._is_closed:
            raise ValueError("Connection closed")
        return task(self._raw)

    async def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._raw.close()


async def connect_inline(
    path: Path, bind: Callable[[Any], Any] = lambda raw: raw, *, read_only: bool = False
) -> Connection:
    """Open an ``InlineConnection``, as ``sqlite_connections.connect`` opens one with a thread."""
    return InlineConnection(open_connection(path, read_only=read_only), path, bind)


@cache
def _migrated_file() -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as raw:
        migrate_file(raw, migrations())
        return raw.serialize()


async def copy_migrated_file(connection: Connection, steps: list[tuple[int, str]]) -> None:
    """Migrate a database as ``migrate`` does. If it is new, copy one that is up to date."""

    def copy(raw: sqlite3.Connection) -> None:
        if file_version(raw) or steps != migrations():
            migrate_file(raw, steps)
            return
        with closing(sqlite3.connect(":memory:")) as migrated:
            migrated.deserialize(_migrated_file())
            migrated.backup(raw)

    await connection.hop(copy)


def placeholder_png(scene: Scene) -> bytes:
    """Return a tiny PNG that is the same for equal scenes in the same language only."""
    digest = hash((scene, language())).to_bytes(8, "big", signed=True)
    file = BytesIO()
    Image.frombytes("L", (len(digest), 1), digest).save(file, "PNG")
    return file.getvalue()


def choose_as_froglet(task: ChooseMove) -> str:
    """Return the move of a froglet in place of a toad, whose search takes twenty times as long."""
    is_toad = task.strength is Strength.TOAD
    return _choose(replace(task, strength=Strength.FROGLET) if is_toad else task)


_choose = ChooseMove.compute


@contextmanager
def use_speedups(real: Collection[str] = ()) -> Iterator[None]:
    """Use the cheaper parts inside the block, and never wait for the disk.

    Args:
        real: The parts that stay as they are: ``"threads"`` of SQLite connections, ``"migrations"`` of
            new SQLite files, ``"pictures"``, ``"deals"`` of solitaire, each of which takes a search of a
            second, the ``"field"`` of computer players that play each day's duels, ``"toads"`` among
            computer players, in whose place a froglet chooses, and ``"workers"`` that load the games
            each by itself.
    """
    with pytest.MonkeyPatch.context() as patch:
        pragmas = [each.replace("NORMAL", "OFF") for each in sqlite_connections.PRAGMAS]
        patch.setattr(sqlite_connections, "PRAGMAS", tuple(pragmas))
        if "threads" not in real:
            for module in ("database", "database_lock"):
                patch.setattr(f"bot.storage.{module}.connect", connect_inline)
        if "migrations" not in real:
            patch.setattr("bot.storage.database_lock.migrate", copy_migrated_file)
        if "pictures" not in real:
            patch.setattr(import_module("bot.rendering.picture"), "draw", placeholder_png)
        if "field" not in real:
            patch.setattr("bot.matches.duels.STRENGTHS", ())
        if "toads" not in real:
            patch.setattr(ChooseMove, "compute", choose_as_froglet)
        if "workers" not in real:
            patch.setattr("bot.opponents.pool.get_context", lambda _method: fork_context())
        patch.setattr("tests.discord.known_deals.dealt", None if "deals" in real else {})
        yield

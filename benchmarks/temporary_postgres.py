"""Temporary PostgreSQL server to which a benchmark can move its database."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.storage.database_address import Location, Server
from bot.storage.transfer import move
from tests.postgres import Postgres


@asynccontextmanager
async def temporary_location(file: Path, *, on_server: bool) -> AsyncIterator[Location]:
    """Return a context manager that yields the location of a benchmark's database.

    The location is ``file`` itself or, if ``on_server`` is True, a temporary PostgreSQL server to which
    the file's data is moved.
    """
    if not on_server:
        yield file
        return
    postgres = await asyncio.to_thread(Postgres)
    try:
        server, began = Server(postgres.address(postgres.create())), time.perf_counter()
        await move(file, server)
        sys.stdout.write(f"moved to PostgreSQL in {time.perf_counter() - began:.0f} s\n")
        yield server
    finally:
        postgres.remove()

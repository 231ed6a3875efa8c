"""A database that no bot runs on, open to be changed in one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.engine.errors import RibitError
from bot.storage.cluster.server_lock import locked
from bot.storage.file_probe import newest_version
from bot.storage.location import Location, Server
from bot.storage.migrate import server_version
from bot.storage.open_errors import telling_faults
from bot.storage.transfer import End, writing


@asynccontextmanager
async def stopped(location: Location, verb: str, refused: type[RibitError]) -> AsyncIterator[End]:
    """Have a database to oneself; what the block does not commit has not been.

    Raises ``refused`` where there is none, or one of another version; HeldError, FaultyFileError or
    DatabaseError where it cannot be had.
    """
    if isinstance(location, Path) and not location.is_file():
        raise refused(f"There is no database {location} to {verb}. Check RIBIT_DATABASE.")
    async with AsyncExitStack() as opened:
        await opened.enter_async_context(locked(location))
        opened.enter_context(telling_faults(location))
        end = await writing(location, opened)
        version = await _version(location, end)
        if version != newest_version():
            raise refused(
                f"{location} is of version {version}, and this Ribit's is {newest_version()}. "
                f"Start this Ribit on it once, stop it, and {verb} then."
            )
        yield end


async def _version(location: Location, end: End) -> int:
    if isinstance(location, Server):
        return await server_version(end.session)
    return int(end.session.execute("PRAGMA user_version").fetchone()[0])

"""How many matches there are just now."""

from __future__ import annotations

from bot.storage.sql import Queries
from bot.storage.writer import Reader, Session


class Counts:
    """Counts, on a connection that nothing at a table waits for."""

    def __init__(self, queries: Queries, reader: Reader) -> None:
        self._sql = queries
        self._reader = reader

    async def live(self) -> dict[str, int]:
        """Return how many live matches each game has, by its key; a game without any is not in it."""

        async def work(connection: Session) -> dict[str, int]:
            found = self._sql.live_by_game(connection)
            return {str(row["game"]): int(row["number"]) async for row in found}

        return await self._reader.run(work)

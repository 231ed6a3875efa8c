"""The application's emojis: what was uploaded, so that no start has to ask for it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.storage.sql import Queries
from bot.storage.writer import Reader, Session, Writer


class Emojis:
    """Which emoji shows which sign."""

    def __init__(self, queries: Queries, writer: Writer, reader: Reader) -> None:
        self._sql = queries
        self._writer = writer
        self._reader = reader

    async def all(self, application_id: int) -> Mapping[str, tuple[str, int]]:
        """Return each sign's emoji at an application: its name and its id."""

        async def work(connection: Session) -> Mapping[str, tuple[str, int]]:
            rows = self._sql.emojis(connection, application_id=application_id)
            return {row["sign"]: (row["name"], row["emoji_id"]) async for row in rows}

        return await self._reader.run(work)

    async def put(self, application_id: int, emojis: Mapping[str, tuple[str, int]]) -> None:
        """Remember the emojis of signs, in place of those before."""

        async def work(connection: Session) -> None:
            for sign, (name, emoji_id) in emojis.items():
                await self._sql.put_emoji(
                    connection, application_id=application_id, sign=sign, name=name, emoji_id=emoji_id
                )

        await self._writer.write(work)

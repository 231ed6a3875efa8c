"""Store of server settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bot.matches.server_settings import ServerSettings, Stoppers
from bot.storage.cluster.pubsub import MISSED, SERVER_GONE, PubSub
from bot.storage.named_queries import Sql
from bot.storage.read_cache import ReadCache
from bot.storage.writer import Reader, Store, Writer

_PLAIN = ("turn_seconds", "language", "tables_each")
_FLAGS = ("mentions", "four_colours", "text_tables", "watched_elsewhere")
_SETS = ("channels", "barred", "text_channels")
"""The columns of a server's settings, except ``stoppers``. Sets are stored as JSON lists."""

_SERVER = "server"
"""Type of the notification that a server's settings have changed."""


class Servers(Store):
    """Store of server settings, with a read cache."""

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._kept: ReadCache[int, ServerSettings] = ReadCache(reader, self._read)
        self._pubsub = pubsub
        for kind in (_SERVER, SERVER_GONE):
            pubsub.subscribe(kind, lambda about: self._kept.record_change(about["id"]))
        pubsub.subscribe(MISSED, self._kept.clear)

    async def get(self, guild_id: int | None) -> ServerSettings:
        return ServerSettings() if guild_id is None else await self._kept.get(guild_id)

    async def change(
        self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings in one transaction, so that concurrent changes are not lost.

        Args:
            guild_id: The server.
            change: A function that converts the current settings to the new ones. If it raises an error,
                nothing is stored and the error is propagated.

        Returns:
            The new settings.
        """

        async def work(sql: Sql) -> ServerSettings:
            settings = change(await self._read(sql, guild_id))
            columns = {name: getattr(settings, name) for name in (*_PLAIN, *_FLAGS, *_SETS)}
            columns |= {name: int(columns[name]) for name in _FLAGS}
            columns |= {name: json.dumps(sorted(columns[name])) for name in _SETS}
            stoppers = settings.stoppers.value
            await sql.put_server(guild_id=guild_id, stoppers=stoppers, **columns)
            await self._pubsub.note(sql, _SERVER, {"id": guild_id})
            return settings

        settings = await self._writer.write(work)
        self._pubsub.dispatch(_SERVER, {"id": guild_id})
        return settings

    async def _read(self, sql: Sql, guild_id: int) -> ServerSettings:
        row = await sql.server(guild_id=guild_id)
        if row is None:
            return ServerSettings()
        values: dict[str, Any] = {name: row[name] for name in _PLAIN}
        values |= {name: bool(row[name]) for name in _FLAGS}
        values |= {name: frozenset(json.loads(row[name])) for name in _SETS}
        return ServerSettings(stoppers=Stoppers(row["stoppers"]), **values)

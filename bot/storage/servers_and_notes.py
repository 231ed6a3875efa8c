"""Stores of match messages, server settings, notes and application emojis."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Coroutine, Hashable, Mapping
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

from bot.engine.immutable import frozen
from bot.matches.preferences import ServerSettings, Stoppers
from bot.storage.cluster.pubsub import MATCH, SERVER_GONE, PubSub
from bot.storage.sql import Sql
from bot.storage.writer import Reader, Store, Work, Writer

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_PLAIN = ("turn_seconds", "language", "tables_each")
_FLAGS = ("mentions", "four_colours", "text_tables", "watched_elsewhere")
_SETS = ("channels", "barred", "text_channels")
"""The columns of a server's settings, apart from ``stoppers``. Sets are stored as JSON lists."""

_SERVER = "server"
"""Type of notification after a server's settings changed."""


MOST_KEPT = 5000
"""Maximum number of entries of a cache. The least recently used entry is evicted first."""


class ReadCache(Generic[K, V]):
    """A cache of values by key, each read from the database on first use.

    No other bot writes to the database, because it is locked. Processes that share a database notify
    each other of writes.
    """

    def __init__(self, reader: Reader, read: Callable[[Sql, K], Coroutine[Any, Any, V]]) -> None:
        self._reader, self._read = reader, read
        self._values: LRUCache[K, V] = LRUCache(MOST_KEPT)
        self._writes = 0

    async def get(self, key: K) -> V:
        if key in self._values:
            return self._values[key]
        writes = self._writes
        value = await self._reader.run(lambda sql: self._read(sql, key))
        if writes == self._writes:  # otherwise the value may have changed in the meantime
            self._values[key] = value
        return value

    def changed(self, key: K) -> None:
        """Evict a value that was written."""
        self._writes += 1
        self._values.pop(key, None)

    def clear(self) -> None:
        """Evict all values."""
        self._writes += 1
        self._values.clear()


@frozen
class Post:
    """A message that shows a match.

    Attributes:
        slot: The slot of the match that the message shows, such as its table.
        channel_id: The channel of the message.
        message_id: The Discord ID of the message.
        posted_at: The Unix time at which it was posted.
    """

    slot: str
    channel_id: int
    message_id: int
    posted_at: float


class Posts(Store):
    """A store of the messages that show matches, with a read cache by match."""

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._kept: ReadCache[str, Mapping[str, Post]] = ReadCache(reader, self._read)
        pubsub.hear(MATCH, lambda about: self.forget(about["match"]))
        pubsub.missed(self._kept.clear)

    async def put(
        self, match_id: str, slot: str, channel_id: int, message_id: int, *, former: str | None = None
    ) -> None:
        """Store the message that shows a slot of a match.

        Args:
            match_id: The match.
            slot: The slot that the message shows.
            channel_id: The channel of the message.
            message_id: The Discord ID of the message.
            former: The slot that the previous message of ``slot`` moves to, or None to drop it.
        """
        shown = {"match_id": match_id, "spot": slot, "message_id": message_id}

        async def change(sql: Sql) -> None:
            if former is not None:
                await sql.keep_former_post(**shown, former=former)
            await sql.put_post(**shown, channel_id=channel_id, at=int(time.time()))

        await self._change(match_id, change)

    async def get(self, match_id: str, slot: str) -> Post | None:
        return (await self._kept.get(match_id)).get(slot)

    async def all(self, match_id: str) -> dict[str, Post]:
        return dict(await self._kept.get(match_id))

    async def move(self, match_id: str, slot: str, other: str) -> None:
        """Move a message from one slot to another, whose message is dropped."""

        async def change(sql: Sql) -> None:
            await sql.clear_spot(match_id=match_id, spot=other)
            await sql.move_post(match_id=match_id, spot=slot, other=other)

        await self._change(match_id, change)

    async def remove(self, match_id: str, slot: str) -> None:
        post = await self.get(match_id, slot)
        if post is not None:
            gone = {"match_id": match_id, "spot": slot, "message_id": post.message_id}
            await self._change(match_id, lambda sql: sql.remove_post(**gone))

    def forget(self, match_id: str) -> None:
        self._kept.changed(match_id)

    async def _read(self, sql: Sql, match_id: str) -> Mapping[str, Post]:
        return {row["slot"]: Post(**dict(row)) async for row in sql.posts_of(match_id=match_id)}

    async def _change(self, match_id: str, change: Work[Any]) -> None:
        await self._writer.write(change)
        self._kept.changed(match_id)


class Servers(Store):
    """A store of server settings, with a read cache."""

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._kept: ReadCache[int, ServerSettings] = ReadCache(reader, self._read)
        self._pubsub = pubsub
        for kind in (_SERVER, SERVER_GONE):
            pubsub.hear(kind, lambda about: self._kept.changed(about["id"]))
        pubsub.missed(self._kept.clear)

    async def get(self, guild_id: int | None) -> ServerSettings:
        return ServerSettings() if guild_id is None else await self._kept.get(guild_id)

    async def put(self, guild_id: int, settings: ServerSettings) -> None:
        await self.change(guild_id, lambda _before: settings)

    async def change(
        self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings in one transaction, so that no concurrent change is lost.

        Args:
            guild_id: The server.
            change: Returns the new settings for the current ones. If it raises an error, nothing is
                stored and the error is propagated.

        Returns:
            The new settings.
        """

        async def work(sql: Sql) -> ServerSettings:
            settings = change(await self._read(sql, guild_id))
            kept = {name: getattr(settings, name) for name in (*_PLAIN, *_FLAGS, *_SETS)}
            kept |= {name: int(kept[name]) for name in _FLAGS}
            kept |= {name: json.dumps(sorted(kept[name])) for name in _SETS}
            stoppers = settings.stoppers.value
            await sql.put_server(guild_id=guild_id, stoppers=stoppers, **kept)
            await self._pubsub.note(sql, _SERVER, {"id": guild_id})
            return settings

        settings = await self._writer.write(work)
        self._pubsub.dispatch(_SERVER, {"id": guild_id})
        return settings

    async def _read(self, sql: Sql, guild_id: int) -> ServerSettings:
        row = await sql.server(guild_id=guild_id)
        if row is None:
            return ServerSettings()
        kept: dict[str, Any] = {name: row[name] for name in _PLAIN}
        kept |= {name: bool(row[name]) for name in _FLAGS}
        kept |= {name: frozenset(json.loads(row[name])) for name in _SETS}
        return ServerSettings(stoppers=Stoppers(row["stoppers"]), **kept)


class Notes(Store):
    """A store of small text values by key."""

    async def get(self, key: str) -> str | None:
        row = await self._ask("note", key=key)
        return None if row is None else str(row["value"])

    async def like(self, pattern: str) -> dict[str, str]:
        """Return the notes whose keys match a pattern of SQL's LIKE."""
        return {row["key"]: row["value"] for row in await self._list("notes_like", pattern=pattern)}

    async def put(self, key: str, value: str) -> None:
        await self._do("put_note", key=key, value=value)

    async def remove(self, key: str) -> None:
        await self._do("remove_note", key=key)


class Emojis(Store):
    """A store of application emojis by icon, so that a start need not fetch them from Discord."""

    async def all(self, application_id: int) -> Mapping[str, tuple[str, int]]:
        rows = await self._list("emojis", application_id=application_id)
        return {row["sign"]: (row["name"], row["emoji_id"]) for row in rows}

    async def put(self, application_id: int, emojis: Mapping[str, tuple[str, int]]) -> None:

        async def work(sql: Sql) -> None:
            for sign, (name, emoji_id) in emojis.items():
                await sql.put_emoji(
                    application_id=application_id, sign=sign, name=name, emoji_id=emoji_id
                )

        await self._writer.write(work)

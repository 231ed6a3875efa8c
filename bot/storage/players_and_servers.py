"""Messages that show a match, servers, and small notes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping

from bot.engine.server import ServerSettings, Stoppers
from bot.engine.values import frozen
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.read_cache import ReadCache
from bot.storage.sql import Queries
from bot.storage.writer import Reader, Session, Writer

_SERVER = "server"
"""The kind of notes by which other processes hear of what the admins have set."""


@frozen
class Post:
    """A message that shows a spot of a match, and since when: seconds since 1970."""

    slot: str
    channel_id: int
    message_id: int
    posted_at: float


class Store:
    """A part of the database: the statements, and the ways to write and to read."""

    def __init__(self, queries: Queries, writer: Writer, reader: Reader) -> None:
        self._sql = queries
        self._writer = writer
        self._reader = reader


class Posts(Store):
    """Which messages show a match. Those of a match are read together, once."""

    def __init__(self, queries: Queries, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(queries, writer, reader)
        self._kept: ReadCache[str, Mapping[str, Post]] = ReadCache(self._read_anew)
        self._gone = set[int]()
        """Messages that are to be forgotten, and are in the database still."""
        pubsub.hear(MATCH, lambda about: self.forget(about["match"]))
        pubsub.missed(self._kept.clear)

    async def put(
        self, match_id: str, slot: str, channel_id: int, message_id: int, *, former: str | None = None
    ) -> None:
        """Remember the message that shows a spot; the one before may take a ``former`` spot."""

        async def work(connection: Session) -> Mapping[str, Post]:
            if former is not None:
                await self._sql.keep_former_post(
                    connection, match_id=match_id, spot=slot, message_id=message_id, former=former
                )
            await self._sql.put_post(
                connection,
                match_id=match_id,
                spot=slot,
                channel_id=channel_id,
                message_id=message_id,
                at=int(time.time()),
            )
            return await self._read(connection, match_id)

        self._kept.written(match_id, await self._writer.write(work))

    async def get(self, match_id: str, slot: str) -> Post | None:
        """Return the message that shows a spot."""
        return (await self._kept.get(match_id)).get(slot)

    async def all(self, match_id: str) -> dict[str, Post]:
        """Return every message of a match by its spot."""
        return dict(await self._kept.get(match_id))

    async def move(self, match_id: str, slot: str, other: str) -> None:
        """Have a message show another spot from now on, in place of what showed that."""

        async def work(connection: Session) -> Mapping[str, Post]:
            await self._sql.clear_spot(connection, match_id=match_id, spot=other)
            await self._sql.move_post(connection, match_id=match_id, spot=slot, other=other)
            return await self._read(connection, match_id)

        self._kept.written(match_id, await self._writer.write(work))

    async def remove(self, match_id: str, slot: str) -> None:
        """Forget the message that shows a spot: here at once, in the database with what is written next.

        Where that is lost, who comes next finds that the message has gone.
        """
        posts = await self.all(match_id)
        post = posts.pop(slot, None)
        if post is None:
            return
        gone = {"match_id": match_id, "spot": slot, "message_id": post.message_id}

        async def work(connection: Session) -> None:
            await self._sql.remove_post(connection, **gone)
            self._gone.discard(post.message_id)

        self._gone.add(post.message_id)
        self._writer.ride((match_id, slot, post.message_id), work)
        self._kept.written(match_id, posts)

    def forget(self, match_id: str) -> None:
        """Have the messages of a match read anew, which another process may have changed."""
        self._kept.changed(match_id)

    async def _read_anew(self, match_id: str) -> Mapping[str, Post]:
        return await self._reader.run(lambda connection: self._read(connection, match_id))

    async def _read(self, connection: Session, match_id: str) -> Mapping[str, Post]:
        rows = self._sql.posts_of(connection, match_id=match_id)
        posts = [Post(**dict(row)) async for row in rows]
        return {post.slot: post for post in posts if post.message_id not in self._gone}


class Servers(Store):
    """What the admins of each server have set; read once."""

    def __init__(self, queries: Queries, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(queries, writer, reader)
        self._kept: ReadCache[int, ServerSettings] = ReadCache(self._read_anew)
        self._pubsub = pubsub
        pubsub.hear(_SERVER, lambda about: self._kept.changed(about["id"]))
        pubsub.missed(self._kept.clear)

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings: the defaults where nothing was set, and in DMs (None)."""
        return ServerSettings() if guild_id is None else await self._kept.get(guild_id)

    async def put(self, guild_id: int, settings: ServerSettings) -> None:
        """Keep a server's settings, in place of those before."""
        await self.change(guild_id, lambda _before: settings)

    async def change(
        self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings as they are at that moment; returns what they are then.

        Of two changes at once each is made to what the other has left, and none is lost. What the
        change raises is raised here, and nothing is stored.
        """

        async def work(connection: Session) -> ServerSettings:
            settings = change(await self._read(connection, guild_id))
            await self._sql.put_server(
                connection,
                guild_id=guild_id,
                turn_seconds=settings.turn_seconds,
                stoppers=settings.stoppers.value,
                channels=json.dumps(sorted(settings.channels)),
                mentions=int(settings.mentions),
                language=settings.language,
                four_colours=int(settings.four_colours),
                tables_each=settings.tables_each,
                barred=json.dumps(sorted(settings.barred)),
                text_tables=int(settings.text_tables),
                text_channels=json.dumps(sorted(settings.text_channels)),
                watched_elsewhere=int(settings.watched_elsewhere),
            )
            await self._pubsub.note(connection, _SERVER, {"id": guild_id})
            return settings

        settings = await self._writer.write(work)
        self._kept.changed(guild_id)
        return settings

    def forget_read(self, guild_id: int) -> None:
        """Have a server's settings read anew: they were stored from elsewhere."""
        self._kept.changed(guild_id)

    async def _read_anew(self, guild_id: int) -> ServerSettings:
        return await self._reader.run(lambda connection: self._read(connection, guild_id))

    async def _read(self, connection: Session, guild_id: int) -> ServerSettings:
        row = await self._sql.server(connection, guild_id=guild_id)
        if row is None:
            return ServerSettings()
        return ServerSettings(
            turn_seconds=row["turn_seconds"],
            stoppers=Stoppers(row["stoppers"]),
            channels=frozenset(json.loads(row["channels"])),
            mentions=bool(row["mentions"]),
            language=row["language"],
            four_colours=bool(row["four_colours"]),
            tables_each=row["tables_each"],
            barred=frozenset(json.loads(row["barred"])),
            text_tables=bool(row["text_tables"]),
            text_channels=frozenset(json.loads(row["text_channels"])),
            watched_elsewhere=bool(row["watched_elsewhere"]),
        )


class Notes(Store):
    """Small things to remember, by key."""

    async def get(self, key: str) -> str | None:
        """Return what was noted."""
        row = await self._reader.run(lambda connection: self._sql.note(connection, key=key))
        return None if row is None else str(row["value"])

    async def put(self, key: str, value: str) -> None:
        """Note something."""
        await self._writer.write(lambda connection: self._sql.put_note(connection, key=key, value=value))

    async def remove(self, key: str) -> None:
        """Forget what was noted."""
        await self._writer.write(lambda connection: self._sql.remove_note(connection, key=key))

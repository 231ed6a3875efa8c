"""Store of the Discord messages that show matches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from bot.engine.frozen import frozen
from bot.storage.cluster.pubsub import MATCH, MISSED, PubSub
from bot.storage.named_queries import Sql
from bot.storage.read_cache import ReadCache
from bot.storage.writer import Reader, Store, Work, Writer


@frozen
class Post:
    """A Discord message that shows a match.

    Attributes:
        slot: The purpose of the message within its match, such as showing the table.
        channel_id: The channel of the message.
        message_id: The Discord ID of the message.
        posted_at: The Unix time at which the message was posted.
    """

    slot: str
    channel_id: int
    message_id: int
    posted_at: float


class Posts(Store):
    """Store of the Discord messages that show matches, with a read cache.

    A match has at most one message per *slot*. The slot is the message's purpose, such as showing the
    table.
    """

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._kept: ReadCache[str, Mapping[str, Post]] = ReadCache(reader, self._read)
        pubsub.subscribe(MATCH, lambda about: self.forget(about["match"]))
        pubsub.subscribe(MISSED, self._kept.clear)

    async def store_message(
        self, match_id: str, slot: str, channel_id: int, message_id: int, *, former: str | None = None
    ) -> None:
        """Store a Discord message as the one that shows a match for a given purpose (slot).

        Args:
            match_id: The match.
            slot: The slot.
            channel_id: The channel of the message.
            message_id: The Discord ID of the message.
            former: The slot to which the slot's previous message moves. If None, the store forgets the
                previous message.
        """
        post = {"match_id": match_id, "spot": slot, "message_id": message_id}

        async def change(sql: Sql) -> None:
            if former is not None:
                await sql.keep_former_post(**post, former=former)
            await sql.put_post(**post, channel_id=channel_id, at=int(time.time()))

        await self._change(match_id, change)

    async def get(self, match_id: str, slot: str) -> Post | None:
        return (await self._kept.get(match_id)).get(slot)

    async def all(self, match_id: str) -> dict[str, Post]:
        return dict(await self._kept.get(match_id))

    async def move(self, match_id: str, slot: str, other: str) -> None:
        """Move a match's message from one slot to another.

        The other slot's former message is forgotten.
        """

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
        self._kept.record_change(match_id)

    async def _read(self, sql: Sql, match_id: str) -> Mapping[str, Post]:
        return {row["slot"]: Post(**dict(row)) async for row in sql.posts_of(match_id=match_id)}

    async def _change(self, match_id: str, change: Work[Any]) -> None:
        await self._writer.write(change)
        self._kept.record_change(match_id)

"""Store of the Discord messages that show matches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot.engine.frozen import frozen
from bot.storage.cluster.pubsub import MATCH, MISSED, PubSub
from bot.storage.named_queries import Sql
from bot.storage.read_cache import ReadCache
from bot.storage.writer import Reader, StorageFailedError, Store, Work, Writer


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


@frozen
class NewPost:
    """A message that is about to be stored.

    Attributes:
        former: The slot to which the slot's previous message moves, or None.
    """

    match_id: str
    post: Post
    former: str | None

    def added_to(self, posts: Mapping[str, Post]) -> Mapping[str, Post]:
        """Return a match's messages by slot, as they are once this one is stored."""
        previous, added = posts.get(self.post.slot), {self.post.slot: self.post}
        if previous is not None and previous.message_id == self.post.message_id:
            return posts  # the same message keeps its time
        if previous is not None and self.former is not None:
            added[self.former] = replace(previous, slot=self.former)
        return {**posts, **added}

    async def store(self, sql: Sql) -> None:
        """Store the message, and move the slot's previous message to the slot ``former``."""
        post = self.post
        values = {"match_id": self.match_id, "spot": post.slot, "message_id": post.message_id}
        if self.former is not None:
            await sql.keep_former_post(**values, former=self.former)
        await sql.put_post(**values, channel_id=post.channel_id, at=post.posted_at)


class Posts(Store):
    """Store of the Discord messages that show matches, with a read cache.

    A match has at most one message per *slot*. The slot is the message's purpose, such as showing the
    table. A message that cannot be stored is kept in memory, and stored with the match's next access.
    """

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._kept: ReadCache[str, Mapping[str, Post]] = ReadCache(reader, self._read)
        self._unstored: list[NewPost] = []  # oldest first
        pubsub.subscribe(MATCH, lambda about: self.forget(about["match"]))
        pubsub.subscribe(MISSED, self._kept.clear)

    async def store_message(
        self, match_id: str, slot: str, channel_id: int, message_id: int, *, former: str | None = None
    ) -> None:
        """Store a Discord message as the one that shows a match for a given purpose (slot).

        If the database cannot store anything at the moment, the message is stored later.

        Args:
            match_id: The match.
            slot: The slot.
            channel_id: The channel of the message.
            message_id: The Discord ID of the message.
            former: The slot to which the slot's previous message moves. If None, the store forgets the
                previous message.
        """
        new = NewPost(match_id, Post(slot, channel_id, message_id, int(time.time())), former)
        try:
            await self._write(match_id, new.store)
        except StorageFailedError:  # the writer has logged it
            self._unstored.append(new)

    async def get(self, match_id: str, slot: str) -> Post | None:
        return (await self.all(match_id)).get(slot)

    async def all(self, match_id: str) -> Mapping[str, Post]:
        """Return a match's messages by slot, including those that could not be stored yet."""
        if self._unstored_of(match_id):
            with suppress(StorageFailedError):
                await self._write(match_id)
        posts = await self._kept.get(match_id)
        for new in self._unstored_of(match_id):
            posts = new.added_to(posts)
        return posts

    async def move(self, match_id: str, slot: str, other: str) -> None:
        """Move a match's message from one slot to another.

        The other slot's former message is forgotten.
        """

        async def change(sql: Sql) -> None:
            await sql.clear_spot(match_id=match_id, spot=other)
            await sql.move_post(match_id=match_id, spot=slot, other=other)

        await self._write(match_id, change)

    async def remove(self, match_id: str, slot: str) -> None:
        post = await self.get(match_id, slot)
        if post is not None:
            gone = {"match_id": match_id, "spot": slot, "message_id": post.message_id}
            await self._write(match_id, lambda sql: sql.remove_post(**gone))

    def forget(self, match_id: str) -> None:
        self._kept.record_change(match_id)

    async def _write(self, match_id: str, change: Work[Any] | None = None) -> None:
        """Store the messages of a match that could not be stored before, then write a change.

        Args:
            match_id: The match.
            change: The work function of the change, or None for no change.

        Raises:
            StorageFailedError: The database cannot store anything at the moment.
        """
        unstored = self._unstored_of(match_id)

        async def work(sql: Sql) -> None:
            for new in unstored:
                await new.store(sql)
            if change is not None:
                await change(sql)

        await self._writer.write(work)
        self._kept.record_change(match_id)
        self._unstored = [new for new in self._unstored if new not in unstored]

    def _unstored_of(self, match_id: str) -> list[NewPost]:
        return [new for new in self._unstored if new.match_id == match_id]

    async def _read(self, sql: Sql, match_id: str) -> Mapping[str, Post]:
        return {row["slot"]: Post(**dict(row)) async for row in sql.posts_of(match_id=match_id)}

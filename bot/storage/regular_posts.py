"""Storage of servers' regular posts, such as the daily post, and of the settings for them.

Each post has a slot. Successive posts of the same sort in a server, such as the daily posts, have the
same slot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, field
from typing import Any

from bot.engine.frozen import frozen
from bot.matches.shards import Shards
from bot.storage.daily_deals import day_at
from bot.storage.named_queries import Record, Sql
from bot.storage.writer import Store


@frozen
class PostSettings:
    """A server's settings for regular posts such as the daily post, and whether posting works.

    Attributes:
        channel_id: The channel, or 0 if none is chosen.
        hour: The hour of the day at which posts are due, in the time zone ``zone``.
        left_out: The keys of the posts, and of items within posts, that the server does not want.
        admin_id: The ID of the user who chose the settings, or 0.
        is_on: True if posts are switched on.
        played_at: The Unix time at which a user of the server last played a daily deal. Before that, the
            time at which posts were switched on.
        error: The reason why posting stopped, or empty.
    """

    guild_id: int
    channel_id: int = 0
    hour: int = 0
    zone: str = "UTC"
    left_out: frozenset[str] = frozenset()
    admin_id: int = 0
    is_on: bool = False
    played_at: int = 0
    error: str = ""


@frozen
class RegularPost:
    """A post that a server gets regularly, such as the daily post. It is scheduled or already sent.

    Attributes:
        slot: The type of the post. A leaderboard's slot also contains its name and channel.
        day: The day in the server's time zone, such as 20261121.
        message_id: The ID of the message, or None until Discord has accepted the message.
        asked_at: The Unix time of the first attempt to send the post, or 0 if there was none yet.
        edited_at: The Unix time of the last edit.
        is_open: True if the post is the newest in its slot and still has its buttons.
        digest: A checksum of the content.
        wakes_at: The Unix time at which the post must be sent or edited next, or None.
    """

    guild_id: int
    slot: str
    day: int
    channel_id: int
    message_id: int | None = None
    asked_at: int = 0
    edited_at: int = 0
    is_open: bool = True
    digest: int = 0
    wakes_at: int | None = field(default=None, compare=False)

    @property
    def key(self) -> tuple[int, str, int]:
        return self.guild_id, self.slot, self.day

    @property
    def type(self) -> str:
        return self.slot.partition(" ")[0]

    @property
    def utc_day(self) -> int:
        """The UTC day on which the post was first sent, such as 20261121."""
        return day_at(self.asked_at)


@frozen
class PostChange:
    """The new settings of a server, and the regular posts to store and to delete.

    Attributes:
        settings: The new settings, or None to keep the current ones.
        put: The posts to store.
        drop: The posts to delete. They are deleted before the new posts are stored.
    """

    settings: PostSettings | None = None
    put: Sequence[RegularPost] = ()
    drop: Sequence[RegularPost] = ()


class RegularPosts(Store):
    """Store of servers' regular posts, such as daily posts, and of the settings for them."""

    async def settings(self, guild_id: int) -> PostSettings | None:
        return await self._reader.run(lambda sql: _settings(sql, guild_id))

    async def of_server(self, guild_id: int) -> list[RegularPost]:
        return await self._reader.run(lambda sql: _posts(sql.posts_of_server(guild_id=guild_id)))

    async def due(self, shards: Shards, now: int, limit: int) -> list[RegularPost]:
        """Return at most ``limit`` due posts for the servers of these shards, the most overdue first."""
        of_shards = asdict(shards) | {"now": now, "limit": limit}
        return await self._reader.run(lambda sql: _posts(sql.due_posts(**of_shards)))

    async def next_wakes_at(self, shards: Shards, now: int) -> int | None:
        """Return when the next post for the servers of these shards is due that is not due now."""
        timestamp = await self._ask("next_post_wakes_at", **asdict(shards), now=now)
        return None if timestamp is None else int(timestamp)

    async def change(
        self,
        guild_id: int,
        change: Callable[[PostSettings | None, Sequence[RegularPost]], PostChange],
    ) -> None:
        """Change a server's settings and its regular posts in one transaction.

        Args:
            guild_id: The server.
            change: A function that takes the current settings and posts and returns the change.
        """

        async def work(sql: Sql) -> None:
            before = await _settings(sql, guild_id)
            posts = await _posts(sql.posts_of_server(guild_id=guild_id))
            changed = change(before, posts)
            if (new := changed.settings) is not None:
                columns = asdict(new) | {"left_out": json.dumps(sorted(new.left_out))}
                await sql.drop_post_settings(guild_id=guild_id)
                await sql.add_post_settings(**columns | {"is_on": int(new.is_on)})
            for post in (*changed.drop, *changed.put):
                await sql.drop_regular_post(guild_id=guild_id, slot=post.slot, day=post.day)
            for post in changed.put:
                await add_post(sql, post)

        await self._writer.write(work)

    async def store_posts(self, *posts: RegularPost, drop: Sequence[RegularPost] = ()) -> None:
        """Store some regular posts and delete others. All of them must belong to the same server."""
        [guild_id] = {post.guild_id for post in (*posts, *drop)}
        await self.change(guild_id, lambda *_before: PostChange(put=posts, drop=drop))


async def add_post(sql: Sql, post: RegularPost) -> None:
    await sql.add_regular_post(**asdict(post) | {"is_open": int(post.is_open)})


async def find_post(sql: Sql, guild_id: int, slot: str) -> RegularPost | None:
    """Return a server's newest post in a slot, or None if there is none."""
    posts = await _posts(sql.posts_of_server(guild_id=guild_id))
    return next((post for post in reversed(posts) if post.slot == slot), None)


async def _settings(sql: Sql, guild_id: int) -> PostSettings | None:
    row: Record | None = await sql.post_settings(guild_id=guild_id)
    if row is None:
        return None
    values = {
        **dict(row),
        "left_out": frozenset(json.loads(row["left_out"])),
        "is_on": bool(row["is_on"]),
    }
    return PostSettings(**values)


async def _posts(found: Any) -> list[RegularPost]:
    return [RegularPost(**{**dict(row), "is_open": bool(row["is_open"])}) async for row in found]

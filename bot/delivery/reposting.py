"""When a table moves down to the end of its channel by itself.

Discord takes only a few edits of a message that is over an hour old, so a table does not get that
old while it is played. And a table that many messages have gone over is out of sight: they are
counted, at most every few minutes, where the bot may read the channel's history. (It is not among
the permissions that the bot asks for, but most servers give it to everybody; without it Discord
answers with no messages, and the table moves by its age alone. To be told of every message would
take one more intent, and cost every server's every message.)
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.delivery.slots import TABLE_SLOT, Messages
from bot.matches.match import Stage
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.message_requests import Requests
from bot.sessions.table import Table
from bot.storage import Post, Posts

MOVES_AFTER_SECONDS = 50 * 60
"""The age at which a table is posted anew with its next change."""

BURIED_BY = 12
"""How many messages after the table's put it out of sight."""

LOOKED_EVERY_SECONDS = 3 * 60
"""How seldom those messages are counted, and a table that shows all there is may stay where it is."""


async def is_buried(requests: Requests, post: Post) -> bool:
    """Return whether many messages have gone over a message."""
    return await requests.later_than(post, BURIED_BY) >= BURIED_BY


class Moves:
    """Knows when a table moves."""

    def __init__(
        self,
        posts: Posts,
        requests: Requests,
        permissions: ChannelPermissions,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._posts = posts
        self._requests = requests
        self._permissions = permissions

    def _is_aged(self, post: Post) -> bool:
        """Return whether a message is so old that Discord may soon take no more edits of it."""
        sent_at = discord.utils.snowflake_time(post.message_id).timestamp()
        return self._clock() - sent_at >= MOVES_AFTER_SECONDS

    async def are_due(self, table: Table, messages: Messages) -> bool:
        """Return whether a table, which has changed since this was asked last, moves down now."""
        before, messages.seen, match = messages.seen, table.signature, table.match
        has_changed = before != messages.seen
        if before is None:  # it was shown by another process, if at all
            has_changed = match.stage.is_live and 0 <= match.shown < match.version
        if not has_changed or match.stage is Stage.STOPPED:
            return False
        post, access = await self._posts.get(match.id, TABLE_SLOT), self._permissions.of(match)
        if post is None or not access.sends:
            return False
        if self._is_aged(post):
            return True
        if self._clock() - messages.looked_at < LOOKED_EVERY_SECONDS:
            return False
        messages.looked_at = self._clock()
        return access.counts and await is_buried(self._requests, post)

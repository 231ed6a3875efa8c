"""Reposting of tables: a table that grows old, or that other messages bury, is sent anew."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.places import Channels
from bot.matches.match import Stage
from bot.sessions.table import Table

REPOST_AFTER_SECONDS = 50 * 60
"""The age at which a table is posted anew with its next change."""

BURIED_BY = 12
"""How many messages after the table's put it out of sight."""

COUNT_EVERY_SECONDS = 3 * 60
"""How seldom those messages are counted."""


@dataclass(slots=True, eq=False)
class Reposting:
    """When the table of a match is to be sent anew, at the end of its channel.

    Attributes:
        seen: The signature of the table when this was last asked, or None.
        counted_at: The Unix time at which the messages after the table were last counted.
    """

    seen: object = None
    counted_at: float = 0.0

    async def is_due(self, table: Table, channels: Channels) -> bool:
        """Return whether a table, which has changed since this was last asked, is to be sent anew.

        Discord takes only a few edits of a message that is over an hour old (error 30046). A table that
        many messages have gone over is out of sight: they are counted if the bot may read the channel's
        history, which it does not ask for.
        """
        before, self.seen, match, now = self.seen, table.signature, table.match, channels.clock()
        has_changed = before != self.seen
        if before is None:  # another process has shown it, if any
            has_changed = match.stage.is_live and 0 <= match.shown < match.version
        if not has_changed or match.stage is Stage.STOPPED:
            return False
        post, access = await channels.posts.get(match.id, TABLE_KEY), channels.permissions.of(match)
        if post is None or not access.sends:
            return False
        if now - discord.utils.snowflake_time(post.message_id).timestamp() >= REPOST_AFTER_SECONDS:
            return True
        if now - self.counted_at < COUNT_EVERY_SECONDS:
            return False
        self.counted_at = now
        return access.counts and await channels.requests.later_than(post, BURIED_BY) >= BURIED_BY

"""Reposting of tables whose message is old or buried by other messages."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.places import Channels
from bot.matches.match import Stage
from bot.sessions.table import Table

REPOST_AFTER_SECONDS = 50 * 60
"""Age in seconds at which a table's message is replaced at the table's next change."""

BURIED_BY = 12
"""Number of later messages after which a table is out of sight."""

COUNT_EVERY_SECONDS = 3 * 60
"""Minimum interval in seconds between two counts of the later messages."""


@dataclass(slots=True, eq=False)
class Reposting:
    """The state that decides when the table of a match is sent again, at the end of its channel.

    Attributes:
        seen: The signature of the table at the last check, or None before the first.
        counted_at: Unix time of the last count of later messages.
    """

    seen: object = None
    counted_at: float = 0.0

    async def is_due(self, table: Table, channels: Channels) -> bool:
        """Return whether a table that has changed since the last check should be sent again.

        Discord allows only a few edits of a message that is over an hour old (error 30046). A table with
        many later messages is out of sight. They are counted if the bot may read the channel's history,
        a permission that it does not ask for.
        """
        before, self.seen, match, now = self.seen, table.signature, table.match, channels.clock()
        has_changed = before != self.seen
        if before is None:  # this process has not shown the table yet
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

"""Decides when to send a table again because its message is too old or has scrolled out of view."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.delivery.channels import Channels
from bot.delivery.message_keys import TABLE_KEY
from bot.matches.match import Stage
from bot.sessions.table_state import Table

REPOST_AFTER_SECONDS = 50 * 60
"""Age in seconds from which a table message is replaced when its table changes."""

BURIED_BY = 12
"""Number of later messages after which a table message counts as out of view."""

COUNT_EVERY_SECONDS = 3 * 60
"""Minimum number of seconds between two requests that count the later messages."""


@dataclass(slots=True, eq=False)
class Reposting:
    """State of one match that decides when its table is sent again as the channel's newest message.

    Attributes:
        seen: The table's signature at the last check, or None before the first check.
        counted_at: The Unix time at which the later messages were last counted.
    """

    seen: object = None
    counted_at: float = 0.0

    async def is_due(self, table: Table, channels: Channels) -> bool:
        """Return whether the table message should be replaced by a new message.

        This is the case if the table has changed since the last check and its message is old or out of
        view. Discord allows only a few edits of a message that is over an hour old (error 30046). Later
        messages are counted only if the bot can read the channel's history. The bot does not ask for
        this permission.
        """
        before, self.seen, match, now = self.seen, table.signature, table.match, channels.clock()
        has_changed = before != self.seen
        if before is None:  # this process has not shown the table yet
            has_changed = match.stage.is_live and 0 <= match.shown < match.version
        if not has_changed or match.stage is Stage.STOPPED:
            return False
        post = await channels.posts.get(match.id, TABLE_KEY)
        access = channels.permissions.match_access(match)
        if post is None or not access.sends:
            return False
        if now - discord.utils.snowflake_time(post.message_id).timestamp() >= REPOST_AFTER_SECONDS:
            return True
        if now - self.counted_at < COUNT_EVERY_SECONDS:
            return False
        self.counted_at = now
        return access.counts and await channels.requests.later_than(post, BURIED_BY) >= BURIED_BY

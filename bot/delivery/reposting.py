"""When a table moves down to the end of its channel by itself.

Discord takes only a few edits of a message that is over an hour old, so a table does not get that
old while it is played. And a table that many messages have gone over is out of sight: they are
counted, at most every few minutes, where the bot may read the channel's history. (It is not among
the permissions that the bot asks for, but most servers give it to everybody; without it Discord
answers with no messages, and the table moves by its age alone. To be told of every message would
take one more intent, and cost every server's every message.)
"""

from __future__ import annotations

import discord

from bot.delivery.routes import Routes
from bot.delivery.slots import TABLE_SLOT, Messages
from bot.engine.match import Stage
from bot.sessions.table import Table

MOVES_AFTER_SECONDS = 50 * 60
"""The age at which a table is posted anew with its next change."""

BURIED_BY = 12
"""How many messages after the table's put it out of sight."""

LOOKED_EVERY_SECONDS = 3 * 60
"""How seldom those messages are counted, and a table that shows all there is may stay where it is."""


async def moves_down(table: Table, messages: Messages, routes: Routes, now: int) -> bool:
    """Return whether a table, which has changed since this was asked last, moves down now.

    ``now`` is in seconds since 1970.
    """
    before, messages.seen, match = messages.seen, table.signature, table.match
    has_changed = before != messages.seen
    if before is None:  # it was shown by another process, if at all
        has_changed = match.stage.is_live and 0 <= match.shown < match.version
    if not has_changed or match.stage is Stage.STOPPED:
        return False
    post, access = await routes.posts.get(match.id, TABLE_SLOT), routes.permissions.of(match)
    if post is None or not access.sends:
        return False
    if now - discord.utils.snowflake_time(post.message_id).timestamp() >= MOVES_AFTER_SECONDS:
        return True
    if now - messages.looked_at < LOOKED_EVERY_SECONDS:
        return False
    messages.looked_at = now
    return access.counts and await routes.requests.later_than(post, BURIED_BY) >= BURIED_BY

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

from bot.delivery.ports import Post
from bot.delivery.requests import Requests

MOVES_AFTER_SECONDS = 50 * 60
"""The age at which a table is posted anew with its next change."""

BURIED_BY = 12
"""How many messages after the table's put it out of sight."""

COUNTED_EVERY_SECONDS = 3 * 60
"""How seldom those messages are counted."""


def now() -> float:
    """Return the seconds since 1970."""
    return discord.utils.utcnow().timestamp()


def is_aged(post: Post) -> bool:
    """Return whether a message is so old that Discord may soon take no more edits of it."""
    return now() - discord.utils.snowflake_time(post.message_id).timestamp() >= MOVES_AFTER_SECONDS


async def is_buried(requests: Requests, post: Post) -> bool:
    """Return whether many messages have gone over a message."""
    return await requests.later_than(post, BURIED_BY) >= BURIED_BY

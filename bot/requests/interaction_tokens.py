"""The interactions by whose tokens messages can be edited, for 15 minutes after a click on them.

Such an edit does not count among the requests that Discord limits for the whole bot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import discord
from cachetools import TLRUCache

MOST_TOKENS = 10_000
"""How many are kept, of 3 KB; a message without one is edited as any other, within the budget."""

InteractionTokens: TypeAlias = "TLRUCache[int, discord.Interaction]"
"""The last interaction of each message that its token can edit, by the message's id. Memory only."""


def interaction_tokens(clock: Callable[[], int]) -> InteractionTokens:
    """Return what keeps interactions until their tokens expire; ``clock`` is by Discord's time."""
    return TLRUCache(MOST_TOKENS, lambda _id, one, _now: one.expires_at.timestamp(), timer=clock)


def seconds_left(interaction: discord.Interaction, now: int) -> float:
    """Return for how long an interaction's token can be used; 0 for one that has expired.

    discord.py would ask the machine's clock, and that may be wrong; ``now`` is by Discord's.
    """
    return max(0.0, interaction.expires_at.timestamp() - now)

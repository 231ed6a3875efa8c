"""The interactions by whose tokens messages can be edited, for 15 minutes after a click on them.

Such an edit does not count among the requests that Discord limits for the whole bot.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import discord

MOST_TOKENS = 10_000
"""How many are kept, of 3 KB; a message without one is edited as any other, within the budget."""


def seconds_left(interaction: discord.Interaction, now: int) -> float:
    """Return for how long an interaction's token can be used; 0 for one that has expired.

    discord.py would ask the machine's clock, and that may be wrong; ``now`` is by Discord's.
    """
    return max(0.0, interaction.expires_at.timestamp() - now)


class InteractionTokens:
    """The last interaction of each message that its token can edit. Memory only."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._clock = clock
        self._interactions: OrderedDict[int, discord.Interaction] = OrderedDict()

    def keep(self, message_id: int, interaction: discord.Interaction) -> None:
        """Take note that a message is the answer to an interaction."""
        kept, now = self._interactions, self._clock()
        while kept and not seconds_left(kept[oldest := next(iter(kept))], now):
            del kept[oldest]
        kept[message_id] = interaction
        kept.move_to_end(message_id)
        if len(kept) > MOST_TOKENS:
            kept.popitem(last=False)

    def of(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose token edits a message, or None."""
        found = self._interactions.get(message_id)
        if found is not None and not seconds_left(found, self._clock()):
            self.drop(message_id)
            return None
        return found

    def drop(self, message_id: int) -> None:
        """Take note that a token edits its message no more."""
        self._interactions.pop(message_id, None)

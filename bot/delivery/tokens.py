"""The interactions by whose tokens messages can be edited, for 15 minutes after a click on them.

Such an edit does not count among the requests that Discord limits for the whole bot.
"""

from __future__ import annotations

from collections import OrderedDict

import discord

MOST_TOKENS = 10_000
"""How many are kept, of 3 KB; a message without one is edited as any other, within the budget."""


class Tokens:
    """The last interaction of each message that its token can edit. Memory only."""

    def __init__(self) -> None:
        self._interactions: OrderedDict[int, discord.Interaction] = OrderedDict()

    def keep(self, message_id: int, interaction: discord.Interaction) -> None:
        """Take note that a message is the answer to an interaction."""
        kept = self._interactions
        while kept and kept[oldest := next(iter(kept))].is_expired():
            del kept[oldest]
        kept[message_id] = interaction
        kept.move_to_end(message_id)
        if len(kept) > MOST_TOKENS:
            kept.popitem(last=False)

    def of(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose token edits a message, or None."""
        found = self._interactions.get(message_id)
        if found is not None and found.is_expired():
            self.drop(message_id)
            return None
        return found

    def drop(self, message_id: int) -> None:
        """Take note that a token edits its message no more."""
        self._interactions.pop(message_id, None)

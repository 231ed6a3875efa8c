"""A private message that shows a player's hand, as the answer to an interaction."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.delivery.answers import SILENT
from bot.delivery.components import message
from bot.delivery.slot import Slot
from bot.messages.components import Content


@dataclass(slots=True, kw_only=True)
class Panel(Slot):
    """A slot that the token of an interaction can edit, for 15 minutes after it.

    ``is_followup``: the message followed the answer to the interaction, and is not the answer itself.
    """

    interaction: discord.Interaction
    message_id: int
    is_followup: bool

    async def edit(self, content: Content) -> None:
        """Have the message show something."""
        made = message(content)
        if self.is_followup:
            await self.interaction.followup.edit_message(
                self.message_id, view=made.view, attachments=made.files(), allowed_mentions=SILENT
            )
        else:
            await self.interaction.edit_original_response(
                view=made.view, attachments=made.files(), allowed_mentions=SILENT
            )

    async def delete(self) -> None:
        """Take the message away."""
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()

"""The private panels that players hold open: kept up to date for as long as Discord allows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import discord
import structlog

from bot.delivery.answers import SILENT, fitted
from bot.delivery.meanings import NOT_SENT
from bot.engine.values import frozen
from bot.engine.words import speaking
from bot.messages.parts import Sheet
from bot.messages.sheets import hand_mark
from bot.sessions.table import Table

log = structlog.get_logger(__name__)


@frozen
class _Panel:
    """A private message, the interaction whose token (15 minutes) can edit it, and what it shows."""

    interaction: discord.Interaction
    message_id: int
    is_followup: bool
    shows: object

    async def edit(self, sheet: Sheet) -> None:
        """Show a sheet in the message."""
        if self.is_followup:
            await self.interaction.followup.edit_message(
                self.message_id, view=sheet.view, attachments=sheet.files(), allowed_mentions=SILENT
            )
        else:
            await self.interaction.edit_original_response(
                view=sheet.view, attachments=sheet.files(), allowed_mentions=SILENT
            )

    async def delete(self) -> None:
        """Take the message away."""
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


class PrivatePanels:
    """The last private panel of each player at each table. Memory only: a new one is a click away."""

    def __init__(self) -> None:
        self._panels: dict[tuple[str, int], _Panel] = {}

    async def opened(
        self, table: Table, interaction: discord.Interaction, message_id: int, *, is_followup: bool
    ) -> None:
        """Keep this panel up to date from now on; the player's panel before it is deleted.

        ``is_followup``: the message followed the answer to the interaction, and is not the answer.
        """
        key = (table.match.id, interaction.user.id)
        before = self._panels.get(key)
        for other in [key for key, panel in self._panels.items() if panel.message_id == message_id]:
            del self._panels[other]  # a message shows one table, the last that it was asked for
        seat = table.match.seat_of(interaction.user.id)
        mark = None if seat is None else hand_mark(table, seat)
        self._panels[key] = _Panel(interaction, message_id, is_followup, mark)
        if before is None or before.message_id == message_id or before.interaction.is_expired():
            return
        try:
            await before.delete()
        except NOT_SENT as error:
            log.debug("old panel stays", error=str(error))

    async def refresh(self, table: Table, hand: Callable[[int], Sheet]) -> None:
        """Show the table as it stands in every panel open on it; ``hand`` is what a seat sees."""
        for key, panel in [item for item in self._panels.items() if item[0][0] == table.match.id]:
            seat = table.match.seat_of(key[1])
            if seat is None or table.state is None or panel.interaction.is_expired():
                self._panels.pop(key, None)
                continue
            if not table.is_playing:
                self._panels.pop(key, None)
            elif panel.shows == (mark := hand_mark(table, seat)):
                continue
            else:
                self._panels[key] = replace(panel, shows=mark)
            with speaking(str(panel.interaction.locale)):
                sheet = fitted(hand(seat), panel.interaction)
            try:
                await panel.edit(sheet)
            except NOT_SENT as error:
                log.debug("panel is gone", error=str(error))
                self._panels.pop(key, None)

"""The message that was clicked, brought to the table as it stands."""

from __future__ import annotations

import discord

from bot.delivery.answers import Answer
from bot.delivery.budget import Urgency
from bot.delivery.desk import Desk
from bot.delivery.display import hand_spot
from bot.delivery.messenger import TABLE_SPOT
from bot.engine.values import frozen
from bot.engine.words import _
from bot.sessions.errors import TableError
from bot.sessions.table import Table


@frozen
class Clicked:
    """A component that a user has clicked, with the answer to it and the desk it is worked at."""

    desk: Desk
    answer: Answer
    interaction: discord.Interaction

    @property
    def player_id(self) -> int:
        """Who clicked."""
        return self.interaction.user.id

    @property
    def is_private(self) -> bool:
        """Whether only the user sees the message that was clicked; hands are shown nowhere else."""
        message = self.interaction.message
        return self.interaction.guild_id is None or (message is not None and message.flags.ephemeral)

    async def table(self, match_id: str) -> Table:
        """Return the table of a match, or raise TableError.

        A click counts only where the table is, and in its players' DMs: a custom_id of somewhere else
        was made up.
        """
        table, asked = await self.desk.tables.look(match_id), self.interaction
        match = table.match
        is_here = (asked.guild_id, asked.channel_id) == (match.guild_id, match.channel_id)
        is_own = asked.guild_id is None and match.seat_of(self.player_id) is not None
        if not is_here and not is_own:
            raise unknown_button()
        if is_own:
            self.desk.display.private.leave(table, self.player_id)
        return table

    async def show(self, table: Table, *, in_public: bool = True) -> None:
        """Show the table, or else the player's hand, in the message that was clicked."""
        seat, display = table.match.seat_of(self.player_id), self.desk.display
        if in_public or seat is None or table.state is None:
            with display.answering(table, TABLE_SPOT):
                await self._show_table(table)
        else:
            with display.answering(table, hand_spot(seat)):
                await self._show_hand(table, seat)

    async def show_changed(self, match_id: str, *, in_public: bool = True) -> None:
        """Show how a table stands by now, here and then wherever else it is shown."""
        try:
            await self.show(await self.desk.tables.look(match_id), in_public=in_public)
        finally:
            self.desk.display.refresh(match_id)

    async def open_hand(
        self, table: Table, seat: int, path: tuple[str, ...] = (), *, is_followup: bool = False
    ) -> None:
        """Show a player the hand in private, at a step of choosing a move, and keep it up to date."""
        desk = self.desk
        record = await desk.players.get(self.player_id)
        sheet = await desk.display.hand(table, seat, path, offer_dms=record.dms_closed)
        message_id = await self.answer.whisper(sheet)
        await desk.display.private.opened(table, self.interaction, message_id, is_followup=is_followup)
        await desk.display.told_of_hand(table, seat)
        desk.display.refresh(table.match.id, Urgency.UPKEEP)

    async def _show_table(self, table: Table) -> None:
        display, message = self.desk.display, self.interaction.message
        if message is not None and await display.shows(table, TABLE_SPOT, message):
            if await self.answer.update(await display.table(table)):
                display.shown(table, TABLE_SPOT, message.id, self.interaction)
            return
        await self.answer.update(await display.pointer(table))

    async def _show_hand(self, table: Table, seat: int) -> None:
        display, message = self.desk.display, self.interaction.message
        if not await self.answer.update(await display.hand(table, seat)):
            return
        assert message is not None, "a component stands in a message"
        if self.interaction.guild_id is not None:
            await display.private.opened(table, self.interaction, message.id, is_followup=False)
        elif await display.shows(table, hand_spot(seat), message):
            display.shown(table, hand_spot(seat), message.id, self.interaction)


def unknown_button() -> TableError:
    """Return the refusal of a button that is offered nowhere any more."""
    return TableError(_("That button is out of date. Use the table's newest message."))

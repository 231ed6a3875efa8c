"""Buttons and menus: every one that Ribit ever sent, and any other that claims to be one.

One listener takes them all by their custom_id, which says everything: so a button works after a
restart, and one that nobody knows is answered too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord
from discord.ext import commands

from bot.delivery.answers import Answer, answering
from bot.delivery.dealing import call_to_rematch, deal_for, own_seat, player_of, post_table
from bot.delivery.desk import Desk
from bot.delivery.display import hand_spot
from bot.delivery.messenger import TABLE_SPOT, Delivery
from bot.delivery.permits import check_may_start
from bot.engine.words import _, speaking
from bot.messages.ids import Action, BoardPage, SettingPick, read_id
from bot.messages.parts import notice_sheet
from bot.messages.sheets import give_up_sheet, rules_sheet, table_sheet
from bot.sessions.click import FIRST_STEP, Click
from bot.sessions.errors import MovedOnError, TableError
from bot.sessions.table import Table
from cogs._boards import show_page
from cogs._settings import pick_setting

ActionHandler = Callable[[Answer, discord.Interaction, str], Awaitable[None]]


class Clicks(commands.Cog):
    """Turns clicks into moves and actions, and answers each of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._actions: dict[str, ActionHandler] = {
            "join": self._join,
            "wake": self._wake,
            "leave": self._leave,
            "start": self._start,
            "hand": self._hand,
            "dms": self._dms,
            "rules": self._rules,
            "rematch": self._rematch,
            "new": self._new_deal,
            "same": self._same_deal,
            "stop": self._stop,
            "give": self._give_up,
            "quit": self._quit,
            "never": self._never_mind,
        }

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a component; commands have their own way."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: Mapping[str, Any] = interaction.data or {}
        values = [str(value) for value in data.get("values", ())]
        async with answering(interaction) as answer:
            asked = read_id(str(data.get("custom_id", "")), values)
            match asked:
                case Click() if asked.in_public or _is_private(interaction):
                    await self._click(answer, interaction, asked)
                case Action() if asked.name in self._actions:
                    await self._actions[asked.name](answer, interaction, asked.match_id)
                case BoardPage():
                    await show_page(self._desk, answer, interaction, asked)
                case SettingPick() if _is_private(interaction):
                    await pick_setting(self._desk, answer, interaction, asked)
                case _:
                    raise _unknown_button()

    # ---- moves ---------------------------------------------------------------------------------

    async def _click(self, answer: Answer, interaction: discord.Interaction, click: Click) -> None:
        try:
            table = await self._desk.tables.choose(click, interaction.user.id)
        except MovedOnError as moved_on:
            try:
                await self._show_again(answer, interaction, click.match_id, in_public=click.in_public)
            finally:
                self._desk.display.refresh(click.match_id)
            await answer.tell(moved_on.sentence)
            return
        seat = table.match.seat_of(interaction.user.id)
        assert seat is not None, "only a seated player gets this far"
        if table.is_playing and table.n == click.seen:  # a step on the way to a move
            await self._show_step(answer, interaction, table, seat, click)
            return
        try:
            await self._show_here(answer, interaction, table, in_public=click.in_public)
        finally:  # what was stored is shown, also when this answer came too late
            self._desk.display.refresh(table.match.id)
        if click.in_public and table.to_move == seat and table.game.info.hidden_hands:
            await self._open_hand(answer, interaction, table, seat, is_followup=True)

    async def _show_step(
        self, answer: Answer, interaction: discord.Interaction, table: Table, seat: int, click: Click
    ) -> None:
        path = () if click.path == (FIRST_STEP,) else click.path
        if not click.in_public:
            await answer.update(self._desk.display.hand(table, seat, path))
        elif table.game.info.hidden_hands:
            await self._open_hand(answer, interaction, table, seat, path)
        else:
            with speaking(await self._desk.display.language(table)):
                sheet = table_sheet(table, path)
            await answer.update(sheet)

    async def _show_again(
        self, answer: Answer, interaction: discord.Interaction, match_id: str, *, in_public: bool
    ) -> None:
        """Show the table as it stands in the message that was clicked."""
        table = await self._desk.tables.look(match_id)
        await self._show_here(answer, interaction, table, in_public=in_public)

    async def _show_changed(
        self,
        answer: Answer,
        interaction: discord.Interaction,
        match_id: str,
        *,
        in_public: bool = True,
    ) -> None:
        try:
            await self._show_again(answer, interaction, match_id, in_public=in_public)
        finally:
            self._desk.display.refresh(match_id)

    async def _show_here(
        self, answer: Answer, interaction: discord.Interaction, table: Table, *, in_public: bool
    ) -> None:
        seat = table.match.seat_of(interaction.user.id)
        if in_public or seat is None or table.state is None:
            await self._show_table_here(answer, interaction, table)
            return
        if not await answer.update(self._desk.display.hand(table, seat)):
            return
        display, message = self._desk.display, interaction.message
        assert message is not None, "a component stands in a message"
        if interaction.guild_id is not None:
            await display.private.opened(table, interaction, message.id, is_followup=False)
        elif await display.shows(table, hand_spot(seat), message):
            display.shown(table, hand_spot(seat))

    async def _show_table_here(
        self, answer: Answer, interaction: discord.Interaction, table: Table
    ) -> None:
        display = self._desk.display
        message = interaction.message
        if message is not None and await display.shows(table, TABLE_SPOT, message):
            with speaking(await display.language(table)):
                sheet = table_sheet(table)
            if await answer.update(sheet):
                display.shown(table, TABLE_SPOT)
            return
        await answer.update(await display.pointer(table))

    async def _open_hand(
        self,
        answer: Answer,
        interaction: discord.Interaction,
        table: Table,
        seat: int,
        path: tuple[str, ...] = (),
        *,
        is_followup: bool = False,
    ) -> None:
        """Show a player the hand in private, at a step of choosing a move, and keep it up to date."""
        record = await self._desk.players.get(interaction.user.id)
        sheet = self._desk.display.hand(table, seat, path, offer_dms=record.dms_closed)
        message_id = await answer.whisper(sheet)
        await self._desk.display.private.opened(table, interaction, message_id, is_followup=is_followup)
        await self._desk.display.told_of_hand(table, seat)

    # ---- the lobby -----------------------------------------------------------------------------

    async def _join(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._desk.players.speaks(interaction.user.id, str(interaction.locale))
        await self._desk.seating.join(match_id, player_of(interaction))
        await self._show_changed(answer, interaction, match_id, in_public=not _is_private(interaction))

    async def _wake(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._desk.tables.come_back(match_id, interaction.user.id)
        await self._show_changed(answer, interaction, match_id, in_public=not _is_private(interaction))

    async def _leave(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        table = await self._desk.tables.look(match_id)
        if table.is_lobby:
            await self._desk.seating.leave(match_id, interaction.user.id)
        await self._show_changed(answer, interaction, match_id)

    async def _start(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._desk.seating.start(match_id, interaction.user.id)
        await self._show_changed(answer, interaction, match_id)

    # ---- other actions -------------------------------------------------------------------------

    async def _hand(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        table, seat = await self._own_seat(interaction, match_id)
        await self._open_hand(answer, interaction, table, seat)

    async def _dms(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        """Try a player's DMs again, because the player asked for it."""
        table, seat = await self._own_seat(interaction, match_id)
        delivery = await self._desk.messenger.show_in_dm(
            table,
            hand_spot(seat),
            interaction.user.id,
            lambda: self._desk.display.hand(table, seat),
            asked_for=True,
        )
        if delivery is not Delivery.SENT:
            raise TableError(
                _(
                    "Your DMs are still closed. Allow direct messages in this server's privacy "
                    "settings, or go on with **My hand**."
                )
            )
        if _is_private(interaction):
            await answer.update(self._desk.display.hand(table, seat))
        await answer.tell(_("Done: your hand is in your DMs too."))

    async def _own_seat(self, interaction: discord.Interaction, match_id: str) -> tuple[Table, int]:
        table = await self._desk.tables.look(match_id)
        return table, own_seat(table, interaction.user.id)

    async def _rules(self, answer: Answer, _interaction: discord.Interaction, match_id: str) -> None:
        table = await self._desk.tables.look(match_id)
        await answer.whisper(rules_sheet(table.game))

    async def _rematch(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        before = await self._desk.tables.look(match_id)
        if before.is_solo or before.match.channel_id != interaction.channel_id:
            raise _unknown_button()
        if await self._desk.tables.at(before.match.channel_id) is None:
            await check_may_start(self._desk, interaction)
        table, is_new = await self._desk.seating.rematch(match_id, player_of(interaction))
        if not is_new:
            self._desk.display.refresh(table.match.id)
            await answer.tell(_("You have a seat at the new table."))
            return
        await post_table(self._desk, answer, table)
        others = [player.id for player in before.match.players if player.id != interaction.user.id]
        if others:
            await call_to_rematch(self._desk, table, others)

    async def _new_deal(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._deal_again(answer, interaction, match_id, is_same=False)

    async def _same_deal(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._deal_again(answer, interaction, match_id, is_same=True)

    async def _deal_again(
        self, answer: Answer, interaction: discord.Interaction, match_id: str, *, is_same: bool
    ) -> None:
        before = await self._desk.tables.look(match_id)
        if not before.is_solo:
            raise _unknown_button()
        number = before.match.options["deal"] if is_same else None
        table = await deal_for(self._desk, interaction, before.match.game, number)
        await post_table(self._desk, answer, table)

    async def _stop(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        may_manage = interaction.permissions.manage_messages
        await self._desk.seating.stop(match_id, interaction.user.id, may_manage=may_manage)
        self._desk.display.refresh(match_id)
        await answer.update(notice_sheet(_("The table is ended.")))

    async def _give_up(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._own_seat(interaction, match_id)
        await answer.whisper(give_up_sheet(match_id))

    async def _quit(self, answer: Answer, interaction: discord.Interaction, match_id: str) -> None:
        await self._desk.seating.leave(match_id, interaction.user.id)
        self._desk.display.refresh(match_id)
        await answer.update(notice_sheet(_("You gave up.")))

    async def _never_mind(
        self, answer: Answer, _interaction: discord.Interaction, _match_id: str
    ) -> None:
        await answer.update(notice_sheet(_("Nothing was changed. The match goes on.")))


def _is_private(interaction: discord.Interaction) -> bool:
    """Return whether only the user sees the message that was clicked; hands are shown nowhere else."""
    message = interaction.message
    return interaction.guild_id is None or (message is not None and message.flags.ephemeral)


def _unknown_button() -> TableError:
    return TableError(_("That button is too old for me. The newest message of the table works."))

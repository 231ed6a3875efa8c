"""Handlers of the buttons at tables for several players.

A table is the message that shows a match or its lobby in a channel. The buttons are for taking and
leaving seats, showing hands, closing the table, rematches, and opening a table in a thread.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self
from weakref import WeakValueDictionary

import discord
from discord.ext import commands

from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles, handles_at_table
from bot.delivery.display import Display
from bot.delivery.message_writer import Delivery
from bot.delivery.name_updates import player_of, sitting_down
from bot.delivery.permission_checks import check_may_start, check_may_start_there, is_granted
from bot.delivery.table_opening import TableOpening, own_seat
from bot.delivery.turn_pings import REMATCH_SLOT, RecentActivity
from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.translation import _, speaking
from bot.matches.leaderboard_rules import strongest
from bot.matches.match import Stage
from bot.messages import computer_player_controls as controls
from bot.messages.channel_access import THREADING
from bot.messages.components import Button, Content, notice_content, row
from bot.messages.confirmations import confirm_content
from bot.messages.custom_ids import GAME, MATCH, Control, number_in
from bot.messages.player_names import written_names
from bot.messages.time_limits import when
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.sessions import events
from bot.sessions.errors import TableError
from bot.sessions.match_creation import Opening, new_match_id
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from cogs.tables.leave_and_close import gone_words

STRENGTHS = tuple(Strength)
_NOT_LET = (ErrorKind.SHUT, ErrorKind.LOCKED, ErrorKind.PLACE_GONE, ErrorKind.BLOCKED)


@frozen
class InThread(Control):
    """A button that opens a table in a new thread of the channel.

    The custom_id has the ID and the options of the match that the button creates.
    """

    pattern = re.compile(
        rf"t:{MATCH}:{GAME}:(?P<limit>\d{{1,2}}):(?P<turn>\d{{1,6}})"
        r":(?P<frogs>[0-2]{0,9}):(?P<options>([a-z]+=\d{1,5}(\.[a-z]+=\d{1,5})*)?)"
    )
    kind = "thread"

    match_id: str
    opening: Opening

    @property
    def custom_id(self) -> str:
        opening = self.opening
        levels = "".join(str(STRENGTHS.index(strength)) for strength in opening.computer_players)
        options = ".".join(f"{key}={value}" for key, value in opening.options.items())
        where = f"{opening.game}:{opening.limit}:{opening.turn_seconds}"
        return f"t:{self.match_id}:{where}:{levels}:{options}"

    @classmethod
    def read(cls, found: re.Match[str], _values: Sequence[str]) -> Self | None:
        options = (option.split("=") for option in filter(None, found["options"].split(".")))
        opening = Opening(
            game=found["game"],
            limit=int(found["limit"]),
            options={key: int(value) for key, value in options},
            turn_seconds=int(found["turn"]),
            computer_players=tuple(STRENGTHS[int(digit)] for digit in found["frogs"]),
        )
        return cls(found["match_id"], opening)


def offer_content(sentence: str, opening: Opening) -> Content:
    click = InThread(new_match_id(), opening)
    return notice_content(
        f"{sentence}\n" + _("You can open yours in its own thread."),
        row(Button(click.custom_id, _("Open it in a thread"))),
    )


def may_open_thread(interaction: discord.Interaction) -> bool:
    is_channel = isinstance(interaction.channel, discord.TextChannel)
    return is_channel and all(is_granted(permit, interaction) for permit in THREADING)


@dataclass(eq=False)
class TableButtons(commands.Cog):
    """Handlers of clicks on the buttons of a table for several players."""

    _opening: TableOpening
    _seating: Seating
    _cooldown: RecentActivity
    _locks: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """A lock per channel ID, so that two clicks on the same button cannot open two threads."""

    # ---- threads --------------------------------------------------------------------------------------

    @handles(InThread, in_private=True)
    async def open_in_thread(self, clicked: ClickContext, asked: InThread) -> None:
        interaction, tables = clicked.interaction, clicked.display.tables
        async with self._locks.setdefault(interaction.channel_id or 0, asyncio.Lock()):
            table = await tables.find(asked.match_id) or await self._open_table(clicked, asked)
        if table.match.guild_id != interaction.guild_id:
            raise unknown_button()
        clicked.display.refresh(table.match.id)
        where = _("Your table is in {thread}.").format(thread=f"<#{table.match.channel_id}>")
        await clicked.answer.update(notice_content(where))

    async def _open_table(self, clicked: ClickContext, asked: InThread) -> Table:
        opening, interaction, display = asked.opening, clicked.interaction, clicked.display
        game, guild_id = display.tables.games.get(opening.game), interaction.guild_id
        if game is None or not opening.fits(game):
            raise unknown_button()
        await check_may_start(display, interaction)
        if not may_open_thread(interaction):
            raise _no_thread()
        async with self._opening.offer_to_end_one():  # check before opening the thread
            await self._seating.check_may_host(opening.game, guild_id, interaction.user.id)
        with speaking(await display.plans.language_in(guild_id)):
            (host,) = written_names([player_of(interaction.user)])
            name = _("{game} with {name}").format(game=game.info.name, name=host.plain)
        thread_id = await _opened_thread(clicked, name, game.info.name)
        return await self._opening.open_table(interaction, opening, thread_id, asked.match_id)

    # ---- the table ------------------------------------------------------------------------------------

    @action("join")
    async def join(self, clicked: ClickContext, table: Table) -> None:
        await clicked.display.players.record_locale(clicked.player_id, str(clicked.interaction.locale))
        await self._seating.join(table.match.id, sitting_down(clicked.interaction))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("wake")
    async def return_to_table(self, clicked: ClickContext, table: Table) -> None:
        await clicked.display.tables.happens(table.match.id, events.PlayerReturned(clicked.player_id))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("on")
    async def resume(self, clicked: ClickContext, table: Table) -> None:
        await clicked.display.tables.happens(table.match.id, events.Resumed(clicked.player_id))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("leave")
    async def leave(self, clicked: ClickContext, table: Table) -> None:
        if table.is_lobby:
            await self._seating.leave(table.match.id, clicked.player_id)
        await clicked.show_changed(table.match.id)

    @action("start")
    async def start(self, clicked: ClickContext, table: Table) -> None:
        await self._seating.start(table.match.id, clicked.player_id, clicked.interaction.id)
        await clicked.show_changed(table.match.id)

    @handles_at_table(controls.ComputerPick)
    async def pick(self, clicked: ClickContext, table: Table, picked: controls.ComputerPick) -> None:
        match_id, player_id = table.match.id, clicked.player_id
        number = number_in(picked.pick.removeprefix(controls.PERSON))
        if picked.pick.startswith(controls.PERSON) and number is not None:
            may_manage = clicked.interaction.permissions.manage_messages
            await self._seating.remove(match_id, number, player_id, may_manage=may_manage)
            if clicked.is_private:  # picked by a moderator in the ephemeral question about closing
                clicked.display.refresh(match_id)
                await clicked.answer.update(notice_content(gone_words(number)))
                return
        elif number is not None:
            await clicked.display.tables.happens(match_id, events.ComputerRemoved(player_id, -number))
        else:
            await clicked.display.tables.happens(match_id, events.ComputerAdded(player_id, picked.pick))
        await clicked.show_changed(match_id)

    @handles_at_table(controls.Substitute)
    async def substitute(self, clicked: ClickContext, table: Table, asked: controls.Substitute) -> None:
        match, tables = table.match, clicked.display.tables
        table = await tables.happens(match.id, events.Substituted(asked.seat, clicked.player_id))
        if not clicked.is_private:
            await clicked.show_changed(match.id)
            return
        clicked.display.refresh(match.id)
        words = (
            _("Nobody else is left, so the frogs finish this match right away.")
            if table.is_left_to_computer_players
            else _("A frog is playing for you now. Press **Join** at the table to take your seat back.")
        )
        await clicked.answer.update(notice_content(words))

    @action("hand")
    async def open_hand(self, clicked: ClickContext, table: Table) -> None:
        await clicked.open_hand(table, own_seat(table, clicked.player_id))

    @action("resign", in_private=True)
    async def ask_to_resign(self, clicked: ClickContext, table: Table) -> None:
        own_seat(table, clicked.player_id)
        question = _("Give up this board? It counts as lost.")
        await clicked.answer.send_ephemeral(
            confirm_content(question, table.match.id, "quit", _("Give up"))
        )

    @action("here", in_private=True)
    async def show_here(self, clicked: ClickContext, table: Table) -> None:
        await clicked.show_changed(table.match.id, in_public=False)

    @action("dms")
    async def send_to_dms(self, clicked: ClickContext, table: Table) -> None:
        seat = own_seat(table, clicked.player_id)
        until = self._cooldown.until(clicked.player_id)
        if until is not None:
            words = _(
                "I couldn't send you a DM just now. You can try again {when}. Until then, use "
                "**My hand**."
            )
            raise TableError(words.format(when=when(until)))
        delivery = await clicked.send_hand_to_dms(table, seat)
        if delivery is not Delivery.SHOWN:
            words = _("Discord won't let me DM you right now. Please use **My hand** instead.")
            if delivery is not Delivery.FLAGGED:
                self._cooldown.note(clicked.player_id)
                words = _(
                    "Your DMs are still closed. Allow direct messages in this server's privacy "
                    "settings, or go on with **My hand**."
                )
            raise TableError(words)
        confirmation = _("Done: your hand is now in your DMs.")
        if clicked.is_private:
            await clicked.answer.update(notice_content(confirmation))
        else:
            await clicked.answer.send_sentence(confirmation)

    @action("stop", in_private=True)
    async def stop(self, clicked: ClickContext, table: Table) -> None:
        if table.is_solo:  # forged, because a solitaire can only be given up
            raise unknown_button()
        may_manage = clicked.interaction.permissions.manage_messages
        table = await self._seating.stop(table.match.id, clicked.player_id, may_manage=may_manage)
        clicked.display.refresh(table.match.id)
        is_over = table.match.stage is Stage.STOPPED
        words = _("Table closed.") if is_over else _("Done: I've asked the others at the table.")
        await clicked.answer.update(notice_content(words))

    @action("agree")
    async def agree_to_close(self, clicked: ClickContext, table: Table) -> None:
        """Agree to another player's request to close a match in progress.

        If the user is also a moderator, the click still counts only as one player's consent.
        """
        await self._seating.stop(table.match.id, clicked.player_id, may_manage=False)
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("playon")
    async def play_on(self, clicked: ClickContext, table: Table) -> None:
        await clicked.display.tables.happens(table.match.id, events.CloseRefused(clicked.player_id))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("stepup")
    async def rematch_stronger(self, clicked: ClickContext, before: Table) -> None:
        """Open a rematch against the next stronger kind of computer player.

        Raises:
            TableError: The match had no computer players, or they were the strongest type.
        """
        best = strongest(before.match.players)
        if best is None or best is STRENGTHS[-1]:
            raise unknown_button()
        await self._rematch(clicked, before, STRENGTHS[STRENGTHS.index(best) + 1])

    @action("rematch")
    async def rematch(self, clicked: ClickContext, before: Table) -> None:
        await self._rematch(clicked, before)

    async def _rematch(
        self, clicked: ClickContext, before: Table, strength: Strength | None = None
    ) -> None:
        """Open a rematch of a finished match, or take a seat at a rematch that is already open.

        If the user clicked outside the table's channel, check that the user can see that channel.
        """
        display, interaction = clicked.display, clicked.interaction
        if before.is_solo or before.match.is_private:
            raise unknown_button()
        if not clicked.is_at(before):
            await check_may_start_there(display, clicked.membership, interaction, before)
        elif await clicked.display.tables.table_in_channel(before.match.channel_id) is None:
            await check_may_start(display, interaction)
        async with self._opening.offer_to_end_one():
            table, is_new = await self._seating.rematch(
                before.match.id, sitting_down(interaction), strength
            )
        if not is_new:
            display.refresh(table.match.id)
            await clicked.answer.send_sentence(_("You have a seat at the new table."))
            return
        await clicked.show_new(table)
        others = [each for each in table.match.roster.invited if each != clicked.player_id]
        if others and not table.is_playing:
            await _call_to_rematch(display, table, others)


async def _call_to_rematch(display: Display, table: Table, player_ids: Sequence[int]) -> None:
    mentions = " ".join(f"<@{player_id}>" for player_id in player_ids)

    def words() -> str:
        return _("🐸 {mentions}: a rematch! Press **Join**.").format(mentions=mentions)

    with suppress(*NOT_SENT):  # players who look at the channel see the table anyway
        await display.calls.remind_at_table(table, REMATCH_SLOT, player_ids, words)


async def _opened_thread(clicked: ClickContext, name: str, plain: str) -> int:
    """Open a thread for a table and return its ID. If a server filter blocks ``name``, use ``plain``."""
    channel, requests = clicked.interaction.channel, clicked.display.channels.requests
    assert isinstance(channel, discord.TextChannel), "no other channel is offered a thread"
    for called in (name, plain):
        try:
            return await requests.open_thread(channel, called)
        except discord.HTTPException as error:
            kind = error_kind(error)
            if kind not in _NOT_LET:
                raise
            if kind is not ErrorKind.BLOCKED:
                break
    raise _no_thread()


def _no_thread() -> TableError:
    return TableError(_("I can't open a thread in this channel. Start your table in another one."))

"""What is pressed at a table of several: who sits there, the hands, the end, and the next match."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from discord.ext import commands

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import action, handles_at_table
from bot.delivery.player_names import sitting_down
from bot.delivery.queues import Display
from bot.delivery.routes import Delivery
from bot.delivery.slots import hand_slot
from bot.delivery.start_checks import check_may_start, check_may_start_there
from bot.delivery.table_opening import TableOpening, own_seat
from bot.delivery.turn_pings import COOLDOWN_SECONDS, REMATCH_SLOT, RecentActivity
from bot.engine.scene import FROG
from bot.engine.words import _
from bot.matches.match import Stage
from bot.messages.components import Button, Content, Menu, Row, notice_content
from bot.messages.computer_players import PERSON, FrogPick, StandIn, sent_away
from bot.messages.match_end import confirm_content
from bot.messages.time_limits import when
from bot.requests.discord_errors import NOT_SENT
from bot.requests.membership import Membership
from bot.sessions.errors import TableError
from bot.sessions.events import CameBack, FrogAdded, FrogRemoved, PlayedOn, StoodIn
from bot.sessions.seating import Seating
from bot.sessions.table import Table


def leave_content(table: Table, seat: int) -> Content:
    question = _("Give up your seat? You are out of this match for good.")
    if table.game.thinking is None or seat in table.match.computer_seats or seat not in table.people:
        return confirm_content(question, table.match.id, "quit", _("Give up"))
    hint = _(
        "Or leave your seat to a frog: once it has moved, the match is no win for you on any "
        "leaderboard, even if you press **Join** at the table and play on."
    )
    to_frog = Button(StandIn(table.match.id, seat).custom_id, _("Leave it to a frog"), emoji=FROG)
    return confirm_content(f"{question}\n{hint}", table.match.id, "quit", _("Give up"), to_frog)


def ask_to_close_content(table: Table, *, is_at_once: bool, may_manage: bool = False) -> Content:
    """A moderator, who ``may_manage``, can take somebody out of the match instead."""
    name, match = table.game.info.name, table.match
    if is_at_once:
        question = _("Close this table of {game} for everybody? The match won't count.")
        asked = confirm_content(question.format(game=name), match.id, "stop", _("Close the table"))
        if not (may_manage and table.is_playing):
            return asked
        people = tuple(sent_away(match, seat) for seat in table.people)
        menu = Menu(f"f:{match.id}", _("Or take somebody out of the match"), people)
        return replace(asked, parts=(*asked.parts, Row((menu,))))
    question = _(
        "Ask the others to close this match of {game}? It closes without a result once everybody who is "
        "still in it agrees. If somebody wants to play on, you can't ask again."
    )
    return confirm_content(question.format(game=name), match.id, "stop", _("Ask the others"))


def gone_words(player_id: int) -> str:
    return _("{name} is not at the table any more.").format(name=f"<@{player_id}>")


class Tables(commands.Cog):
    """Carries out what is pressed at a table of several."""

    def __init__(
        self, display: Display, opening: TableOpening, seating: Seating, membership: Membership
    ) -> None:
        self._display = display
        self._tables = display.tables
        self._opening = opening
        self._seating = seating
        self._membership = membership
        self._cooldown = RecentActivity(display.tables.clock, COOLDOWN_SECONDS)

    @action("join")
    async def join(self, clicked: Clicked, table: Table) -> None:
        await self._display.players.speaks(clicked.player_id, str(clicked.interaction.locale))
        await self._seating.join(table.match.id, sitting_down(clicked.interaction))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("wake")
    async def wake(self, clicked: Clicked, table: Table) -> None:
        await self._tables.happens(table.match.id, CameBack(clicked.player_id))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("leave")
    async def leave(self, clicked: Clicked, table: Table) -> None:
        if table.is_lobby:
            await self._seating.leave(table.match.id, clicked.player_id)
        await clicked.show_changed(table.match.id)

    @action("start")
    async def start(self, clicked: Clicked, table: Table) -> None:
        await self._seating.start(table.match.id, clicked.player_id, clicked.interaction.id)
        await clicked.show_changed(table.match.id)

    @handles_at_table(FrogPick)
    async def pick(self, clicked: Clicked, table: Table, picked: FrogPick) -> None:
        match_id, player_id = table.match.id, clicked.player_id
        person = picked.pick.removeprefix(PERSON)
        if picked.pick.startswith(PERSON) and person.isdecimal():
            may_manage = clicked.interaction.permissions.manage_messages
            await self._seating.remove(match_id, int(person), player_id, may_manage=may_manage)
            if clicked.is_private:  # a moderator has picked it, where a match is closed
                self._display.refresh(match_id)
                await clicked.answer.update(notice_content(gone_words(int(person))))
                return
        elif picked.pick.isdecimal():
            await self._tables.happens(match_id, FrogRemoved(player_id, -int(picked.pick)))
        else:
            await self._tables.happens(match_id, FrogAdded(player_id, picked.pick))
        await clicked.show_changed(match_id)

    @handles_at_table(StandIn)
    async def stand_in(self, clicked: Clicked, table: Table, asked: StandIn) -> None:
        match = table.match
        table = await self._tables.happens(match.id, StoodIn(asked.seat, clicked.player_id))
        if not clicked.is_private:
            await clicked.show_changed(match.id)
            return
        self._display.refresh(match.id)
        words = (
            _("Nobody else is left, so the frogs finish this match right away.")
            if table.is_left_to_frogs
            else _("A frog is playing for you now. Press **Join** at the table to take your seat back.")
        )
        await clicked.answer.update(notice_content(words))

    @action("hand")
    async def open_hand(self, clicked: Clicked, table: Table) -> None:
        await clicked.open_hand(table, own_seat(table, clicked.player_id))

    @action("here", in_private=True)
    async def show_here(self, clicked: Clicked, table: Table) -> None:
        await clicked.show_changed(table.match.id, in_public=False)

    @action("dms")
    async def send_to_dms(self, clicked: Clicked, table: Table) -> None:
        seat, display = own_seat(table, clicked.player_id), self._display
        until = self._cooldown.until(clicked.player_id)
        if until is not None:
            words = _(
                "Your DMs were closed to me just now. I can try again {when}; until then, use "
                "**My hand**."
            )
            raise TableError(words.format(when=when(until)))
        slot = display.of(table.match.id).slots[hand_slot(seat)]
        slot.doubt()
        slot.want(await display.plans.hand(table, seat), table, slot.begin())
        delivery = await display.routes.show_in_dm(
            table, hand_slot(seat), slot, clicked.player_id, asked_for=True
        )
        if delivery is Delivery.FLAGGED:
            raise TableError(
                _("Discord doesn't let me write to you just now. Please go on with **My hand**.")
            )
        if delivery is not Delivery.SENT:
            self._cooldown.note(clicked.player_id)
            raise TableError(
                _(
                    "Your DMs are still closed. Allow direct messages in this server's privacy "
                    "settings, or go on with **My hand**."
                )
            )
        done = _("Done: your hand is now in your DMs.")
        if clicked.is_private:
            display.drop_panel(table.match.id, clicked.player_id)
            await clicked.answer.update(notice_content(done))
        else:
            await clicked.answer.tell(done)

    @action("stop", in_private=True)
    async def stop(self, clicked: Clicked, table: Table) -> None:
        if table.is_solo:  # made up: a deal ends by being given up
            raise unknown_button()
        may_manage = clicked.interaction.permissions.manage_messages
        table = await self._seating.stop(table.match.id, clicked.player_id, may_manage=may_manage)
        self._display.refresh(table.match.id)
        is_over = table.match.stage is Stage.STOPPED
        words = _("Table closed.") if is_over else _("Done: the table asks the others now.")
        await clicked.answer.update(notice_content(words))

    @action("agree")
    async def agree_to_close(self, clicked: Clicked, table: Table) -> None:
        """Agree to close a match that is being played; a moderator who plays answers as a player."""
        await self._seating.stop(table.match.id, clicked.player_id, may_manage=False)
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("playon")
    async def play_on(self, clicked: Clicked, table: Table) -> None:
        await self._tables.happens(table.match.id, PlayedOn(clicked.player_id))
        await clicked.show_changed(table.match.id, in_public=not clicked.is_private)

    @action("rematch")
    async def rematch(self, clicked: Clicked, before: Table) -> None:
        """Who asks in their DMs has to see the channel where the table stands then."""
        display, interaction = self._display, clicked.interaction
        if before.is_solo or before.match.is_lesson:
            raise unknown_button()
        if not clicked.is_at(before):
            await check_may_start_there(display, self._membership, interaction, before)
        elif await self._tables.at(before.match.channel_id) is None:
            await check_may_start(display, interaction)
        async with self._opening.telling_which():
            table, is_new = await self._seating.rematch(before.match.id, sitting_down(interaction))
        if not is_new:
            display.refresh(table.match.id)
            await clicked.answer.tell(_("You have a seat at the new table."))
            return
        await clicked.show_new(table)
        others = [each for each in table.match.roster.invited if each != clicked.player_id]
        if others and not table.is_playing:
            await self._call_to_rematch(table, others)

    async def _call_to_rematch(self, table: Table, player_ids: Sequence[int]) -> None:
        """Tell the players of the last match that there is a new table."""
        mentions = " ".join(f"<@{player_id}>" for player_id in player_ids)

        def words() -> str:
            return _("🐸 {mentions}: a rematch! Press **Join**.").format(mentions=mentions)

        with suppress(*NOT_SENT):  # who looks at the channel sees the table anyway
            await self._display.calls.remind_at_table(table, REMATCH_SLOT, player_ids, words)

"""The message that was clicked, brought to the table as it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

import discord

from bot.delivery.queues import Display
from bot.delivery.slots import TABLE_SLOT, Slot, Step, Token, hand_slot, panel_slot
from bot.engine.immutable import frozen
from bot.engine.words import _, speaking
from bot.messages.channel_access import held_back_words
from bot.messages.components import Content
from bot.messages.table_message import passing_content
from bot.requests.answers import Answer
from bot.requests.budget import Priority
from bot.requests.channel_permissions import is_own_dm
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.membership import Membership, Sight
from bot.sessions.errors import TableError
from bot.sessions.events import ShutOut
from bot.sessions.table import Table

PASSING_SECONDS = 1.0
"""How long a table is seen in each of the states on the way to the last one."""


_TURNING = WeakValueDictionary[int, asyncio.Lock]()
"""The users whose pages of leaderboards are being made."""


@frozen
class Clicked:
    """A component that a user has clicked, with the answer to it, and the messages that it is in."""

    display: Display
    membership: Membership
    answer: Answer
    interaction: discord.Interaction

    @property
    def player_id(self) -> int:
        return self.interaction.user.id

    @property
    def message(self) -> discord.Message:
        assert self.interaction.message is not None, "a component stands in a message"
        return self.interaction.message

    @property
    def is_private(self) -> bool:
        """Whether only the user sees the message that was clicked; hands are shown nowhere else."""
        return is_own_dm(self.interaction) or self.message.flags.ephemeral

    async def enter(self, match_id: str) -> Table:
        """Tell of a click at a match before anything comes of it; return its table or raise TableError.

        A click counts only where the table is, and in its players' DMs; on what is private, in the
        message that shows it to its player alone, wherever. A custom_id of somewhere else was made up.
        """
        asked = self.interaction
        table = await self.display.tables.look(match_id, self.player_id)
        match = table.match
        is_apart = self._shows(match_id) if match.is_private else is_own_dm(asked)
        is_own = is_apart and match.seat_of(self.player_id) is not None
        if not is_own and (match.is_private or not self.is_at(table)):
            raise unknown_button()
        if is_own and not match.is_private:  # what was clicked there is its panel itself
            if match.stage.is_live:
                await self._require_sight(table)
            await self.display.clicked_apart(match, self.player_id)
        return table

    async def _require_sight(self, table: Table) -> None:
        """Raise TableError for who plays from DMs and may not at the table any more.

        Who does not see it is away. Who may not write there, which may be over in a minute, has to wait.
        """
        match = table.match
        sight = await self.membership.sight(match, self.player_id)
        if sight in (Sight.WHOLE, None):  # a click does not die of Discord's silence
            return
        if sight is Sight.READS:
            raise TableError(
                _("You are in time-out there, or may not write in the channel of this table.")
            )
        if self.player_id not in match.roster.shut_out:
            await self.display.tables.happens(match.id, ShutOut(self.player_id))
            self.display.refresh(match.id)
        raise TableError(
            _("You can't see the channel of this table any more, so the table goes on without you.")
        )

    def is_at(self, table: Table) -> bool:
        asked, match = self.interaction, table.match
        return (asked.guild_id, asked.channel_id) == (match.guild_id, match.channel_id)

    def _shows(self, match_id: str) -> bool:
        shown = custom_ids(self.message.components) if self.message.flags.ephemeral else ()
        return any(f":{match_id}:" in f"{one}:" for one in shown)

    async def show(
        self,
        table: Table,
        *,
        in_public: bool = True,
        passing: Sequence[Any] = (),
        path: tuple[str, ...] = (),
    ) -> None:
        """Show the table, or else the player's hand, in the message that was clicked.

        ``passing`` are states that the table is seen in before, one after the other; ``path`` is a step
        of choosing a move. Raises TableError where that would be a hand in a message that others see.
        """
        seat, step = table.match.seat_of(self.player_id), Step(table.n, path)
        is_public = in_public and not table.match.is_private
        if is_public or seat is None or table.state is None:
            await self._show_table(table, passing, step)
        elif not self.is_private:  # made up: a hand is shown where only its player sees it
            raise unknown_button()
        elif self.message.flags.ephemeral:
            await self._show_panel(table, step)
        else:
            await self._show_hand(table, seat, step)

    async def show_changed(self, match_id: str, *, in_public: bool = True) -> None:
        """Show how a table stands by now, here and then wherever else it is shown."""
        try:
            await self.show(await self.display.tables.look(match_id), in_public=in_public)
        finally:
            self.display.refresh(match_id)

    async def turn_board(self, page: Callable[[], Awaitable[Content | None]]) -> None:
        """Turn a leaderboard to a page for who asked for it; anybody else gets a private copy.

        The pages of one user are made one at a time. A page is made in the language of those who see
        it; it is None where there is none.
        """
        metadata, is_private = self.message.interaction_metadata, self.message.flags.ephemeral
        is_own, plans = metadata is not None and metadata.user.id == self.player_id, self.display.plans
        async with _TURNING.setdefault(self.player_id, asyncio.Lock()):
            with speaking(await plans.spoken(self.interaction, in_public=is_own and not is_private)):
                made = await page()
            if made is None:
                raise TableError(_("I no longer know this leaderboard. `/leaderboard` shows a new one."))
            await (self.answer.update(made) if is_private or is_own else self.answer.whisper(made))

    async def show_new(self, table: Table) -> None:
        if self.is_at(table):
            await post_table(self.display, self.answer, table)
            return
        there = _("The new table stands in {channel}.").format(channel=f"<#{table.match.channel_id}>")
        await self.answer.tell(there)
        await self.display.refreshed(table.match.id)

    async def open_hand(self, table: Table, seat: int, path: tuple[str, ...] = ()) -> None:
        await open_hand(self.display, self.answer, table, seat, path)

    async def _show_table(self, table: Table, passing: Sequence[Any], step: Step) -> None:
        display = self.display
        if not (self.is_at(table) and await display.routes.take(table, TABLE_SLOT, self.message)):
            await self.answer.update(await display.plans.pointer(table))
            return
        slot = display.of(table.match.id).slots[TABLE_SLOT]
        with telling_what_holds_back(table):
            if passing and not await self._pass(table, slot, passing):
                return
            is_shown = await self._update(table, TABLE_SLOT, slot, step)
            if not is_shown and table.match.guest:  # nothing else can send another one there
                await _post(display, self.answer, table)

    async def _pass(self, table: Table, slot: Slot, passing: Sequence[Any]) -> bool:
        """Show a table in passing; returns False where another click has shown it as it is meanwhile."""
        display = self.display
        look = await display.appearances.of_table(table)
        states = () if look.as_text else passing  # what is heard read is not to change meanwhile
        with slot.frames(self.interaction):
            for state in states:
                with speaking(await display.plans.language(table)):
                    content = passing_content(table, state, look)
                async with slot.alone():
                    await self.answer.try_to_update(content, slot.attached)
                    slot.attached = self.answer.attached
                await asyncio.sleep(PASSING_SECONDS)
                if slot.passing is not self.interaction:
                    return False
        return True

    async def _update(self, table: Table, key: str, slot: Slot, step: Step) -> bool:
        """Show a table in the message that was clicked; returns False where that takes none."""
        display, message = self.display, self.message
        messages, plan = display.of(table.match.id), slot.begin(step)
        content = await display.plans.plan(table, key, slot, messages, self.interaction)
        slot.want(content, table, plan)
        if slot.is_busy:  # who is before may take longer than Discord waits
            await self.answer.acknowledge()
        is_shown, is_current = False, True
        try:
            async with slot.sending(content, plan) as newest:
                if newest is None:  # another click has shown what came after
                    await self.answer.acknowledge()
                    is_shown = True
                elif is_current := await display.routes.take(table, key, message):
                    if is_shown := await self.answer.try_to_update(newest, slot.attached):
                        slot.attached = self.answer.attached
                        slot.edit_by(Token(self.interaction, message.id))
                else:
                    await self.answer.update(await display.plans.pointer(table))
        finally:
            if not is_shown:  # so it is shown as if nobody had clicked
                slot.doubt()
                display.changed(table.match.id)
        return is_shown or not is_current

    async def _show_panel(self, table: Table, step: Step) -> None:
        """Show the hand in the private message that was clicked, or in a new one if that is gone."""
        display, message, key = self.display, self.message, panel_slot(self.player_id)
        messages = display.of(table.match.id)
        if not _is_of(messages.slots.get(key), message):
            await self.answer.acknowledge()  # from here on the token edits it
        if message.id not in messages.deleting:
            if not _is_of(messages.slots.get(key), message):  # it was sent before the start
                display.keep_panel(table, Slot(), Token(self.interaction, message.id))
            if await self._update(table, key, messages.slots[key], step):
                return
        await open_panel(display, self.answer, table, step)

    async def _show_hand(self, table: Table, seat: int, step: Step) -> None:
        display = self.display
        slots = display.of(table.match.id).slots
        await display.players.speaks(self.player_id, str(self.interaction.locale))
        await self._update(table, hand_slot(seat), slots[hand_slot(seat)], step)
        if not display.plans.owns(table.match):
            now = await display.tables.look(table.match.id)
            if now.match.version != table.match.version:
                await display.clicked_apart(table.match, self.player_id, is_stale=True)


async def open_hand(
    display: Display, answer: Answer, table: Table, seat: int, path: tuple[str, ...] = ()
) -> None:
    """Show a player the hand, at a step of choosing a move, in a new private message."""
    await open_panel(display, answer, table, Step(table.n, path))
    await display.calls.told_of_hand(table, seat)
    display.refresh(table.match.id, Priority.UPKEEP)


async def open_panel(display: Display, answer: Answer, table: Table, step: Step) -> None:
    """Show a player a step of the hand in a private message, which is kept up to date."""
    asked = answer.interaction
    messages, slot, key = display.of(table.match.id), Slot(step=step), panel_slot(asked.user.id)
    content = await display.plans.plan(table, key, slot, messages, asked)
    slot.want(content, table, slot.begin())
    async with slot.sending():
        message_id = await answer.whisper(content)
    display.keep_panel(table, slot, Token(asked, message_id, answer.is_followed))


async def post_table(display: Display, answer: Answer, table: Table) -> None:
    """Show the table in a new message at the end of the channel; the one before it points there.

    What is private is shown to its player alone.
    """
    if table.match.is_private:
        await open_panel(display, answer, table, Step(table.n))
        display.refresh(table.match.id)
        return
    try:
        with telling_what_holds_back(table):
            await _post(display, answer, table)
    except (*NOT_SENT, TableError):
        display.refresh(table.match.id)  # the table is there, and stored; so it is shown
        raise
    display.refresh(table.match.id)  # it may have changed while nobody knew that message


async def _post(display: Display, answer: Answer, table: Table) -> None:
    messages = display.of(table.match.id)
    slot = messages.slots[TABLE_SLOT]
    plan = slot.begin(Step(table.n))
    content = await display.plans.plan(table, TABLE_SLOT, slot, messages)
    slot.want(content, table, plan)
    async with slot.sending(content, plan) as newest:
        message_id = await answer.post(newest or content)
        token = Token(answer.interaction, message_id, answer.is_followed)
        former = await display.routes.adopt(table, message_id, slot, token)
    if newest is None:  # the message before has shown what came after
        slot.doubt()
    messages.seen = table.signature
    await display.routes.point(table, former, lambda: display.plans.pointer(table))


def _is_of(slot: Slot | None, message: discord.Message) -> bool:
    return slot is not None and slot.token is not None and slot.token.message_id == message.id


def custom_ids(components: Iterable[object]) -> Iterator[str]:
    for component in components:
        yield getattr(component, "custom_id", None) or ""
        yield from custom_ids(getattr(component, "children", ()))


def unknown_button() -> TableError:
    return TableError(_("That button is out of date. Use the table's newest message."))


@contextmanager
def telling_what_holds_back(table: Table) -> Iterator[None]:
    """Raise TableError where a guest may not show a table inside the block: what was done is stored."""
    try:
        yield
    except discord.HTTPException as error:
        kind = error_kind(error)
        if not table.match.guest or kind not in {ErrorKind.BLOCKED, ErrorKind.USED_UP}:
            raise
        words = held_back_words(table.game.info.command, is_blocked=kind is ErrorKind.BLOCKED)
        raise TableError(words) from error

"""A click, and the messages that answer it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

import discord

from bot.delivery.display import Display
from bot.delivery.message_keys import TABLE_KEY, Step, hand_key, panel_key
from bot.delivery.message_writer import Delivery
from bot.engine.immutable import frozen
from bot.engine.words import _, speaking
from bot.messages.channel_access import held_back_words
from bot.messages.components import Content
from bot.requests.answers import Answer
from bot.requests.budget import Priority
from bot.requests.channel_permissions import is_own_dm
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.requests.membership import Membership, Sight
from bot.sessions.errors import TableError
from bot.sessions.events import ShutOut
from bot.sessions.table import Table

_TURNING = WeakValueDictionary[int, asyncio.Lock]()
"""The locks of users whose pages of leaderboards are being made, by user ID."""


@frozen
class ClickContext:
    """A component that a user has clicked, with the answer to the click."""

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
        """Return the table of a match that was clicked, before anything comes of the click.

        A click counts only where the table is, and in its players' DMs; on what is private, in the
        message that shows it to its player alone, wherever. A custom_id of somewhere else was made up.

        Raises:
            TableError: The click does not count.
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
        """Check that a user who plays from DMs still may at the table.

        A user who cannot see the channel is inactive from now on. One who may not write there, which may
        be over in a minute, has to wait.
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

        Args:
            table: The table as the click has left it.
            in_public: Whether the click was at the table, not in a hand.
            passing: States that the table is seen in before, one after the other.
            path: The step of choosing a move.

        Raises:
            TableError: That would be a hand in a message that others see.
        """
        messages, step = self.display.of(table.match.id), Step(table.n, path)
        messages.publish(table)
        seat, is_public = table.match.seat_of(self.player_id), in_public and not table.match.is_private
        if is_public or seat is None or table.state is None:
            with telling_what_holds_back(table):
                await self._show_in(TABLE_KEY, table, step, passing)
        elif not self.is_private:  # made up: a hand is shown where only its player sees it
            raise unknown_button()
        elif self.message.flags.ephemeral:
            routes = messages.routes(panel_key(self.player_id))
            via = (
                routes.edit_clicked(self.answer, self.message),
                routes.send_new(self.answer, is_private=True),
            )
            await messages.answer(panel_key(self.player_id), via, step)
        else:
            await self.display.players.speaks(self.player_id, str(self.interaction.locale))
            await self._show_in(hand_key(seat), table, step)
            await self._check_is_newest(table)

    async def _show_in(self, key: str, table: Table, step: Step, passing: Sequence[Any] = ()) -> None:
        """Show the table or a hand in its message if that was clicked, or else a link to the table."""
        messages = self.display.of(table.match.id)
        routes, is_here = messages.routes(key), key != TABLE_KEY or self.is_at(table)
        if is_here and await routes.place.claim(self.message):
            via = [routes.edit_clicked(self.answer, self.message)]
            if table.match.guest:  # nothing else can send another one there
                via.append(routes.send_new(self.answer, is_private=False))
            delivery = await messages.answer(key, via, step, passing)
            if delivery is not Delivery.DROPPED or await routes.place.claim(self.message):
                return
        await messages.link(self.answer, self.message)

    async def _check_is_newest(self, table: Table) -> None:
        """Tell the process that owns a match if the answer here has shown what others have changed."""
        if not self.display.plans.owns(table.match):
            now = await self.display.tables.look(table.match.id)
            if now.match.version != table.match.version:
                await self.display.clicked_apart(table.match, self.player_id, is_stale=True)

    async def show_changed(self, match_id: str, *, in_public: bool = True) -> None:
        """Show the table as it is now, here and then in all its messages."""
        try:
            await self.show(await self.display.tables.look(match_id), in_public=in_public)
        finally:
            self.display.refresh(match_id)

    async def turn_board(self, page: Callable[[], Awaitable[Content | None]]) -> None:
        """Turn a leaderboard to a page for the user who asked for it. Others get a private copy.

        The pages of one user are made one at a time, so that others need not wait for a user who turns
        pages without end.

        Args:
            page: Makes the page in the language of its readers, or returns None if there is none.
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

    async def send_hand_to_dms(self, table: Table, seat: int) -> Delivery:
        """Send a player's hand to the DMs, also if they were closed, in place of a clicked panel."""
        messages, key = self.display.of(table.match.id), hand_key(seat)
        messages.publish(table)
        delivery = await messages.answer(key, messages.routes(key).send_to_dms())
        if delivery is Delivery.SHOWN and self.is_private:
            messages.drop_panel(self.player_id)
        return delivery


async def open_hand(
    display: Display, answer: Answer, table: Table, seat: int, path: tuple[str, ...] = ()
) -> None:
    """Show a player the hand, at a step of choosing a move, in a new private message."""
    await open_panel(display, answer, table, path)
    await display.calls.told_of_hand(table, seat)
    display.refresh(table.match.id, Priority.UPKEEP)


async def open_panel(display: Display, answer: Answer, table: Table, path: tuple[str, ...] = ()) -> None:
    """Show a player a step of the hand in a new private message, which is kept up to date."""
    messages, key = display.of(table.match.id), panel_key(answer.interaction.user.id)
    messages.publish(table)
    via = [messages.routes(key).send_new(answer, is_private=True)]
    await messages.answer(key, via, Step(table.n, path))


async def post_table(display: Display, answer: Answer, table: Table) -> None:
    """Show the table in a new message at the end of the channel; the one before it links there.

    What is private is shown to its player alone.
    """
    if table.match.is_private:
        await open_panel(display, answer, table)
    else:
        messages = display.of(table.match.id)
        messages.publish(table)
        via = [messages.routes(TABLE_KEY).send_new(answer, is_private=False)]
        with telling_what_holds_back(table):
            await messages.answer(TABLE_KEY, via, Step(table.n))
    display.refresh(table.match.id)


def custom_ids(components: Iterable[object]) -> Iterator[str]:
    for component in components:
        yield getattr(component, "custom_id", None) or ""
        yield from custom_ids(getattr(component, "children", ()))


def unknown_button() -> TableError:
    return TableError(_("That button is out of date. Use the table's newest message."))


@contextmanager
def telling_what_holds_back(table: Table) -> Iterator[None]:
    """Raise TableError if a guest may not show a table inside the block: what was done is stored."""
    try:
        yield
    except discord.HTTPException as error:
        kind = error_kind(error)
        if not table.match.guest or kind not in {ErrorKind.BLOCKED, ErrorKind.USED_UP}:
            raise
        words = held_back_words(table.game.info.command, is_blocked=kind is ErrorKind.BLOCKED)
        raise TableError(words) from error

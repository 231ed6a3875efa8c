"""Context of a click on a button or menu, and the answers to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any
from weakref import WeakValueDictionary

import discord

from bot.delivery.display import Display
from bot.delivery.message_keys import TABLE_KEY, ChoiceStep, hand_key, panel_key
from bot.delivery.message_routes import AnswerEdit, NewAnswer, routes_to_dms
from bot.delivery.message_writer import Delivery, Route
from bot.delivery.table_posting import explain_refusals, open_hand, post_table
from bot.engine.frozen import frozen
from bot.engine.translation import _, speaking
from bot.messages.components import Content
from bot.requests.answers import Answer
from bot.requests.channel_permissions import is_own_dm
from bot.requests.membership import Membership, PlayerAccess
from bot.sessions.errors import TableError
from bot.sessions.events import AccessLost
from bot.sessions.table_state import Table

_PAGE_LOCKS = WeakValueDictionary[int, asyncio.Lock]()
"""Locks by user ID. Each is held while a leaderboard page is being built for the user."""


@frozen
class ClickContext:
    """A user's click on a button or menu, with the objects that are needed to answer it."""

    display: Display
    membership: Membership
    answer: Answer
    interaction: discord.Interaction

    @property
    def player_id(self) -> int:
        return self.interaction.user.id

    @property
    def clicked_at(self) -> int:
        """The Unix time of the click."""
        return int(self.interaction.created_at.timestamp())

    @property
    def message(self) -> discord.Message:
        assert self.interaction.message is not None, "a component stands in a message"
        return self.interaction.message

    @property
    def is_private(self) -> bool:
        """True if only the user can see the clicked message.

        Other messages never show a player's cards.
        """
        return is_own_dm(self.interaction) or self.message.flags.ephemeral

    async def enter(self, match_id: str) -> Table:
        """Check that the user may click this component, and return the table of the component's match.

        A public match accepts clicks in the table's channel and in its players' DMs. A private match
        accepts clicks only in the ephemeral message that shows it to its player. Any other custom_id is
        forged. After a player's click in the DMs, this deletes the player's panel (an ephemeral message
        with the hand).

        Raises:
            TableError: The click is not allowed.
        """
        table = await self.display.tables.read(match_id, self.player_id)
        match = table.match
        is_player = match.seat_of(self.player_id) is not None
        is_in_dms = is_player and not match.is_private and is_own_dm(self.interaction)
        is_in_panel = is_player and match.is_private and self._is_panel_of(match_id)
        is_at_table = not match.is_private and self.is_at(table)
        if not (is_in_dms or is_in_panel or is_at_table):
            raise unknown_button()
        if is_in_dms:
            if match.stage.is_live:
                await self._check_channel_access(table)
            await self.display.drop_panel_elsewhere(match, self.player_id)
        return table

    async def _check_channel_access(self, table: Table) -> None:
        """Check that a user who plays in DMs still has access to the table's channel.

        If the user can no longer see the channel, mark the player as inactive. If the user can see the
        channel but not write there, raise the error and change nothing, because a time-out can end soon.

        Raises:
            TableError: The user may not play now.
        """
        match = table.match
        access = await self.membership.sight(match, self.player_id)
        if access in (PlayerAccess.WHOLE, None):  # None: Discord did not answer, so the click is allowed
            return
        if access is PlayerAccess.READS:
            raise TableError(_("You're timed out there, or you can't write in this table's channel."))
        if self.player_id not in match.roster.shut_out:
            await self.display.tables.happens(match.id, AccessLost(self.player_id))
            self.display.refresh(match.id)
        raise TableError(_("You can't see this table's channel any more, so play goes on without you."))

    def is_at(self, table: Table) -> bool:
        """Return whether the click happened in the table's channel."""
        interaction, match = self.interaction, table.match
        return (interaction.guild_id, interaction.channel_id) == (match.guild_id, match.channel_id)

    def _is_panel_of(self, match_id: str) -> bool:
        ids = custom_ids(self.message.components) if self.message.flags.ephemeral else ()
        return any(f":{match_id}:" in f"{custom_id}:" for custom_id in ids)

    async def show(
        self,
        table: Table,
        *,
        in_public: bool = True,
        frames: Sequence[Any] = (),
        path: tuple[str, ...] = (),
    ) -> None:
        """Show the table or the player's hand in the clicked message.

        Args:
            table: The table after the click.
            in_public: True for a click in the table message, False for one in a message with a hand.
            frames: Intermediate states of the game to show first, for one second each.
            path: The choices that the user has made so far for the next move.

        Raises:
            TableError: Other users could see the hand in the clicked message.
        """
        messages = self.display.messages_of_match(table.match.id)
        messages.publish(table)
        step = ChoiceStep(table.n, path)
        seat = table.match.seat_of(self.player_id)
        if seat is None or table.state is None or (in_public and not table.match.is_private):
            with explain_refusals(table):
                await self._show_message(TABLE_KEY, table, step, frames)
        elif not self.is_private:  # a forged custom_id, because only private messages show hands
            raise unknown_button()
        elif self.message.flags.ephemeral:
            key = panel_key(self.player_id)
            place, answer = messages.place(key), self.answer
            via = AnswerEdit(place, answer, self.message), NewAnswer(place, answer)
            await messages.answer(key, via, step)
        else:
            await self.display.players.record_locale(self.player_id, str(self.interaction.locale))
            await self._show_message(hand_key(seat), table, step)
            await self._notify_owner(table)

    async def _show_message(
        self, key: str, table: Table, step: ChoiceStep, frames: Sequence[Any] = ()
    ) -> None:
        """Show the table or a hand in the clicked message.

        If a newer message has replaced the clicked one, show a link to the newer message instead.
        """
        messages = self.display.messages_of_match(table.match.id)
        place = messages.place(key)
        is_here = key != TABLE_KEY or self.is_at(table)
        if is_here and await place.claim(self.message):
            via: list[Route] = [AnswerEdit(place, self.answer, self.message)]
            if table.match.guest:  # only an answer can send a new message there
                via.append(NewAnswer(place, self.answer))
            delivery = await messages.answer(key, via, step, frames)
            if delivery is not Delivery.DROPPED or await place.claim(self.message):
                return
        await messages.link(self.answer, self.message)

    async def _notify_owner(self, table: Table) -> None:
        """If another process owns the match and has changed it meanwhile, notify that process."""
        if not self.display.plans.owns(table.match):
            newest = await self.display.tables.read(table.match.id)
            if newest.match.version != table.match.version:
                await self.display.drop_panel_elsewhere(table.match, self.player_id, is_stale=True)

    async def show_changed(self, match_id: str, *, in_public: bool = True) -> None:
        """Show the current table in the clicked message, then refresh all the match's messages."""
        try:
            await self.show(await self.display.tables.read(match_id), in_public=in_public)
        finally:
            self.display.refresh(match_id)

    async def turn_board(self, page: Callable[[], Awaitable[Content | None]]) -> None:
        """Show another page of the leaderboard whose button the user has clicked.

        If the user requested the leaderboard or only the user can see it, edit the clicked message.
        Otherwise, send the page to the user in an ephemeral message. Pages are built one at a time for
        each user, so that a user who clicks often does not delay others.

        Args:
            page: Builds the page in the current language, or returns None if the leaderboard is unknown.

        Raises:
            TableError: The leaderboard is unknown.
        """
        metadata = self.message.interaction_metadata
        is_asker = metadata is not None and metadata.user.id == self.player_id
        is_own, is_private = is_asker and self._has_such_controls(), self.message.flags.ephemeral
        plans = self.display.plans
        async with _PAGE_LOCKS.setdefault(self.player_id, asyncio.Lock()):
            with speaking(await plans.spoken(self.interaction, in_public=is_own and not is_private)):
                content = await page()
            if content is None:
                raise TableError(
                    _("I no longer know this leaderboard. Use `/leaderboard` to see a new one.")
                )
            send = self.answer.update if is_private or is_own else self.answer.send_ephemeral
            await send(content)

    def _has_such_controls(self) -> bool:
        """Return whether the clicked message has a control of the clicked type.

        If not, the custom_id is forged, and editing the message would replace other content.
        """
        data: Any = self.interaction.data
        kinds = {custom_id.partition(":")[0] for custom_id in custom_ids(self.message.components)}
        return data["custom_id"].partition(":")[0] in kinds

    async def show_new(self, table: Table) -> None:
        """Show a newly opened table.

        If the click was in another channel, answer with a link to the table's channel.
        """
        if self.is_at(table):
            await post_table(self.display, self.answer, table)
            return
        sentence = _("The new table is in {channel}.").format(channel=f"<#{table.match.channel_id}>")
        await self.answer.send_sentence(sentence)
        await self.display.refresh_now(table.match.id)

    async def open_hand(self, table: Table, seat: int, path: tuple[str, ...] = ()) -> None:
        await open_hand(self.display, self.answer, table, seat, path)

    async def send_hand_to_dms(self, table: Table, seat: int) -> Delivery:
        """Send a player's hand by DM, even if the player's DMs were closed before.

        If the DM was sent and the user clicked in an ephemeral message with the hand, stop updating that
        ephemeral message.
        """
        messages, key = self.display.messages_of_match(table.match.id), hand_key(seat)
        messages.publish(table)
        delivery = await messages.answer(key, routes_to_dms(messages.place(key)))
        if delivery is Delivery.SHOWN and self.is_private:
            messages.drop_panel(self.player_id)
        return delivery


def custom_ids(components: Iterable[object]) -> Iterator[str]:
    """Yield the custom_ids of components and their children. A component without one yields ""."""
    for component in components:
        yield getattr(component, "custom_id", None) or ""
        yield from custom_ids(getattr(component, "children", ()))


def unknown_button() -> TableError:
    """Return the error for a click on an outdated or forged component."""
    return TableError(_("That button is out of date. Use the table's newest message."))

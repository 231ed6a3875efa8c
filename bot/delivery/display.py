"""Keeps Discord's messages at what is stored: the table, the hands, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial

import discord
import structlog

from bot.delivery.answers import give_way
from bot.delivery.budget import Budget, HeldBackError, Urgency
from bot.delivery.calling import Calls
from bot.delivery.looks import Looks
from bot.delivery.making import Making, Seen
from bot.delivery.meanings import NOT_SENT, Meaning, meaning
from bot.delivery.messenger import TABLE_SPOT, Delivery, Messenger
from bot.delivery.moving import Moves
from bot.delivery.places import Held, Places
from bot.delivery.presence import Presence
from bot.delivery.private import PrivatePanels
from bot.delivery.requests import MakeSheet, Requests
from bot.delivery.sharing import Sharing
from bot.delivery.sheets import Sheets
from bot.delivery.upkeep import Upkeep, Upkeeps
from bot.engine.match import Match, Waiting
from bot.engine.words import speaking
from bot.messages.lines import dms_closed_words, halted_words, no_dms_words
from bot.messages.parts import Sheet
from bot.messages.place import Place, Shut
from bot.messages.plain import fitting, with_line
from bot.messages.sheets import hand_mark, open_hand_sheet
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage import Players, Posts, Servers, Standings

log = structlog.get_logger(__name__)

_OPEN = "the hand is open at the table"


def hand_spot(seat: int) -> str:
    """Return the spot of a seat's hand in its player's DMs."""
    return f"hand {seat}"


class Display(Sheets):
    """Brings the messages of a match to the stored truth, as far as its place allows just now.

    Where the table cannot be shown the match goes on by DM and My hand, and nothing that would be
    refused is asked of Discord; when the place has changed it is shown again. A table whose channel
    was deleted is over. One whose server the bot was taken out of rests, and goes on where it was
    when the bot is back, or is closed after its week of rest.
    """

    def __init__(
        self,
        client: discord.Client,
        *,
        tables: Tables,
        posts: Posts,
        players: Players,
        servers: Servers,
        standings: Standings,
        messenger: Messenger,
        requests: Requests,
        budget: Budget,
        places: Places,
        presence: Presence,
        looks: Looks,
        sharing: Sharing,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        super().__init__(
            client,
            posts=posts,
            players=players,
            servers=servers,
            standings=standings,
            places=places,
            looks=looks,
            sharing=sharing,
        )
        self._tables = tables
        self._clock = clock
        self._messenger = messenger
        self._requests = requests
        self._upkeeps = Upkeeps(self._show_match, budget)
        self._moves = Moves(posts=posts, requests=requests, places=places, clock=clock)
        self._held = Held()
        self._halted_at: int | None = None
        self._making = Making()
        self.private = PrivatePanels(self._making, clock)
        self.presence = presence
        self.calls = Calls(
            tables=tables, posts=posts, messenger=messenger, presence=presence, sheets=self
        )

    def refresh(self, match_id: str, urgency: Urgency = Urgency.CLICK) -> asyncio.Task[None]:
        """Bring the messages of a match up to date, soon; returns the work."""
        return self._upkeeps.start(match_id, urgency)

    def answered(self, table: Table) -> None:
        """Bring the messages of a match up to date after the answer to a click that changed it.

        A game for one has but one message: where the answer shows that as it is, nothing follows.
        """
        if table.is_solo and table.is_playing and self._shows_all(table):
            self._tables.shown(table)
        else:
            self.refresh(table.match.id)

    def _shows_all(self, table: Table) -> bool:
        """Return whether a table's message is as it should be, and where."""
        upkeep = self._upkeeps.of(table.match.id)
        is_shown = upkeep.shown.get(TABLE_SPOT) == self.signature(table, TABLE_SPOT)
        stays = self._place(table.match).is_full and self._moves.looked_lately(upkeep)
        return is_shown and stays and upkeep.is_idle and self._halted_at is None

    def found(self, table: Table) -> None:
        """Take note of a table that was read: where all its messages are right, they stay as they are.

        A hand's may say that the hand is open at the table. It still is, and is there to press. Of one
        that was opened here before this process cared for the match, nobody has said so yet.
        """
        match = table.match
        is_new = match.stage.is_live and not self._upkeeps.has(match.id)
        if not (is_new and self.sharing.cares(match)) or self.may_differ(match):
            return
        upkeep, spots = self._upkeeps.of(match.id), [TABLE_SPOT]
        upkeep.guild_id = match.guild_id
        if table.state is not None and table.game.info.hidden_hands:
            seats = range(len(match.players))
            spots += [hand_spot(seat) for seat in seats if not self._panel_seconds(table, seat)]
        upkeep.shown.update((spot, self.signature(table, spot)) for spot in spots)

    def may_differ(self, match: Waiting | Match) -> bool:
        """Return whether a match may have to be shown that nobody has looked at since the start."""
        if match.guild_id is not None and not self._places.serves(match.guild_id):
            return not match.is_shown
        place = self._places.at(match.guild_id, match.channel_id)
        return not (match.is_shown and (match.guest or (place.is_full and place.is_known)))

    def place_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Show what could not be shown in a server, or in any, where a channel or more has changed."""
        self._places.changed(channel_id)
        for match_id in self._held.matches(guild_id):
            self.refresh(match_id, Urgency.UPKEEP)

    def halted(self, is_halted: bool) -> None:
        """Say at the tables in use that play has stopped, for nothing can be stored, or no longer so."""
        self._halted_at = self._clock() if is_halted else None
        for match_id in self._tables.in_use():
            self.refresh(match_id, Urgency.UPKEEP)

    async def place_gone(self, match: Match) -> None:
        """End a match whose channel was deleted, and say so to those who have a hand of it."""
        log.info("table's channel is gone", match=match.id, channel=match.channel_id)
        self._places.refused(self._place(match), Shut.GONE)
        if match.stage.is_live:
            await self._tables.stop(match.id)
        self.refresh(match.id, Urgency.UPKEEP)

    def is_lost(self, match: Match) -> bool:
        """Return whether a match stands in a server, or a channel, that is gone for Ribit."""
        place = self._place(match)
        return place.shut is Shut.REMOVED or (
            not place.is_known and match.guild_id is not None and self._places.serves(match.guild_id)
        )

    def shown(self, table: Table, spot: str, message_id: int, interaction: discord.Interaction) -> None:
        """Take note that an answer to an interaction has made a message show this state of the table."""
        self._requests.tokens.keep(message_id, interaction)
        self.sharing.shows(table, spot, interaction)
        if self.sharing.cares(table.match):
            self._upkeeps.of(table.match.id).answered(spot, self.answered_signature(table, spot))

    def is_behind(self, table: Table, player_id: int) -> bool:
        """Return whether the table, or a player's hand, may show something else than they should."""
        upkeep, seat = self._upkeeps.of(table.match.id), table.match.seat_of(player_id)
        spots = {TABLE_SPOT}
        if seat is not None and table.game.info.hidden_hands:
            spots.add(hand_spot(seat))
        is_late = bool(spots & upkeep.passed_over)
        upkeep.passed_over -= spots
        if is_late or self.private.is_doubtful(table.match.id, player_id):
            return True
        is_kept = self.sharing.cares(table.match) and not table.match.is_lesson
        return is_kept and any(upkeep.shown.get(spot) != self.signature(table, spot) for spot in spots)

    def answer_in(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose answer a message shows, where that was just now."""
        return self._requests.tokens.of(message_id)

    @contextmanager
    def answering(self, table: Table, spot: str) -> Iterator[Callable[[int], None]]:
        """Leave a spot to the answer that shows it inside the block; a refresh has to follow.

        Yields what is to be called with the message's id when the answer is sent: what was shown there
        until then has come before it.
        """
        upkeep = self._upkeeps.of(table.match.id)
        upkeep.answering.append(spot)

        def sends(message_id: int) -> None:
            upkeep.doubtful.discard(spot)
            self.private.answered(message_id)

        try:
            yield sends
        finally:
            upkeep.answering.remove(spot)
            if spot not in upkeep.answering:
                upkeep.doubtful.discard(spot)

    async def posted(self, table: Table, message_id: int, interaction: discord.Interaction) -> None:
        """Take the answer to an interaction as the table's message; the one before it points to it."""
        await self._messenger.adopt(table, message_id, lambda: self.pointer(table))
        if self.sharing.cares(table.match):
            self._upkeeps.of(table.match.id).seen = table.signature
        self.shown(table, TABLE_SPOT, message_id, interaction)
        await self.sharing.posted(table, TABLE_SPOT, interaction)

    async def shows(self, table: Table, spot: str, message: discord.Message) -> bool:
        """Return whether a message of this match is the one that shows a spot.

        Where none is remembered, because the process ended too soon, from now on it is this one.
        """
        post = await self._posts.get(table.match.id, spot)
        if post is None:
            await self._posts.put(table.match.id, spot, message.channel.id, message.id)
        return post is None or post.message_id == message.id

    def upkeep(self, match_id: str) -> Upkeep:
        """Return the upkeep of a match's messages."""
        return self._upkeeps.of(match_id)

    def kept_up(self) -> list[str]:
        """Return the ids of the matches whose messages were brought up to date here, and did not end."""
        return self._upkeeps.matches()

    def missed(self) -> None:
        """Know of no message any more what it shows: others may have changed it, unheard."""
        self._upkeeps.forget_shown()

    def let_go(self) -> None:
        """Keep up the messages of matches no more that others care for by now."""
        self._upkeeps.drop(lambda upkeep: not self.sharing.has(upkeep.guild_id))

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        await self._upkeeps.close()

    # ---- showing -------------------------------------------------------------------------------

    def _place(self, match: Match) -> Place:
        return self._places.of(match)

    def signature(self, table: Table, spot: str) -> object:
        """Return what tells one state to be shown in a spot from another."""
        seat = next((seat for seat in range(len(table.match.players)) if hand_spot(seat) == spot), None)
        if seat is not None and self._panel_seconds(table, seat):
            return (_OPEN, self._place(table.match))
        is_hand = seat is not None and table.state is not None
        mark = hand_mark(table, seat or 0) if is_hand else (table.signature, self._halted_at)
        return (mark, self._place(table.match))

    def answered_signature(self, table: Table, spot: str) -> object | None:
        """Return the signature of what an answer has shown in a spot.

        None for a hand where a panel is open by now: the answer did not say that the hand is there.
        """
        signature = self.signature(table, spot)
        return None if signature == (_OPEN, self._place(table.match)) else signature

    async def _show_match(self, match_id: str, upkeep: Upkeep) -> bool:
        """Show all messages of a match; returns whether it is over."""
        table = await self._tables.look(match_id)
        if self._may_show(table, upkeep):
            await give_way()
            table = await self._tables.look(match_id)
        is_lesson, upkeep.guild_id = table.match.is_lesson, table.match.guild_id
        if not self.sharing.cares(table.match):  # but panels that were asked for here are edited here
            await self._show_panels(match_id, upkeep)
            return True
        if not is_lesson:
            await self._try(table, upkeep, self._show_table(table, upkeep))
            await self._try(table, upkeep, self.calls.remind(table, upkeep))
        await self._try(table, upkeep, self._show_panels(match_id, upkeep))
        if table.state is not None and table.game.info.hidden_hands and not is_lesson:
            players = table.match.players
            seats = [seat for seat in range(len(players)) if self._waits(table, seat, upkeep)]
            await asyncio.gather(
                *(self._try(table, upkeep, self._show_hand(table, seat, upkeep)) for seat in seats)
            )
        is_full = table.match.guest or self._place(table.match).is_full  # a guest can do no more
        is_live = table.match.stage.is_live
        is_left = upkeep.failed or upkeep.held_back or upkeep.answering or upkeep.call_waits
        is_left = is_left or self._halted_at is not None
        if is_full and not is_left and self.sharing.cares(table.match):
            self._tables.shown(table)
        self._held.note(table.match, is_held=not is_full and is_live)
        return not is_live

    def _may_show(self, table: Table, upkeep: Upkeep) -> bool:
        """Return whether there may be something to show: the table, a panel or a hand."""
        is_shown = upkeep.shown.get(TABLE_SPOT) == self.signature(table, TABLE_SPOT)
        return not is_shown or table.game.info.hidden_hands or self.private.is_open(table.match.id)

    async def _show_panels(self, match_id: str, upkeep: Upkeep) -> None:
        async def hand(table: Table, seat: int) -> Sheet:
            return fitting(await self.hand(table, seat), self._place(table.match))

        await self.private.refresh(
            match_id,
            look=partial(self._tables.look, match_id),
            hand=hand,
            is_answered=lambda seat: hand_spot(seat) in upkeep.answering,
        )

    async def _try(self, table: Table, upkeep: Upkeep, showing: Awaitable[None]) -> None:
        """Show one thing; what Discord refuses is logged, and does not keep the others from showing."""
        try:
            await showing
        except HeldBackError:
            upkeep.held_back = True
        except NOT_SENT as error:
            said = meaning(error)
            report = log.error if said is Meaning.FAULT else log.warning
            report("Discord refused", match=table.match.id, n=table.n, error=str(error))
            await self.looks.emojis.doubt(error)
            await self._refused(table, upkeep, said)

    async def _refused(self, table: Table, upkeep: Upkeep, said: Meaning) -> None:
        """Do what follows from Discord's refusal of a message in the table's channel."""
        place = self._place(table.match)
        match said:
            case Meaning.PLACE_GONE if await self._requests.has_lost(place):
                await self.place_gone(table.match)
            case Meaning.ASLEEP | Meaning.LOCKED:
                self._places.refused(place, Shut.LOCKED)
            case Meaning.PLACE_GONE | Meaning.SHUT | Meaning.NO_FILES:
                self._places.refused(place)
            case _:
                upkeep.failed = True

    async def _show_table(self, table: Table, upkeep: Upkeep) -> None:
        if TABLE_SPOT in upkeep.answering:
            upkeep.passed_over.add(TABLE_SPOT)
            return
        moves = await self._moves.are_due(table, upkeep)
        if moves:
            upkeep.shown.pop(TABLE_SPOT, None)

        async def make(now: Table) -> Sheet:
            sheet, halted_at = await self.table(now), self._halted_at
            if halted_at is None:
                return sheet
            with speaking(sheet.language):
                return with_line(sheet, halted_words(halted_at))

        async def show(make: MakeSheet) -> None:
            await self._messenger.show(table, make, lambda: self.pointer(table), anew=moves)

        await self._unless_shown(table, TABLE_SPOT, upkeep, make, show)

    def _waits(self, table: Table, seat: int, upkeep: Upkeep) -> bool:
        """Return whether a player's DMs may have something to show; most moves change one hand."""
        if table.match.players[seat].is_frog:
            return False
        spot = hand_spot(seat)
        is_shown = upkeep.shown.get(spot) == self.signature(table, spot)
        return not is_shown or spot in upkeep.answering or self._panel_seconds(table, seat) > 0

    async def _show_hand(self, table: Table, seat: int, upkeep: Upkeep) -> None:
        """Show a hand in its player's DMs; while a panel shows it, the DM only says where it is."""
        player = table.match.players[seat]
        spot = hand_spot(seat)
        panel_seconds = self._panel_seconds(table, seat)
        if panel_seconds:
            upkeep.look_in(panel_seconds)
            if await self._posts.get(table.match.id, spot) is None:
                return

        async def make(now: Table) -> Sheet:
            if self._panel_seconds(now, seat):
                return open_hand_sheet(now)
            return await self.hand(now, seat)

        async def show(make: MakeSheet) -> None:
            delivery = await self._messenger.show_in_dm(table, spot, player.id, make)
            if delivery is Delivery.REFUSED:
                await self.calls.say_no_dm(table, seat, dms_closed_words)
            if delivery is Delivery.FLAGGED and seat not in upkeep.told:
                upkeep.told.add(seat)
                await self.calls.say_no_dm(table, seat, no_dms_words)

        await self._unless_shown(table, spot, upkeep, make, show)

    def _panel_seconds(self, table: Table, seat: int) -> float:
        return self.private.seconds_left(table, table.match.players[seat].id)

    async def _unless_shown(
        self,
        table: Table,
        spot: str,
        upkeep: Upkeep,
        make: Callable[[Table], Awaitable[Sheet]],
        show: Callable[[MakeSheet], Awaitable[None]],
    ) -> None:
        """Show a spot unless it shows the table already, as it stands when it is its turn."""
        if spot in upkeep.answering:
            upkeep.passed_over.add(spot)
            return
        is_sent, signature = False, self.signature(table, spot)
        upkeep.passed_over.discard(spot)
        if upkeep.shown.get(spot) == signature:
            return

        async def look() -> Seen | None:
            nonlocal is_sent, signature
            now = None if spot in upkeep.answering else await self._tables.look(table.match.id)
            if now is None or not self.sharing.cares(now.match):
                upkeep.passed_over.add(spot)
                is_sent, signature = False, upkeep.shown.get(spot)
                return None
            signature = self.signature(now, spot)
            is_sent = upkeep.shown.get(spot) != signature
            return (signature, partial(make, now)) if is_sent else None

        try:
            await show(partial(self._making.latest, look))
            upkeep.shown[spot] = signature
        except NOT_SENT:  # it may have arrived all the same
            upkeep.shown.pop(spot, None)
            raise
        finally:
            if is_sent and spot in upkeep.answering:
                upkeep.doubtful.add(spot)

"""Keeps Discord's messages at what is stored: the table, the hands, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial

import discord
import structlog

from bot.delivery.budget import Budget, HeldBackError, Urgency
from bot.delivery.looks import Looks
from bot.delivery.meanings import NOT_SENT, Meaning, meaning
from bot.delivery.messenger import TABLE_SPOT, Delivery, Messenger
from bot.delivery.moving import COUNTED_EVERY_SECONDS, is_aged, is_buried, now
from bot.delivery.places import Places
from bot.delivery.ports import Players, Posts, Servers, Standings
from bot.delivery.presence import Presence
from bot.delivery.private import PrivatePanels
from bot.delivery.requests import MakeSheet, Requests
from bot.delivery.upkeep import Upkeep, Upkeeps
from bot.engine.match import Match, Stage, Waiting
from bot.engine.words import speaking
from bot.messages.daily import streak
from bot.messages.lessons import lesson_sheet
from bot.messages.lines import call_words, dms_closed_words, halted_words
from bot.messages.parts import Sheet
from bot.messages.place import Place, Shut
from bot.messages.plain import fitting, why_hidden, with_line
from bot.messages.sheets import hand_mark, hand_sheet, open_hand_sheet, pointer_sheet, table_sheet
from bot.sessions.clock import Call
from bot.sessions.hints import Hint
from bot.sessions.ports import Care
from bot.sessions.table import Table
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)

_TURN_SPOT = "turn "
_NUDGE_SPOT = "nudge "
_DMS_SPOT = "dms "
_OPEN = "the hand is open at the table"
REMATCH_SPOT = f"{_TURN_SPOT}rematch"
"""The line that calls the players of the last match; it stays until the new one starts."""


def hand_spot(seat: int) -> str:
    """Return the spot of a seat's hand in its player's DMs."""
    return f"hand {seat}"


class Display:
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
        care: Care,
    ) -> None:
        """``care`` knows whose matches' messages are kept right here."""
        self._client = client
        self._care = care
        self._players = players
        self._servers = servers
        self._standings = standings
        self._tables = tables
        self._posts = posts
        self._messenger = messenger
        self._places = places
        self.looks = looks
        self._requests = requests
        self._upkeeps = Upkeeps(self._show_match, budget)
        self._held: defaultdict[int | None, set[str]] = defaultdict(set)
        self._halted_at: int | None = None
        self.private = PrivatePanels()
        self.presence = presence

    def refresh(self, match_id: str, urgency: Urgency = Urgency.CLICK) -> asyncio.Task[None]:
        """Bring the messages of a match up to date, soon; returns the work."""
        return self._upkeeps.start(match_id, urgency)

    def may_differ(self, match: Waiting) -> bool:
        """Return whether a match may have to be shown that nobody has looked at since the start."""
        place = self._places.at(match.guild_id, match.channel_id)
        return not (match.is_shown and (match.guest or (place.is_full and place.is_known)))

    def place_changed(self, guild_id: int | None, channel_id: int | None = None) -> None:
        """Show what could not be shown in a server, or in any, where a channel or more has changed."""
        if channel_id is not None:
            self._places.forget(channel_id)
        for held_in in list(self._held) if guild_id is None else [guild_id]:
            for match_id in tuple(self._held.get(held_in, ())):
                self.refresh(match_id, Urgency.UPKEEP)

    def halted(self, is_halted: bool) -> None:
        """Say at the tables in use that play has stopped, for nothing can be stored, or no longer so."""
        self._halted_at = int(discord.utils.utcnow().timestamp()) if is_halted else None
        for match_id in self._tables.in_use():
            self.refresh(match_id, Urgency.UPKEEP)

    async def place_gone(self, match: Match) -> None:
        """End a match whose channel was deleted, and say so to those who have a hand of it."""
        log.info("table's channel is gone", match=match.id, channel=match.channel_id)
        self._places.refused(self._place(match), Shut.GONE)
        if match.stage.is_live:
            await self._tables.stop(match.id)
        self.refresh(match.id, Urgency.UPKEEP)

    async def hand(
        self,
        table: Table,
        seat: int,
        path: tuple[str, ...] = (),
        *,
        offer_dms: bool = False,
        hint: Hint | None = None,
    ) -> Sheet:
        """Return what a seated player sees, and why the table is not shown where it is not."""
        look = await self.looks.of_own(table.match.players[seat].id, table.match.guild_id)
        if table.match.is_lesson:
            return lesson_sheet(table, path, look)
        sheet = hand_sheet(table, seat, path, offer_dms=offer_dms, hint=hint, look=look)
        return with_line(sheet, why_hidden(self._place(table.match)))

    async def table(self, table: Table, path: tuple[str, ...] = ()) -> Sheet:
        """Return what everybody sees, at a step of choosing a move."""
        match, outcome, in_a_row = table.match, table.outcome, 0
        if match.day and outcome is not None and outcome.winners:
            in_a_row = streak(await self._standings.days_won(match.host_id, match.game), match.day)
        look = await self.looks.of_table(match)
        with speaking(await self.language(table)):
            return table_sheet(table, path, look, in_a_row=in_a_row)

    async def told_of_hand(self, table: Table, seat: int) -> None:
        """Take note that a player has found My hand, and need not be told of it any more."""
        await self._messenger.clear(table, f"{_DMS_SPOT}{seat}")

    def shown(self, table: Table, spot: str, message_id: int, interaction: discord.Interaction) -> None:
        """Take note that an answer to an interaction has made a message show this state of the table."""
        self._upkeeps.of(table.match.id).shown[spot] = self._signature(table, spot)
        self._requests.tokens.keep(message_id, interaction)

    def answer_in(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose answer a message shows, where that was just now."""
        return self._requests.tokens.of(message_id)

    @contextmanager
    def answering(self, table: Table, spot: str) -> Iterator[None]:
        """Leave a spot to the answer that shows it inside the block; a refresh has to follow."""
        upkeep = self._upkeeps.of(table.match.id)
        upkeep.answering.add(spot)
        try:
            yield
        finally:
            upkeep.answering.discard(spot)

    async def posted(self, table: Table, message_id: int, interaction: discord.Interaction) -> None:
        """Take the answer to an interaction as the table's message; the one before it points to it."""
        await self._messenger.adopt(table, message_id, lambda: self.pointer(table))
        self._upkeeps.of(table.match.id).seen = table.signature
        self.shown(table, TABLE_SPOT, message_id, interaction)

    async def pointer(self, table: Table) -> Sheet:
        """Return what a former message of the table shows: where the table is."""
        with speaking(await self.language(table)):
            return pointer_sheet(await self.link(table))

    async def shows(self, table: Table, spot: str, message: discord.Message) -> bool:
        """Return whether a message of this match is the one that shows a spot.

        Where none is remembered, because the process ended too soon, from now on it is this one.
        """
        post = await self._posts.get(table.match.id, spot)
        if post is None:
            await self._posts.put(table.match.id, spot, message.channel.id, message.id)
        return post is None or post.message_id == message.id

    async def link(self, table: Table) -> str | None:
        """Return the address of the table's message, or None where it has none."""
        post = await self._posts.get(table.match.id, TABLE_SPOT)
        if post is None:
            return None
        guild = table.match.guild_id or "@me"
        return f"https://discord.com/channels/{guild}/{post.channel_id}/{post.message_id}"

    async def language(self, table: Table) -> str | None:
        """Return the locale of those who read the table: the server's, or in DMs the player's."""
        spoken = await self.language_in(table.match.guild_id)
        return spoken or (await self._players.get(table.match.host_id)).locale

    async def language_in(self, guild_id: int | None) -> str | None:
        """Return the locale that is spoken in public: what the admins have set, or the server's own.

        None in DMs, and where Discord has not told of the server.
        """
        chosen = (await self._servers.get(guild_id)).language
        guild = self._client.get_guild(guild_id or 0)
        return chosen or (str(guild.preferred_locale) if guild is not None else None)

    async def notifies(self, table: Table) -> bool:
        """Return whether a line that mentions players of the table notifies them."""
        return (await self._servers.get(table.match.guild_id)).mentions

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        await self._upkeeps.close()

    # ---- showing -------------------------------------------------------------------------------

    def _place(self, match: Match) -> Place:
        return self._places.of(match)

    def _signature(self, table: Table, spot: str) -> object:
        """Return what tells one state to be shown in a spot from another."""
        seat = next((seat for seat in range(len(table.match.players)) if hand_spot(seat) == spot), None)
        if seat is not None and self._panel_seconds(table, seat):
            return (_OPEN, self._place(table.match))
        is_hand = seat is not None and table.state is not None
        mark = hand_mark(table, seat or 0) if is_hand else (table.signature, self._halted_at)
        return (mark, self._place(table.match))

    async def _show_match(self, match_id: str, upkeep: Upkeep) -> bool:
        """Show all messages of a match; returns whether it is over."""
        table = await self._tables.look(match_id)
        is_lesson = table.match.is_lesson
        if not is_lesson:
            await self._try(table, upkeep, self._show_table(table, upkeep))
            await self._try(table, upkeep, self._remind(table, upkeep))
        await self._try(table, upkeep, self.private.refresh(table, partial(self._private_hand, table)))
        if table.state is not None and table.game.info.hidden_hands and not is_lesson:
            seats = [seat for seat, player in enumerate(table.match.players) if not player.is_frog]
            await asyncio.gather(
                *(self._try(table, upkeep, self._show_hand(table, seat, upkeep)) for seat in seats)
            )
        is_full = table.match.guest or self._place(table.match).is_full  # a guest can do no more
        is_live = table.match.stage.is_live
        is_left = upkeep.failed or upkeep.held_back or upkeep.answering or upkeep.call_waits
        if is_full and not is_left:
            self._tables.shown(table)
        self._hold(table.match, needs=not is_full and is_live)
        return not is_live

    def _hold(self, match: Match, *, needs: bool) -> None:
        """Take note whether a match's place has to change before it can be shown."""
        held = self._held[match.guild_id]
        if needs:
            held.add(match.id)
        else:
            held.discard(match.id)
        if not held:
            del self._held[match.guild_id]

    async def _private_hand(self, table: Table, seat: int) -> Sheet:
        return fitting(await self.hand(table, seat), self._place(table.match))

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
            return
        moves = await self._moves(table, upkeep)
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

    async def _moves(self, table: Table, upkeep: Upkeep) -> bool:
        """Return whether the table, which has changed since this was asked last, moves down now."""
        before, upkeep.seen, match = upkeep.seen, table.signature, table.match
        has_changed = before != table.signature
        if before is None:  # it was shown by another process, if at all
            has_changed = match.stage.is_live and 0 <= match.shown < match.version
        if not has_changed or match.stage is Stage.STOPPED:
            return False
        post, place = await self._posts.get(table.match.id, TABLE_SPOT), self._place(table.match)
        if post is None or not place.sends:
            return False
        if is_aged(post):
            return True
        if not place.counts or now() - upkeep.counted_at < COUNTED_EVERY_SECONDS:
            return False
        upkeep.counted_at = now()
        return await is_buried(self._requests, post)

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
                await self._say_dms_closed(table, seat)

        await self._unless_shown(table, spot, upkeep, make, show)

    def _panel_seconds(self, table: Table, seat: int) -> float:
        return self.private.seconds_left(table, table.match.players[seat].id)

    async def _say_dms_closed(self, table: Table, seat: int) -> None:
        """Tell a player, once and at the table, that the hand cannot be sent (and where it is)."""
        player_id = table.match.players[seat].id
        with speaking(await self.language(table)):
            words = dms_closed_words(player_id)
        await self._messenger.remind(
            table,
            f"{_DMS_SPOT}{seat}",
            [player_id],
            words,
            notifies=await self.notifies(table),
        )

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
            return
        signature = self._signature(table, spot)
        if upkeep.shown.get(spot) == signature:
            return

        async def make_now() -> Sheet | None:
            nonlocal signature
            if spot in upkeep.answering:
                signature = upkeep.shown.get(spot)
                return None
            now = await self._tables.look(table.match.id)
            signature = self._signature(now, spot)
            return None if upkeep.shown.get(spot) == signature else await make(now)

        await show(make_now)
        upkeep.shown[spot] = signature

    async def _remind(self, table: Table, upkeep: Upkeep) -> None:
        """Have a line that mentions the player to move, from the turn's beginning to its first move.

        A player who is there is called only after a minute without a click. When the time of the turn
        runs short, another line takes the first one's place.
        """
        match, seat, call = table.match, table.to_move, self._tables.call(table)
        turn = f"{_NUDGE_SPOT if call is Call.NUDGE else _TURN_SPOT}{table.began}"
        wanted = {turn} if call is not None else set()
        if table.is_lobby:
            wanted.add(REMATCH_SPOT)
        if table.is_playing:
            waiting = set(range(len(match.players))) - {table.last_seat}
            wanted |= {f"{_DMS_SPOT}{other}" for other in waiting}
        for spot in await self._posts.all(match.id):
            if spot.startswith((_TURN_SPOT, _NUDGE_SPOT, _DMS_SPOT)) and spot not in wanted:
                upkeep.failed |= not await self._messenger.clear(table, spot)
        link = await self.link(table)
        if seat is None or call is None or link is None:
            return
        if call is Call.TURN and await self._posts.get(match.id, turn) is None:
            present_seconds = self.presence.seconds_left(match.players[seat].id)
            if present_seconds:
                upkeep.call_waits = True
                upkeep.look_in(present_seconds)
                return
        with speaking(await self.language(table)):
            words = call_words(table, seat, call, link)
        notifies = await self.notifies(table)
        await self._messenger.remind(table, turn, [match.players[seat].id], words, notifies=notifies)

"""Keeps Discord's messages at what is stored: the table, the hands, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import discord
import structlog

from bot.engine.words import _, speaking
from bot.sessions.clock import Call
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from cogs._messenger import Delivery, Messenger
from cogs._ports import Players, Posts, Servers
from cogs._private import PrivatePanels
from cogs._sheets import hand_sheet, table_sheet
from cogs._turns import when

log = structlog.get_logger(__name__)

CLOSE_SECONDS = 1.5
TABLE_SPOT = "table"
_TURN_SPOT = "turn "
_NUDGE_SPOT = "nudge "
_DMS_SPOT = "dms "


def hand_spot(seat: int) -> str:
    """Return the spot of a seat's hand in its player's DMs."""
    return f"hand {seat}"


@dataclass(slots=True)
class _Upkeep:
    """Bringing one match's messages up to date. ``shown`` is what each spot was last seen to show."""

    again: bool = False
    shown: dict[str, object] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None


class Display:
    """Brings the messages of a match to the stored truth, whenever something has changed.

    Changes that come faster than Discord takes edits are shown together: each round of the upkeep
    shows the table as it then stands, so the last thing shown is the truth.
    """

    def __init__(
        self,
        client: discord.Client,
        *,
        tables: Tables,
        posts: Posts,
        players: Players,
        servers: Servers,
        messenger: Messenger,
    ) -> None:
        self._client = client
        self._players = players
        self._servers = servers
        self._tables = tables
        self._posts = posts
        self._messenger = messenger
        self._upkeeps: dict[str, _Upkeep] = {}
        self.private = PrivatePanels()

    def refresh(self, match_id: str) -> asyncio.Task[None]:
        """Bring the messages of a match up to date, soon; returns the work."""
        upkeep = self._upkeeps.setdefault(match_id, _Upkeep())
        upkeep.again = True
        if upkeep.task is None:
            upkeep.task = asyncio.create_task(self._keep_up(match_id, upkeep))
        return upkeep.task

    async def told_of_hand(self, table: Table, seat: int) -> None:
        """Take note that a player has found My hand, and need not be told of it any more."""
        await self._messenger.clear(table.match.id, f"{_DMS_SPOT}{seat}")

    def shown(self, table: Table, spot: str) -> None:
        """Take note that a message was just made to show this state of the table."""
        self._upkeeps.setdefault(table.match.id, _Upkeep()).shown[spot] = table.signature

    async def posted(self, table: Table, channel_id: int, message_id: int) -> None:
        """Take a new message as the table's; the one before it is deleted."""
        await self._messenger.adopt(table.match.id, TABLE_SPOT, channel_id, message_id)
        self.shown(table, TABLE_SPOT)

    async def is_table(self, match_id: str, message_id: int) -> bool:
        """Return whether the message is the one that shows the match's table."""
        post = await self._posts.get(match_id, TABLE_SPOT)
        return post is None or post.message_id == message_id

    async def link(self, table: Table) -> str | None:
        """Return the address of the table's message, or None where it has none."""
        post = await self._posts.get(table.match.id, TABLE_SPOT)
        if post is None:
            return None
        guild = table.match.guild_id or "@me"
        return f"https://discord.com/channels/{guild}/{post.channel_id}/{post.message_id}"

    async def language(self, table: Table) -> str | None:
        """Return the locale of those who read the table: the server's, or in DMs the player's."""
        guild = self._client.get_guild(table.match.guild_id or 0)
        if guild is not None:
            return str(guild.preferred_locale)
        return (await self._players.get(table.match.host_id)).locale

    async def notifies(self, table: Table) -> bool:
        """Return whether a line that mentions players of the table notifies them."""
        return (await self._servers.get(table.match.guild_id)).mentions

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        tasks = [upkeep.task for upkeep in self._upkeeps.values() if upkeep.task]
        if tasks:
            _finished, late = await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _keep_up(self, match_id: str, upkeep: _Upkeep) -> None:
        over = False
        while upkeep.again:
            upkeep.again = False
            try:
                table = await self._tables.look(match_id)
                over = not table.match.stage.is_live
                await self._show_all(table, upkeep)
            except Exception:
                log.exception("upkeep failed", match=match_id)
        upkeep.task = None
        if over:
            self._upkeeps.pop(match_id, None)

    async def _show_all(self, table: Table, upkeep: _Upkeep) -> None:
        await self._try(table, self._show_table(table, upkeep))
        await self._try(table, self._remind(table))
        await self._try(table, self.private.refresh(table))
        if table.state is not None and table.game.info.hidden_hands:
            seats = range(len(table.match.players))
            await asyncio.gather(
                *(self._try(table, self._show_hand(table, seat, upkeep)) for seat in seats)
            )

    async def _try(self, table: Table, showing: Awaitable[None]) -> None:
        """Show one thing; what Discord refuses is logged, and does not keep the others from showing."""
        try:
            await showing
        except discord.HTTPException as error:
            log.warning(
                "Discord refused", match=table.match.id, n=table.n, status=error.status, code=error.code
            )

    async def _show_table(self, table: Table, upkeep: _Upkeep) -> None:
        async def show() -> None:
            with speaking(await self.language(table)):
                await self._messenger.show(
                    table.match.id, TABLE_SPOT, table.match.channel_id, lambda: table_sheet(table)
                )

        await self._unless_shown(table, TABLE_SPOT, upkeep, show)

    async def _show_hand(self, table: Table, seat: int, upkeep: _Upkeep) -> None:
        player = table.match.players[seat]
        spot = hand_spot(seat)

        async def show() -> None:
            delivery = await self._messenger.show_in_dm(
                table.match.id, spot, player.id, lambda: hand_sheet(table, seat)
            )
            if delivery is Delivery.REFUSED:
                await self._say_dms_closed(table, seat)

        await self._unless_shown(table, spot, upkeep, show)

    async def _say_dms_closed(self, table: Table, seat: int) -> None:
        """Tell a player, once and at the table, that the hand cannot be sent (and where it is)."""
        player_id = table.match.players[seat].id
        with speaking(await self.language(table)):
            words = _(
                "<@{id}>, your DMs are closed to me, so I cannot send you your cards. "
                "Press **My hand** at the table: only you will see them."
            )
        spot = f"{_DMS_SPOT}{seat}"
        channel_id = table.match.channel_id
        await self._messenger.remind(
            table.match.id,
            spot,
            channel_id,
            [player_id],
            words.format(id=player_id),
            notifies=await self.notifies(table),
        )

    async def _unless_shown(
        self, table: Table, spot: str, upkeep: _Upkeep, show: Callable[[], Awaitable[None]]
    ) -> None:
        signature = table.signature
        if upkeep.shown.get(spot) == signature:
            return
        await show()
        upkeep.shown[spot] = signature

    async def _remind(self, table: Table) -> None:
        """Have a line that mentions the player to move, from the turn's beginning to its first move.

        When the time of the turn runs short, another takes its place.
        """
        match, seat, call = table.match, table.to_move, self._tables.call(table)
        turn = f"{_NUDGE_SPOT if call is Call.NUDGE else _TURN_SPOT}{table.began}"
        wanted = {turn} if call is not None else set()
        if table.is_playing:
            waiting = set(range(len(match.players))) - {table.last_seat}
            wanted |= {f"{_DMS_SPOT}{other}" for other in waiting}
        for spot in await self._posts.all(match.id):
            if spot.startswith((_TURN_SPOT, _NUDGE_SPOT, _DMS_SPOT)) and spot not in wanted:
                await self._messenger.clear(match.id, spot)
        if seat is None or call is None:
            return
        player_id = match.players[seat].id
        with speaking(await self.language(table)):
            words = (
                _("⏳ <@{id}>, your turn at [the table]({link}) ends {when}; then it is passed for you.")
                if call is Call.NUDGE
                else _("<@{id}>, it is your turn at [the table]({link}).")
            )
            words = words.format(
                id=player_id, link=await self.link(table), when=when(match.turn_ends_at or 0)
            )
        await self._messenger.remind(
            match.id,
            turn,
            match.channel_id,
            [player_id],
            words,
            notifies=await self.notifies(table),
        )

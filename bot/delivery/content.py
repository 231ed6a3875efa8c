"""What the messages of a match show, in the language of those who read them and as they like it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import discord

from bot.delivery.slot import TABLE_SLOT, Panel, Step
from bot.engine.match import Match
from bot.engine.shards import Shards
from bot.engine.words import speaking
from bot.messages.components import Content
from bot.messages.content import hand_content, open_hand_content, pointer_content, table_content
from bot.messages.daily_deal import NO_RESULT, DayResult, day_of, streak
from bot.messages.lessons import lesson_content
from bot.messages.match_end import NOTHING_STORED
from bot.messages.mentions import halted_words
from bot.messages.text_fallback import fitting, why_hidden, with_line
from bot.messages.text_table import turn_in_words
from bot.requests.answers import fitted, let_leave
from bot.requests.appearance import Appearances
from bot.requests.channel_permissions import ChannelPermissions
from bot.sessions.table import Table
from bot.storage import Players, Posts, Servers, Standings


class Contents:
    """Makes what the table, a hand and a former message of the table show."""

    def __init__(
        self,
        client: discord.Client,
        *,
        posts: Posts,
        players: Players,
        servers: Servers,
        standings: Standings,
        permissions: ChannelPermissions,
        appearances: Appearances,
        shards: Shards,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970; ``shards`` are those that this process runs."""
        self._client = client
        self._posts = posts
        self._players = players
        self._servers = servers
        self._standings = standings
        self._permissions = permissions
        self.appearances = appearances
        self._shards = shards
        self._clock = clock
        self.halted_at: int | None = None
        """Since when nothing can be stored, so that play has stopped."""

    def owns(self, match: Match) -> bool:
        """Return whether the messages of a match are kept right here.

        Where Ribit is a guest only who was clicked can edit them, so each process owns its own.
        """
        return match.guest or self._shards.has(match.guild_id)

    async def hand(
        self,
        table: Table,
        seat: int,
        path: tuple[str, ...] = (),
        *,
        offer_dms: bool = False,
    ) -> Content:
        """Return what a seated player sees, and why the table is not shown where it is not."""
        match = table.match
        look = await self.appearances.of_own(match.players[seat].id, match.guild_id, match.channel_id)
        await let_leave()
        if match.is_lesson:
            content = lesson_content(table, path, look)
        else:
            content = hand_content(table, seat, path, offer_dms=offer_dms, look=look)
            content = with_line(content, why_hidden(self._permissions.of(match)))
        return turn_in_words(content, table) if look.as_text else content

    def is_hidden(self, table: Table) -> bool:
        """Return whether the table itself cannot be shown just now, which hands tell the reason of."""
        return why_hidden(self._permissions.of(table.match)) is not None

    async def table(self, table: Table, path: tuple[str, ...] = ()) -> Content:
        """Return what everybody sees, at a step of choosing a move."""
        match, ending = table.match, NOTHING_STORED
        day = await self._day_result(table)
        if table.outcome is not None:
            ending = await self._standings.ending(match)
        look = await self.appearances.of_table(table)
        await let_leave()
        with speaking(await self.language(table)):
            content = table_content(table, path, look, day=day, ending=ending)
            return turn_in_words(content, table) if look.as_text else content

    async def _day_result(self, table: Table) -> DayResult:
        """Return how the try of a day's deal stands among the days, as the day may be told just now."""
        match, outcome = table.match, table.outcome
        day = match.day or match.replay
        if not day:
            return NO_RESULT
        is_over = day < day_of(datetime.fromtimestamp(self._clock(), UTC))
        if not match.day or outcome is None or not outcome.winners:
            return DayResult(is_over=is_over)
        won = await self._standings.days_won(match.host_id, match.game)
        rank, players = 0, 0
        if match.guild_id is not None:
            board = (match.guild_id, match.game, day)
            players = await self._standings.day_count(*board)
            rank = next(
                (row.rank for row in await self._standings.day_board(*board, 0, 1, match.host_id)), 0
            )
        return DayResult(streak(won, day), is_over, rank, players)

    async def planned_table(self, table: Table, step: Step) -> Content:
        """Return what the table's message should show, at a step of choosing a move."""
        content = fitting(await self.table(table, step.path), self._permissions.of(table.match))
        if self.halted_at is None:
            return content
        with speaking(content.language):
            return with_line(content, halted_words(self.halted_at))

    async def planned_hand(self, table: Table, seat: int, step: Step) -> Content:
        """Return what the message in a player's DMs should show, where no panel shows the hand."""
        with speaking((await self._players.get(table.match.players[seat].id)).locale):
            return await self.hand(table, seat, step.path)

    async def planned_pointer(self, table: Table, seat: int) -> Content:
        """Return what the message in a player's DMs should show while a panel shows the hand."""
        with speaking((await self._players.get(table.match.players[seat].id)).locale):
            return open_hand_content(table)

    async def planned_panel(self, table: Table, seat: int, panel: Panel) -> Content:
        """Return what a player's private panel should show."""
        record, step = await self._players.get(table.match.players[seat].id), panel.step_of(table)
        with speaking(str(panel.interaction.locale)):
            content = await self.hand(table, seat, step.path, offer_dms=record.dms_closed)
        return fitting(fitted(content, panel.interaction), self._permissions.of(table.match))

    async def pointer(self, table: Table) -> Content:
        """Return what a former message of the table shows: where the table is."""
        with speaking(await self.language(table)):
            return pointer_content(await self.link(table))

    async def link(self, table: Table) -> str | None:
        """Return the address of the table's message, or None where it has none."""
        if not self.owns(table.match):
            self._posts.forget(table.match.id)  # its owner may have sent another
        post = await self._posts.get(table.match.id, TABLE_SLOT)
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

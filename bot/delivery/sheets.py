"""What the messages of a match show, in the language of those who read them and as they like it."""

from __future__ import annotations

import discord

from bot.delivery.answers import let_leave
from bot.delivery.looks import Looks
from bot.delivery.messenger import TABLE_SPOT
from bot.delivery.places import Places
from bot.delivery.sharing import Sharing
from bot.engine.words import speaking
from bot.messages.daily import streak
from bot.messages.lessons import lesson_sheet
from bot.messages.parts import Sheet
from bot.messages.plain import why_hidden, with_line
from bot.messages.sheets import hand_sheet, pointer_sheet, table_sheet
from bot.sessions.hints import Hint
from bot.sessions.table import Table
from bot.storage import Players, Posts, Servers, Standings


class Sheets:
    """Makes what the table, a hand and a former message of the table show."""

    def __init__(
        self,
        client: discord.Client,
        *,
        posts: Posts,
        players: Players,
        servers: Servers,
        standings: Standings,
        places: Places,
        looks: Looks,
        sharing: Sharing,
    ) -> None:
        self._client = client
        self._posts = posts
        self._players = players
        self._servers = servers
        self._standings = standings
        self._places = places
        self.looks = looks
        self.sharing = sharing

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
        await let_leave()
        if table.match.is_lesson:
            return lesson_sheet(table, path, look)
        sheet = hand_sheet(table, seat, path, offer_dms=offer_dms, hint=hint, look=look)
        return with_line(sheet, why_hidden(self._places.of(table.match)))

    def is_hidden(self, table: Table) -> bool:
        """Return whether the table itself cannot be shown just now, which hands tell the reason of."""
        return why_hidden(self._places.of(table.match)) is not None

    async def table(self, table: Table, path: tuple[str, ...] = ()) -> Sheet:
        """Return what everybody sees, at a step of choosing a move."""
        match, outcome, in_a_row = table.match, table.outcome, 0
        if match.day and outcome is not None and outcome.winners:
            in_a_row = streak(await self._standings.days_won(match.host_id, match.game), match.day)
        look = await self.looks.of_table(match)
        await let_leave()
        with speaking(await self.language(table)):
            return table_sheet(table, path, look, in_a_row=in_a_row)

    async def pointer(self, table: Table) -> Sheet:
        """Return what a former message of the table shows: where the table is."""
        with speaking(await self.language(table)):
            return pointer_sheet(await self.link(table))

    async def link(self, table: Table) -> str | None:
        """Return the address of the table's message, or None where it has none."""
        if not self.sharing.cares(table.match):
            self._posts.forget(table.match.id)  # who cares for it may have sent another
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

"""Content of a match's messages, in the language and appearance that their readers have chosen.

A match has a table message in its channel. A player's cards, here called the hand, are shown in a DM or
in a panel, which is an ephemeral message.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

import discord

from bot.delivery.appearances import Appearances
from bot.delivery.message_keys import TABLE_KEY, ChoiceStep, owner_of, seat_of
from bot.delivery.message_writer import ContentRequest
from bot.engine.frozen import frozen
from bot.engine.translation import _, language, speaking
from bot.matches.match import Match, Player
from bot.matches.shards import Shards
from bot.messages.appearance import Appearance
from bot.messages.components import Content, notice_content
from bot.messages.deal_calendar import day_of
from bot.messages.hand_message import hand_content, open_hand_content
from bot.messages.match_end import NOTHING_STORED, EndLines
from bot.messages.mentions import storage_failed_words
from bot.messages.table_message import frame_content, pointer_content, table_content
from bot.messages.table_view import TableView, table_view
from bot.messages.text_mode import brought_back, fitting, turn_in_words, why_hidden, with_line
from bot.requests.answers import fit_to_channel
from bot.requests.channel_permissions import ChannelPermissions
from bot.sessions.table_state import Table
from bot.storage.database import Database

HandContent: TypeAlias = Callable[[TableView, tuple[str, ...], Appearance], Content | None]
"""A function with which a feature shows its own content in place of a player's hand.

It returns None if the match does not belong to the feature. Its arguments are the table, the keys of the
choices that the player has made so far, and the appearance.
"""


@frozen
class Notice:
    """A public message about the private matches in a server.

    It is sent as the table message of one of these matches.

    Attributes:
        bearer: Returns the ID of the match whose table message is the notice, or None.
        content: Returns the content of the notice.
    """

    bearer: Callable[[Match], Awaitable[str | None]]
    content: Callable[[Match], Awaitable[Content]]


@dataclass(eq=False)
class Plans:
    """Builds the content of a match's messages in the language and appearance that the readers chose.

    Attributes:
        clock: Returns the Unix time.
        hand_contents: Functions with which features replace the content of a hand.
        match_end_lines: Features' lines about a finished match, in display order.
        notice: The notice about private matches, or None if no feature provides one.
        halted_at: Unix time since which play has been paused because the database cannot be written, or
            None.
    """

    _client: discord.Client
    _database: Database
    permissions: ChannelPermissions
    appearances: Appearances
    _shards: Shards
    clock: Callable[[], int]

    def __post_init__(self) -> None:
        self.hand_contents: list[HandContent] = []
        self.match_end_lines: Sequence[EndLines] = ()
        self.notice: Notice | None = None
        self.halted_at: int | None = None

    def owns(self, match: Match) -> bool:
        """Return whether this process updates the messages of a match.

        If Ribit is not a member of the server and can only answer interactions there, the process that
        received the click updates them.
        """
        return match.guest or self._shards.has(match.guild_id)

    async def plan(
        self, table: Table, key: str, ask: ContentRequest, *, is_open: bool = False
    ) -> Content | None:
        """Build the content of one of a match's messages.

        Args:
            table: The current table.
            key: The key of the message.
            ask: The request. Its step is ignored after the next move. If it has a frame, the content
                shows this state of the game.
            is_open: True if a panel shows the hand. The DM then only links to the match.

        Returns:
            The content. None for a frame in text mode.
        """
        match, seat, owner, step = table.match, seat_of(key), owner_of(key), ask.step
        path = step.path if isinstance(step, ChoiceStep) and step.n == table.n else ()
        if owner is not None:
            return await self._panel(table, owner, path, ask.interaction)
        if seat is not None:
            with speaking((await self._database.players.get(match.players[seat].id)).locale):
                return open_hand_content(match) if is_open else await self.hand(table, seat, path)
        with speaking(await self.language(match)):
            if key != TABLE_KEY:
                return pointer_content(await self.link(match))
            if ask.frame is not None:
                return await self._frame_content(table, ask.frame)
            if match.is_private:
                assert self.notice is not None, "the message is there for it"
                content = await self.notice.content(match)
            else:
                content = await self.table(table, path)
            if self.halted_at is not None:
                content = with_line(content, storage_failed_words(self.halted_at))
            return fitting(content, self.permissions.match_access(match))

    async def _panel(
        self, table: Table, owner: int, path: tuple[str, ...], interaction: discord.Interaction | None
    ) -> Content:
        record = await self._database.players.get(owner)
        seat = table.match.seat_of(owner)
        assert seat is not None, "the panel of a player"
        locale = str(interaction.locale) if interaction else record.locale  # None: the panel was closed
        with speaking(locale):
            content = await self.hand(table, seat, path, offer_dms=record.dms_closed)
        fitted = fit_to_channel(content, interaction) if interaction else content
        return fitting(fitted, self.permissions.match_access(table.match))

    async def _frame_content(self, table: Table, state: Any) -> Content | None:
        look = await self.appearances.of_table(table.match, is_solo=table.is_solo)
        if look.as_text:  # a screen reader may still be reading the message
            return None
        return frame_content(table_view(table), table.game.view(state, None), look)

    async def hand(
        self, table: Table, seat: int, path: tuple[str, ...] = (), *, offer_dms: bool = False
    ) -> Content:
        """Build the content of a message that shows a player's own cards.

        If the channel cannot show the table, the content explains why.

        Args:
            table: The table.
            seat: The player's seat.
            path: The keys of the choices that the player has made so far.
            offer_dms: True to add a button for receiving the hand by DM.
        """
        match, view = table.match, table_view(table, seat)
        look = await self.appearances.of_own(match.players[seat].id, match.guild_id, match.channel_id)
        content = next(filter(None, (build(view, path, look) for build in self.hand_contents)), None)
        if content is None and match.is_lesson:  # its feature was removed
            content = notice_content(_("I no longer know this table. Start a new one."))
        elif content is None and match.is_private and table.is_solo:
            public = table_view(table)
            content = with_line(await self._whole_table(public, path, look), brought_back(public))
        elif content is None:
            content = hand_content(view, path, offer_dms=offer_dms, look=look)
            if not match.is_private:
                content = with_line(content, why_hidden(self.permissions.match_access(match)))
        return turn_in_words(content, view) if look.as_text else content

    async def table(self, table: Table, path: tuple[str, ...] = ()) -> Content:
        """Build the content of a match's public table message."""
        public = table_view(table)
        look = await self.appearances.of_table(table.match, is_solo=table.is_solo)
        content = await self._whole_table(public, path, look)
        return turn_in_words(content, public) if look.as_text else content

    async def _whole_table(self, table: TableView, path: tuple[str, ...], look: Appearance) -> Content:
        ending, lines = NOTHING_STORED, list[tuple[int, str]]()
        today = day_of(datetime.fromtimestamp(self.clock(), UTC))
        capped: Sequence[Player] = ()
        if table.is_lobby:
            capped = await self._database.journal.players_at_win_limit(table.match, self.clock())
        if table.outcome is not None:
            ending = await self._database.journal.ending(table.match.id)
            for source in self.match_end_lines:
                lines += [(source.order, line) for line in await source.lines(table, ending)]
        return table_content(
            table, path, look, today=today, ending=ending, feature_lines=lines, capped_players=capped
        )

    async def link(self, match: Match, key: str = TABLE_KEY) -> str | None:
        """Return the URL of one of a match's messages, or None if no such message is stored."""
        if not self.owns(match):
            self._database.posts.forget(match.id)  # its owner may have sent a new message
        post = await self._database.posts.get(match.id, key)
        if post is None:
            return None
        guild = match.guild_id or "@me"
        return f"https://discord.com/channels/{guild}/{post.channel_id}/{post.message_id}"

    async def language(self, match: Match) -> str | None:
        """Return the locale for a table's messages, or None if it is unknown.

        In a server, it is the server's locale. In DMs, it is the host's locale.
        """
        server_language = await self.language_in(match.guild_id)
        return server_language or (await self._database.players.get(match.host_id)).locale

    async def language_in(self, guild_id: int | None) -> str | None:
        """Return the locale in which the bot writes in a server.

        Admins can choose this locale for the bot. Otherwise, it is the server's preferred locale in
        Discord.

        Returns:
            The locale, or None in DMs and for an unknown server.
        """
        chosen = (await self._database.servers.get(guild_id)).language
        guild = self._client.get_guild(guild_id or 0)
        return chosen or (str(guild.preferred_locale) if guild is not None else None)

    async def spoken(self, interaction: discord.Interaction, *, in_public: bool) -> str | None:
        """Return the locale for the answer to an interaction.

        A public answer uses the server's locale. A private answer uses the user's locale.
        """
        return await self.language_in(interaction.guild_id) if in_public else language()

    async def notifies(self, table: Table) -> bool:
        """Return whether turn reminders at a table notify players. Admins can switch this off."""
        return (await self._database.servers.get(table.match.guild_id)).mentions

"""The look of messages for a particular player or channel.

It depends on the settings of the server and the player: custom emoji, suit colours and text mode, which
shows words instead of pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import discord

from bot.matches.match import Match
from bot.matches.server_settings import ServerSettings
from bot.messages.appearance import Appearance
from bot.requests.emojis import Emojis
from bot.storage.players import Players
from bot.storage.servers import Servers


@dataclass(eq=False)
class Appearances:
    """Determines the look of messages from the settings of servers and players.

    Attributes:
        emojis: The application emoji for icons.
    """

    _client: discord.Client
    emojis: Emojis
    _players: Players
    _servers: Servers

    async def of_table(self, match: Match, *, is_solo: bool) -> Appearance:
        """Return the look of a table's public message.

        In a server, it follows the server's settings. In DMs, it follows the player's settings. If the
        player of a solitaire table has chosen or rejected text mode, this choice takes precedence, even
        if others watch.
        """
        if match.guild_id is None:
            return await self.of_own(match.host_id, None, match.channel_id)
        settings = await self._servers.get(match.guild_id)
        as_text = (await self._players.get(match.host_id)).own.text_table if is_solo else None
        if as_text is None:
            as_text = self._is_text(settings, match.guild_id, match.channel_id)
        return self._look(settings.four_colours, as_text=as_text)

    async def of_own(
        self, player_id: int, guild_id: int | None, channel_id: int | None = None
    ) -> Appearance:
        """Return the look of messages that only one player sees.

        If the player has not chosen a setting, the server's setting applies.
        """
        own, settings = (await self._players.get(player_id)).own, await self._servers.get(guild_id)
        liked, as_text = own.four_colours, own.text_table
        if liked is None:
            liked = settings.four_colours
        if as_text is None:
            as_text = self._is_text(settings, guild_id, channel_id)
        return replace(self._look(liked, as_text=as_text), totals=own.shows_totals)

    async def of_channel(self, guild_id: int, channel_id: int) -> Appearance:
        """Return the look of messages that all readers of a server's channel see."""
        settings = await self._servers.get(guild_id)
        is_text = self._is_text(settings, guild_id, channel_id)
        return self._look(settings.four_colours, as_text=is_text)

    async def of_asker(self, interaction: discord.Interaction) -> Appearance:
        """Return the look of messages for the user of an interaction."""
        return await self.of_own(interaction.user.id, interaction.guild_id, interaction.channel_id)

    def _look(self, four_colours: bool, *, as_text: bool) -> Appearance:
        return Appearance({} if as_text else self.emojis.written, four_colours, as_text)

    def _is_text(self, settings: ServerSettings, guild_id: int | None, channel_id: int | None) -> bool:
        """Return whether a server uses text mode in a channel. A thread uses its parent's setting."""
        if settings.text_tables or channel_id in settings.text_channels:
            return True
        guild = self._client.get_guild(guild_id or 0) if settings.text_channels else None
        thread = guild.get_thread(channel_id or 0) if guild is not None else None
        return thread is not None and thread.parent_id in settings.text_channels

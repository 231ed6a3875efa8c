"""How what is shown looks to whom: the signs that can stand in it, and the colours of the cards."""

from __future__ import annotations

import discord

from bot.delivery.emojis import Emojis
from bot.engine.game import AnyGame
from bot.engine.match import Match
from bot.messages.appearance import Appearance
from bot.messages.components import Content
from bot.messages.rules import rules_content
from bot.storage import Players, Servers


class Appearances:
    """Knows what a server has set and what its players like."""

    def __init__(self, *, emojis: Emojis, players: Players, servers: Servers) -> None:
        self.emojis = emojis
        self._players = players
        self._servers = servers

    async def of_table(self, match: Match) -> Appearance:
        """Return how a table looks: as its server has it, in DMs as its player likes it."""
        if match.guild_id is None:
            return await self.of_own(match.host_id, None)
        return Appearance(self.emojis.written, (await self._servers.get(match.guild_id)).four_colours)

    async def of_own(self, player_id: int, guild_id: int | None) -> Appearance:
        """Return how something looks that only one player sees."""
        liked = (await self._players.get(player_id)).four_colours
        if liked is None:
            liked = (await self._servers.get(guild_id)).four_colours
        return Appearance(self.emojis.written, liked)

    async def rules(
        self,
        game: AnyGame,
        interaction: discord.Interaction,
        number: int = 0,
        match_id: str | None = None,
    ) -> Content:
        """Return a page of a game's rules; it offers a lesson to who has not learned the game.

        At the table of a match it also leads to how that was dealt.
        """
        player_id, key = interaction.user.id, game.info.key
        look = await self.of_own(player_id, interaction.guild_id)
        is_new = game.lesson is not None and not await self._players.has_learned(player_id, key)
        return rules_content(game, number, look, offers_lesson=is_new, match_id=match_id)

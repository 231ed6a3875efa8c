"""What players are called: learned from each interaction, and brought to boards and tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import discord
import structlog

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError
from bot.matches.match import Player
from bot.sessions.events import Renamed
from bot.sessions.tables import Tables
from bot.storage.journal import Journal
from bot.storage.players import PlayerRecord, Players

log = structlog.get_logger(__name__)

_WAIT_SECONDS = 0.5
"""How long an interaction waits until a new name is stored; else it shows the former one."""


def player_of(user: discord.User | discord.Member) -> Player:
    return Player(user.id, user.display_name, user_name=user.name)


def sitting_down(interaction: discord.Interaction) -> Player:
    """Return the player that a user sits down as, by an interaction that goes into a seed."""
    return replace(player_of(interaction.user), interaction=interaction.id)


class PlayerNames:
    """Brings a player's name up to date where it is shown; costs nothing while it stays the same."""

    def __init__(
        self, players: Players, journal: Journal, tables: Tables, refresh: Callable[[str], object]
    ) -> None:
        self._players = players
        self._journal = journal
        self._tables = tables
        self._refresh = refresh
        self._tasks = BackgroundTasks()

    async def learn(self, interaction: discord.Interaction) -> None:
        """Take note of what who made an interaction is called; no interaction fails by it."""
        user, guild_id = interaction.user, interaction.guild_id
        with suppress(Exception):  # what was asked says why
            async with asyncio.timeout(_WAIT_SECONDS):  # a command's answer begins after this
                known = await self._players.get(user.id)
                names = (user.global_name or user.name, user.name)
                is_known_there = guild_id is None or known.names.get(guild_id) == user.display_name
                if (known.name, known.user_name) != names or not is_known_there:
                    await asyncio.wait({self._tasks.start(self._learn(user, guild_id))})

    async def settle(self) -> None:
        """Wait until what is being learned is stored."""
        await self._tasks.settle()

    async def _learn(self, user: discord.User | discord.Member, guild_id: int | None) -> None:
        name = user.global_name or user.name
        try:
            before = await self._players.is_called(user.id, name, user.name, guild_id, user.display_name)
            await self._rename(user, guild_id, before)
        except RibitError:
            log.warning("a name could not be stored", player=user.id)
        except Exception:
            log.exception("a name could not be brought up to date", player=user.id)

    async def _rename(
        self, user: discord.User | discord.Member, guild_id: int | None, before: PlayerRecord
    ) -> None:
        """Have the tables know at which a player sits; where the name is another one, all of them."""
        name = user.global_name or user.name
        is_renamed = (before.name, before.user_name) not in {(None, None), (name, user.name)}
        if guild_id is None and not is_renamed:
            return
        for seat in await self._journal.seats_of(user.id, None if is_renamed else guild_id):
            named = name if seat.name == before.name else seat.name
            if guild_id is not None and seat.guild_id == guild_id:
                named = user.display_name
            player = Player(user.id, named, user_name=user.name)
            try:
                await self._tables.happens(seat.match_id, Renamed(player))
            except RibitError:
                log.warning("a name stays at a table", match=seat.match_id, player=user.id)
            else:
                self._refresh(seat.match_id)

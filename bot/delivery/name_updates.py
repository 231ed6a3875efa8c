"""Recording of players' current names, which Discord sends with each interaction.

Tables and leaderboards show these names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import discord
import structlog

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError
from bot.matches.match import Player
from bot.sessions.events import Renamed
from bot.sessions.tables import Tables
from bot.storage.players import PlayerRecord, Players

log = structlog.get_logger(__name__)

_WAIT_SECONDS = 0.5
"""Seconds that an interaction waits for a new name to be stored. After that, it shows the old name."""


def player_of(user: discord.User | discord.Member) -> Player:
    return Player(user.id, user.display_name, user_name=user.name)


def sitting_down(interaction: discord.Interaction) -> Player:
    """Return the interaction's user as a player who takes a seat at a table.

    The player contains the interaction's ID, which becomes a part of the match's shuffle seed.
    """
    return replace(player_of(interaction.user), interaction=interaction.id)


@dataclass(eq=False)
class PlayerNames:
    """Stores players' current names.

    After a change, it also updates the tables at which the player sits.
    """

    _players: Players
    _tables: Tables
    _refresh: Callable[[str], object]
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks)

    async def record(self, interaction: discord.Interaction) -> None:
        """Record the current names of an interaction's user. This never raises an exception."""
        user, guild_id = interaction.user, interaction.guild_id
        with suppress(Exception):  # the interaction itself will report the cause
            async with asyncio.timeout(_WAIT_SECONDS):  # the answer to a command begins after this
                known = await self._players.get(user.id)
                names = (user.global_name or user.name, user.name)
                is_known_there = guild_id is None or known.names.get(guild_id) == user.display_name
                if (known.name, known.user_name) != names or not is_known_there:
                    await asyncio.wait({self._tasks.start(self._learn(user, guild_id))})

    async def settle(self) -> None:
        """Wait until all recorded names are stored."""
        await self._tasks.settle()

    async def _learn(self, user: discord.User | discord.Member, guild_id: int | None) -> None:
        name = user.global_name or user.name
        try:
            before = await self._players.record_names(
                user.id, name, user.name, guild_id, user.display_name
            )
            await self._rename(user, guild_id, before)
        except RibitError:
            log.warning("player name not stored", player=user.id)
        except Exception:
            log.exception("player name not updated", player=user.id)

    async def _rename(
        self, user: discord.User | discord.Member, guild_id: int | None, before: PlayerRecord
    ) -> None:
        """Change a player's name at the live tables where the player sits.

        If the global name or user name has changed, this applies to all servers. Otherwise, it applies
        to the interaction's server only.
        """
        name = user.global_name or user.name
        is_renamed = (before.name, before.user_name) not in {(None, None), (name, user.name)}
        if guild_id is None and not is_renamed:
            return
        for seat in await self._tables.journal.seats_of(user.id, None if is_renamed else guild_id):
            new_name = name if seat.name == before.name else seat.name
            if guild_id is not None and seat.guild_id == guild_id:
                new_name = user.display_name
            player = Player(user.id, new_name, user_name=user.name)
            try:
                await self._tables.happens(seat.match_id, Renamed(player))
            except RibitError:
                log.warning("player name not updated at a table", match=seat.match_id, player=user.id)
            else:
                self._refresh(seat.match_id)

"""Tables whose turns all timed out while the bot was stopped, and players who click meanwhile."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from simcord.backend.models import Message, User

from bot.engine.frozen import frozen
from bot.games import games
from bot.matches.match import Player
from bot.sessions.match_creation import Opening
from bot.sessions.seating import Seating
from bot.sessions.tables import Tables
from bot.storage.database import Database, open_database
from tests.wire.environment import World, open_world
from tests.wire.limits import Limits
from tests.wire.simulated_players import Control

TEXT, LAYOUT = 10, 1 << 15
"""The key of a message's text, and the flag of a message with components."""

TURN_SECONDS = 24 * 60 * 60
CHANNELS_A_SERVER = 400
AT_ONCE = 200
CLICKS_EVERY_SECONDS = 0.25
LOOKS_EVERY_SECONDS = 0.5
TABLES_A_SECOND = 1_000
"""Tables per second of pause between two checks, as a check blocks this Discord."""

SEED = 10

_ENDS = "SELECT id, turn_ends_at FROM matches WHERE id IN (SELECT match_id FROM moves)"
_TURN_ENDS = re.compile(r"turn ends <t:(\d+)")
"""The end of the turn that a table shows, which changes with each turn."""


@frozen
class Waiting:
    """A table whose turn has timed out, with its match, message and players."""

    match_id: str
    message: Message
    players: tuple[User, User]


@frozen
class Overdue:
    """The bot with the tables, and its Discord."""

    place: World
    limits: Limits
    tables: list[Waiting]
    began: float

    def untrue(self) -> list[str]:
        """Return the matches whose table does not show the last move."""
        with closing(sqlite3.connect(f"file:{self.place.program.database}?mode=ro", uri=True)) as file:
            stored = dict(file.execute(_ENDS))
        return [
            table.match_id
            for table in self.tables
            if table.match_id not in stored or stored[table.match_id] != self._shown(table)
        ]

    def _shown(self, table: Waiting) -> int | None:
        found = _TURN_ENDS.search(str(table.message.components))
        return int(found[1]) if found else None

    async def click_until_current(self) -> None:
        """Click at random tables until every one shows its result."""
        clicking = asyncio.create_task(self._click_endlessly())
        try:
            while await asyncio.to_thread(self.untrue):  # noqa: ASYNC110 — there is no event to wait for
                await asyncio.sleep(max(LOOKS_EVERY_SECONDS, len(self.tables) / TABLES_A_SECOND))
        finally:
            clicking.cancel()

    async def _click_endlessly(self) -> None:
        crowd, number = self.place.crowd, 0
        while True:
            table, user = crowd.random.choice(self.tables), crowd.random.randrange(2)
            moves = [one for one in crowd.controls(table.message) if one.move]
            hand = Control(table.message, f"a:{table.match_id}:hand")
            number += 1
            control = crowd.random.choice(moves) if moves and number % 2 else hand
            crowd.send(table.players[user], control)
            crowd.dismiss_ephemeral(table.message.channel_id)
            await asyncio.sleep(CLICKS_EVERY_SECONDS)

    def figures(self) -> dict[str, Any]:
        """Return the metrics of the run."""
        return {
            "tables": len(self.tables),
            "seconds": round(time.perf_counter() - self.began, 1),
            "requests that count": self.limits.counted,
            "others": self.limits.free,
            "refused": self.limits.refused.total(),
            **self.place.ledger.figures(),
        }


@asynccontextmanager
async def open_overdue(folder: Path, tables: int, late_by: int = 60) -> AsyncIterator[Overdue]:
    """Open a Discord with limits, and start the bot on a database with this many overdue tables.

    Their turns ended this many seconds ago. A negative number means that they have not ended.
    """
    limits = Limits()
    async with open_world(folder, SEED, limits=limits) as place:
        waiting = await _fill_database(place, tables, late_by)
        began = time.perf_counter()
        async with limits.measure_stalls():
            await place.begin()
            assert await place.connected()
            yield Overdue(place, limits, waiting, began)
        place.program.ask_to_stop()
        assert await place.end(0) == []


async def _fill_database(place: World, count: int, late_by: int) -> list[Waiting]:
    database = await open_database(place.program.database)
    try:
        filling, found = _Filling(place, database, late_by), []
        for start in range(0, count, AT_ONCE):
            some = range(start, min(start + AT_ONCE, count))
            found += await asyncio.gather(*(filling.table(number) for number in some))
        return found
    finally:
        await filling.tables.close()
        await database.close()


class _Filling:
    """Stores old matches of Toad for two players with closed DMs."""

    def __init__(self, place: World, database: Database, late_by: int) -> None:
        self._backend = place.server.backend
        self._database = database
        self._guilds: dict[int, int] = {}
        long_ago = int(time.time()) - TURN_SECONDS - late_by
        self.tables = Tables(games=games(), journal=database.journal, clock=lambda: long_ago)
        self._seating = Seating(self.tables, database.servers)

    async def table(self, number: int) -> Waiting:
        guild_id = self._guild(number // CHANNELS_A_SERVER)
        host, guest = (self._backend.make_user(f"{name}{number}") for name in ("ann", "ben"))
        for user in (host, guest):
            self._backend.add_member(guild_id, user.id)
        channel = self._backend.create_channel(guild_id, f"pond-{number}", announce=False)
        words = [{"type": TEXT, "content": "a table of long ago"}]
        message = self._backend.create_message(
            channel.id, self._backend.bot_user.id, components=words, flags=LAYOUT
        )
        for player in (host, guest):
            await self._database.players.dms_closed(player.id)
        opening = Opening("toad", 2, {"lives": 3}, TURN_SECONDS)
        lobby = await self._seating.open(opening, guild_id, channel.id, Player(host.id, host.name))
        match_id = lobby.match.id
        await self._seating.join(match_id, Player(guest.id, guest.name))
        table = await self._seating.start(match_id, host.id)
        await self._database.posts.store_message(match_id, "table", channel.id, message.id)
        self.tables.record_shown(table)
        return Waiting(match_id, message, (host, guest))

    def _guild(self, number: int) -> int:
        if number not in self._guilds:
            self._guilds[number] = self._backend.create_guild(f"Pond {number}").id
        return self._guilds[number]

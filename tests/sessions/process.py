"""A process that serves tables, on an open database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.engine.game import AnyGame
from bot.games import games
from bot.matches.match import Player
from bot.sessions.events import Click
from bot.sessions.match_creation import Opening
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from bot.storage.database import Database

ADA, BO = Player(10, "Ada"), Player(20, "Bo")
NOW, LIMIT = 1_800_000_000, 3600


class Bot:
    """A process that serves tables and counts the states that its games create."""

    def __init__(self, database: Database) -> None:
        self.now = NOW
        self.made = 0
        self.database = database
        self.rung = list[str]()
        counting = {key: self._count_calls(game) for key, game in games().items()}
        self.tables = Tables(games=counting, journal=database.journal, clock=lambda: self.now)
        self.tables.watch(self.rung.append)
        self.seating = Seating(self.tables, self.database.servers)

    def _count_calls(self, game: AnyGame) -> AnyGame:
        def deal(seats: int, options: Mapping[str, int], seed: bytes) -> Any:
            self.made += 1
            return game.deal(seats, options, seed)

        def play(state: Any, move: Any) -> Any:
            self.made += 1
            return game.play(state, move)

        return replace(game, deal=deal, play=play)

    async def begun(self, channel_id: int, turn_seconds: int = LIMIT, host: Player = ADA) -> Table:
        """Seat two people at Toad and start."""
        opening = Opening("toad", 6, {"lives": 5}, turn_seconds)
        table = await self.seating.open(opening, 1, channel_id, host)
        await self.seating.join(table.match.id, BO)
        return await self.seating.start(table.match.id, host.id)

    async def click(self, table: Table, key: str) -> Table:
        """Click a button of this table as the player to move."""
        assert table.to_move is not None
        click = Click(table.match.id, table.n, True, (key,))
        return await self.tables.choose(click, table.match.players[table.to_move].id)

"""A match gone through once more from its deal on, as somebody saw it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from bot.engine.game import Viewer
from bot.engine.match import advance, opening
from bot.engine.thinking import fresh
from bot.sessions.ports import Journal
from bot.sessions.table import Table

_VIEWS_AT_ONCE = 20
"""How many of a match's moves are gone through before others have their turn."""


class Histories:
    """Goes through matches by the moves that are stored."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def views(self, table: Table, viewer: Viewer) -> AsyncIterator[Any]:
        """Yield what a viewer has seen of a table in play: the deal, and each move up to now."""
        game, record = table.game, await self._journal.load(table.match.id)
        assert record is not None, "it is played"
        state = opening(game, table.match)
        yield game.view(state, viewer)
        for entry in record[1][: table.n]:
            state = advance(game, state, entry)
            yield game.view(state, viewer)
            if entry.n % _VIEWS_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def events(self, table: Table) -> tuple[Any, ...]:
        """Return all that happened at a table of a game with a history, as everybody saw it."""
        history = table.game.history
        assert history is not None, "only such a game is asked"
        told, latest = list[Any](), tuple[Any, ...]()
        async for view in self.views(table, None):
            told += fresh(latest, latest := history.events(view))
        return tuple(told)

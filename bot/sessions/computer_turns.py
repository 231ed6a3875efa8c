"""What frogs think about just now: one thought a match, while the table is free."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from bot.background import BackgroundTasks
from bot.sessions.events import Thought
from bot.sessions.live_tables import LiveTables
from bot.sessions.ports import Opponents
from bot.sessions.table import Table
from bot.sessions.tasks import Choose

log = structlog.get_logger(__name__)


class ComputerTurns:
    """Has frogs think about their moves.

    What a frog thinks depends on nothing but the match: where the process
    ends before the move is stored, the next one comes to the same.
    """

    def __init__(
        self,
        opponents: Opponents,
        live: LiveTables,
        act: Callable[[str, Thought | None], Awaitable[None]],
    ) -> None:
        """``act`` carries out what was thought in a match, by its id; None where thinking failed."""
        self._opponents = opponents
        self._live = live
        self._act = act
        self._tasks = BackgroundTasks()

    def begin(self, table: Table) -> None:
        """Have the frog that is to move think, unless it does already."""
        if self._live.begin_thinking(table.match.id):
            self._tasks.start(self._think(table))

    async def close(self) -> None:
        """Think no more."""
        await self._tasks.close()

    async def _think(self, table: Table) -> None:
        match, seat, strength = table.match, table.to_move, table.computer
        assert seat is not None, "a frog is to move"
        assert strength is not None, "a frog is to move"
        thought = None
        try:
            choose = Choose(match.game, strength, table.memories[seat], table.lot)
            text = await self._opponents.ask(choose, who=match.host_id)
            thought = Thought(table.n, seat, text)
        except Exception:
            log.exception("a frog could not think", match=match.id, n=table.n)
        finally:
            self._live.end_thinking(match.id)
        await self._act(match.id, thought)

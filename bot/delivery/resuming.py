"""Taking up live tables: at the start, and where others may have changed or cared for them meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import structlog

from bot.delivery.budget import Urgency
from bot.delivery.display import Display
from bot.engine.errors import AwayError
from bot.engine.match import Waiting
from bot.sessions.tables import Tables

log = structlog.get_logger(__name__)

AWAY_SECONDS = 10
"""How long is waited before live tables are looked for again in a database that is away."""


class Resuming:
    """Has what is cared for go on by itself, and shows what may have been stored without being shown."""

    def __init__(self, tables: Tables, display: Display) -> None:
        self._tables = tables
        self._display = display
        self._cared: frozenset[int] = frozenset()
        self._wanted: frozenset[int] = frozenset()
        self._stirred = asyncio.Event()
        self._to_show: asyncio.Queue[str] = asyncio.Queue()

    async def all(self) -> None:
        """Take up every live table, once."""
        for match_id in await self._taken_up(None):
            await self._display.refresh(match_id, Urgency.UPKEEP)

    async def keep_on(self) -> None:
        """Take up the live tables of the shards that are cared for, again and again."""
        showing = asyncio.create_task(self._show())
        try:
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                wanted, self._wanted = self._wanted, frozenset()
                for match_id in await self._taken_up(wanted):
                    self._to_show.put_nowait(match_id)
        finally:
            showing.cancel()

    # ---- what happens to the care for them -----------------------------------------------------

    def gained(self, shards: frozenset[int]) -> None:
        """Take up the tables of some shards: whoever cared for them is gone."""
        self._cared |= shards
        self._tables.forget()  # it was known by asking for it each time
        self._want(self._wanted | shards)

    def lost(self, shards: frozenset[int]) -> None:
        """Let go of the tables of some shards: another process cares for them."""
        self._cared -= shards
        self._tables.let_go()
        self._display.let_go()
        self._want(self._cared)

    def missed(self) -> None:
        """Take everything up anew: others may have changed it while they were not heard."""
        self._tables.let_go()
        self._want(self._cared)

    def _want(self, shards: frozenset[int]) -> None:
        self._wanted = shards
        self._stirred.set()

    async def _taken_up(self, shards: frozenset[int] | None) -> Iterable[str]:
        """Take up the tables of some shards, or all; returns which matches have to be shown."""
        live = None
        while live is None:
            try:
                live = await self._tables.resume(shards)
            except AwayError:
                await asyncio.sleep(AWAY_SECONDS)
            except Exception:
                log.exception("the tables could not be taken up")
                return ()
        if live:
            log.info("tables taken up", tables=len(live))
        return self._to_be_shown(live, is_start=shards is None)

    def _to_be_shown(self, live: Iterable[Waiting], *, is_start: bool) -> Iterable[str]:
        differing = [match.match_id for match in live if self._display.may_differ(match)]
        panels = [] if is_start else self._display.private.matches()
        return dict.fromkeys(differing + panels)

    async def _show(self) -> None:
        """Show one match after the other, so that no crowd of them comes before clicks."""
        while True:
            match_id = await self._to_show.get()
            await self._display.refresh(match_id, Urgency.UPKEEP)

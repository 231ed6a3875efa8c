"""Taking up live tables: at the start, and where others may have changed or owned them meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

import structlog

from bot.delivery.display import Display
from bot.engine.errors import AwayError
from bot.engine.match import Waiting
from bot.engine.shards import Shards
from bot.requests.budget import Priority
from bot.sessions.tables import Tables
from bot.storage import BEAT_SECONDS, HaltedError, Journal, Notes, last_lived, note_left

log = structlog.get_logger(__name__)

AWAY_SECONDS = 10
"""How long is waited before live tables are looked for again in a database that is away."""


LEAST_SECONDS = 10
"""For a shorter time than that away, such as a quick restart, no table is changed and shown anew."""


LATE_SECONDS = BEAT_SECONDS * 1.5
"""After so long without a beat one was missed."""


class Recovery:
    """Has what is owned go on by itself, and shows what may have been stored without being shown."""

    def __init__(
        self,
        tables: Tables,
        display: Display,
        *,
        journal: Journal,
        notes: Notes,
        clock: Callable[[], int],
        shards: Shards | None,
    ) -> None:
        """``clock`` returns the seconds since 1970; ``shards`` are the process's, None for all."""
        self._tables = tables
        self._display = display
        self._journal = journal
        self._notes = notes
        self._clock = clock
        self._shards = shards
        self._has_begun = False
        self._beat_at: int | None = None
        self._is_connected: Callable[[], bool] = lambda: True
        self._is_begun = False
        self._cared: frozenset[int] = frozenset()
        self._wanted: frozenset[int] = frozenset()
        self._to_show: dict[str, None] = {}
        self._taking: asyncio.Task[None] | None = None
        self._showing: asyncio.Task[None] | None = None

    async def begins(self) -> None:
        """Take the time since the bot lived last for nobody's, before anybody can do anything."""
        await self._stand_still(await last_lived(self._notes, self._shards))
        self._has_begun = True

    async def _stand_still(self, since: int | None) -> None:
        """Have clocks stand since then, until they are looked at, unless it is but a moment."""
        if since is not None and self._clock() - since >= LEAST_SECONDS:
            with suppress(HaltedError):  # the storage has said so
                await self._journal.stand_still(since, self._shards)

    def watch_heart(self, is_connected: Callable[[], bool] | None) -> None:
        """Expect beats from now on, none with None; ``is_connected``: whether Discord is there."""
        self._beat_at, self._is_connected = None, is_connected or (lambda: True)
        self._display.silent_since = self._silent_since

    async def beat(self) -> None:
        """Take note that the bot is connected and can store; the time without beats is nobody's."""
        now, since = self._clock(), self._beat_at
        is_late = since is not None and now - since > LATE_SECONDS
        if is_late:  # until clocks stand the last beat counts, so that no turn is passed
            await self._stand_still(since)
            self._tables.let_go()
        self._beat_at = now
        if not is_late:
            return
        if self._shards is None:
            self._show_soon(await self._taken_up(None))
        else:
            self._want(self._cared)

    def _silent_since(self) -> int | None:
        """Return when the heart has beaten last, where it has missed a beat or is cut off; else None."""
        at = self._beat_at
        is_late = at is not None and self._clock() - at > LATE_SECONDS
        return at if is_late or not self._is_connected() else None

    async def all(self) -> None:
        """Take up every live table, once."""
        for match_id in await self._taken_up(None):
            await self._display.refresh(match_id, Priority.UPKEEP)

    def begin(self) -> None:
        """Take up the live tables of the shards that are owned from now on."""
        self._is_begun = True
        self._want(self._wanted)

    async def close(self) -> None:
        """Take up nothing more."""
        self._is_begun = False
        if self._has_begun:
            self._has_begun = False
            with suppress(HaltedError, AwayError):
                await note_left(self._notes, self._clock(), self._shards)
        tasks = [task for task in (self._taking, self._showing) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---- what happens to their ownership -----------------------------------------------------

    def gained(self, shards: frozenset[int]) -> None:
        """Take up the tables of some shards: their owner is gone."""
        self._cared |= shards
        self._tables.forget()  # it was known by asking for it each time
        self._want(self._wanted | shards)

    def lost(self, shards: frozenset[int]) -> None:
        """Let go of the tables of some shards: another process owns them."""
        self._cared -= shards
        self._tables.let_go()
        self._display.let_go()
        self._want(self._cared)

    def missed(self) -> None:
        """Take everything up anew: others may have changed it while they were not heard."""
        self._tables.let_go()
        self._display.missed()
        self._want(self._cared)

    def _want(self, shards: frozenset[int]) -> None:
        self._wanted = shards
        if shards and self._is_begun and self._taking is None:
            self._taking = asyncio.create_task(self._take_up())

    async def _take_up(self) -> None:
        while self._wanted:
            wanted, self._wanted = self._wanted, frozenset()
            self._show_soon(await self._taken_up(wanted))
        self._taking = None

    def _show_soon(self, match_ids: Iterable[str]) -> None:
        self._to_show.update(dict.fromkeys(match_ids))
        if self._to_show and self._showing is None:
            self._showing = asyncio.create_task(self._show())

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
        differing = [match.match_id for match in live if self._display.may_differ(match)]
        return differing if shards is None else [*differing, *self._others(live, shards)]

    def _others(self, live: Iterable[Waiting], shards: frozenset[int]) -> Iterable[str]:
        """Return what else may not be right: panels, and tables that have ended unheard."""
        yield from self._display.with_panels()
        if shards >= self._cared:
            lives = {match.match_id for match in live}
            yield from (each for each in self._display.reconciled() if each not in lives)

    async def _show(self) -> None:
        """Show one match after the other, so that a crowd of them does not come before clicks."""
        while self._to_show:
            match_id = next(iter(self._to_show))
            del self._to_show[match_id]
            await self._display.refresh(match_id, Priority.UPKEEP)
        self._showing = None

"""Recovery of live tables after a start, an outage or a change by another process."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import discord
import structlog
from discord.ext import commands, tasks

from bot.background import BackgroundTasks
from bot.delivery.display import Display
from bot.delivery.message_keys import hand_key
from bot.engine.errors import AwayError
from bot.matches.shards import ALL_SHARDS, Shards
from bot.requests.budget import Priority
from bot.sessions.errors import TableError
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import MATCH, MISSED, About
from bot.storage.database import Database
from bot.storage.database_lock import BEAT_SECONDS, last_lived, note_alive, note_gone, note_left
from bot.storage.writer import HaltedError

log = structlog.get_logger(__name__)

AWAY_SECONDS = 10
"""Seconds between two attempts to read live tables from a database that is unavailable."""

LEAST_SECONDS = 10
"""After a shorter outage in seconds, such as a quick restart, clocks are not adjusted."""

LATE_SECONDS = BEAT_SECONDS * 1.5
"""After so many seconds without a heartbeat, one was missed."""


@dataclass(eq=False)
class Recovery(commands.Cog):
    """A cog that resumes live tables, and shows stored changes that may not have been shown.

    A heartbeat is stored from when the bot is ready until it closes in order.

    Attributes:
        _shards: The shards of this process, or None for all.
        _beat_at: The Unix time of the last heartbeat, or None.
        _lived_at: The Unix time until which the bot has run, or None if unknown.
    """

    _tables: Tables
    _display: Display
    _database: Database
    _clock: Callable[[], int]
    _shards: Shards | None
    _client: discord.Client
    _is_connected: Callable[[], bool]

    def __post_init__(self) -> None:
        self._beat_at: int | None = None
        self._lived_at: int | None = None
        self._tasks = BackgroundTasks()
        self._taking_up: asyncio.Task[None] | None = None
        self._database.pubsub.hear(MATCH, self._refresh_changed)
        self._database.pubsub.hear(MISSED, self._resume_all)

    async def begins(self) -> None:
        """Exclude the time since the bot last ran from all clocks, before the first event."""
        since = self._lived_at = await last_lived(self._database.notes, self._shards)
        if since is not None and self._clock() - since >= LEAST_SECONDS:
            with suppress(HaltedError):  # the storage has logged it
                await self._database.journal.stand_still(since, self._shards)
                await self._add_outage(since, self._clock())

    async def cog_load(self) -> None:
        self._display.silent_since = self._silent_since
        self._beat.start()

    async def cog_unload(self) -> None:
        """Stop the heartbeat, and store the time. A heartbeat in progress is written first."""
        self._beat.cancel()
        with suppress(HaltedError, AwayError):
            await note_left(self._database.notes, self._clock(), self._shards)
            await note_gone(self._database.notes, self._shards)

    @tasks.loop(seconds=BEAT_SECONDS)
    async def _beat(self) -> None:
        """Store that the bot is connected. Time without a heartbeat is excluded from all clocks."""
        if not self._is_connected():
            return
        try:
            with suppress(HaltedError):  # the storage has logged it
                await self._note_alive()
        except sqlite3.Error:
            log.exception("could not note that the bot is connected")

    @_beat.before_loop
    async def _wait(self) -> None:
        await self._client.wait_until_ready()

    async def _note_alive(self) -> None:
        await note_alive(self._database.notes, self._clock(), self._shards)
        now, since, lived_at = self._clock(), self._beat_at, self._lived_at
        if lived_at is not None and now - lived_at > LATE_SECONDS:
            await self._add_outage(lived_at, now)
        self._lived_at = now
        if since is not None and now - since > LATE_SECONDS:
            await self._database.journal.stand_still(since, self._shards)
            self._tables.let_go()
            self.begin()
        self._beat_at = now  # only now, so that no turn is passed before the clocks are adjusted

    async def _add_outage(self, since: int, until: int) -> None:
        """Store that no match could be played between two Unix times, so that no start adds it again."""
        await self._database.outages.add(since, until, self._shards)
        await note_left(self._database.notes, until, self._shards)
        self._lived_at = until

    def _silent_since(self) -> int | None:
        """Return the Unix time of the last heartbeat if one was missed or the bot is disconnected.

        Otherwise, or before the first heartbeat, return None.
        """
        at = self._beat_at
        is_late = at is not None and self._clock() - at > LATE_SECONDS
        return at if is_late or not self._is_connected() else None

    def begin(self) -> None:
        """Resume the live tables, and refresh outdated matches one by one, so that clicks go first.

        Waits until the bot is ready, because the pass of a turn that timed out must be visible.
        """
        if self._taking_up is not None:
            self._taking_up.cancel()
        self._taking_up = self._tasks.start(self._take_up())

    async def close(self) -> None:
        """Stop resuming tables."""
        await self._tasks.close()

    async def _take_up(self) -> None:
        await self._client.wait_until_ready()
        live = None
        while live is None:
            try:
                live = await self._tables.resume()
            except AwayError:
                await asyncio.sleep(AWAY_SECONDS)
            except Exception:
                log.exception("the tables could not be taken up")
                return
        log.info("tables taken up", tables=len(live))
        may_differ = self._display.permissions.may_differ
        differing = [match.match_id for match in live if may_differ(match)]
        unsure = self._display.unsure({match.match_id for match in live})
        for match_id in (*differing, *unsure):
            await self._display.refresh_now(match_id, Priority.UPKEEP)

    # ---- what other processes do ---------------------------------------------------------------

    def _resume_all(self, _about: About) -> None:
        """Resume all tables again, because other processes' notifications may have been missed."""
        if self._taking_up is not None:  # otherwise the start will resume them
            self._tables.let_go()
            for messages in self._display.known:
                messages.invalidate()
            self.begin()

    def _refresh_changed(self, about: About) -> None:
        """Refresh a match that another process has changed, or a click on which it has answered."""
        match_id = about["match"]
        if (self._shards or ALL_SHARDS).has(about["guild"]):
            self._tasks.start(self._show_changed(match_id, about.get("player"), about.get("stale")))
        elif self._display.has_panels(match_id):
            self._display.refresh(match_id)

    async def _show_changed(self, match_id: str, player_id: int | None, is_stale: bool | None) -> None:
        if player_id is not None:
            self._display.recent_activity.note(player_id)
            self._display.of(match_id).drop_panel(player_id, deletes=True)
        try:
            table = await self._tables.changed(match_id)
            seat = table.match.seat_of(player_id) if is_stale and player_id is not None else None
            if seat is not None:
                self._display.of(match_id).invalidate(hand_key(seat))
        except (AwayError, TableError) as error:
            log.info("what another process did is not shown yet", error=type(error).__name__)
        except Exception:
            log.exception("what another process did could not be shown")
        finally:
            self._display.refresh(match_id)

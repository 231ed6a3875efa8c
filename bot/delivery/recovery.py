"""Recovery of live tables after a start, an outage or a change by another process.

A heartbeat is a Unix time that the bot stores regularly while it is connected to Discord. A gap between
heartbeats is an outage. Turn clocks do not run during an outage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import discord
import structlog
from discord.ext import commands, tasks

from bot.background import BackgroundTasks
from bot.delivery.display import Display
from bot.delivery.message_keys import hand_key
from bot.engine.errors import UnavailableError
from bot.matches.shards import ALL_SHARDS, Shards
from bot.requests.budget import Priority
from bot.sessions.errors import TableError
from bot.sessions.tables import Tables
from bot.storage.cluster.pubsub import MATCH, MISSED, About
from bot.storage.database import Database
from bot.storage.database_lock import BEAT_SECONDS, last_lived, note_alive, note_gone, note_left
from bot.storage.writer import StorageFailedError

log = structlog.get_logger(__name__)

AWAY_SECONDS = 10
"""Seconds between two attempts to read the live tables while the database is unavailable."""

LEAST_SECONDS = 10
"""The shortest outage, in seconds, for which turn clocks are adjusted. A quick restart is shorter."""

LATE_SECONDS = BEAT_SECONDS * 1.5
"""Seconds after the last heartbeat at which the next one counts as missed."""


@dataclass(eq=False)
class Recovery(commands.Cog):
    """A cog that resumes live tables after a start or an outage, and updates outdated messages.

    It stores heartbeats from the time the bot is ready until the bot shuts down normally.

    Attributes:
        _shards: This process's shards, or None for all.
        _lived_at: The Unix time of the last heartbeat, also of an earlier process, or None if unknown.
    """

    _tables: Tables
    _display: Display
    _database: Database
    _clock: Callable[[], int]
    _shards: Shards | None
    _client: discord.Client
    _is_connected: Callable[[], bool]

    def __post_init__(self) -> None:
        self._lived_at: int | None = None
        self._tasks = BackgroundTasks()
        self._taking_up: asyncio.Task[None] | None = None
        self._database.pubsub.subscribe(MATCH, self._refresh_changed)
        self._database.pubsub.subscribe(MISSED, self._resume_all)

    async def begins(self) -> None:
        """Adjust all turn clocks, so that the time during which the bot was offline does not count.

        This must be called before the first event is handled.
        """
        since = self._lived_at = await last_lived(self._database.notes, self._shards)
        if since is not None and self._clock() - since >= LEAST_SECONDS:
            with suppress(StorageFailedError):  # the storage has logged it
                await self._database.journal.stop_clocks(since, self._shards)
                await self._add_outage(since, self._clock())

    async def cog_load(self) -> None:
        self._display.silent_since = self._silent_since
        self._beat.start()

    async def cog_unload(self) -> None:
        """Stop the heartbeat, and store that the bot has shut down normally.

        If a heartbeat is just being written, the database writes it first.
        """
        self._beat.cancel()
        with suppress(StorageFailedError, UnavailableError):
            await note_left(self._database.notes, self._clock(), self._shards)
            await note_gone(self._database.notes, self._shards)

    @tasks.loop(seconds=BEAT_SECONDS)
    async def _beat(self) -> None:
        """Store a heartbeat if the bot is connected. After a gap, adjust all turn clocks."""
        if not self._is_connected():
            return
        try:
            with suppress(StorageFailedError):  # the storage has logged it
                await self._note_alive()
        except Exception:  # the loop must go on, or all tables would stay paused
            log.exception("sign of life not stored")

    @_beat.before_loop
    async def _wait(self) -> None:
        await self._client.wait_until_ready()

    async def _note_alive(self) -> None:
        await note_alive(self._database.notes, self._clock(), self._shards)
        now, since = self._clock(), self._lived_at
        if since is not None and now - since > LATE_SECONDS:
            await self._database.journal.stop_clocks(since, self._shards)
            await self._add_outage(since, now)
            self._tables.evict()
            self.begin()
        self._lived_at = now  # only now, so that no turn is passed before the clocks are adjusted

    async def _add_outage(self, since: int, until: int) -> None:
        """Store an outage that lasted from one Unix time to another.

        The next start then does not count it again.
        """
        await self._database.outages.add(since, until, self._shards)
        await note_left(self._database.notes, until, self._shards)
        self._lived_at = until

    def _silent_since(self) -> int | None:
        """Return the Unix time since which the bot has been unable to act, or None if it can act.

        If the last heartbeat is late or the bot is disconnected, this is the time of the last heartbeat.
        """
        at = self._lived_at
        is_late = at is not None and self._clock() - at > LATE_SECONDS
        return at if is_late or not self._is_connected() else None

    def begin(self) -> None:
        """Start a background task that resumes the live tables and refreshes outdated messages.

        The task waits until the bot is ready. If a turn has timed out, the bot can then show its end.
        Matches are refreshed one by one, so that clicks have priority.
        """
        if self._taking_up is not None:
            self._taking_up.cancel()
        self._taking_up = self._tasks.start(self._take_up())

    async def close(self) -> None:
        """Cancel the background tasks that resume and refresh tables."""
        await self._tasks.close()

    async def _take_up(self) -> None:
        await self._client.wait_until_ready()
        live = None
        while live is None:
            try:
                live = await self._tables.resume()
            except UnavailableError:
                await asyncio.sleep(AWAY_SECONDS)
            except Exception:
                log.exception("tables not resumed")
                return
        log.info("tables resumed", tables=len(live))
        may_differ = self._display.permissions.may_differ
        differing = [match.match_id for match in live if may_differ(match)]
        unsure = self._display.possibly_outdated({match.match_id for match in live})
        for match_id in (*differing, *unsure):
            await self._display.refresh_now(match_id, Priority.UPKEEP)

    # ---- what other processes do ---------------------------------------------------------------

    def _resume_all(self, _about: About) -> None:
        """Reload all live tables, because notifications from other processes may have been lost."""
        if self._taking_up is not None:  # otherwise the start will resume them
            self._tables.evict()
            for messages in self._display.loaded_messages:
                messages.invalidate()
            self.begin()

    def _refresh_changed(self, about: About) -> None:
        """Refresh a match after another process has changed it or answered a click on it."""
        match_id = about["match"]
        if (self._shards or ALL_SHARDS).has(about["guild"]):
            self._tasks.start(self._show_changed(match_id, about.get("player"), about.get("stale")))
        elif self._display.has_panels(match_id):
            self._display.refresh(match_id)

    async def _show_changed(self, match_id: str, player_id: int | None, is_stale: bool | None) -> None:
        if player_id is not None:
            self._display.recent_activity.note(player_id)
            self._display.messages_of_match(match_id).drop_panel(player_id, deletes=True)
        try:
            table = await self._tables.reload(match_id)
            seat = table.match.seat_of(player_id) if is_stale and player_id is not None else None
            if seat is not None:
                self._display.messages_of_match(match_id).invalidate(hand_key(seat))
        except (UnavailableError, TableError) as error:
            log.info("changes by another process not shown yet", error=type(error).__name__)
        except Exception:
            log.exception("changes by another process not shown")
        finally:
            self._display.refresh(match_id)

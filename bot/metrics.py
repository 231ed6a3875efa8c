"""Prometheus metrics of the bot, served over HTTP.

This module registers callbacks in the parts that it measures. Those parts do not import this module. No
metric contains the ID of a player, server, channel, message or match.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from time import perf_counter
from typing import TypeVar

import aiohttp
import discord
import structlog
from aiohttp import web
from discord.ext import commands
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.delivery.click_dispatch import Clicks, parse_click
from bot.engine.frozen import frozen
from bot.engine.opponent import Mover
from bot.engine.worker_task import Read, Task
from bot.requests.answers import COMPONENTS, Answer
from bot.requests.budget import TOO_MANY, Budget, Priority
from bot.requests.discord_errors import ErrorKind, error_kind_of
from bot.requests.http_transport import json_of
from bot.sessions.ports import Opponents
from bot.sessions.tables import Tables
from bot.settings import SettingsError
from bot.storage.database import Database
from bot.storage.writer import StorageFailedError

ANSWER_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Buckets in seconds. Discord discards an answer after 3 seconds."""

THINKING_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)
WRITE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)


class Instruments:
    """All counters, gauges and histograms of the bot, in one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        count, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        times = partial(Histogram, registry=registry)
        answers = partial(times, buckets=ANSWER_BUCKETS)
        self.clicks = count(
            "ribit_clicks", "Clicks and commands, by how they ended", ["kind", "outcome"]
        )
        self.acknowledged = answers(
            "ribit_acknowledgement_seconds", "From a click's arrival until Discord had been answered"
        )
        self.pictured = answers(
            "ribit_picture_seconds", "From a click's arrival until its answer showed a picture"
        )
        self.moves = count("ribit_moves", "Moves that were stored", ["game", "mover"])
        self.tables = gauge("ribit_live_tables", "Live matches in the database", ["game"])
        self.thinking = times(
            "ribit_thinking_seconds",
            "How long a thought was waited for",
            ["game", "thought"],
            buckets=THINKING_BUCKETS,
        )
        self.writing = gauge("ribit_waiting_writes", "Writes that wait to be committed")
        self.written = times(
            "ribit_write_seconds", "From a write until it was committed", buckets=WRITE_BUCKETS
        )
        self.announce_halt = gauge("ribit_halted", "1 while nothing can be stored and play has paused")
        self.requests = count("ribit_requests", "Requests that Discord answered", ["limited"])
        self.refused = count(
            "ribit_refused_requests", "Requests that failed, save by limits", ["meaning"]
        )
        self.limits = count("ribit_rate_limits", "Requests that met a rate limit (429)", ["scope"])
        self.waiting = gauge("ribit_waiting_requests", "Requests that wait for their turn", ["urgency"])
        self.rate = gauge("ribit_request_rate", "Limited requests a second that this process may make")
        self.shards = gauge("ribit_shards", "Shards that this process runs")
        self.shards_up = gauge("ribit_shards_up", "Shards of this process that are connected")
        self.bot_shards = gauge("ribit_bot_shards", "Shards that the whole bot has")


UNKNOWN = "unknown"  # an interaction that this bot never offered


def kind_of(interaction: discord.Interaction, clicks: Clicks) -> str:
    """Return the metrics label of an interaction: the command's name or the click's type.

    For unknown input, return ``UNKNOWN``.
    """
    if interaction.type not in COMPONENTS:
        command = interaction.command
        return UNKNOWN if command is None else f"/{command.qualified_name}"
    return clicks.metric_label(parse_click(interaction)) or UNKNOWN


T = TypeVar("T")

SCOPES = ("user", "global", "shared")
"""Discord's scopes of rate limits: per bot and route, per bot, and per resource for all its users."""

COUNT_SECONDS = 1.0  # timeout in seconds for the query of live tables
_FAILED, _SWITCHED = 400, 101
_GATEWAY = ("ws", "wss")
_OUTSIDE_LIMITS = ("/interactions/", "/webhooks/")


class Metrics:
    """Metrics since the start of the process. They are kept if the bot restarts within the process."""

    def __init__(self) -> None:
        # Without this, each metric would have a further line with its creation time, although the start
        # of the process is a metric already. The function has no types.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._on = Instruments(self.registry)
        for kind in ErrorKind:  # series start at 0, so that their first increase is visible
            self._on.refused.labels(kind.value)
        for scope in (*SCOPES, UNKNOWN):
            self._on.limits.labels(scope)
        self._database: Database | None = None
        self.port = 0
        """The port of the metrics' HTTP server."""

    # ---- what is observed ----------------------------------------------------------------------

    def follow(
        self,
        bot: commands.AutoShardedBot,
        *,
        clicks: Clicks,
        database: Database,
        tables: Tables,
        budget: Budget,
    ) -> None:
        """Start measuring a bot. Metrics of a previous bot in the same process are continued."""
        self._database, self._clicks = database, clicks
        bot.add_listener(self._count_answer, "on_answered")
        tables.moved = self._count_move
        database.writer.written = self._on.written.observe
        self._on.writing.set_function(lambda: database.writer.waiting)
        self._on.announce_halt.set_function(lambda: database.halt.is_halted)
        for priority in Priority:
            waiting = self._on.waiting.labels(priority.name.lower())
            waiting.set_function(partial(budget.waiting, priority))
        self._on.shards.set_function(lambda: len(bot.shards))
        self._on.shards_up.set_function(
            lambda: sum(not shard.is_closed() for shard in bot.shards.values())
        )
        self._on.rate.set_function(lambda: budget.rate)
        self._on.bot_shards.set_function(lambda: bot.shard_count or 0)

    def listen(self, trace: aiohttp.TraceConfig) -> None:
        """Count requests to Discord, including retries. Refused requests are also counted separately."""
        trace.on_request_end.append(self._count_request)
        trace.on_request_exception.append(self._cut_off)

    def timing(self, opponents: Opponents) -> Opponents:
        """Wrap a task runner, so that the metrics record how long its answers take."""
        return _Timed(opponents, self._on.thinking)

    async def _count_answer(self, answer: Answer) -> None:
        kind = kind_of(answer.interaction, self._clicks)
        self._on.clicks.labels(kind, answer.outcome.value).inc()
        if answer.acknowledged_after is not None:
            self._on.acknowledged.observe(answer.acknowledged_after)
        if answer.pictured_after is not None:
            self._on.pictured.observe(answer.pictured_after)

    def _count_move(self, game: str, mover: Mover) -> None:
        self._on.moves.labels(game, mover.value).inc()

    async def _count_request(
        self, _session: object, _context: object, told: aiohttp.TraceRequestEndParams
    ) -> None:
        answer, status = told.response, told.response.status
        if status == _SWITCHED:  # the gateway's
            return
        is_limited = not any(part in answer.url.path for part in _OUTSIDE_LIMITS)
        self._on.requests.labels("yes" if is_limited else "no").inc()
        if status == TOO_MANY:
            self._on.limits.labels(answer.headers.get("X-RateLimit-Scope", UNKNOWN)).inc()
        elif status >= _FAILED:
            body = await json_of(answer)
            kind = error_kind_of(status, body.get("code", 0) if isinstance(body, dict) else 0)
            self._on.refused.labels(kind.value).inc()

    async def _cut_off(
        self, _session: object, _context: object, told: aiohttp.TraceRequestExceptionParams
    ) -> None:
        is_given_up = isinstance(told.exception, asyncio.CancelledError)
        if told.url.scheme not in _GATEWAY and not is_given_up:
            self._on.refused.labels(ErrorKind.TROUBLE.value).inc()

    async def count_tables(self) -> None:
        """Update the number of live tables.

        If the query fails, remove the metric instead of keeping old values.
        """
        self._on.tables.clear()
        if self._database is not None:
            # the database is unavailable or closed
            with suppress(TimeoutError, StorageFailedError, sqlite3.Error, ValueError):
                async with asyncio.timeout(COUNT_SECONDS):
                    counts = await self._database.journal.live_by_game()
                for game, number in counts.items():
                    self._on.tables.labels(game).set(number)


@frozen
class _Timed:
    """A wrapper around a task runner that records the duration of each task."""

    opponents: Opponents
    seconds: Histogram

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Run a task and record its duration.

        Refused tasks are not recorded, because they end quickly and would distort the metric.
        """
        began = perf_counter()
        answer = await self.opponents.ask(task, who=who, read=read)
        if task.label:
            self.seconds.labels(task.game, task.label).observe(perf_counter() - began)
        return answer


log = structlog.get_logger(__name__)

CLOSE_SECONDS = 1.0


@asynccontextmanager
async def serving(address: str) -> AsyncIterator[Metrics]:
    """Serve metrics over HTTP while the block runs, at an address such as ``127.0.0.1:9464``.

    The HTTP server runs in the bot's event loop, so scrapes fail if that loop is blocked.

    Raises:
        SettingsError: The metrics cannot be served at the address.
    """
    figures = Metrics()
    page = make_aiohttp_handler(figures.registry)

    async def answer(request: web.Request) -> web.StreamResponse:
        await figures.count_tables()
        return await page(request)

    host, _colon, port = address.rpartition(":")
    app = web.Application()
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSE_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host.strip("[]"), int(port)).start()
        except OSError as error:
            reason = str(error.strerror or error).rpartition(": ")[2].lower()
            raise SettingsError(
                f"Figures cannot be served at RIBIT_METRICS={address}: {reason}. Set an address of this "
                "machine, and a port that nothing else has; each process of the bot needs one of its "
                "own."
            ) from None
        figures.port = runner.addresses[0][1]
        log.info("serving metrics", port=figures.port)
        yield figures
    finally:
        await runner.cleanup()

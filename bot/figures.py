"""Figures to steer by, for Prometheus: counted where things happen, and served over HTTP.

Nobody who is counted knows of it: what happens is told to observers, which the wiring hands in. No
figure holds an id, of a player, a server, a channel, a message or a match. What each means is in
docs/figures.md.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

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

from bot.delivery.answers import Answer
from bot.delivery.budget import TOO_MANY, Budget, Urgency
from bot.delivery.meanings import Meaning, meaning_of
from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.messages.ids import (
    Action,
    Ask,
    BoardPage,
    FrogPick,
    GoBack,
    InThread,
    Learn,
    RulesPage,
    SettingPick,
    ShowHow,
    StandIn,
    read_id,
)
from bot.sessions.click import Click
from bot.sessions.clock import Mover
from bot.sessions.ports import Opponents
from bot.sessions.tables import Tables
from bot.settings import SettingsError
from bot.storage import Database, HaltedError
from cogs.clicks import ACTIONS

log = structlog.get_logger(__name__)

ANSWER_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Discord gives up on a click after 3 seconds."""

THINKING_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)
WRITE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)

UNKNOWN = "unknown"
"""What was asked that this bot never offered."""

KINDS: Mapping[type, str] = {
    Click: "choice",
    FrogPick: "frogs",
    StandIn: "stand in",
    Ask: "question",
    GoBack: "go back",
    ShowHow: "show how",
    BoardPage: "board",
    RulesPage: "rules page",
    InThread: "thread",
    Learn: "lesson",
    SettingPick: "setting",
}
"""What the buttons and menus are for; those of a match that are no choice go by their action."""

SCOPES = frozenset({"user", "global", "shared"})
"""Whose limit Discord says was met: this bot's at one place, its 50 a second, or everybody's there."""

COUNT_SECONDS = 1.0
"""How long the database is waited for where live tables are counted."""

CLOSE_SECONDS = 1.0

_FAILED, _SWITCHED = 400, 101
_GATEWAY = ("ws", "wss")
_OUTSIDE_LIMITS = ("/interactions/", "/webhooks/")


class Figures:
    """What a process has counted since it started; a bot that comes after another goes on."""

    def __init__(self) -> None:
        # A line more for each figure, and when the process started says it. The function has no types.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        count = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        times = partial(Histogram, registry=self.registry)
        self._clicks = count(
            "ribit_clicks", "Clicks and commands that were answered, or given up", ["kind", "outcome"]
        )
        self._acknowledged = times(
            "ribit_acknowledgement_seconds",
            "From a click's arrival until Discord had been answered",
            buckets=ANSWER_BUCKETS,
        )
        self._pictured = times(
            "ribit_picture_seconds",
            "From a click's arrival until its answer showed a picture",
            buckets=ANSWER_BUCKETS,
        )
        self._moves = count("ribit_moves", "Moves that were stored", ["game", "mover"])
        self._tables = gauge("ribit_live_tables", "Live matches in the database", ["game"])
        self._writing = gauge("ribit_waiting_writes", "Writes that wait to be committed")
        self._written = times(
            "ribit_write_seconds", "From a write until it was committed", buckets=WRITE_BUCKETS
        )
        self._halted = gauge("ribit_halted", "1 while nothing can be stored and play has paused")
        self._requests = count("ribit_requests", "Requests to Discord", ["limited"])
        self._refused = count(
            "ribit_refused_requests", "Requests that failed, save by limits", ["meaning"]
        )
        self._limits = count("ribit_rate_limits", "Requests that met a rate limit (429)", ["scope"])
        self._waiting = gauge("ribit_waiting_requests", "Requests that wait for a turn", ["urgency"])
        self._thinking = times(
            "ribit_thinking_seconds",
            "How long a thought was waited for",
            ["game", "thought"],
            buckets=THINKING_BUCKETS,
        )
        self._shards = gauge("ribit_shards", "Shards that this process runs")
        self._shards_up = gauge("ribit_shards_up", "Shards that are connected")
        self._bot_shards = gauge("ribit_bot_shards", "Shards that the whole bot has")
        self._database: Database | None = None
        self.port = 0
        """Where they are served."""

    # ---- what is observed ----------------------------------------------------------------------

    def follow(
        self, bot: commands.AutoShardedBot, *, database: Database, tables: Tables, budget: Budget
    ) -> None:
        """Count what happens in a bot from now on, in place of the one before."""
        self._database = database
        bot.add_listener(self._answered, "on_answered")
        tables.watch_moves(self._moved)
        database.watch_writes(self._written.observe)
        self._writing.set_function(lambda: database.waiting)
        self._halted.set_function(lambda: database.halt.is_halted)
        for urgency in Urgency:
            waiting = self._waiting.labels(urgency.name.lower())
            waiting.set_function(partial(budget.waiting, urgency))
        self._shards.set_function(lambda: len(bot.shards))
        self._shards_up.set_function(lambda: sum(not shard.is_closed() for shard in bot.shards.values()))
        self._bot_shards.set_function(lambda: bot.shard_count or 0)

    def tracing(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Have a trace count the requests to Discord, also those that are made again, and refusals."""
        trace.on_request_end.append(self._requested)
        trace.on_request_exception.append(self._cut_off)
        return trace

    def timing(self, opponents: Opponents) -> Opponents:
        """Return opponents who think as these do, each thought timed."""
        return _Timed(opponents, self._thinking)

    async def _answered(self, answer: Answer) -> None:
        self._clicks.labels(kind_of(answer.interaction), answer.outcome.value).inc()
        if answer.acknowledged_after is not None:
            self._acknowledged.observe(answer.acknowledged_after)
        if answer.pictured_after is not None:
            self._pictured.observe(answer.pictured_after)

    def _moved(self, game: str, mover: Mover) -> None:
        self._moves.labels(game, mover.value).inc()

    async def _requested(
        self, _session: object, _context: object, end: aiohttp.TraceRequestEndParams
    ) -> None:
        status = end.response.status
        if status == _SWITCHED:  # the gateway's
            return
        is_limited = not any(part in end.url.path for part in _OUTSIDE_LIMITS)
        self._requests.labels("yes" if is_limited else "no").inc()
        if status == TOO_MANY:
            scope = end.response.headers.get("X-RateLimit-Scope", UNKNOWN)
            self._limits.labels(scope if scope in SCOPES else UNKNOWN).inc()
        elif status >= _FAILED:
            said = meaning_of(status, await _code(end.response))
            self._refused.labels(said.value).inc()

    async def _cut_off(
        self, _session: object, _context: object, end: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if isinstance(end.exception, asyncio.CancelledError) or end.url.scheme in _GATEWAY:
            return
        self._refused.labels(Meaning.TROUBLE.value).inc()

    # ---- serving -------------------------------------------------------------------------------

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer Prometheus with all figures, as they are now."""
        await self._count_tables()
        return await make_aiohttp_handler(self.registry)(request)

    async def _count_tables(self) -> None:
        """Count the live tables; where that cannot be done now, no number is better than an old one."""
        found: dict[str, int] | None = None
        if self._database is not None:
            with suppress(TimeoutError, HaltedError, sqlite3.Error, ValueError):  # away, or closed
                async with asyncio.timeout(COUNT_SECONDS):
                    found = await self._database.census.live()
        self._tables.clear()
        for game, number in (found or {}).items():
            self._tables.labels(game).set(number)


@frozen
class _Timed:
    """Opponents whose thoughts are timed."""

    opponents: Opponents
    seconds: Histogram

    async def choose(self, game: str, strength: Strength, memory: Any, lot: bytes) -> str:
        with self.seconds.labels(game, strength.value).time():
            return await self.opponents.choose(game, strength, memory, lot)

    async def find_deal(self, game: str, options: Mapping[str, int]) -> Mapping[str, int] | None:
        with self.seconds.labels(game, "deal").time():
            return await self.opponents.find_deal(game, options)

    async def answer(self, game: str, question: str, state: Any) -> str | None:
        with self.seconds.labels(game, "answer").time():
            return await self.opponents.answer(game, question, state)

    async def line(self, game: str, state: Any, moves: int) -> tuple[str, ...] | None:
        with self.seconds.labels(game, "line").time():
            return await self.opponents.line(game, state, moves)


def kind_of(interaction: discord.Interaction) -> str:
    """Return what was clicked, or which command was given: one of few words, whatever was sent."""
    if interaction.type is not discord.InteractionType.component:
        command = interaction.command
        return UNKNOWN if command is None else f"/{command.qualified_name}"
    data: Mapping[str, Any] = interaction.data or {}
    asked = read_id(str(data.get("custom_id", "")), [str(value) for value in data.get("values", ())])
    if isinstance(asked, Action):
        return asked.name if asked.name in ACTIONS else UNKNOWN
    return KINDS.get(type(asked), UNKNOWN)


async def _code(response: aiohttp.ClientResponse) -> int:
    """Return the code of Discord's refusal, or 0; who made the request reads the same body after."""
    with suppress(aiohttp.ClientError, OSError, ValueError):
        said = json.loads(await response.read())
        return int(said.get("code", 0)) if isinstance(said, dict) else 0
    return 0


@asynccontextmanager
async def serving(address: str) -> AsyncIterator[Figures]:
    """Serve figures at an address, such as ``127.0.0.1:9464``, inside the block.

    They are served from the bot's own event loop: what they are read from changes nowhere else, and a
    loop that does not come round to it would not answer clicks either. Raises SettingsError where they
    cannot be served there.
    """
    figures = Figures()
    host, _colon, port = address.rpartition(":")
    app = web.Application()
    app.router.add_get("/metrics", figures.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSE_SECONDS)
    await runner.setup()
    try:
        await _open(runner, host.strip("[]"), int(port), address)
        figures.port = runner.addresses[0][1]
        log.info("figures are served", port=figures.port)
        yield figures
    finally:
        await runner.cleanup()


async def _open(runner: web.AppRunner, host: str, port: int, address: str) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        said = str(error.strerror or error).rpartition(": ")[2].lower()
        raise SettingsError(
            f"Figures cannot be served at RIBIT_METRICS={address}: {said}. Set an address of this "
            "machine, and a port that nothing else has; each process of the bot needs one of its own."
        ) from None

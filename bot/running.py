"""Running of the bot from its start until a signal stops it."""

from __future__ import annotations

import asyncio
import gc
import math
import platform
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from email.utils import parsedate_to_datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import aiohttp
import discord
import structlog

from bot import __version__
from bot.app import Ribit
from bot.background import BackgroundTasks, pauses
from bot.console import stop_event
from bot.engine.errors import ConfigurationError, RibitError
from bot.games import games
from bot.languages import load_languages
from bot.logs import configure_logs
from bot.matches.shards import Shards
from bot.rendering import draw
from bot.requests.http_transport import ask_at
from bot.sessions.table_timers import DiscordClock
from bot.settings import (
    LOGIN_REFUSED,
    Settings,
    SettingsError,
    complaints,
    no_token,
    read_settings,
    sources,
)
from bot.storage.backups import back_up_before_update
from bot.storage.database import open_database
from bot.storage.database_address import AbsentDatabaseError, Location, Server, locate
from bot.storage.database_lock import lock_database, note_holder
from bot.storage.writer import StorageFailedError, UnreachableDatabaseError

if TYPE_CHECKING:
    from bot.metrics import Metrics

if sys.platform == "win32":
    from asyncio import run as run_loop
else:
    from uvloop import run as run_loop

T = TypeVar("T")

log = structlog.get_logger(__name__)

CANCEL_SECONDS = 0.5
DISK_SECONDS = 60.0  # seconds to wait for a database whose disk is not mounted yet
# First and longest delay between connection attempts, rare enough not to get the host banned.
PAUSE_SECONDS = (1.0, 60.0)

GARBAGE_AFTER = (3_000, 2, 50)
"""Garbage collection thresholds. Python's defaults are 700, 10 and 10.

discord.py's components form reference cycles. Frequent collections of the second generation free most of
them, so that the slow full collections can be rare.
"""

TOO_MANY = 429
FAILS = 500

_OUTDATED = "Discord does not understand this Ribit any more (close code {code}). Update it."

REFUSALS = {
    4004: LOGIN_REFUSED,
    4012: _OUTDATED,
    4013: _OUTDATED,
    4014: "Discord does not allow the bot its intents any more (close code {code}). Update it.",
}
"""Advice for the host, by the gateway's close code. After these codes, a retry is useless."""

REFUSED_SHARDS = (4010, 4011)  # the gateway's close codes for an invalid shard, and for too few shards

OUTAGES = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.ConnectionClosed,
    aiohttp.ClientError,
    OSError,  # including TimeoutError
    RecursionError,  # discord.py's launch of a shard calls itself after each failure
)
"""Errors that can occur at startup if Discord or the network is down."""


class StartError(ConfigurationError):
    """Raised when the bot cannot start. Its ``sentence`` also tells the host what to do."""


def run_bot(*, is_backed_up: bool = False) -> None:
    """Run the bot until a signal stops it.

    Args:
        is_backed_up: True if the host has a backup of the database. If the database is older than this
            version, it is then updated without another backup.

    Raises:
        RibitError: The bot cannot start.
    """
    settings = read_settings()
    configure_logs(settings.log_level, settings.log_format)
    location = locate(settings.database)
    log.info(
        "Ribit starts",
        version=__version__,
        python=platform.python_version(),
        database=str(location.absolute() if isinstance(location, Path) else location),
        settings=sources(),
        **({"proxy": settings.proxy_place} if settings.proxy else {}),
    )
    for sentence in complaints():
        log.warning(sentence)
    try:
        run_loop(serve(settings, is_backed_up=is_backed_up))
    except RibitError:  # a sentence for the user of the command line
        raise
    except Exception:
        log.exception("Ribit stopped after an unexpected error")
        sys.exit(1)


async def serve(settings: Settings, *, is_backed_up: bool = False) -> None:
    if settings.token is None:
        raise SettingsError(f"{no_token()} `ribit demo` needs none.")
    try:
        for game in games().values():  # the first picture of a process is slow, because fonts are loaded
            draw(game.pages()[0].picture())
    except (OSError, ModuleNotFoundError) as error:  # a missing font is not an outage
        raise StartError(f"A table cannot be drawn ({error}). See ribit doctor.") from error
    # Every bot loads the catalogues, but a broken one must be reported before anything is opened.
    load_languages()
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Ribit does not use voice
    ask_at(settings.discord_api)
    tasks = BackgroundTasks()
    location = locate(settings.database)
    before_update = None if is_backed_up else partial(back_up_before_update, location)
    service = tasks.start(_keep_serving(location, settings.token, settings, before_update))
    stop_signal = tasks.start(stop_event().wait())
    try:
        await asyncio.wait({service, stop_signal}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await tasks.close()
    if not service.cancelled():
        service.result()


async def _keep_serving(
    location: Location,
    token: str,
    settings: Settings,
    before_update: Callable[[int], None] | None,
) -> None:
    """Run the bot. If it fails because of an outage, wait and start a new one.

    If Discord refuses the token, raise an error instead.

    On exit, the metrics' port is released before the database. Another process may be waiting for the
    database and needs the port as soon as it gets the database.
    """
    loop, clock, waits = asyncio.get_running_loop(), DiscordClock(), pauses(*PAUSE_SECONDS)
    async with AsyncExitStack() as stack:
        taken_away = await _when_there(
            location, lambda: stack.enter_async_context(lock_database(location, settings.shards))
        )
        figures: Metrics | None = None
        if settings.metrics is not None:
            from bot.metrics import serving  # noqa: PLC0415 — 0.1 s and 2 MB, only if metrics are served

            figures = await stack.enter_async_context(serving(settings.metrics))
        while True:
            database = await _when_there(
                location, lambda: open_database(location, settings.shards, before_update)
            )
            began = loop.time()
            bot = Ribit(
                database=database,
                games=games(),
                clock=clock,
                http_trace=_trace(clock),
                requests_per_second=settings.requests_per_second,
                emojis=True,
                shards=settings.shards,
                figures=figures,
                privacy_policy=settings.privacy_url,
                proxy=settings.proxy,
            )
            try:
                async with bot:
                    await _run(bot, token, settings.shards, taken_away)
            except (UnreachableDatabaseError, *OUTAGES) as error:
                if loop.time() - began > PAUSE_SECONDS[1]:
                    waits = pauses(*PAUSE_SECONDS)  # the bot has worked meanwhile
                await _pause(error, next(waits))
            else:
                return


async def _when_there(location: Location, act: Callable[[], Awaitable[T]]) -> T:
    """Run an action that needs the database. While the database is unavailable, retry.

    If the database is a file, give up after ``DISK_SECONDS``. Otherwise, retry forever.
    """
    now, waits = asyncio.get_running_loop().time, pauses(*PAUSE_SECONDS)
    until = math.inf if isinstance(location, Server) else now() + DISK_SECONDS
    while True:
        try:
            return await act()
        except AbsentDatabaseError as error:
            if now() >= until:
                raise
            log.warning("the database is unreachable, retrying", error=error.sentence)
        await asyncio.sleep(next(waits))


async def _run(bot: Ribit, token: str, shards: Shards | None, taken_away: asyncio.Future[None]) -> None:
    """Run a bot until it ends, and close it properly even after a failure or cancellation.

    Args:
        bot: The bot.
        token: The token.
        shards: The shards of this process, or None for all.
        taken_away: A future that fails when this process loses the database. Its error is raised.
    """
    service = asyncio.create_task(_start(bot, token, shards))
    try:
        await asyncio.wait({taken_away, service}, return_when=asyncio.FIRST_COMPLETED)
        (taken_away if taken_away.done() else service).result()
    except discord.LoginFailure:
        raise StartError(LOGIN_REFUSED) from None
    except discord.PrivilegedIntentsRequired:  # discord.py's error for 4014
        raise StartError(REFUSALS[4014].format(code=4014)) from None
    except discord.ConnectionClosed as error:
        sentence = _refusal(error.code, shards)
        if sentence is None:
            raise
        raise StartError(sentence) from None
    finally:
        service.cancel()  # a reconnecting shard ignores this until the bot is closed
        await asyncio.wait({service}, timeout=CANCEL_SECONDS)
        # A separate task, which is never cancelled. In this one, a timeout would count as a further
        # cancellation on Python 3.11.2.
        await asyncio.gather(bot.close())
        service.cancel()  # otherwise, the next reconnecting shard would continue for up to a minute
        await asyncio.gather(service, return_exceptions=True)


async def _start(bot: Ribit, token: str, shards: Shards | None) -> None:
    database = bot.database
    try:
        await note_holder(database.notes, int(time.time()), shards)
    except (sqlite3.Error, StorageFailedError):
        log.exception("holder of the database not stored")
    await bot.login(token)
    gc.set_threshold(*GARBAGE_AFTER)
    preparing = asyncio.create_task(_freeze(bot))
    try:
        await bot.connect()
    finally:
        preparing.cancel()


async def _freeze(bot: Ribit) -> None:
    """Exclude all objects that were created during startup from later garbage collections."""
    await bot.wait_until_ready()
    gc.collect()
    gc.freeze()


def _refusal(code: int, shards: Shards | None) -> str | None:
    if code in REFUSED_SHARDS and shards is not None:
        return (
            f"Discord does not accept the shards {shards}: {shards.count} may be too few. Stop all "
            "processes, and give RIBIT_SHARDS a larger count."
        )
    return REFUSALS[code].format(code=code) if code in REFUSALS else None


async def _pause(error: Exception, seconds: float) -> None:
    """Log a failure, and wait before the next attempt.

    If Discord sent a Retry-After header with a longer time, wait that long.
    """
    if isinstance(error, discord.HTTPException) and error.status == TOO_MANY:
        delay = str(error.response.headers.get("Retry-After", ""))
        seconds = max(seconds, float(delay) if delay.isdecimal() else 0.0)
    reason = (str(error) or type(error).__name__).splitlines()[0]
    log.warning(
        "the database is unreachable, retrying"
        if isinstance(error, UnreachableDatabaseError)
        else "Discord is unreachable, retrying",
        error=reason,
        in_seconds=round(seconds, 1),
    )
    await asyncio.sleep(seconds)


def _trace(clock: DiscordClock) -> aiohttp.TraceConfig:
    """Return an aiohttp trace that observes responses from Discord.

    It sets the clock by each response's Date header. It logs a server error only the first time that its
    status occurs.
    """

    @cache
    def tell_once(status: int) -> None:  # discord.py retries for 25 s before it raises an error
        log.warning("Discord is failing requests, retrying", status=status)

    async def log_response(
        _session: object, _context: object, told: aiohttp.TraceRequestEndParams
    ) -> None:
        if told.response.status >= FAILS:
            tell_once(told.response.status)
        with suppress(KeyError, ValueError):
            clock.correct(parsedate_to_datetime(told.response.headers["Date"]).timestamp())

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(log_response)
    return trace

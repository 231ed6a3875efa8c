"""The bot in service, from its start until it is told to stop."""

from __future__ import annotations

import asyncio
import platform
import signal
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, nullcontext, suppress
from email.utils import parsedate_to_datetime
from functools import lru_cache
from pathlib import Path
from random import uniform
from typing import TYPE_CHECKING, TypeVar

import aiohttp
import discord
import structlog

from bot import installed_version
from bot.app import Ribit
from bot.delivery.answers import give_way
from bot.delivery.connecting import Connector
from bot.delivery.ports import by_itself
from bot.engine.errors import RibitError
from bot.games import games
from bot.logs import configure_logs
from bot.rendering import load_main_font
from bot.sessions.steady import SteadyClock
from bot.settings import Settings, SettingsError, misspelt, no_token, read_settings, sources
from bot.storage import (
    AbsentDatabaseError,
    Fleet,
    HaltedError,
    Location,
    Server,
    UnreachableDatabaseError,
    locate,
    note_holder,
    open_database,
    tenant,
)
from bot.warming import draw_examples, warm_up

if TYPE_CHECKING:
    from bot.figures import Figures

if sys.platform == "win32":
    from asyncio import run as run_loop
else:
    from uvloop import run as run_loop

T = TypeVar("T")

log = structlog.get_logger(__name__)

CANCEL_SECONDS = 0.5
DISK_SECONDS = 60.0
"""How long a database is waited for whose disk is not there yet."""

DISK_PAUSE_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
"""How long is waited at most before Discord is tried again; so few tries bar no host."""

TOO_MANY = 429

REFUSED_TOKEN = 4004
"""The gateway's close code for "authentication failed"."""

REFUSED_SHARDS = (4010, 4011)
"""The gateway's close codes for shards that are none, and for too few of them for so many servers."""

OUTAGES = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.ConnectionClosed,
    aiohttp.ClientError,
    OSError,  # also a time that ran out
    RecursionError,  # discord.py's launch of a shard calls itself after each failure
)
"""What a start fails with while Discord, or the way to it, has troubles."""


class StartError(RibitError):
    """The bot cannot start; the sentence says what to do."""


class RefusedTokenError(StartError):
    """Discord knows no bot by the token: no further try helps."""


class RefusedShardsError(StartError):
    """Discord takes no such shards: no further try helps."""


def run_bot() -> None:
    """Read the settings and run the bot for real."""
    settings = read_settings()
    configure_logs(settings.log_level, settings.log_format)
    location = locate(settings.database)
    log.info(
        "Ribit starts",
        version=installed_version(),
        python=platform.python_version(),
        database=str(location.absolute() if isinstance(location, Path) else location),
        settings=sources(),
    )
    for sentence in misspelt():
        log.warning(sentence)
    try:
        run_loop(serve(settings))
    except RibitError:  # a sentence for who gave the command
        raise
    except Exception:
        log.exception("Ribit has ended by a fault")
        sys.exit(1)


async def serve(settings: Settings) -> None:
    """Run the bot until it is told to stop."""
    if settings.token is None:
        raise SettingsError(f"{no_token()} `python -m bot demo` needs none.")
    try:
        load_main_font()
    except (OSError, ModuleNotFoundError) as error:  # a font that is missing is no outage
        raise StartError(f"A table cannot be drawn ({error}). See python -m bot doctor.") from error
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Ribit has no voice
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C ends the program there
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    location = locate(settings.database)
    service = loop.create_task(_keep_serving(location, settings.token, settings))
    told = loop.create_task(stop.wait())
    try:
        await asyncio.wait({service, told}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        told.cancel()
        service.cancel()
        await asyncio.wait({service})
    if not service.cancelled():
        service.result()


async def _keep_serving(location: Location, token: str, settings: Settings) -> None:
    """Run one bot after the other on a database, until one ends in order or its token is refused.

    The port of the figures is taken after the database, and so given back before: who waits for the
    one finds the other free.
    """
    loop, clock, pauses = asyncio.get_running_loop(), SteadyClock(), _pauses()
    async with AsyncExitStack() as held:
        taken_away, fleet = await _when_there(
            location, lambda: held.enter_async_context(tenant(location, settings.shards))
        )
        cares = None if fleet is None else fleet.has
        figures = await _figures(held, settings.metrics)
        while True:
            database = await _when_there(location, lambda: open_database(location, cares))
            began = loop.time()
            bot = Ribit(
                database=database,
                games=games(),
                clock=clock,
                connector=_connector(clock),
                requests_per_second=settings.requests_per_second,
                emojis=True,
                shards=settings.shards,
                care=fleet,
                once=by_itself if fleet is None else fleet.once,
                share=None if fleet is None else fleet.share,
                figures=figures,
            )
            try:
                async with nullcontext() if fleet is None else fleet.with_bot():
                    await _unless(taken_away, _run(bot, token, fleet))
            except (UnreachableDatabaseError, *OUTAGES) as error:
                if loop.time() - began > LONGEST_PAUSE_SECONDS:
                    pauses = _pauses()  # it has worked meanwhile
                await _pause(error, next(pauses))
            else:
                return


async def _figures(held: AsyncExitStack, address: str | None) -> Figures | None:
    """Serve figures where they are wanted, as long as the rest that is held."""
    if address is None:
        return None
    from bot.figures import serving  # noqa: PLC0415 — 0.1 s and 2 MB, for who asks for figures alone

    return await held.enter_async_context(serving(address))


async def _unless(ended: asyncio.Future[None], work: Coroutine[None, None, None]) -> None:
    """Do work; where something ends before it, end the work in order, and raise what that says."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({ended, task}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
    if ended.done():
        ended.result()
    task.result()


async def _when_there(location: Location, act: Callable[[], Awaitable[T]]) -> T:
    """Do what needs a database; wait for one that is not there yet.

    A disk is waited for a while. A server is waited for as long as it takes, as Discord is.
    """
    until = asyncio.get_running_loop().time() + DISK_SECONDS
    pauses = _pauses()
    while True:
        try:
            return await act()
        except AbsentDatabaseError as error:
            is_server = isinstance(location, Server)
            if not is_server and asyncio.get_running_loop().time() >= until:
                raise
            log.warning("the database cannot be reached; trying again", error=error.sentence)
        await asyncio.sleep(next(pauses) if is_server else DISK_PAUSE_SECONDS)


async def _run(bot: Ribit, token: str, fleet: Fleet | None) -> None:
    """Run a bot until it ends by itself; cancelled, or when it fails, it is closed in order."""
    service = asyncio.create_task(_start(bot, token, fleet))
    try:
        await asyncio.wait({service})
        service.result()
    except discord.LoginFailure:
        raise _refused_token() from None
    except discord.ConnectionClosed as error:
        if error.code == REFUSED_TOKEN:
            raise _refused_token() from None
        if error.code in REFUSED_SHARDS and fleet is not None:
            raise RefusedShardsError(
                f"Discord does not accept the shards {fleet.shards}: {fleet.count} may be too few. Stop "
                "all processes, and give RIBIT_SHARDS a larger count."
            ) from None
        raise
    finally:
        service.cancel()  # a shard that connects anew swallows this; then it is the closing that ends it
        await _to_its_end(_close(bot, service))


async def _start(bot: Ribit, token: str, fleet: Fleet | None) -> None:
    database, shards = bot.database, None if fleet is None else fleet.shards
    try:
        await note_holder(database.notes, database.file, int(time.time()), shards)
    except (sqlite3.Error, HaltedError):
        log.exception("could not note who holds the database")
    await bot.login(token)
    preparing = asyncio.create_task(_prepare(bot, fleet))
    try:
        await bot.connect()
    finally:
        preparing.cancel()


async def _prepare(bot: Ribit, fleet: Fleet | None) -> None:
    """Draw ahead what clicks will need, and once Discord has told of all servers, say so to others.

    discord.py waits two seconds for the last of them: the first pictures are drawn meanwhile.
    """
    drawing = asyncio.create_task(asyncio.to_thread(draw_examples))
    await bot.wait_until_ready()
    if fleet is not None:
        fleet.serve()
    await drawing
    await warm_up(give_way)


async def _close(bot: Ribit, service: asyncio.Task[None]) -> None:
    await asyncio.wait({service}, timeout=CANCEL_SECONDS)
    await bot.close()
    service.cancel()  # the next shard that connects anew goes on with that, for up to a minute
    await asyncio.gather(service, return_exceptions=True)


async def _to_its_end(work: Coroutine[None, None, None]) -> None:
    """Await work; where that is cancelled, not before the work is done."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def _refused_token() -> RefusedTokenError:
    return RefusedTokenError(
        "Discord does not accept the token. Copy it anew from the Bot page of your application at "
        "https://discord.com/developers/applications and set DISCORD_TOKEN."
    )


def _pauses() -> Iterator[float]:
    """Yield how long is waited after one failure and the next: longer and longer, never the same."""
    seconds = FIRST_PAUSE_SECONDS
    while True:
        yield seconds * uniform(0.5, 1.0)  # noqa: S311 — bots that start together need not come together
        seconds = min(2 * seconds, LONGEST_PAUSE_SECONDS)


async def _pause(error: Exception, seconds: float) -> None:
    """Wait after a failure, and no less than Discord asks for."""
    if isinstance(error, discord.HTTPException) and error.status == TOO_MANY:
        asked = str(error.response.headers.get("Retry-After", ""))
        seconds = max(seconds, float(asked) if asked.isdecimal() else 0.0)
    away = "the database" if isinstance(error, UnreachableDatabaseError) else "Discord"
    event = away + " cannot be reached; trying again"
    said = (str(error) or type(error).__name__).splitlines()[0]
    log.warning(event, error=said, in_seconds=round(seconds, 1))
    await asyncio.sleep(seconds)


def _connector(clock: SteadyClock) -> Connector:
    """Return what connects to Discord, and tells a clock what time it is there by each answer."""

    @lru_cache(1)
    def seconds_of(date: str) -> float:  # many answers have the same second
        return parsedate_to_datetime(date).timestamp()

    async def told(answer: aiohttp.ClientResponse) -> None:
        with suppress(KeyError, ValueError):
            clock.told(seconds_of(answer.headers["Date"]))

    connector = Connector()
    connector.tell(told)
    return connector

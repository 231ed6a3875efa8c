"""The bot in service, from its start until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress

import aiohttp
import discord

from bot.app import Ribit
from bot.engine.errors import RibitError
from bot.games import games
from bot.logs import configure_logs
from bot.settings import Settings, SettingsError, read_settings
from bot.storage import open_database

if sys.platform == "win32":
    from asyncio import run as run_loop
else:
    from uvloop import run as run_loop


CANCEL_SECONDS = 0.5


class StartError(RibitError):
    """The bot cannot start; the sentence says what to do."""


class RefusedTokenError(StartError):
    """Discord knows no bot by the token: no further try helps."""


def run_bot() -> None:
    """Read the settings and run the bot for real."""
    settings = read_settings()
    configure_logs(settings.log_level)
    run_loop(serve(settings))


async def serve(settings: Settings) -> None:
    """Run the bot until it is told to stop."""
    if settings.token is None:
        raise SettingsError(
            "No token: set DISCORD_TOKEN, in the environment or in a file .env (see .env.example). "
            "`python -m bot demo` needs none."
        )
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Ribit has no voice
    database = await open_database(settings.database)
    bot = Ribit(database=database, games=games())
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C ends the program there
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    service = loop.create_task(bot.start(settings.token.get_secret_value()))
    told = loop.create_task(stop.wait())
    try:
        await asyncio.wait({service, told}, return_when=asyncio.FIRST_COMPLETED)
        if service.done():
            service.result()
    except discord.LoginFailure:
        raise RefusedTokenError(
            "Discord does not accept the token. Copy it anew from the Bot page of your application at "
            "https://discord.com/developers/applications and set DISCORD_TOKEN."
        ) from None
    except aiohttp.ClientConnectionError as error:
        raise StartError(
            f"Discord cannot be reached: {error}. Check the network and try again."
        ) from None
    finally:
        told.cancel()
        service.cancel()  # a shard that connects anew swallows this; then it is the closing that ends it
        await asyncio.wait({service}, timeout=CANCEL_SECONDS)
        await bot.close()
        await asyncio.gather(service, return_exceptions=True)

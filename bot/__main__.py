"""The commands: ``python -m bot`` (or ``run``) and ``python -m bot demo``."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from contextlib import suppress

import aiohttp
import discord
import structlog

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

log = structlog.get_logger(__name__)

DEMO_PORT = 8765
DEMO_GAMES = ("toad", "frogger", "solitaire")


class StartError(RibitError):
    """The bot cannot start; the sentence says what to do."""


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
    service = loop.create_task(bot.start(settings.token.get_secret_value()))
    with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C ends the program there
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, service.cancel)
    try:
        await asyncio.wait({service})
        if not service.cancelled():
            service.result()
    except discord.LoginFailure:
        raise StartError(
            "Discord does not accept the token. Copy it anew from the Bot page of your application at "
            "https://discord.com/developers/applications and set DISCORD_TOKEN."
        ) from None
    except aiohttp.ClientConnectionError as error:
        raise StartError(
            f"Discord cannot be reached: {error}. Check the network and try again."
        ) from None
    finally:
        await bot.close()


def run() -> None:
    """Read the settings and run the bot for real."""
    settings = read_settings()
    configure_logs(settings.log_level)
    run_loop(serve(settings))


def demo(port: int, game: str) -> None:
    """Run the bot in a browser, without a token."""
    try:
        from bot.demo import show  # noqa: PLC0415 — needs packages that a bot in service does without
    except ModuleNotFoundError as error:
        raise StartError(
            f"The demo needs a package more ({error.name}): install it with pip install -e '.[demo]'."
        ) from None
    configure_logs("WARNING")
    asyncio.run(show(port, game))


def main(arguments: list[str] | None = None) -> int:
    """Carry out a command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Ribit, a card-game bot for Discord"
    )
    parser.set_defaults(command="run")
    verbs = parser.add_subparsers(dest="command", required=False)
    verbs.add_parser("run", help="run the bot for real (the default); needs DISCORD_TOKEN")
    show = verbs.add_parser("demo", help="run the bot in a browser, without a token")
    show.add_argument("--port", type=int, default=DEMO_PORT, help=f"local port ({DEMO_PORT})")
    show.add_argument("--game", choices=DEMO_GAMES, default=DEMO_GAMES[0], help="whose table to open")
    given = parser.parse_args(arguments)
    try:
        if given.command == "demo":
            demo(given.port, given.game)
        else:
            run()
    except RibitError as error:
        print(error.sentence, file=sys.stderr)  # noqa: T201 — this is the answer to a command line
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

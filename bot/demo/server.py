"""Web server of the demo.

The demo runs the real bot, without a token, on SimCord. This is a simulation of Discord in the browser.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import discord
import simcord
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import SetupError

from bot.app import Ribit
from bot.background import BackgroundTasks
from bot.console import stop_event
from bot.demo.window_sync import RunningClock, keep_fresh, keep_pictures
from bot.engine.errors import RibitError
from bot.engine.game import AnyGame
from bot.games import default_of, games
from bot.storage.database import open_database

PEOPLE = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")
NAME = "Ribit"
AVATAR = Path(__file__).with_name("avatar.png")
DIGITS = 32
"""Length of an avatar's hash in Discord."""

COMPUTER_PLAYERS = 2
"""Number of computer players at the first table, if the game has computer players."""

PATIENCE_SECONDS = 0.9
"""Timeout in seconds for a click.

SimCord also waits for timers that are due within this time. Computer players take longer to move.
"""

GREETING = """
Ribit is open:  {url}

{opening} The menu above the channel makes you another player; {german} reads German.
Type / for all commands. Ctrl-C ends the demo; nothing is kept.
"""

HAND = "My hand"
"""Label of the button that shows a player's cards."""

AGAINST_COMPUTER_PLAYERS = "You are {host}, against frogs (🐸)."
IN_A_LOBBY = "You are {host}, with a table that the others can join."
ALONE = "You are {host}, with a deal to solve."


class DemoError(RibitError):
    """Raised when the demo cannot be started. The message says what to do."""


async def show(port: int, game: str | None) -> None:
    """Run the demo's web server until Ctrl-C is pressed.

    Args:
        port: The local port, or 0 for any free port.
        game: The slash command of the game for the first table, or None for the default game.

    Raises:
        DemoError: There is no such game, or the page cannot be served.
    """
    commands = {candidate.info.command: candidate for candidate in games().values()}
    chosen = commands.get(game) if game else default_of(games())
    if chosen is None:
        raise DemoError(f"There is no game {game}: choose one of {', '.join(sorted(commands))}.")
    stop = stop_event()
    with TemporaryDirectory() as folder:
        database = await open_database(Path(folder) / "demo.sqlite3")
        bot = Ribit(database=database, games=games(), requests_per_second=None)
        env = simcord.Env(bot, shard_count=1, check_errors=False)
        clock = RunningClock(env)  # before the bot's first timer, or SimCord would run months of timers
        async with AsyncExitStack() as closing:
            closing.push_async_callback(bot.close)
            await env.start()
            closing.enter_context(env.time_context())
            closing.push_async_callback(env.shutdown)
            await _serve(env, port, chosen, clock, stop)


async def _serve(
    env: simcord.Env, port: int, game: AnyGame, clock: RunningClock, stop: asyncio.Event
) -> None:
    guild = env.create_guild("The Frog Pond")
    channel = guild.create_text_channel("lily-pad")
    admin = guild.create_role("Pond Keeper", permissions=discord.Permissions(manage_guild=True))
    users = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
    people = [guild.add_member(user, roles=[] if place else [admin]) for place, user in enumerate(users)]
    env.backend.edit_bot_profile(NAME)
    german = str(users[-1].id)

    def in_german(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE" and payload.get("member", payload)["user"]["id"] == german:
            payload["locale"] = "de"

    env.backend.subscribers.insert(0, in_german)  # before the bot receives the event
    with suppress(TimeoutError):  # if computer players are still moving, the page shows it
        await people[0].slash(channel, f"{game.info.command} start", **_company(game))
    await _open_hand(people[0], channel)
    async with AsyncExitStack() as opened:
        try:
            preview = env.preview(
                channel, viewers=people, layout="channel", port=port, assets=_picture_of(env)
            )
            await opened.enter_async_context(preview)
        except SetupError as error:
            raise DemoError(
                f"The demo cannot be shown: {error}. Try --port 0 for any free port."
            ) from None
        sys.stdout.write(f"{_greeting(preview.url, game)}\n")
        sys.stdout.flush()
        patience, env.settle_timeout = env.settle_timeout, PATIENCE_SECONDS
        try:
            await _until_stopped(env, preview, clock, stop)
        finally:
            env.settle_timeout = patience


async def _open_hand(person: simcord.MemberActor, channel: simcord.ChannelHandle) -> None:
    """Click *My hand* for the first player if the table has this button.

    The visitor can then make a move with the first click.
    """
    for message in reversed(channel.history()):
        try:
            await person.click(message, label=HAND)
        except SetupError:  # not a message with that button
            continue
        except TimeoutError:  # computer players are still moving
            pass
        return


def _greeting(url: str, game: AnyGame) -> str:
    company = ALONE if game.info.is_solo else AGAINST_COMPUTER_PLAYERS if game.thinking else IN_A_LOBBY
    opening = company.format(host=PEOPLE[0])
    return GREETING.format(url=url, german=PEOPLE[-1], opening=opening)


def _company(game: AnyGame) -> dict[str, int]:
    info, computer_players = game.info, max(COMPUTER_PLAYERS, game.info.fewest - 1)
    return (
        {} if info.is_solo or game.thinking is None else {"frogs": min(computer_players, info.most - 1)}
    )


async def _until_stopped(
    env: simcord.Env, preview: simcord.Preview, clock: RunningClock, stop: asyncio.Event
) -> None:
    tasks = BackgroundTasks()
    tasks.start(keep_fresh(env, preview, clock))
    tasks.start(keep_pictures(env))
    ends = {tasks.start(stop.wait()), tasks.start(preview.wait_closed())}
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await tasks.close()


def _picture_of(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    picture, user = AVATAR.read_bytes(), env.backend.bot_user
    user.avatar = sha256(picture).hexdigest()[:DIGITS]
    return {f"{CDN_BASE}/avatars/{user.id}/{user.avatar}.png": ("avatar.png", picture)}

"""The bot in a browser with no token: the real bot, on SimCord's model of Discord."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import discord
import simcord
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import SetupError

from bot.app import Ribit
from bot.engine.errors import RibitError
from bot.games import default_of, games
from bot.rendering.avatar import avatar
from bot.storage import open_database

PEOPLE = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")
NAME = "Ribit"
DIGITS = 32
"""How long Discord's name of an avatar is."""

FROGS = 2
"""How many play with the first visitor, whose first click is a move then."""

PATIENCE_SECONDS = 0.9
"""How long a click is waited for. SimCord waits for timers so far ahead, too; a frog's come later."""

LOOK_SECONDS = 0.1
QUIET_SECONDS = 0.3
"""How long no request is made when a click, and all that follows from it, is done."""

PICTURES = 4
"""So many pictures a message keeps: the one it shows, and those that a page may still show."""

BLINK_SECONDS = 0.02
"""How long a private message may be without what it showed: SimCord tells nobody of its edits."""

GREETING = """
Ribit is open:  {url}

- Pick who you are with the viewer menu above the channel; each person sees their own messages.
{opening}
- {host} may also use /settings.
- The demo shows one channel, no threads and no DMs: My hand shows your cards here.
- New to it? {lessons} teach in five minutes; How to play has a button for that.
- Type / in the message box for all commands. Ctrl-C ends the demo; nothing is kept.
"""

AT_A_TABLE = """\
- {host} is dealt in against two frogs (🐸), and moves when it says so.
- To play with each other: End it with /{command} stop, then /{command} start, and Join as the others."""
ALONE = "- {host} has a deal of cards to move; the others can have one each, with /{command} start."


class DemoError(RibitError):
    """The demo cannot be shown; the sentence says what to do."""


async def show(port: int, game: str | None) -> None:
    """Serve the demo on a local port until Ctrl-C; raises DemoError where that is not possible.

    ``game`` is the slash command of the game whose table is open when the page is, or None.
    """
    commands = sorted(known.info.command for known in games().values())
    game = game or default_of(games()).info.command
    if game not in commands:
        raise DemoError(f"There is no game {game}: choose one of {', '.join(commands)}.")
    stop = asyncio.Event()
    with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C ends the program there
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    with TemporaryDirectory() as folder:
        database = await open_database(Path(folder) / "demo.sqlite3")
        bot = Ribit(database=database, games=games(), requests_per_second=None)
        try:
            async with simcord.run(bot, shard_count=1, check_errors=False) as env:
                await _serve(env, port, game, stop)
        finally:
            await bot.close()


async def _serve(env: simcord.Env, port: int, game: str, stop: asyncio.Event) -> None:
    guild = env.create_guild("The Frog Pond")
    channel = guild.create_text_channel("lily-pad")
    admin = guild.create_role("Pond Keeper", permissions=discord.Permissions(manage_guild=True))
    users = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
    people = [guild.add_member(user, roles=[] if place else [admin]) for place, user in enumerate(users)]
    env.backend.edit_bot_profile(NAME)
    with suppress(TimeoutError):  # frogs are still moving; the page shows it
        await people[0].slash(channel, f"{game} start", **_company(game))
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
        words = GREETING.format(
            url=preview.url,
            host=PEOPLE[0],
            opening=_opening(game),
            lessons=_lessons(),
        )
        sys.stdout.write(f"{words}\n")
        sys.stdout.flush()
        patience, env.settle_timeout = env.settle_timeout, PATIENCE_SECONDS
        try:
            await _until_stopped(env, preview, stop)
        finally:
            env.settle_timeout = patience


def _lessons() -> str:
    """Return the commands that teach a game."""
    taught = (game.info.command for game in games().values() if game.lesson is not None)
    return " and ".join(f"/{command} learn" for command in taught)


def _company(command: str) -> dict[str, int]:
    """Return the options with which a game's table starts at once, where frogs play it."""
    with_frogs = {game.info.command for game in games().values() if game.thinking is not None}
    return {"frogs": FROGS} if command in with_frogs else {}


def _opening(command: str) -> str:
    """Return what stands in the channel when the page opens, and what else can be played there."""
    solo = any(game.info.is_solo for game in games().values() if game.info.command == command)
    return (ALONE if solo else AT_A_TABLE).format(host=PEOPLE[0], command=command)


async def _until_stopped(env: simcord.Env, preview: simcord.Preview, stop: asyncio.Event) -> None:
    """Keep the page fresh until Ctrl-C, or until the page's own button ends the session."""
    fresh = asyncio.create_task(_keep_fresh(env, preview))
    pictures = asyncio.create_task(_keep_pictures(env))
    ends = {asyncio.create_task(stop.wait()), asyncio.create_task(preview.wait_closed())}
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (fresh, pictures, *ends):
            task.cancel()
        await asyncio.gather(fresh, pictures, *ends, return_exceptions=True)


async def _keep_fresh(env: simcord.Env, preview: simcord.Preview) -> None:
    """Show in the browser what the bot does by itself, such as dealing the next round.

    What follows from a click the page shows by itself. It is not shown once more: the page would take
    up to half a second to hear of that, and drop a second click in the meantime. But where the work of a
    click takes longer than it is waited for, such as behind a deal that is looked for, no page shows it.
    """
    made = shown = appearances = 0
    published = _published(preview)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        before, made = made, len(env.http_requests)
        appearances = appearances + 1 if made == before else 0
        if published != _published(preview):
            shown, published = made, _published(preview)
        is_news = (made != shown or _is_stale(preview)) and appearances * LOOK_SECONDS >= QUIET_SECONDS
        with suppress(SetupError, TimeoutError):  # a click or the bot is at work: soon, then
            if not _at_once(env.settle(timeout=0)):
                await env.settle(timeout=0)  # a timer failed, and no other runs until that is heard
            elif is_news and _show_anew(env, preview):
                shown, published = made, _published(preview)


def _published(preview: simcord.Preview) -> int:
    """Return a number that is another one when a page has been shown anew."""
    pages = preview._pages.values()  # noqa: SLF001 — SimCord tells nobody, and its version is pinned
    return sum(page.revision for page in pages)


def _is_stale(preview: simcord.Preview) -> bool:
    """Return whether a page was shown before the work of its click was done."""
    return any(page.status == "stale" for page in preview._pages.values())  # noqa: SLF001 — as above


def _show_anew(env: simcord.Env, preview: simcord.Preview) -> bool:
    """Show every page how it stands, and return whether that was possible at once."""
    patience, env.settle_timeout = env.settle_timeout, 0
    try:
        return _at_once(preview.refresh())
    finally:
        env.settle_timeout = patience


def _at_once(work: Coroutine[Any, Any, None]) -> bool:
    """Do something of SimCord's in one turn of the event loop; return False where it has to wait.

    A click that came in between would be refused; its page would say for ever that nobody knows what
    became of it.
    """
    try:
        while work.send(None) is None:  # it lets others go first, and waits for nothing
            pass
    except StopIteration:
        return True
    with suppress(TimeoutError):
        work.throw(TimeoutError)
    return False


def _picture_of(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    """Give the bot its own picture; returns what the page finds it by."""
    picture, user = avatar(), env.backend.bot_user
    user.avatar = sha256(picture).hexdigest()[:DIGITS]
    return {f"{CDN_BASE}/avatars/{user.id}/{user.avatar}.png": ("avatar.png", picture)}


async def _keep_pictures(env: simcord.Env) -> None:
    """Have messages keep the pictures that they showed until a moment ago.

    SimCord lets no page see an attachment that its message has no more, not even a page that shows
    the message as it was: it said that the picture is unavailable, until it heard of the new one. Nobody
    sees what is attached to a message with components and stands in none of them.
    """
    last: dict[int, list[dict[str, Any]]] = {}

    def keep(*_event: object) -> None:
        for message in chain(*(each.values() for each in env.backend.messages.values())):
            before = last.get(message.id, [])
            if message.attachments is not before:
                ids = {each["id"] for each in message.attachments}
                gone = [each for each in before if each["id"] not in ids]
                last[message.id] = message.attachments = [*message.attachments, *gone][:PICTURES]

    env.backend.subscribers.append(keep)
    while True:
        keep()
        await asyncio.sleep(BLINK_SECONDS)

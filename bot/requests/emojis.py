"""The signs as emojis of the application: uploaded once, and again when they are drawn otherwise.

Each emoji's name ends in the digest of its drawing. What is there is remembered, so that a start with
the drawings of before asks nothing of Discord. Until all are there, those of before are used, or text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import discord
import structlog

from bot.background import BackgroundTasks
from bot.engine.spoken_cards import SIGNS, Sign
from bot.rendering.inline_icons import Drawing
from bot.requests.budget import Budget, PrioritizedWork, Priority, on
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.storage.servers_and_notes import Emojis as Store

log = structlog.get_logger(__name__)

FIRST_PAUSE = 15.0
"""Seconds after which a bot that is ready looks at its emojis: a start has other things to do."""

AGAIN_SECONDS = 10 * 60
"""When they are looked at again, after a failure or where Discord has taken one for gone."""

_OWN = re.compile(r"[a-z0-9_]+_ribit[0-9a-f]{6}")
"""The names of these emojis; an application may have others, which are nobody's business here."""


@dataclass(eq=False)
class Emojis:
    """The application's emojis that show signs. Of several processes one uploads, and all use them."""

    _client: discord.Client
    _store: Store
    _budget: Budget
    _draw: Callable[[Sign], Drawing]
    _uploads: bool
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks, init=False)
    written: Mapping[str, str] = field(default_factory=dict)
    """Each sign's emoji as Discord writes it; none unless all are there."""

    async def start(self) -> None:
        """Use what is there, and upload the rest once the bot is ready."""
        self._use(await self._store.all(self._id))
        self._tasks.start(self._bring_up(FIRST_PAUSE))

    def close(self) -> None:
        """Leave what is under way to the next start."""
        self._tasks.cancel()

    async def doubt(self, error: Exception) -> None:
        """Use text, and look later what is there, where a message was refused for an emoji that is gone.

        Somebody has deleted it by hand.
        """
        if error_kind(error) is ErrorKind.NO_EMOJI and self.written:
            log.warning("an emoji is gone; text stands for signs until it is back", error=str(error))
            self.written = {}
            self.close()
            self._tasks.start(self._bring_up(AGAIN_SECONDS))

    @property
    def _id(self) -> int:
        assert self._client.application_id is not None, "known since the login"
        return self._client.application_id

    def _use(self, kept: Mapping[str, tuple[str, int]]) -> None:
        if all(sign.name in kept for sign in SIGNS):
            self.written = {sign: f"<:{name}:{emoji_id}>" for sign, (name, emoji_id) in kept.items()}

    async def _bring_up(self, pause: float) -> None:
        """Bring the emojis up to date, or wait until another process has done it."""
        await self._client.wait_until_ready()
        while True:
            await asyncio.sleep(pause)
            try:
                if self._uploads:
                    await self._upload()
                else:
                    self._use(await self._store.all(self._id))
                if self.written:
                    return
            except NOT_SENT as error:
                log.warning("the emojis could not be uploaded; text stands for signs", error=str(error))
            except Exception:
                log.exception("the emojis could not be brought up to date")
            pause = AGAIN_SECONDS

    async def _upload(self) -> None:
        """Upload every sign that is not there; then use them, and remove those of before."""
        drawn = {}
        for each in SIGNS:
            drawn[each.name] = await asyncio.to_thread(self._draw, each)  # clicks come in between
        wanted = {sign: f"{sign}_ribit{each.digest}" for sign, each in drawn.items()}
        if all(f":{name}:" in self.written.get(sign, "") for sign, name in wanted.items()):
            return
        with on(PrioritizedWork(Priority.UPKEEP)):
            async with self._budget.turn(self._id):
                there = {each.name: each for each in await self._client.fetch_application_emojis()}
            missing = [sign for sign, name in wanted.items() if name not in there]
            for sign in missing:
                name, png = wanted[sign], drawn[sign].png()
                async with self._budget.turn(self._id):
                    there[name] = await self._client.create_application_emoji(name=name, image=png)
            kept = {sign: (name, there[name].id) for sign, name in wanted.items()}
            await self._store.put(self._id, kept)
            self._use(kept)
            old = [name for name in there if _OWN.fullmatch(name) and name not in wanted.values()]
            for name in old:
                async with self._budget.turn(self._id):
                    await there[name].delete()
        log.info("emojis brought up to date", uploaded=len(missing), removed=len(old))

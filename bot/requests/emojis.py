"""Upload of the bot's icons (cards, suits and frogs) as application emoji.

The name of each emoji ends with a digest of its drawing, so an icon is uploaded again only if its
drawing changes. The emoji IDs are stored in the database, so a start with unchanged drawings makes no
request. Until all icons are uploaded, messages use the previous emoji or plain text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import discord
import structlog

from bot.background import BackgroundTasks
from bot.engine.icons import SIGNS, Icon
from bot.rendering.custom_emoji import Drawing
from bot.requests.budget import Budget, PrioritizedWork, Priority, request_priority
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.storage.notes import StoredEmojis as Store

log = structlog.get_logger(__name__)

FIRST_PAUSE = 15.0
"""Seconds between the bot's ready event and the check of its emoji. The start has more urgent work."""

AGAIN_SECONDS = 10 * 60
"""Seconds until the next check after a failed upload, or after Discord rejected an emoji."""

_OWN = re.compile(r"[a-z0-9_]+_ribit[0-9a-f]{6}")
"""Pattern of the emoji names that this module uses. It never deletes emoji with other names."""


@dataclass(eq=False)
class Emojis:
    """The application emoji that show the bot's icons. One process uploads them for all processes.

    Attributes:
        written: Maps each icon's name to its emoji in Discord markup. Empty until all are uploaded.
    """

    _client: discord.Client
    _store: Store
    _budget: Budget
    _draw: Callable[[Icon], Drawing]
    _uploads: bool
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks, init=False)
    written: Mapping[str, str] = field(default_factory=dict)

    async def start(self) -> None:
        """Load the stored emoji IDs. When the bot is ready, upload missing emoji in the background."""
        self._use(await self._store.all(self._id))
        self._tasks.start(self._bring_up(FIRST_PAUSE))

    def close(self) -> None:
        """Cancel the upload. It continues after the next start."""
        self._tasks.cancel()

    async def invalidate(self, error: Exception) -> None:
        """If Discord reports that an emoji does not exist, use text instead, and check all emoji later.

        This happens if someone deletes an emoji in Discord's developer portal.
        """
        if error_kind(error) is ErrorKind.NO_EMOJI and self.written:
            log.warning("custom emoji missing, showing text instead", error=str(error))
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
        """Upload the emoji, or load the IDs of those that another process uploads.

        Retry until none is missing.
        """
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
                log.warning("emoji not uploaded, showing text instead", error=str(error))
            except Exception:
                log.exception("emoji not updated")
            pause = AGAIN_SECONDS

    async def _upload(self) -> None:
        """Upload missing icons, start to use them, and delete emoji of outdated drawings."""
        drawings = {}
        for icon in SIGNS:
            drawings[icon.name] = await asyncio.to_thread(
                self._draw, icon
            )  # does not block the event loop
        wanted = {sign: f"{sign}_ribit{drawing.digest}" for sign, drawing in drawings.items()}
        if all(f":{name}:" in self.written.get(sign, "") for sign, name in wanted.items()):
            return
        with request_priority(PrioritizedWork(Priority.UPKEEP)):
            async with self._budget.turn(self._id):
                there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
            missing = [sign for sign, name in wanted.items() if name not in there]
            for sign in missing:
                name, png = wanted[sign], drawings[sign].png()
                async with self._budget.turn(self._id):
                    there[name] = await self._client.create_application_emoji(name=name, image=png)
            emojis = {sign: (name, there[name].id) for sign, name in wanted.items()}
            await self._store.store_emojis(self._id, emojis)
            self._use(emojis)
            old = [name for name in there if _OWN.fullmatch(name) and name not in wanted.values()]
            for name in old:
                async with self._budget.turn(self._id):
                    await there[name].delete()
        log.info("emoji updated", uploaded=len(missing), removed=len(old))

"""The signs as emojis of the application: uploaded once, and again when they are drawn otherwise.

Each emoji's name ends in the digest of its drawing. What is there is remembered, so that a start with
the drawings of before asks nothing of Discord. Until all are there, those of before are used, or text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from hashlib import blake2b

import discord
import structlog

from bot.engine.spelling import SIGNS, Sign
from bot.rendering.signs import Drawing
from bot.requests.budget import Budget, PrioritizedWork, Priority, on
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.storage import Emojis as Store
from bot.storage import Notes

log = structlog.get_logger(__name__)

RETRY_SECONDS = (60.0, 30 * 60.0)
"""When a failure of Discord's is tried again, and then once more; after that by the next start."""

FIRST_PAUSE = 15.0
"""Seconds after which a bot that is ready looks at its emojis: a start has other things to do."""

REFUSED_SECONDS = 24 * 60 * 60
"""For how long nothing is asked after a refusal, however often the bot is started meanwhile."""

AGAIN_SECONDS = 60 * 60
"""When they are looked at again that Discord has taken for gone twice in that time."""

_OWN = re.compile(r"[a-z0-9_]+_ribit[0-9a-f]{6}")
"""The names of these emojis; an application may have others, which are nobody's business here."""


class Emojis:
    """The application's emojis that show signs."""

    def __init__(
        self,
        client: discord.Client,
        *,
        store: Store,
        notes: Notes,
        budget: Budget,
        clock: Callable[[], int],
        draw: Callable[[Sign], Drawing] | None,
        uploads: bool,
    ) -> None:
        """``draw`` draws a sign; without it text stands for signs. Of several processes one ``uploads``.

        ``clock`` returns the seconds since 1970.
        """
        self.written: Mapping[str, str] = {}
        """Each sign's emoji as Discord writes it; none unless all are there."""
        self._client = client
        self._store = store
        self._notes = notes
        self._budget = budget
        self._clock = clock
        self._draw = draw
        self._uploads = uploads
        self._task: asyncio.Task[None] | None = None
        self._doubted_at: int | None = None

    async def start(self) -> None:
        """Use what is there, and upload the rest once the bot is ready."""
        if self._draw is not None:
            self._use(await self._store.all(self._id))
            self._task = asyncio.create_task(self._bring_up(FIRST_PAUSE))

    def close(self) -> None:
        """Leave what is under way to the next start."""
        if self._task is not None:
            self._task.cancel()

    async def doubt(self, error: Exception) -> None:
        """Use text, and look what is there, where a message was refused for an emoji that is no more.

        Somebody has deleted it by hand; where that happens again soon, text stands for longer.
        """
        if error_kind(error) is not ErrorKind.NO_EMOJI or not self.written:
            return
        log.warning("an emoji is gone; text stands for signs until it is back", error=str(error))
        before, self._doubted_at, self.written = self._doubted_at, self._clock(), {}
        is_again = before is not None and self._doubted_at - before < AGAIN_SECONDS
        await self._notes.remove(self._done)
        self.close()
        self._task = asyncio.create_task(self._bring_up(AGAIN_SECONDS if is_again else FIRST_PAUSE))

    @property
    def _id(self) -> int:
        assert self._client.application_id is not None, "known since the login"
        return self._client.application_id

    @property
    def _done(self) -> str:
        return f"emojis of {self._id}"

    @property
    def _refused(self) -> str:
        return f"emojis refused to {self._id}"

    def _use(self, kept: Mapping[str, tuple[str, int]]) -> None:
        if all(sign.name in kept for sign in SIGNS):
            self.written = {sign: f"<:{name}:{emoji_id}>" for sign, (name, emoji_id) in kept.items()}

    async def _bring_up(self, pause: float) -> None:
        await self._client.wait_until_ready()
        await asyncio.sleep(pause)
        try:
            if self._uploads:
                await self._try_all()
            while not self.written and not self._uploads:
                self._use(await self._store.all(self._id))
                await asyncio.sleep(RETRY_SECONDS[0])
        except Exception:
            log.exception("the emojis could not be brought up to date")

    async def _try_all(self) -> None:
        assert self._draw is not None, "there would be nothing to do"
        drawn = {}
        for sign in SIGNS:
            drawn[sign.name] = await asyncio.to_thread(self._draw, sign)  # clicks come in between
        wanted = {sign: f"{sign}_ribit{each.digest}" for sign, each in drawn.items()}
        digest = blake2b(repr(sorted(wanted.items())).encode(), digest_size=16).hexdigest()
        if await self._notes.get(self._done) == digest:
            if not self.written:  # another process has uploaded them meanwhile
                self._use(await self._store.all(self._id))
            return
        of, _space, again_at = (await self._notes.get(self._refused) or "").partition(" ")
        if of == digest and 0 < int(again_at) - self._clock() <= REFUSED_SECONDS:
            return
        for pause in (*RETRY_SECONDS, None):
            try:
                with on(PrioritizedWork(Priority.UPKEEP)):
                    await self._upload(wanted, drawn)
            except NOT_SENT as error:
                log.warning("the emojis could not be uploaded; text stands for signs", error=str(error))
                if error_kind(error) is not ErrorKind.TROUBLE:
                    until = self._clock() + REFUSED_SECONDS
                    await self._notes.put(self._refused, f"{digest} {until}")
                    return
            else:
                await self._notes.put(self._done, digest)
                return
            if pause is not None:
                await asyncio.sleep(pause)

    async def _upload(self, wanted: Mapping[str, str], drawn: Mapping[str, Drawing]) -> None:
        """Upload every sign that is not there; then use them, and remove those of before."""
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
                try:
                    await there[name].delete()
                except discord.NotFound:
                    log.debug("emoji is gone already", emoji=there[name].id)
        log.info("emojis brought up to date", uploaded=len(missing), removed=len(old))

"""Discord's quarantine of a bot that it takes for a spammer: it opens no DMs with anybody new.

That says nothing about the players. So none of them is noted as having closed DMs, the host is told, and
after some hours one hand is sent to see whether it is over. Whom the bot has written to before gets DMs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog

from bot.storage.servers_and_notes import Notes

log = structlog.get_logger(__name__)

NOTE = "quarantine"
"""The key of the note since when it is so, in seconds since 1970."""

RETRY_SECONDS = 4 * 60 * 60
"""How long nobody new is written to after a refusal: one refused request each time bars no host."""


class QuarantinedError(Exception):
    """No DM is opened just now: Discord would refuse it, whoever it is for."""


class Quarantine:
    """Knows whether the bot is in it, and lets a DM be opened now and then to see."""

    def __init__(self, notes: Notes, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._notes = notes
        self._clock = clock
        self._is_known = False
        self._again_at = 0

    async def load(self) -> None:
        """Recall what was noted before the start; the first DM to anybody new tells whether it is so."""
        self._is_known = await self._notes.get(NOTE) is not None

    @property
    def holds(self) -> bool:
        return self._is_known and self._clock() < self._again_at

    def require_none(self) -> None:
        if self.holds:
            raise QuarantinedError

    @asynccontextmanager
    async def tried(self) -> AsyncIterator[None]:
        """Open a DM and write to it inside the block; raises QuarantinedError where that is held."""
        self.require_none()
        yield
        if self._is_known:
            self._is_known = False
            log.info("Discord opens DMs with new players again")
            await self._notes.remove(NOTE)

    async def refused(self, error: Exception) -> None:
        """Take note that Discord has refused a DM because of it; the host is told once."""
        self._again_at = self._clock() + RETRY_SECONDS
        if self._is_known:
            return
        self._is_known = True
        log.error(
            "Discord has flagged the bot as a spammer: no DMs with new players; they have My hand",
            error=str(error),
        )
        await self._notes.put(NOTE, str(self._clock()))

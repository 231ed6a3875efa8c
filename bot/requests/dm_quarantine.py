"""Discord's quarantine of a bot that it considers a spammer. The bot cannot open DMs with new players.

It says nothing about the players, so none of them is recorded as having closed DMs. The host is notified
in the log. After some hours, one hand is sent to check whether the quarantine is over. Players with an
open DM channel still get DMs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from bot.storage.notes import Notes

log = structlog.get_logger(__name__)

NOTE = "quarantine"
"""The key of the note with the Unix time of the quarantine's beginning."""

RETRY_SECONDS = 4 * 60 * 60
"""Seconds after a refusal until a new DM is opened again. So few refusals do not get the host blocked.
"""


class QuarantinedError(Exception):
    """A DM that is not opened now, because Discord would refuse it for any player."""


@dataclass(eq=False)
class Quarantine:
    """The state of the quarantine, which allows a DM to be opened now and then as a test."""

    _notes: Notes
    _clock: Callable[[], int]
    _is_known: bool = False
    _again_at: int = 0

    async def load(self) -> None:
        """Load the stored state. The first DM to a new player shows whether it is still valid."""
        self._is_known = await self._notes.get(NOTE) is not None

    @property
    def holds(self) -> bool:
        """True if no DM may be opened now."""
        return self._is_known and self._clock() < self._again_at

    def require_none(self) -> None:
        """Check that a DM may be opened.

        Raises:
            QuarantinedError: No DM may be opened now.
        """
        if self.holds:
            raise QuarantinedError

    @asynccontextmanager
    async def tried(self) -> AsyncIterator[None]:
        """Open a DM and write to it inside the block. Success ends the quarantine.

        Raises:
            QuarantinedError: No DM may be opened now.
        """
        self.require_none()
        yield
        if self._is_known:
            self._is_known = False
            log.info("Discord opens DMs with new players again")
            await self._notes.remove(NOTE)

    async def refused(self, error: Exception) -> None:
        """Record that Discord refused a DM because of the quarantine. Log it only the first time."""
        self._again_at = self._clock() + RETRY_SECONDS
        if self._is_known:
            return
        self._is_known = True
        log.error(
            "Discord has flagged the bot as a spammer: no DMs with new players; they have My hand",
            error=str(error),
        )
        await self._notes.put(NOTE, str(self._clock()))

"""Handling of Discord's quarantine, in which a bot flagged as a spammer cannot open new DM channels.

Players who already have a DM channel still get DMs. In a quarantine, a refused DM does not mean that the
player has closed their DMs, so this is not recorded. An error in the log notifies the host. After some
hours, the bot tries to open one DM channel to check whether the quarantine is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from bot.storage.notes import Notes

log = structlog.get_logger(__name__)

NOTE = "quarantine"
"""The key under which the database stores the Unix time when the quarantine began."""

RETRY_SECONDS = 4 * 60 * 60
"""Seconds after a refused DM until the next attempt. Frequent attempts could get the host blocked."""


class QuarantinedError(Exception):
    """Raised instead of opening a DM channel while the bot is in quarantine.

    Discord would refuse to open a DM channel with any player.
    """


@dataclass(eq=False)
class Quarantine:
    """The state of Discord's quarantine of the bot.

    While it lasts, the bot opens a new DM channel only every few hours, as a test.
    """

    _notes: Notes
    _clock: Callable[[], int]
    _is_known: bool = False
    _again_at: int = 0

    async def load(self) -> None:
        """Load the stored state.

        The next attempt to open a DM shows whether the quarantine still exists.
        """
        self._is_known = await self._notes.get(NOTE) is not None

    @property
    def holds(self) -> bool:
        """True if the bot currently must not open new DM channels."""
        return self._is_known and self._clock() < self._again_at

    def require_none(self) -> None:
        """Check that the bot may open new DM channels now.

        Raises:
            QuarantinedError: The bot is in quarantine.
        """
        if self.holds:
            raise QuarantinedError

    async def record_success(self) -> None:
        """Record that a new DM channel was opened and took a message, so the quarantine is over."""
        if self._is_known:
            self._is_known = False
            log.info("Discord allows DMs with new players again")
            await self._notes.remove(NOTE)

    async def record_refusal(self, error: Exception) -> None:
        """Record that Discord refused a DM because of the quarantine.

        Only the first refusal is logged.
        """
        self._again_at = self._clock() + RETRY_SECONDS
        if self._is_known:
            return
        self._is_known = True
        log.error(
            "Discord has flagged the bot as a spammer, so new players get no DMs and use My hand",
            error=str(error),
        )
        await self._notes.store_note(NOTE, str(self._clock()))

"""A process's share of what the bot may ask of Discord in a second: leased, so that all shares are one.

Each process notes its share, and until when it has it by the database's clock; whoever renews does so
under a lock, and gets its fair share, or what is left of the whole. So the sum never passes the whole.
What a process gives back it does not use any more when it notes that, and a process that does not
renew has stopped using its share before others may have it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import structlog

from bot.engine.shards import Shards
from bot.storage.writer import Session

log = structlog.get_logger(__name__)

LEASE_SECONDS = 14.0
"""For how long a share is had without a renewal; the process itself stops a little sooner."""

MARGIN_SECONDS = 2.0
"""How long a share that is given back is used by nobody: a second's requests count for a second."""

LEASE = "lease"
"""What the notes of leases begin with; then the shards of the process."""

_LOCK = 0x72696269_74000004
_NOTED = "SELECT key, value FROM notes WHERE key >= 'lease ' AND key < 'lease!'"
_PUT = (
    "INSERT INTO notes (key, value) VALUES ($1, $2)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_CLOCK = "SELECT extract(epoch FROM clock_timestamp())::float8"


class RateShare:
    """The share of one process. It weighs as much as the shards that it runs."""

    def __init__(self, shards: Shards) -> None:
        self._key = f"{LEASE} {shards}"
        self._weight = len(shards.ids)
        self._changed: Callable[[float], object] = lambda _share: None
        self._noted = 0.0
        self._lowered_at = 0.0
        self._end: asyncio.TimerHandle | None = None
        self.share = 0.0
        """Which part of the whole this process may use now."""

    def watch(self, changed: Callable[[float], object]) -> None:
        """Have this called with the share, now and whenever it has changed."""
        self._changed = changed
        changed(self.share)

    def end(self) -> None:
        """Use no share any more, and tell nobody; what is noted is free after its time."""
        self._changed = lambda _share: None
        if self._end is not None:
            self._end.cancel()
        self.share = self._noted = 0.0

    async def renew(self, session: Session) -> None:
        """Lease a share anew; where that fails, the one before ends in its time."""
        asked_at = asyncio.get_running_loop().time()
        async with session.transaction():
            await session.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            now = float(await session.fetchval(_CLOCK))
            noted = {key: json.loads(value) for key, value in await session.fetch(_NOTED)}
            others = [each for key, each in noted.items() if key != self._key and each["until"] > now]
            weights = self._weight + sum(other["weight"] for other in others)
            free = 1.0 - sum(other["share"] for other in others)
            granted = max(0.0, min(self._weight / weights, free))
            if granted < self.share:
                self._lowered_at = asked_at
                self._set(granted)
            if granted >= self._noted or asked_at - self._lowered_at >= MARGIN_SECONDS:
                self._noted = granted
            lease = {"share": self._noted, "weight": self._weight, "until": now + LEASE_SECONDS}
            await session.execute(_PUT, self._key, json.dumps(lease))
        self._set(granted)
        if self._end is not None:
            self._end.cancel()
        until = asked_at + LEASE_SECONDS - MARGIN_SECONDS
        self._end = asyncio.get_running_loop().call_at(until, self._expire)

    def _expire(self) -> None:
        log.warning("the share of requests could not be leased anew; nearly none are made")
        self._noted = 0.0
        self._set(0.0)

    def _set(self, share: float) -> None:
        if share != self.share:
            self.share = share
            self._changed(share)

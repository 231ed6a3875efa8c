"""Discord shards, which decide the servers that a process receives events for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine.frozen import frozen

MOST_SHARDS = 65_535

_SHIFT = 22
"""The bit of a server's ID at which its creation time begins. Discord assigns shards by that time."""

_WRITTEN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


@frozen
class Shards:
    """Consecutive shards out of ``count``, written as ``0-3/16``."""

    first: int
    last: int
    count: int

    def __str__(self) -> str:
        span = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{span}/{self.count}"

    def has(self, guild_id: int | None) -> bool:
        """Return whether the shard of a server, or of DMs if it is None, is included."""
        return shard_of(guild_id, self.count) in self.ids

    @property
    def ids(self) -> range:
        return range(self.first, self.last + 1)


ALL_SHARDS = Shards(0, 0, 1)
"""The shards of a bot that runs as a single process, however many shards Discord has."""


def read_shards(text: str) -> Shards:
    """Return the shards that a text names.

    Args:
        text: Shards such as ``0-3/16`` for the first 4 of 16, or ``4/16`` for one.

    Raises:
        ValueError: The text is malformed or has too many shards.
    """
    if found := _WRITTEN.fullmatch(text.strip()):
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if first <= last < count <= MOST_SHARDS:
            return Shards(first, last, count)
    raise ValueError(
        f"it takes shards in a row, such as 0-3/16 for the first 4 of 16, or 4/16 for one, of at most "
        f"{MOST_SHARDS:,}"
    )


def missing_shards(run: Sequence[Shards]) -> list[int]:
    """Return the shards that no process of the fleet runs."""
    return sorted(set(range(run[0].count)).difference(*(each.ids for each in run)))


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server. DMs have shard 0.

    Args:
        guild_id: The server, or None for DMs.
        count: The number of shards.
    """
    return 0 if guild_id is None else (guild_id >> _SHIFT) % count

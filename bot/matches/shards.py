"""Discord's shards: which of the bot's servers a process is told of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine.immutable import frozen

MOST_SHARDS = 65_535

_SHIFT = 22
"""Where the time of making a server begins in its id: by that Discord spreads servers over shards."""

_WRITTEN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


@frozen
class Shards:
    """Some shards in a row, of ``count``. In writing: ``0-3/16``."""

    first: int
    last: int
    count: int

    def __str__(self) -> str:
        span = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{span}/{self.count}"

    def has(self, guild_id: int | None) -> bool:
        """Return whether a server's shard is one of these; or, with None, that of DMs."""
        return shard_of(guild_id, self.count) in self.ids

    @property
    def ids(self) -> range:
        return range(self.first, self.last + 1)


ALL_SHARDS = Shards(0, 0, 1)
"""Those of a bot that is one process, however many Discord has."""


def read_shards(text: str) -> Shards:
    """Return the shards that a text names; raises ValueError."""
    if found := _WRITTEN.fullmatch(text.strip()):
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if first <= last < count <= MOST_SHARDS:
            return Shards(first, last, count)
    raise ValueError(
        f"it takes shards in a row, such as 0-3/16 for the first 4 of 16, or 4/16 for one, of at most "
        f"{MOST_SHARDS:,}"
    )


def missing_shards(run: Sequence[Shards]) -> list[int]:
    """Return the shards that no process runs, of a fleet that runs others."""
    return sorted(set(range(run[0].count)).difference(*(each.ids for each in run)))


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server, of so many; what happens in no server happens at shard 0."""
    return 0 if guild_id is None else (guild_id >> _SHIFT) % count

"""Discord's shards: which of the bot's servers a process is told of."""

from __future__ import annotations

import re

from bot.engine.errors import RibitError
from bot.engine.values import frozen

MOST_SHARDS = 65_535

_SHIFT = 22
"""Where the time of making a server begins in its id: by that Discord spreads servers over shards."""

_WRITTEN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


class ShardsError(RibitError):
    """The text names no shards; the sentence says what it should look like."""


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
        """The numbers of the shards."""
        return range(self.first, self.last + 1)


ALL_SHARDS = Shards(0, 0, 1)
"""Those of a bot that is one process, however many Discord has."""


def read_shards(text: str) -> Shards:
    """Return the shards that a text names; raises ShardsError."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        raise ShardsError(
            "RIBIT_SHARDS names no shards: it should look like 0-3/16, for the first 4 of 16 shards, or "
            "like 4/16, for one."
        )
    first, count = int(found[1]), int(found[3])
    last = int(found[2] or first)
    if not 1 <= count <= MOST_SHARDS:
        raise ShardsError(f"RIBIT_SHARDS names {count} shards, but there are 1 to {MOST_SHARDS:,}.")
    if last < first:
        raise ShardsError(f"RIBIT_SHARDS goes from {first} to {last}: the smaller number comes first.")
    if last >= count:
        raise ShardsError(f"RIBIT_SHARDS names shard {last}, but {count} shards are 0 to {count - 1}.")
    return Shards(first, last, count)


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server, of so many; what happens in no server happens at shard 0."""
    return 0 if guild_id is None else (guild_id >> _SHIFT) % count

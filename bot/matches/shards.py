"""Ranges of Discord shards. They decide which process handles a server."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine.frozen import frozen

MOST_SHARDS = 65_535

_SHIFT = 22
"""The number of the lowest creation-time bit in a server ID. Discord assigns shards by these bits."""

_WRITTEN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


@frozen
class Shards:
    """A contiguous range of the bot's shards.

    Its text form is ``0-3/16`` for the first 4 of 16 shards.
    """

    first: int
    last: int
    count: int

    def __str__(self) -> str:
        span = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{span}/{self.count}"

    def has(self, guild_id: int | None) -> bool:
        """Return whether a server's shard is in this range.

        Args:
            guild_id: The server, or None for DMs.
        """
        return shard_of(guild_id, self.count) in self.ids

    def overlaps(self, other: Shards) -> bool:
        """Return whether two processes cannot both run, because of common shards or different counts."""
        return self.count != other.count or bool({*self.ids} & {*other.ids})

    @property
    def ids(self) -> range:
        return range(self.first, self.last + 1)


ALL_SHARDS = Shards(0, 0, 1)
"""The shards of a bot that runs as a single process. It does not limit the number of Discord shards."""


def read_shards(text: str) -> Shards:
    """Parse a range of shards such as ``0-3/16``.

    Args:
        text: The range, such as ``0-3/16`` for the first 4 of 16 shards, or ``4/16`` for a single shard.

    Raises:
        ValueError: The text is malformed or contains too many shards.
    """
    if match := _WRITTEN.fullmatch(text.strip()):
        first, last, count = int(match[1]), int(match[2] or match[1]), int(match[3])
        if first <= last < count <= MOST_SHARDS:
            return Shards(first, last, count)
    raise ValueError(
        f"it takes shards in a row, such as 0-3/16 for the first 4 of 16, or 4/16 for one, of at most "
        f"{MOST_SHARDS:,}"
    )


def missing_shards(run: Sequence[Shards]) -> list[int]:
    """Return the IDs of the shards that none of the given processes runs."""
    return sorted(set(range(run[0].count)).difference(*(shards.ids for shards in run)))


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the ID of a server's shard, as Discord computes it. DMs belong to shard 0.

    Args:
        guild_id: The server, or None for DMs.
        count: The total number of shards.
    """
    return 0 if guild_id is None else (guild_id >> _SHIFT) % count

"""Protocols of what a live table needs from outside: storage and Discord fit them by shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from bot.engine.worker_task import Read, Task
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.preferences import ServerSettings
from bot.matches.replay import Seat

T = TypeVar("T")

HostCheck: TypeAlias = Callable[[Sequence[Match]], object]
"""Is called with all live matches of somebody who is to host one, at the moment when that is stored.

What it raises is raised by who stores it, and nothing is stored.
"""


class Opponents(Protocol):
    """Thinks for the seats that the bot plays, and for people who ask."""

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Return the answer to a task, for which ``who`` waits; raises RibitError for another meanwhile.

        ``read`` returns what the task is made of besides its fields.
        """


class Servers(Protocol):
    """What the admins of each server have set."""

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings: the defaults where nothing was set, and in DMs (None)."""


class Journal(Protocol):
    """Matches and their moves. What a call returned without an error is on the disk."""

    async def create(
        self, match: Match, place: str, entries: Sequence[Entry] = (), check: HostCheck | None = None
    ) -> Match | None:
        """Store a new match with its players, and moves, at a place that holds one live match.

        Returns None when it is stored, or else the live match that has the place.
        """

    async def load(self, match_id: str) -> tuple[Match, list[Entry]] | None:
        """Return a match and all its moves as they are at one moment."""

    async def commit(self, change: Change, check: HostCheck | None = None) -> bool:
        """Store a change of a match, all of it or nothing; ``check`` is for a new host.

        Returns False, and stores nothing, where the match has changed since it stood as before.
        """

    def shown(self, match_id: str, version: int) -> None:
        """Take note that all messages of a match were right after so many of its changes."""

    async def waiting(
        self, ended_since: int, shards: frozenset[int] | None = None, count: int = 1
    ) -> list[Waiting]:
        """Return all live matches, and those that have ended since unshown, oldest first."""

    async def count_hint(self, match_id: str, seat: int, n: int) -> None: ...
    async def hosted(self, player_id: int) -> list[Match]: ...  # oldest first
    async def find(self, match_id: str) -> Match | None: ...
    async def stands(self, match_id: str) -> tuple[int, Stage] | None: ...
    async def of_day(self, game: str, player_id: int, day: int) -> Match | None: ...
    async def knows_deal(self, game: str, player_id: int, deal: int) -> bool: ...
    async def mark_viewed(self, match: Match, player_id: int, at: int) -> None: ...
    async def live_at(self, place: str) -> Match | None: ...
    async def newest_at(self, place: str) -> str | None: ...
    async def ended_in(self, channel_id: int) -> str | None: ...
    async def live_in(self, channel_id: int) -> list[str]: ...
    async def seats_of(self, player_id: int, guild_id: int | None) -> list[Seat]: ...
    async def live_of(self, guild_id: int) -> list[str]: ...
    async def entry(self, match_id: str, n: int) -> Entry | None: ...

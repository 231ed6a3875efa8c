"""Protocols for the storage and services that live tables depend on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeAlias, TypeVar

from bot.engine.worker_task import Read, Task
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.preferences import ServerSettings
from bot.matches.replay import Seat

T = TypeVar("T")

HostCheck: TypeAlias = Callable[[Sequence[Match]], object]
"""A check of a new host, called with the host's live matches inside the storing transaction.

If it raises an error, nothing is stored and the error is passed on to the caller.
"""


class Opponents(Protocol):
    """The workers that choose moves for computer players and answer questions."""

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Return the answer to a task.

        Args:
            task: The task.
            who: The user who waits for the answer.
            read: Returns the data that the task needs besides its fields.

        Raises:
            RibitError: The user is already waiting for another answer.
        """


class Servers(Protocol):
    """The settings of servers."""

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings, or the defaults if it has none or for DMs (None)."""


class Journal(Protocol):
    """The storage of matches and moves. Data is durable once a call returns without an error."""

    async def create(
        self, match: Match, place: str, entries: Sequence[Entry] = (), check: HostCheck | None = None
    ) -> Match | None:
        """Store a new match, with its players and moves, at a location that holds one live match.

        Args:
            match: The match.
            place: The key of the location.
            entries: The moves.
            check: Checks the host.

        Returns:
            None if the match was stored, or else the live match at the location.
        """

    async def load(self, match_id: str) -> tuple[Match, list[Entry]] | None:
        """Return a match and all its moves as a consistent snapshot."""

    async def commit(self, change: Change, check: HostCheck | None = None) -> bool:
        """Store a change of a match in one transaction.

        Args:
            change: The change.
            check: Checks a new host.

        Returns:
            False if the stored match no longer has the version before the change. Nothing is stored
            then.
        """

    def shown(self, match_id: str, version: int) -> None:
        """Record that all messages of a match showed a version."""

    async def waiting(
        self, ended_since: int, shards: frozenset[int] | None = None, count: int = 1
    ) -> list[Waiting]:
        """Return live matches, and matches that ended without their end being shown, oldest first.

        Args:
            ended_since: Unix time before which ended matches are ignored.
            shards: The shards to include, or None for all.
            count: The total number of shards.
        """

    async def newcomers(self, game: str, goal: str, ids: Collection[int]) -> frozenset[int]: ...
    async def count_hint(self, match_id: str, seat: int, n: int) -> None: ...
    async def hosted_matches(self, player_id: int) -> list[Match]: ...  # oldest first
    async def find(self, match_id: str) -> Match | None: ...
    async def stands(self, match_id: str) -> tuple[int, Stage] | None: ...
    async def of_day(self, game: str, player_id: int, day: int) -> Match | None: ...
    async def knows_deal(self, game: str, player_id: int, deal: int) -> bool: ...
    async def mark_viewed(self, match: Match, player_id: int, at: int) -> None: ...
    async def live_at(self, place: str) -> Match | None: ...
    async def newest_at(self, place: str) -> str | None: ...
    async def last_ended_in(self, channel_id: int) -> str | None: ...
    async def live_in(self, channel_id: int) -> list[str]: ...
    async def seats_of(self, player_id: int, guild_id: int | None) -> list[Seat]: ...
    async def live_of(self, guild_id: int) -> list[str]: ...
    async def entry(self, match_id: str, n: int) -> Entry | None: ...

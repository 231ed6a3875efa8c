"""Protocols of the storage and of the services on which live tables depend."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeAlias, TypeVar

from bot.engine.worker_task import Read, Task
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.replay import LiveSeat
from bot.matches.server_settings import ServerSettings

T = TypeVar("T")

HostCheck: TypeAlias = Callable[[Sequence[Match]], object]
"""A function that checks whether a player may host another match.

It is called inside the storing transaction with the player's live hosted matches. If it raises an error,
nothing is stored and the caller gets the error.
"""


class Opponents(Protocol):
    """Protocol for the workers that choose computer players' moves and answer players' questions."""

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Run a task in a worker process and return its result.

        Args:
            task: The task.
            who: The user who waits for the result.
            read: Returns further data for the task, or None if it needs none.

        Raises:
            RibitError: The user is already waiting for another answer.
        """


class Servers(Protocol):
    """Protocol for the storage of server settings."""

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings.

        For DMs (None) and servers without settings, return the defaults.
        """


class Journal(Protocol):
    """Protocol for the storage of matches and their moves.

    When a method returns, its data is committed.
    """

    async def create(
        self, match: Match, place: str, entries: Sequence[Entry] = (), check: HostCheck | None = None
    ) -> Match | None:
        """Store a new match with its players and its first moves.

        Args:
            match: The match.
            place: The key of the match's location. Each location holds one live match.
            entries: The moves that were already played.
            check: Checks whether the host may open another match.

        Returns:
            None if the match was stored. If the location already holds a live match, that match.
        """

    async def load(self, match_id: str) -> tuple[Match, list[Entry]] | None:
        """Return a match and all its moves as a consistent snapshot.

        Return None if it does not exist.
        """

    async def commit(self, change: Change, check: HostCheck | None = None) -> bool:
        """Store a change to a match in one transaction, unless the match has changed in the meantime.

        Args:
            change: The change.
            check: Checks whether a new host may host another match.

        Returns:
            True if the change was stored. False if the stored match no longer has the version that the
            change is based on.
        """

    def record_shown(self, match_id: str, version: int) -> None:
        """Record that all of a match's messages show the given version of the match."""

    async def waiting(
        self, ended_since: int, shards: frozenset[int] | None = None, count: int = 1
    ) -> list[Waiting]:
        """Return the live matches, and ended matches whose messages do not show the end, oldest first.

        Args:
            ended_since: A Unix time. Matches that ended earlier are ignored.
            shards: The shards to include, or None for all.
            count: The total number of shards.
        """

    async def newcomers(self, game: str, goal: str, ids: Collection[int]) -> frozenset[int]: ...
    async def count_hint(self, match_id: str, seat: int, n: int) -> None: ...
    async def hosted_matches(self, player_id: int) -> list[Match]: ...  # oldest first
    async def find(self, match_id: str) -> Match | None: ...
    async def version_and_stage(self, match_id: str) -> tuple[int, Stage] | None: ...
    async def of_day(self, game: str, player_id: int, day: int) -> Match | None: ...
    async def knows_deal(self, game: str, player_id: int, deal: int) -> bool: ...
    async def mark_viewed(self, match: Match, player_id: int, at: int) -> None: ...
    async def live_at(self, place: str) -> Match | None: ...
    async def newest_at(self, place: str) -> str | None: ...
    async def last_ended_in(self, channel_id: int) -> str | None: ...
    async def live_in(self, channel_id: int) -> list[str]: ...
    async def seats_of(self, player_id: int, guild_id: int | None) -> list[LiveSeat]: ...
    async def live_of(self, guild_id: int) -> list[str]: ...
    async def entry(self, match_id: str, n: int) -> Entry | None: ...

"""Protocols of the storage and the services that live tables use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeAlias, TypeVar

from bot.engine.worker_task import Read, Task
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.preferences import ServerSettings
from bot.matches.replay import LiveSeat

T = TypeVar("T")

HostCheck: TypeAlias = Callable[[Sequence[Match]], object]
"""A function that checks whether a player may host another match.

It is called inside the storing transaction with the player's live hosted matches. If it raises an error,
nothing is stored and the caller gets the error.
"""


class Opponents(Protocol):
    """The workers that choose computer players' moves and answer players' questions."""

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Run a task in a worker and return its result.

        Args:
            task: The task.
            who: The user who waits for the result.
            read: Returns additional data that the task needs, or None if it needs none.

        Raises:
            RibitError: The user is already waiting for another answer.
        """


class Servers(Protocol):
    """The storage of server settings."""

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings. In DMs (None), or if the server has none, return the defaults."""


class Journal(Protocol):
    """The storage of matches and moves. If a call returns without an error, its data is durable."""

    async def create(
        self, match: Match, place: str, entries: Sequence[Entry] = (), check: HostCheck | None = None
    ) -> Match | None:
        """Store a new match with its players and moves.

        Args:
            match: The match.
            place: The key of the match's location. Each location holds one live match.
            entries: The moves that were already played.
            check: Checks whether the host may open another match.

        Returns:
            None if the match was stored. If the location is taken, the live match there.
        """

    async def load(self, match_id: str) -> tuple[Match, list[Entry]] | None:
        """Return a match and all its moves as a consistent snapshot, or None if there is none."""

    async def commit(self, change: Change, check: HostCheck | None = None) -> bool:
        """Store a change of a match in one transaction.

        Args:
            change: The change.
            check: Checks whether a new host may host another match.

        Returns:
            True if the change was stored. False if another change was stored first, so the match no
            longer has the expected version.
        """

    def record_shown(self, match_id: str, version: int) -> None:
        """Record that all of a match's messages show a version of the match."""

    async def waiting(
        self, ended_since: int, shards: frozenset[int] | None = None, count: int = 1
    ) -> list[Waiting]:
        """Return the live matches and those whose end was not shown, oldest first.

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

"""What a live table needs from outside. Storage and Discord fit these by shape."""

from __future__ import annotations

from typing import Protocol

from bot.engine.match import Entry, Match, Player, Result, Stage, Timing
from bot.engine.server import ServerSettings


class Servers(Protocol):
    """What the admins of each server have set."""

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings: the defaults where nothing was set, and in DMs (None)."""


class Journal(Protocol):
    """Matches and their moves. What a call returned without an error is on the disk."""

    async def open(self, match: Match, place: str) -> Match | None:
        """Store a new match with its players at a place that holds one live match.

        Returns None when it is stored, or else the live match that has the place.
        """

    async def find(self, match_id: str) -> Match | None:
        """Return a match by its id, live or not."""

    async def with_option(self, game: str, player_id: int, option: str, value: int) -> Match | None:
        """Return a player's first match of a game, live or not, whose option has this value."""

    async def live_at(self, place: str) -> Match | None:
        """Return the live match of a place."""

    async def live(self) -> list[Match]:
        """Return every live match, oldest first."""

    async def sit(self, match_id: str, player: Player, at: int | None = None) -> Match | None:
        """Seat a player in a lobby, once, while there is room; return the match as it then is.

        Returns None for a match that does not exist.
        """

    async def stand(self, match_id: str, player_id: int, at: int | None = None) -> Match | None:
        """Take a player out of a lobby; a leaving host hands over to the next seat.

        The last one out stops the match. Returns the match as it then is.
        """

    async def begin(self, match_id: str, seed: bytes, at: int | None = None) -> Match | None:
        """Start a lobby with this seed, once, and the clock of its first turn; return the match."""

    async def close(self, match_id: str, stage: Stage, at: int | None = None) -> bool:
        """End a live match without a result, at a time in seconds since 1970, or now.

        Returns False for one that has ended already.
        """

    async def leave_unfinished(self, match_id: str, rests_since: int, at: int) -> bool:
        """End a live match that has rested since then; returns False where somebody came back."""

    async def set_clock(self, match_id: str, before: Timing, after: Timing) -> bool:
        """Set the clock of a match that is being played.

        Returns False, and stores nothing, when the clock stands otherwise than it did before.
        """

    async def entries(self, match_id: str, after: int = 0) -> list[Entry]:
        """Return the moves of a match from number ``after`` on, in order."""

    async def entry(self, match_id: str, n: int) -> Entry | None:
        """Return one move of a match, or None where there is none of that number."""

    async def append(
        self,
        match_id: str,
        entry: Entry,
        results: tuple[Result, ...] = (),
        at: int | None = None,
        clock: tuple[Timing, Timing] | None = None,
    ) -> bool:
        """Store a move; with results, also the end of the match (at a time, or now), in one transaction.

        ``clock`` says how the clock of the match stood before the move, and is set by it. Returns
        False, and stores nothing, when the match has a move of that number already, is not being
        played, or its clock stands otherwise by now.
        """

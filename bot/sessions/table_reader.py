"""Tables as they stand, looked for by what they are known by. Nothing is changed by that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.engine.game import AnyGame
from bot.engine.match import Entry, Match
from bot.sessions.opening import place_of
from bot.sessions.ports import Journal, Opponents
from bot.sessions.replays import load_whole
from bot.sessions.repository import Repository
from bot.sessions.table import Table


class TableReader:
    """Finds tables: in memory, where that cannot differ, or in the journal."""

    def __init__(
        self,
        *,
        games: Mapping[str, AnyGame],
        journal: Journal,
        clock: Callable[[], int],
        is_sure: Callable[[Match], bool],
        opponents: Opponents | None = None,
    ) -> None:
        """``is_sure`` says of a match that no other process changes it unheard."""
        self._games = games
        self._journal = journal
        self._clock = clock
        self._repository = Repository(
            games=games, journal=journal, clock=clock, is_sure=is_sure, opponents=opponents
        )

    async def look(self, match_id: str) -> Table:
        """Return the table of a match, live or not; raises TableError where there is none."""
        table = await self._repository.known(match_id)
        if table is None:
            async with self._repository.live.locked(match_id):
                table = await self._repository.hold(match_id)
        return table

    async def find(self, match_id: str) -> Table | None:
        """Return the table of a match, live or not, or None where there is none."""
        match = await self._journal.find(match_id)
        return await self.look(match.id) if match else None

    async def stored(self, match_id: str) -> Match | None:
        """Return a match as it is stored, or None where there is none."""
        return await self._journal.find(match_id)

    async def whole(self, match_id: str) -> tuple[Match, list[Entry]]:
        """Return a match and all its moves as they are stored; raises TableError where there is none."""
        return await load_whole(self._journal, match_id)

    async def ended_in(self, channel_id: int) -> str | None:
        """Return the id of the match that has ended last in a channel."""
        return await self._journal.ended_in(channel_id)

    async def is_unused(self, channel_id: int) -> bool:
        """Return whether no table ever stood in a channel."""
        return await self._journal.newest_at(place_of(channel_id)) is None

    async def at(self, channel_id: int) -> Table | None:
        """Return the live table of a channel."""
        return await self._live_at(place_of(channel_id))

    async def deal_of(self, channel_id: int, player_id: int) -> Table | None:
        """Return a player's live deal of a game for one in a channel."""
        return await self._live_at(place_of(channel_id, player_id))

    async def _live_at(self, place: str) -> Table | None:
        match = await self._journal.live_at(place)
        table = await self.look(match.id) if match else None
        return table if table and table.match.stage.is_live else None  # one that cannot be read is over

    def in_use(self) -> list[str]:
        """Return the ids of the matches that somebody has played or looked at of late."""
        return self._repository.live.in_use()

    async def live(self) -> list[Match]:
        """Return every live match, oldest first."""
        return await self._journal.live()

    async def hosted(self, player_id: int) -> list[Match]:
        """Return the live matches that a player hosts, oldest first."""
        return await self._journal.hosted(player_id)

    async def live_in(self, channel_id: int) -> list[str]:
        """Return the ids of a channel's live matches."""
        return await self._journal.live_in(channel_id)

    async def live_of(self, guild_id: int) -> list[str]:
        """Return the ids of a server's live matches."""
        return await self._journal.live_of(guild_id)

    def forget_player(self, player_id: int) -> None:
        """Know no table any more at which a player sits or sat: another id stands there by now."""
        self._repository.live.forget_player(player_id)

    def forget_table(self, match_id: str) -> None:
        """Know a table no more: it stands somewhere else by now."""
        self._repository.live.forget(match_id)

    async def tried(self, game: str, player_id: int, day: int) -> Table | None:
        """Return a player's match of the deal that counts for a day, live or not."""
        match = await self._journal.of_day(game, player_id, day)
        return await self.look(match.id) if match else None

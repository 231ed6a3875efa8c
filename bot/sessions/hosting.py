"""How many live matches one person may host at a time, and which of them stand in the way of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.game import AnyGame
from bot.engine.match import Entry, Match
from bot.engine.words import _
from bot.sessions.errors import TableError, TooManyError
from bot.sessions.events import Event
from bot.sessions.ports import HostCheck, Servers
from bot.sessions.table import Table
from bot.sessions.tables import Tables

MOST_TABLES = 10
"""In all servers together; how many it is in one of them, its admins set."""

MOST_DEALS = 5
"""Of games for one, wherever they are; a place has one of a person's at a time."""


def deals_in_the_way(hosted: Sequence[Match], games: Mapping[str, AnyGame]) -> tuple[Match, ...]:
    """Return a person's live deals, if one of them has to end before another is dealt."""
    deals = tuple(match for match in hosted if is_solo(match, games) and not match.is_lesson)
    return deals if len(deals) >= MOST_DEALS else ()


def tables_in_the_way(
    hosted: Sequence[Match], games: Mapping[str, AnyGame], guild_id: int | None, most_here: int
) -> tuple[Match, ...]:
    """Return a person's live tables of which one has to end before another is opened in a server.

    ``most_here`` is that server's limit. Lessons do not count: they are one a game, and private.
    """
    tables = tuple(match for match in hosted if not (is_solo(match, games) or match.is_lesson))
    here = tuple(match for match in tables if match.guild_id == guild_id)
    if len(here) >= most_here:
        return here
    return tables if len(tables) >= MOST_TABLES else ()


def is_solo(match: Match, games: Mapping[str, AnyGame]) -> bool:
    game = games.get(match.game)
    return game is not None and game.info.is_solo


class Hosting:
    """Opens matches for people who do not host too many."""

    def __init__(self, tables: Tables, servers: Servers) -> None:
        self._tables = tables
        self._servers = servers

    async def check(self, game: str, guild_id: int | None, player_id: int) -> None:
        """Raise TooManyError where a person may not open a match: for what takes work before it."""
        (await self.judge(game, guild_id))(await self._tables.hosted(player_id))

    async def open(
        self, match: Match, place: str, what: Event | None = None, entries: Sequence[Entry] = ()
    ) -> Table:
        """Store a new match; raises TooManyError for who has too many, TableTakenError for its place.

        Of two at once neither is overlooked: it is decided where they are stored one after the other.
        Raises TableError for a table in a server that lets its host sit down nowhere.
        """
        settings = await self._servers.get(match.guild_id)
        if match.host_id in settings.barred and not is_solo(match, self._tables.games):
            raise TableError(
                _("You can't sit down at tables in this server. Its admins can change that.")
            )
        check = await self.judge(match.game, match.guild_id)
        try:
            return await self._tables.open(match, place, what, entries, check)
        except TooManyError as error:
            raise TooManyError(error.matches, is_solo=error.is_solo) from None  # in the host's language

    async def judge(self, game: str, guild_id: int | None) -> HostCheck:
        """Return what raises TooManyError for who hosts too much to host a match of a game as well."""
        most = (await self._servers.get(guild_id)).tables_each
        is_deal = self._tables.games[game].info.is_solo

        def check(hosted: Sequence[Match]) -> None:
            found = (
                deals_in_the_way(hosted, self._tables.games)
                if is_deal
                else tables_in_the_way(hosted, self._tables.games, guild_id, most)
            )
            if found:
                raise TooManyError(found, is_solo=is_deal)

        return check

"""Recomputation of all leaderboards from the stored matches, according to the current rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.matches.leaderboard_rules import EVERYWHERE
from bot.matches.match import Entry, Match, Result
from bot.matches.results import results_of
from bot.storage.database_address import Location
from bot.storage.database_lock import DatabaseTransaction, open_stopped
from bot.storage.leaderboard_totals import stored_results, tally
from bot.storage.named_queries import Sql
from bot.storage.writer import Work

_BOARDS = (
    "totals",
    "total_figures",
    "frog_totals",
    "par_totals",
    "day_wins",
)
"""The tables with match totals. ``names`` is missing, because a name may be newer than any match."""

# Queries over whole tables, which a running bot never executes.
_FINISHED = "SELECT id FROM matches WHERE stage = 'finished' ORDER BY ended_at, id"
_NAMES = "SELECT guild_id, player_id, name FROM names"
_CLEAR_UNCOUNTED = "UPDATE matches SET uncounted = NULL WHERE uncounted NOT IN ('often', 'helped')"
_PLACES = """
SELECT guild_id, game, '' AS part, player_id, wins, matches FROM totals
UNION ALL SELECT guild_id, game, 'with frogs: ' || strength, player_id, wins, matches FROM frog_totals
UNION ALL SELECT coalesce(guild_id, 0), game, 'day ' || day, player_id, count(*), count(*) FROM day_wins
GROUP BY guild_id, game, day, player_id
"""

_Places: TypeAlias = dict[tuple[int, str, str, int], tuple[int, int]]
"""Wins and matches. The key consists of a server, a game, a part of its leaderboard, and a player."""


@frozen
class Recount:
    """Report about a recomputation of all leaderboards.

    Attributes:
        matches: The number of counted matches.
        unread: The number of matches whose moves could not be replayed. Their stored results were
            counted.
        changes: A line of text for each leaderboard row that changes.
    """

    matches: int
    unread: int
    changes: tuple[str, ...]

    def report_lines(self, *, is_applied: bool) -> tuple[str, ...]:
        """Return the report as lines of text for the bot's operator."""
        status = "stored" if is_applied else "nothing is stored yet: recount --apply does that"
        return (
            *self.changes,
            f"Matches: {self.matches}, not understood and counted as stored: {self.unread}.",
            f"Places that change: {len(self.changes)} ({status}).",
        )


async def recount(
    location: Location,
    games: Mapping[str, AnyGame],
    *,
    is_applied: bool,
    first: Work[None] | None = None,
) -> Recount:
    """Recompute all leaderboards of a database that no bot is using.

    If an error occurs, the database does not change.

    Args:
        location: The location of the database.
        games: The games by key.
        is_applied: True to commit the changes. Otherwise this is a dry run.
        first: A function that runs first in the same transaction, or None.

    Returns:
        The counts and the changes.

    Raises:
        OldDatabaseError: The database has an older schema.
        DatabaseInUseError: A bot is using the database.
        DatabaseError: The database cannot be used.
    """
    async with open_stopped(location) as end:
        sql = end.sql
        before = await _places(end)
        if first is not None:
            await first(sql)
        names = await end.select(_NAMES)
        for table in _BOARDS:
            await end.execute(f"DELETE FROM {table}")  # noqa: S608 — names of Ribit's own migrations
        await end.execute(_CLEAR_UNCOUNTED)
        finished, unread = await end.select(_FINISHED), 0
        for row in finished:
            record = await end.matches.load(row["id"])
            assert record is not None, "it was found"
            unread += not await _count(sql, games, *record)
        for name in names:
            await sql.put_name(**dict(name))
        after = await _places(end)
        name_rows = await end.select(_NAMES)
        await end.execute("COMMIT" if is_applied else "ROLLBACK")
    called = {(name["guild_id"], name["player_id"]): name["name"] for name in name_rows}
    return Recount(len(finished), unread, tuple(_changes(before, after, called)))


async def _count(sql: Sql, games: Mapping[str, AnyGame], match: Match, entries: list[Entry]) -> bool:
    """Count a match on the leaderboards, and return whether its moves could be replayed.

    If its moves could not be replayed, its stored results are counted.
    """
    replayed_results = _replay_results(games, match, entries)
    results = replayed_results or await stored_results(sql, match.id)
    for result in results:
        played = int(result.played)
        await sql.set_played(match_id=match.id, seat=result.seat, played=played)
        for key, value in result.figures.items():
            await sql.put_figure(match_id=match.id, seat=result.seat, key=key, value=value)
    await tally(sql, match, results, match.ended_at or 0, is_recount=True)
    return bool(replayed_results)


def _replay_results(
    games: Mapping[str, AnyGame], match: Match, entries: list[Entry]
) -> tuple[Result, ...]:
    game = games[match.game].by_rules(match.rules_version) if match.game in games else None
    try:
        return results_of(game, match, entries) if game is not None else ()
    except (RibitError, LookupError, ValueError):
        return ()


async def _places(end: DatabaseTransaction) -> _Places:
    return {
        (row["guild_id"], row["game"], row["part"], row["player_id"]): (row["wins"], row["matches"])
        for row in await end.select(_PLACES)
    }


def _changes(before: _Places, after: _Places, names: Mapping[tuple[int, int], str]) -> Iterator[str]:
    for place in sorted(before.keys() | after.keys()):
        guild_id, game, part, player_id = place
        was, now = before.get(place, (0, 0)), after.get(place, (0, 0))
        if was != now:
            where = "everywhere" if guild_id == EVERYWHERE else f"server {guild_id}"
            board = ", ".join(filter(None, (where, game, part)))
            name = names.get((guild_id, player_id), "")
            won = " → ".join(f"{wins} of {matches} won" for wins, matches in (was, now))
            yield f"{board}: {name} ({player_id}) {won}"

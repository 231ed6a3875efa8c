"""Queries for matches and their moves.

Each query runs as one job in the database thread. Loading a long match takes one job per page of moves.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection
from itertools import groupby
from operator import itemgetter
from typing import Any

from bot.engine.opponent import Mover, Strength
from bot.matches.leaderboard_rules import DAY_SECONDS, Ending, Uncounted
from bot.matches.match import Entry, Match, Player, Roster, Stage, Waiting
from bot.matches.replay import LiveSeat
from bot.storage.anonymous_counts import kept_count, try_of
from bot.storage.leaderboard_totals import is_counted_win
from bot.storage.named_queries import Record, Sql
from bot.storage.writer import ReadStore

PLAIN = (
    *("id", "game", "rules_version", "guild_id", "channel_id", "host_id", "seed", "secret"),
    *("started_by", "thinking_version", "opened_by", "opened_at", "ended_at", "turn_seconds"),
    *("turn_ends_at", "rests_since", "stands_since", "active_at", "wakes_at"),
)
"""The fields of a match that are stored unchanged, each in a column with the same name."""

SEATED = ("name", "missed", "bank", "interaction")
"""The fields of a player that are stored unchanged, each in a ``seats`` column with the same name."""

PAGE, MOST = 200, 10**9
"""The number of moves read at once (about 4 ms), and a number above any match's number of moves."""

_AWAITED = ("game", "guild_id", "channel_id", "wakes_at", "rules_version")


class MatchReader(ReadStore):
    """Read-only store of matches and their moves.

    In method names, *live* matches are in the lobby or in progress. A *place* is a match's location, as
    a key such as a channel or a player's private deal.
    """

    async def find(self, match_id: str) -> Match | None:
        return await self._reader.run(lambda sql: self._find(sql, match_id))

    async def load(self, match_id: str) -> tuple[Match, list[Entry]] | None:
        """Return a match and all its moves, both of the same version.

        Return None if it does not exist.
        """
        entries, version = list[Entry](), -1

        async def page(sql: Sql) -> tuple[Match | None, list[Entry], Any]:
            match = await self._find(sql, match_id)
            more = await self._entries(sql, match_id, len(entries), PAGE)
            return match, more, await sql.match_stands(match_id=match_id)

        while True:  # one job per page, so that other readers can run in between
            match, more, stands = await self._reader.run(page)
            if match is None:
                return None
            if (stands and stands["version"]) != match.version or (entries and version != match.version):
                entries.clear()  # the match has changed in the meantime
                continue
            entries += more
            version = match.version
            if len(more) < PAGE:
                return match, entries

    async def version_and_stage(self, match_id: str) -> tuple[int, Stage] | None:
        """Return a match's version and stage without loading the match, or None if it does not exist."""
        row = await self._ask("match_stands", match_id=match_id)
        return None if row is None else (row["version"], Stage(row["stage"]))

    async def live_at(self, place: str) -> Match | None:
        """Return the match that has not ended at a location, or None if there is none."""
        return await self._reader.run(lambda sql: _first(sql.match_at(place=place)))

    async def newest_at(self, place: str) -> str | None:
        """Return the ID of the newest match at a location, or None. The match may have ended."""
        return next(iter(await self._ids("newest_at", place=place)), None)

    async def last_ended_in(self, channel_id: int) -> str | None:
        """Return the ID of the match that ended last in a channel, or None."""
        return next(iter(await self._ids("ended_in", channel_id=channel_id)), None)

    async def live(self) -> list[Match]:
        return await self._reader.run(lambda sql: matches_in(sql.live_matches()))

    async def hosted_matches(self, player_id: int) -> list[Match]:
        return await self._reader.run(lambda sql: self._read_hosted(sql, player_id))

    async def live_in(self, channel_id: int) -> list[str]:
        return await self._ids("live_in_channel", channel_id=channel_id)

    async def live_of(self, guild_id: int) -> list[str]:
        return await self._ids("live_in_server", guild_id=guild_id)

    async def seats_of(self, player_id: int, guild_id: int | None) -> list[LiveSeat]:
        """Return a player's seats in all matches that have not ended.

        Args:
            player_id: The player's ID.
            guild_id: The server to search, or None for all servers and DMs.
        """
        statement = "live_seats_of" if guild_id is None else "live_seats_in"
        rows = await self._list(statement, player_id=player_id, guild_id=guild_id)
        return [LiveSeat(row["id"], row["guild_id"], row["name"]) for row in rows]

    async def waiting(
        self, ended_since: int, shards: frozenset[int] | None = None, count: int = 1
    ) -> list[Waiting]:
        """Return the matches that a process must handle when it starts.

        These are the matches that have not ended, and recently ended matches whose messages may be
        outdated.

        Args:
            ended_since: A Unix time. Matches that ended before it are left out.
            shards: The IDs of the process's shards, or None for all.
            count: The total number of shards.

        Returns:
            The matches that belong to these shards, oldest first.
        """
        wanted = frozenset({0}) if shards is None else shards
        if not wanted:
            return []
        span = {"count": count, "first": min(wanted), "last": max(wanted)}
        rows = await self._list("waiting", **span, ended_since=ended_since)
        return [
            Waiting(
                row["id"],
                **{name: row[name] for name in _AWAITED},
                is_shown=not row["is_due"],
                guest=bool(row["guest"]),
            )
            for row in rows
            if row["shard"] in wanted
        ]

    async def ending(self, match_id: str) -> Ending:
        """Return the data shown at the end of a match beside its results, such as the hints used."""

        async def work(sql: Sql) -> Ending:
            hints = {row["seat"]: row["hints"] async for row in sql.hints_of(match_id=match_id)}
            why = await sql.uncounted_of(match_id=match_id)
            facts = dict[int, dict[str, int]]()
            async for row in sql.end_facts_of(match_id=match_id):
                facts.setdefault(row["seat"], {})[row["key"]] = row["value"]
            return Ending(hints, Uncounted(why) if why else None, facts)

        return await self._reader.run(work)

    async def players_at_win_limit(self, match: Match, at: int) -> tuple[Player, ...]:
        """Return a match's people whose next win would not count on the global leaderboard on that day.

        They have reached the daily limit of wins.

        Args:
            match: The match.
            at: A Unix time on that day.
        """
        people, day = match.people, at // DAY_SECONDS

        async def work(sql: Sql) -> tuple[Player, ...]:
            others = {
                player.id: [other.id for other in people if other is not player] for player in people
            }
            return tuple(
                [
                    player
                    for player in people
                    if others[player.id]
                    and not await is_counted_win(sql, player.id, others[player.id], day)
                ]
            )

        return await self._reader.run(work)

    async def live_by_game(self) -> dict[str, int]:
        return {row["game"]: row["number"] for row in await self._list("live_by_game")}

    async def of_day(self, game: str, player_id: int, day: int) -> Match | None:
        """Return a player's own match with the daily deal of a UTC day, or None if there is none.

        Args:
            game: The key of the game.
            player_id: The player's ID.
            day: The UTC day as a number such as 20261121.
        """
        of_day = {"game": game, "player_id": player_id, "day": day}
        return await self._reader.run(lambda sql: _first(sql.match_of_day(**of_day)))

    async def knows_deal(self, game: str, player_id: int, deal: int) -> bool:
        """Return whether a player has played or seen a deal. Playing it again is then only practice."""

        async def work(sql: Sql) -> bool:
            rows = sql.tries_of(host_id=player_id, game=game, deal=deal)
            if [row async for row in rows]:
                return True
            if await sql.times_viewed(player_id=player_id, game=game, deal=deal):
                return True
            return await kept_count(sql, try_of(player_id, game, deal)) > 0

        return await self._reader.run(work)

    async def newcomers(self, game: str, goal: str, ids: Collection[int]) -> frozenset[int]:
        """Return those of the given players who have never reached a game's goal in a match or a lesson.

        Args:
            game: The key of the game.
            goal: The key of the result figure that shows that a player has reached the goal. It is then
                above 0. If the key is empty, the goal is to win.
            ids: The IDs of the players to check.
        """

        async def work(sql: Sql) -> frozenset[int]:
            return frozenset(
                [
                    each
                    for each in ids
                    if not await sql.has_learned(player_id=each, game=game)
                    and not await sql.has_reached(player_id=each, game=game, goal=goal)
                ]
            )

        return await self._reader.run(work)

    async def entries(self, match_id: str, after: int = 0) -> list[Entry]:
        """Return a match's moves in order, beginning with the move that has the number ``after``."""
        return await self._reader.run(lambda sql: self._entries(sql, match_id, after))

    async def entry(self, match_id: str, n: int) -> Entry | None:
        row = await self._ask("entry", match_id=match_id, n=n)
        return None if row is None else _entry(row)

    async def _ids(self, statement: str, **values: int | str) -> list[str]:
        return [row["id"] for row in await self._list(statement, **values)]

    async def _entries(self, sql: Sql, match_id: str, after: int, most: int = MOST) -> list[Entry]:
        rows = sql.entries_of(match_id=match_id, after=after, before=after + most)
        return [_entry(row) async for row in rows]

    async def _read_hosted(self, sql: Sql, player_id: int) -> list[Match]:
        return await matches_in(sql.hosted(host_id=player_id))

    async def _find(self, sql: Sql, match_id: str) -> Match | None:
        return await _first(sql.match_by_id(id=match_id))


async def matches_in(found: AsyncIterator[Record]) -> list[Match]:
    """Convert query rows to matches.

    There is one row per seat, or a single row for a match without seats.
    """
    rows = [row async for row in found]
    return [_match(list(seats)) for _id, seats in groupby(rows, key=itemgetter("id"))]


async def _first(found: AsyncIterator[Record]) -> Match | None:
    return next(iter(await matches_in(found)), None)


def _entry(row: Record) -> Entry:
    return Entry(**{**row, "mover": None if row["mover"] is None else Mover(row["mover"])})


def _player(seat: Record) -> Player:
    return Player(
        seat["player_id"],
        strength=None if seat["strength"] is None else Strength(seat["strength"]),
        user_name=seat["user_name"] or "",
        hints=seat["hints"],
        **{name: seat[name] for name in SEATED},
    )


def _match(seats: list[Record]) -> Match:
    row = seats[0]
    return Match(
        **{name: row[name] for name in PLAIN},
        players=tuple(_player(seat) for seat in seats if seat["player_id"] is not None),
        limit=row["seat_limit"],
        options=json.loads(row["options"]),
        stage=Stage(row["stage"]),
        unfinished=bool(row["unfinished"]),
        guest=bool(row["guest"]),
        roster=Roster(**{name: tuple(ids) for name, ids in json.loads(row["roster"]).items()}),
        version=row["version"],
        shown=row["shown"],
    )

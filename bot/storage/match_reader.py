"""Matches and their moves, as they are read: each question is one hop."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import groupby
from operator import itemgetter

from bot.engine.match import Entry, Match, Player, Stage, Waiting
from bot.engine.replay import Past, Seat
from bot.engine.roster import Roster
from bot.engine.thinking import Mover, Strength
from bot.storage.days import still_counted, try_of
from bot.storage.sql import Queries, Record
from bot.storage.writer import Reader, Session


class MatchReader:
    """Answers questions about matches."""

    def __init__(self, queries: Queries, reader: Reader) -> None:
        self.queries = self._sql = queries
        self._reader = reader

    async def find(self, match_id: str) -> Match | None:
        """Return a match by its id, live or not."""
        return await self._reader.run(lambda connection: self._find(connection, match_id))

    async def load(self, match_id: str) -> tuple[Match, list[Entry]] | None:
        """Return a match and all its moves as they are at one moment."""

        async def work(connection: Session) -> tuple[Match, list[Entry]] | None:
            match = await self._find(connection, match_id)
            return None if match is None else (match, await self._entries(connection, match_id, 0))

        return await self._reader.look(work)

    async def stands(self, match_id: str) -> tuple[int, Stage] | None:
        """Return after how many changes a match stands, and in which stage."""
        row = await self._reader.run(
            lambda connection: self._sql.match_stands(connection, match_id=match_id)
        )
        return None if row is None else (row["version"], Stage(row["stage"]))

    async def live_at(self, place: str) -> Match | None:
        """Return the live match of a place."""

        async def work(connection: Session) -> Match | None:
            return next(iter(await matches_in(self._sql.match_at(connection, place=place))), None)

        return await self._reader.run(work)

    async def newest_at(self, place: str) -> str | None:
        """Return the id of the match that was opened last at a place, live or not."""
        row = await self._reader.run(lambda connection: self._sql.newest_at(connection, place=place))
        return None if row is None else str(row["id"])

    async def ended_in(self, channel_id: int) -> str | None:
        """Return the id of the match that has ended last in a channel."""
        row = await self._reader.run(
            lambda connection: self._sql.ended_in(connection, channel_id=channel_id)
        )
        return None if row is None else str(row["id"])

    async def live(self) -> list[Match]:
        """Return every live match, oldest first."""
        return await self._reader.run(lambda connection: matches_in(self._sql.live_matches(connection)))

    async def hosted(self, player_id: int) -> list[Match]:
        """Return the live matches that a player hosts, oldest first."""
        return await self._reader.run(lambda connection: self._hosted(connection, player_id))

    async def live_in(self, channel_id: int) -> list[str]:
        """Return the ids of a channel's live matches."""

        async def work(connection: Session) -> list[str]:
            found = self._sql.live_in_channel(connection, channel_id=channel_id)
            return [row["id"] async for row in found]

        return await self._reader.run(work)

    async def live_of(self, guild_id: int) -> list[str]:
        """Return the ids of a server's live matches."""

        async def work(connection: Session) -> list[str]:
            return [row["id"] async for row in self._sql.live_in_server(connection, guild_id=guild_id)]

        return await self._reader.run(work)

    async def seats_of(self, player_id: int, guild_id: int | None) -> list[Seat]:
        """Return where a player sits, in a server or, with None, anywhere."""

        async def work(connection: Session) -> list[Seat]:
            found = (
                self._sql.live_seats_of(connection, player_id=player_id)
                if guild_id is None
                else self._sql.live_seats_in(connection, player_id=player_id, guild_id=guild_id)
            )
            return [Seat(row["id"], row["guild_id"], row["name"]) async for row in found]

        return await self._reader.run(work)

    async def played(self, player_id: int, guild_id: int | None, most: int) -> list[Past]:
        """Return a player's finished matches, latest first: in a server, or with None anywhere."""
        whose = {"player_id": player_id, "limit": most}

        async def work(connection: Session) -> list[Past]:
            found = (
                self._sql.played_by(connection, **whose)
                if guild_id is None
                else self._sql.played_in(connection, guild_id=guild_id, **whose)
            )
            return [
                Past(row["match_id"], row["game"], row["ended_at"], bool(row["won"]))
                async for row in found
            ]

        return await self._reader.run(work)

    async def waiting(
        self, ended_since: int, shards: frozenset[int] | None = None, count: int = 1
    ) -> list[Waiting]:
        """Return what a start has to know of every live match, oldest first.

        And of those that ended since then, and whose end may not have been shown. With ``shards``,
        which are of ``count``: of every such match of theirs.
        """
        wanted = frozenset({0}) if shards is None else shards
        if not wanted:
            return []

        async def work(connection: Session) -> list[Waiting]:
            found = self._sql.waiting(
                connection, count=count, first=min(wanted), last=max(wanted), ended_since=ended_since
            )
            return [
                Waiting(
                    row["id"],
                    row["game"],
                    row["guild_id"],
                    row["channel_id"],
                    row["wakes_at"],
                    row["rules_version"],
                    is_shown=not row["is_due"],
                    guest=bool(row["guest"]),
                )
                async for row in found
                if row["shard"] in wanted
            ]

        return await self._reader.run(work)

    async def of_day(self, game: str, player_id: int, day: int) -> Match | None:
        """Return a player's match, live or not, of the deal that counts for a day."""

        async def work(connection: Session) -> Match | None:
            found = self._sql.match_of_day(connection, game=game, player_id=player_id, day=day)
            return next(iter(await matches_in(found)), None)

        return await self._reader.run(work)

    async def has_tried(self, game: str, player_id: int, deal: int) -> bool:
        """Return whether a player has been dealt a deal by its number before."""

        async def work(connection: Session) -> bool:
            found = self._sql.tries_of(connection, host_id=player_id, game=game, deal=deal)
            if [row async for row in found]:
                return True
            return await still_counted(self._sql, connection, try_of(player_id, game, deal)) > 0

        return await self._reader.run(work)

    async def entries(self, match_id: str, after: int = 0) -> list[Entry]:
        """Return the moves of a match from number ``after`` on, in order."""
        return await self._reader.run(lambda connection: self._entries(connection, match_id, after))

    async def entry(self, match_id: str, n: int) -> Entry | None:
        """Return one move of a match, or None where there is none of that number."""
        row = await self._reader.run(
            lambda connection: self._sql.entry(connection, match_id=match_id, n=n)
        )
        return None if row is None else _entry(row)

    async def _entries(self, connection: Session, match_id: str, after: int) -> list[Entry]:
        rows = self._sql.entries_of(connection, match_id=match_id, after=after)
        return [_entry(row) async for row in rows]

    async def _hosted(self, connection: Session, player_id: int) -> list[Match]:
        return await matches_in(self._sql.hosted(connection, host_id=player_id))

    async def _find(self, connection: Session, match_id: str) -> Match | None:
        return next(iter(await matches_in(self._sql.match_by_id(connection, id=match_id))), None)


async def matches_in(found: AsyncIterator[Record]) -> list[Match]:
    """Return matches from what was found: a row a seat, or one row for a match without seats."""
    rows = [row async for row in found]
    return [_match(list(seats)) for _id, seats in groupby(rows, key=itemgetter("id"))]


def _entry(row: Record) -> Entry:
    return Entry(**{**row, "mover": None if row["mover"] is None else Mover(row["mover"])})


def _player(seat: Record) -> Player:
    strength = None if seat["strength"] is None else Strength(seat["strength"])
    name, user_name = seat["name"], seat["user_name"] or ""
    return Player(
        seat["player_id"],
        name,
        seat["missed"],
        strength,
        seat["hints"],
        seat["bank"],
        user_name,
        seat["interaction"],
    )


def _match(seats: list[Record]) -> Match:
    row = seats[0]
    return Match(
        id=row["id"],
        game=row["game"],
        rules_version=row["rules_version"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        host_id=row["host_id"],
        players=tuple(_player(seat) for seat in seats if seat["player_id"] is not None),
        limit=row["seat_limit"],
        options=json.loads(row["options"]),
        stage=Stage(row["stage"]),
        seed=row["seed"],
        secret=row["secret"],
        started_by=row["started_by"],
        thinking_version=row["thinking_version"],
        opened_by=row["opened_by"],
        opened_at=row["opened_at"],
        ended_at=row["ended_at"],
        turn_seconds=row["turn_seconds"],
        turn_ends_at=row["turn_ends_at"],
        rests_since=row["rests_since"],
        stands_since=row["stands_since"],
        unfinished=bool(row["unfinished"]),
        guest=bool(row["guest"]),
        roster=Roster(**{name: tuple(ids) for name, ids in json.loads(row["roster"]).items()}),
        active_at=row["active_at"],
        wakes_at=row["wakes_at"],
        version=row["version"],
        shown=row["shown"],
    )

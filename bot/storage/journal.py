"""The journal: matches, their seats and their numbered moves."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import aiosqlite

from bot.engine.match import Entry, Match, Player, Result, Stage, Timing
from bot.storage.connections import Writer
from bot.storage.sql import Queries


class Journal:
    """Matches and their moves. What a call returned without an error is on the disk."""

    def __init__(self, queries: Queries, writer: Writer, reader: aiosqlite.Connection) -> None:
        self._sql = queries
        self._writer = writer
        self._reader = reader

    async def open(self, match: Match, place: str) -> Match | None:
        """Store a new match with its players at a place that holds one live match.

        Returns None when it is stored, or else the live match that has the place.
        """

        async def work(connection: aiosqlite.Connection) -> Match | None:
            for taken in await _matches(self._sql.match_at(connection, place=place)):
                return taken
            await self._sql.add_match(
                connection,
                id=match.id,
                place=place,
                game=match.game,
                rules_version=match.rules_version,
                guild_id=match.guild_id,
                channel_id=match.channel_id,
                host_id=match.host_id,
                seat_limit=match.limit,
                options=json.dumps(dict(match.options)),
                stage=match.stage.value,
                seed=match.seed,
                opened_at=match.opened_at,
                turn_seconds=match.turn_seconds,
                rests_since=match.rests_since,
            )
            await self._seat(connection, match.id, match.players)
            return None

        return await self._writer.write(work)

    async def find(self, match_id: str) -> Match | None:
        """Return a match by its id, live or not."""
        return await self._find(self._reader, match_id)

    async def live_at(self, place: str) -> Match | None:
        """Return the live match of a place."""
        return next(iter(await _matches(self._sql.match_at(self._reader, place=place))), None)

    async def live(self) -> list[Match]:
        """Return every live match, oldest first."""
        return await _matches(self._sql.live_matches(self._reader))

    async def sit(self, match_id: str, player: Player, at: int | None = None) -> Match | None:
        """Seat a player in a lobby, once, while there is room; return the match as it then is.

        Returns None for a match that does not exist.
        """

        async def work(connection: aiosqlite.Connection) -> Match | None:
            if await self._sql.sit(connection, match_id=match_id, player_id=player.id, name=player.name):
                await self._sql.stirred(connection, match_id=match_id, at=at)
            return await self._find(connection, match_id)

        return await self._writer.write(work)

    async def stand(self, match_id: str, player_id: int, at: int | None = None) -> Match | None:
        """Take a player out of a lobby; a leaving host hands over to the next seat.

        The last one out stops the match. Returns the match as it then is.
        """

        async def work(connection: aiosqlite.Connection) -> Match | None:
            match = await self._find(connection, match_id)
            if match is None or match.stage is not Stage.LOBBY or match.seat_of(player_id) is None:
                return match
            left = tuple(player for player in match.players if player.id != player_id)
            await self._sql.stirred(connection, match_id=match_id, at=at)
            await self._sql.clear_seats(connection, match_id=match_id)
            await self._seat(connection, match_id, left)
            if not left:
                await self._sql.end_match(
                    connection, match_id=match_id, stage=Stage.STOPPED.value, at=at
                )
            elif match.host_id == player_id:
                await self._sql.hand_over(connection, match_id=match_id, host_id=left[0].id)
            return await self._find(connection, match_id)

        return await self._writer.write(work)

    async def begin(self, match_id: str, seed: bytes, at: int | None = None) -> Match | None:
        """Start a lobby with this seed, once, and the clock of its first turn; return the match."""

        async def work(connection: aiosqlite.Connection) -> Match | None:
            await self._sql.begin(connection, match_id=match_id, seed=seed, at=at)
            return await self._find(connection, match_id)

        return await self._writer.write(work)

    async def close(self, match_id: str, stage: Stage, at: int | None = None) -> bool:
        """End a live match without a result, at a time in seconds since 1970, or now.

        Returns False for one that has ended already.
        """
        ended = await self._writer.write(
            lambda connection: self._sql.end_match(
                connection, match_id=match_id, stage=stage.value, at=at
            )
        )
        return bool(ended)

    async def leave_unfinished(self, match_id: str, rests_since: int, at: int) -> bool:
        """End a live match that has rested since then; returns False where somebody came back."""
        ended = await self._writer.write(
            lambda connection: self._sql.leave_unfinished(
                connection, match_id=match_id, rests_since=rests_since, at=at
            )
        )
        return bool(ended)

    async def set_clock(self, match_id: str, before: Timing, after: Timing) -> bool:
        """Set the clock of a match that is being played.

        Returns False, and stores nothing, when the clock stands otherwise than it did before.
        """

        async def work(connection: aiosqlite.Connection) -> bool:
            if not await self._is_timed(connection, match_id, before):
                return False
            await self._set_clock(connection, match_id, before, after)
            return True

        return await self._writer.write(work)

    async def _is_timed(self, connection: aiosqlite.Connection, match_id: str, timing: Timing) -> bool:
        match = await self._find(connection, match_id)
        return match is not None and match.stage is Stage.PLAYING and match.timing == timing

    async def _set_clock(
        self, connection: aiosqlite.Connection, match_id: str, before: Timing, after: Timing
    ) -> None:
        if replace(before, missed=()) != replace(after, missed=()):
            await self._sql.set_clock(
                connection,
                match_id=match_id,
                turn_ends_at=after.turn_ends_at,
                rests_since=after.rests_since,
            )
        for seat, missed in enumerate(after.missed):
            if missed != before.missed[seat]:
                await self._sql.set_missed(connection, match_id=match_id, seat=seat, missed=missed)

    async def with_option(self, game: str, player_id: int, option: str, value: int) -> Match | None:
        """Return a player's first match of a game, live or not, whose option has this value."""
        found = self._sql.match_with_option(
            self._reader, game=game, player_id=player_id, option=f"$.{option}", value=value
        )
        return next(iter(await _matches(found)), None)

    async def entries(self, match_id: str, after: int = 0) -> list[Entry]:
        """Return the moves of a match from number ``after`` on, in order."""
        rows = self._sql.entries_of(self._reader, match_id=match_id, after=after)
        return [Entry(**dict(row)) async for row in rows]

    async def entry(self, match_id: str, n: int) -> Entry | None:
        """Return one move of a match, or None where there is none of that number."""
        row = await self._sql.entry(self._reader, match_id=match_id, n=n)
        return None if row is None else Entry(**dict(row))

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
        False, and stores nothing, when the move is not the match's next one, the match is not being
        played, or its clock stands otherwise by now.
        """

        async def work(connection: aiosqlite.Connection) -> bool:
            if clock is not None and not await self._is_timed(connection, match_id, clock[0]):
                return False
            added = await self._sql.append(
                connection,
                match_id=match_id,
                n=entry.n,
                seat=entry.seat,
                text=entry.text,
                at=entry.at,
                choice=entry.choice,
            )
            if not added:
                return False
            if clock is not None:
                await self._set_clock(connection, match_id, *clock)
            if results:
                await self._finish(connection, match_id, results, at)
            return True

        return await self._writer.write(work)

    async def _finish(
        self,
        connection: aiosqlite.Connection,
        match_id: str,
        results: tuple[Result, ...],
        at: int | None,
    ) -> None:
        for result in results:
            added = await self._sql.add_result(
                connection, match_id=match_id, seat=result.seat, won=int(result.won)
            )
            if not added:
                raise ValueError(f"match {match_id} has no seat {result.seat}")
            for key, value in result.figures.items():
                await self._sql.add_figure(
                    connection, match_id=match_id, seat=result.seat, key=key, value=value
                )
        await self._sql.end_match(connection, match_id=match_id, stage=Stage.FINISHED.value, at=at)

    async def _seat(
        self, connection: aiosqlite.Connection, match_id: str, players: tuple[Player, ...]
    ) -> None:
        for seat, player in enumerate(players):
            await self._sql.add_seat(
                connection, match_id=match_id, seat=seat, player_id=player.id, name=player.name
            )

    async def _find(self, connection: aiosqlite.Connection, match_id: str) -> Match | None:
        return next(iter(await _matches(self._sql.match_by_id(connection, id=match_id))), None)


async def _matches(found: AsyncIterator[sqlite3.Row]) -> list[Match]:
    """Return matches from what was found: a row a seat, or one row for a match without seats."""
    rows = [row async for row in found]
    return [_match(list(seats)) for _id, seats in groupby(rows, key=itemgetter("id"))]


def _match(seats: list[sqlite3.Row]) -> Match:
    row = seats[0]
    return Match(
        id=row["id"],
        game=row["game"],
        rules_version=row["rules_version"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        host_id=row["host_id"],
        players=tuple(
            Player(seat["player_id"], seat["name"], seat["missed"])
            for seat in seats
            if seat["player_id"] is not None
        ),
        limit=row["seat_limit"],
        options=json.loads(row["options"]),
        stage=Stage(row["stage"]),
        seed=row["seed"],
        opened_at=row["opened_at"],
        ended_at=row["ended_at"],
        turn_seconds=row["turn_seconds"],
        turn_ends_at=row["turn_ends_at"],
        rests_since=row["rests_since"],
        unfinished=bool(row["unfinished"]),
    )

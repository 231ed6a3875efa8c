"""The journal: what happens to matches, each change of one in one transaction and one hop."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from bot.matches.leaderboard import Facts, own_deal
from bot.matches.match import Change, Entry, Match, Player, Result
from bot.matches.shards import Shards
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.leaderboard_totals import tally
from bot.storage.match_reader import PLAIN, SEATED, MatchReader, matches_in
from bot.storage.sql import Sql
from bot.storage.writer import Reader, Store, Writer

EndRecorder: TypeAlias = Callable[[Sql, Match, Sequence[Result]], Awaitable[Facts]]
"""Returns what the end of a match says of its seats whenever it is shown. The match is counted."""


class Journal(Store, MatchReader):
    """Matches and their moves. What a call returned without an error is on the disk."""

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub, shards: Shards) -> None:
        """Others own, and are told of, the matches that ``shards`` have not."""
        super().__init__(writer, reader)
        self._pubsub, self._shards = pubsub, shards
        self.end_recorders: list[EndRecorder] = []
        """What features record of a match in the transaction that ends it."""

    async def create(
        self,
        match: Match,
        place: str,
        entries: Sequence[Entry] = (),
        check: Callable[[Sequence[Match]], object] | None = None,
    ) -> Match | None:
        """Store a new match with its players, and moves, at a place that holds one live match.

        ``check`` is called with all live matches that the host has at that moment: what it raises is
        raised here, and nothing is stored. Of two matches at once one is among them for the other.
        Returns None when it is stored, or else the live match that has the place, or the host's try of
        the same day.
        """

        async def work(sql: Sql) -> Match | None:
            for taken in await matches_in(sql.match_at(place=place)):
                return taken
            await self._check_host(sql, match.host_id, check)
            of_day = {"player_id": match.host_id, "day": match.day, "game": match.game}
            for tried in await matches_in(sql.match_of_day(**of_day)):
                return tried
            await sql.follow(place=place)
            await sql.add_match(**_columns(match), place=place, options=json.dumps(dict(match.options)))
            await self._seat(sql, match)
            for entry in entries:
                await self._move(sql, match.id, entry)
            await self._publish(sql, match)
            return None

        return await self._writer.write(work)

    async def commit(
        self, change: Change, check: Callable[[Sequence[Match]], object] | None = None
    ) -> bool:
        """Store a change of a match, all of it in one transaction.

        Returns False, and stores nothing, where the match has changed since it stood as before.
        ``check`` is for a new host, as in ``create``, and for a match that moves.
        """
        before, after = change.before, change.after

        async def work(sql: Sql) -> bool:
            if not await sql.set_clock(**_columns(after), version=before.version):
                return False
            for entry in filter(None, (change.entry, change.then)):
                await self._move(sql, after.id, entry)
            if after.host_id != before.host_id or change.place is not None:
                await self._check_host(sql, after.host_id, check)
            if change.place is not None:
                await sql.follow(place=change.place)
                await sql.set_place(**_columns(after), place=change.place)
                await self._publish(sql, before)
            if (before.stage, before.host_id) != (after.stage, after.host_id):
                await sql.set_stage(**_columns(after))
            await self._reseat(sql, before, after)
            if change.results:
                await self._finish(sql, after, change.results)
            if change.is_learned and change.entry is not None:
                await sql.learn(match_id=after.id, at=change.entry.at)
            await self._publish(sql, after)
            return True

        return await self._writer.write(work)

    def shown(self, match_id: str, version: int) -> None:
        """Note that all messages of a match were right after so many changes; it may be lost."""
        self._writer.ride(
            ("shown", match_id), lambda sql: sql.set_shown(match_id=match_id, version=version)
        )

    async def stand_still(self, since: int, shards: Shards | None) -> None:
        first, last, count = (0, 0, 1) if shards is None else (shards.first, shards.last, shards.count)
        await self._do("stand_still", since=since, first=first, last=last, count=count)

    async def mark_viewed(self, match: Match, player_id: int, at: int) -> None:
        """Record that a player has viewed the cards of a match's deal, at a Unix time.

        A match without a numbered deal, or with one that the player knows already, changes nothing.
        """
        game, deal = match.game, match.type.deal
        if deal and not await self.knows_deal(game, player_id, deal):
            await self._do("mark_viewed", game=game, player_id=player_id, deal=deal, at=at)

    async def count_hint(self, match_id: str, seat: int, n: int) -> None:
        await self._do("count_hint", match_id=match_id, seat=seat, n=n)

    async def _check_host(
        self, sql: Sql, host_id: int, check: Callable[[Sequence[Match]], object] | None
    ) -> None:
        if check is not None:
            await sql.opens(player_id=host_id)
            check(await self._hosted(sql, host_id))

    async def _reseat(self, sql: Sql, before: Match, after: Match) -> None:
        """Store who sits where, and how: in a lobby seats are closed up, in a match they stay."""
        if [player.id for player in before.players] != [player.id for player in after.players]:
            await sql.clear_seats(match_id=after.id)
            await self._seat(sql, after)
            return
        for seat, player in enumerate(after.players):
            if player != before.players[seat]:
                await sql.set_player(match_id=after.id, seat=seat, **_seated(player))

    async def _seat(self, sql: Sql, match: Match) -> None:
        for seat, player in enumerate(match.players):
            await sql.add_seat(match_id=match.id, seat=seat, **_seated(player))

    async def _move(self, sql: Sql, match_id: str, entry: Entry) -> None:
        mover = None if entry.mover is None else entry.mover.value
        await sql.add_move(match_id=match_id, **{**asdict(entry), "mover": mover})

    async def _finish(self, sql: Sql, match: Match, results: tuple[Result, ...]) -> None:
        for result in results:
            won, played = int(result.won), int(result.played)
            added = await sql.add_result(match_id=match.id, seat=result.seat, won=won, played=played)
            if not added:
                raise ValueError(f"match {match.id} has no seat {result.seat}")
            for key, value in result.figures.items():
                await sql.add_figure(match_id=match.id, seat=result.seat, key=key, value=value)
        stored = await self._find(sql, match.id)  # with the hints that were counted meanwhile
        assert stored is not None, "it has results"
        assert match.ended_at is not None, "it has results"
        await tally(sql, stored, results, match.ended_at)
        for record in self.end_recorders:
            for seat, facts in (await record(sql, stored, results)).items():
                for key, value in facts.items():
                    await sql.add_end_fact(match_id=match.id, seat=seat, key=key, value=value)

    async def _publish(self, sql: Sql, match: Match) -> None:
        """Tell others of a changed match that one may have to show: another's, or a private one."""
        if match.is_private or not self._shards.has(match.guild_id):
            await self._pubsub.note(sql, MATCH, {"match": match.id, "guild": match.guild_id})


def _columns(match: Match) -> dict[str, Any]:
    return {name: getattr(match, name) for name in PLAIN} | {
        "match_id": match.id,
        "seat_limit": match.limit,
        "day": match.day,
        "deal": own_deal(match),
        "stage": match.stage.value,
        "unfinished": int(match.unfinished),
        "guest": int(match.guest),
        "end_unseen": int(not match.stage.is_live),
        "roster": _roster(match),
    }


def _seated(player: Player) -> dict[str, Any]:
    kept = {name: getattr(player, name) for name in SEATED}
    return {"player_id": player.id, "strength": player.strength and player.strength.value, **kept}


def _roster(match: Match) -> str:
    """Return who may do what at a match, as it is stored: no empty lists, and none at its end."""
    if not match.stage.is_live:
        return "{}"
    return json.dumps({name: ids for name, ids in asdict(match.roster).items() if ids})

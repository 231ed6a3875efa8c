"""Store that writes matches and their moves. Each change to a match is a separate transaction."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from bot.matches.leaderboard_rules import Facts, own_deal
from bot.matches.match import Change, Entry, Match, Player, Result
from bot.matches.shards import Shards
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.leaderboard_totals import tally
from bot.storage.match_reader import PLAIN, SEATED, MatchReader, matches_in
from bot.storage.named_queries import Sql
from bot.storage.writer import Reader, Store, Writer

EndRecorder: TypeAlias = Callable[[Sql, Match, Sequence[Result]], Awaitable[Facts]]
"""A feature's callback for a match that ends with results. It runs in the same transaction.

It returns facts to show at the end of the match, by seat and key.
"""


class Journal(Store, MatchReader):
    """Store of matches and their moves. Its methods return after their change has been committed.

    Attributes:
        end_recorders: Callbacks that features have registered. They run in the transaction that stores
            the end of a match.
        ended: Callback that receives each match after its end and its results have been stored.
    """

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub, shards: Shards) -> None:
        """Create the store.

        Args:
            writer: The writer of the database.
            reader: The read access to the database.
            pubsub: The channel for notifications between the bot's processes.
            shards: The shards of this process. If a change affects a match on another shard, the other
                processes are notified.
        """
        super().__init__(writer, reader)
        self._pubsub, self._shards = pubsub, shards
        self.end_recorders: list[EndRecorder] = []
        self.ended: Callable[[Match], object] = lambda _match: None

    async def create(
        self,
        match: Match,
        place: str,
        entries: Sequence[Entry] = (),
        check: Callable[[Sequence[Match]], object] | None = None,
    ) -> Match | None:
        """Store a new match with its players and its first moves.

        Args:
            match: The match.
            place: The key of the match's location. Each location can have one match that has not ended.
            entries: The moves that have already been made.
            check: Called within the transaction with the host's matches that have not ended, including
                those of concurrent requests. If it raises an error, nothing is stored and the error is
                propagated.

        Returns:
            None if the match was stored. Otherwise the earlier match that prevents it: a match that has
            not ended at the same location, or the host's own match with the same daily deal.
        """

        async def work(sql: Sql) -> Match | None:
            for occupant in await matches_in(sql.match_at(place=place)):
                return occupant
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
        """Store a change to a match in one transaction, unless the match has changed in the meantime.

        Args:
            change: The change.
            check: Called as in ``create`` if the change moves the match to another location or gives it
                a new host.

        Returns:
            True if the change was stored. False if the stored match no longer has the version of
            ``change.before``.
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

        is_stored = await self._writer.write(work)
        if is_stored and change.results:
            self.ended(after)
        return is_stored

    def record_shown(self, match_id: str, version: int) -> None:
        """Record that all of a match's messages show the given version.

        If the process crashes, this may be lost.
        """
        self._writer.ride(
            ("shown", match_id), lambda sql: sql.set_shown(match_id=match_id, version=version)
        )

    async def stop_clocks(self, since: int, shards: Shards | None) -> None:
        """Stop the turn clocks of all matches as of a Unix time, for example after an outage.

        Args:
            since: The Unix time. If a match has a later move, its clock is stopped at the time of that
                move.
            shards: The shards of the matches, or None for all.
        """
        first, last, count = (0, 0, 1) if shards is None else (shards.first, shards.last, shards.count)
        await self._do("stand_still", since=since, first=first, last=last, count=count)

    async def mark_viewed(self, match: Match, player_id: int, at: int) -> None:
        """Record that a player has seen the cards of a numbered deal, such as in another player's match.

        If the match's deal has no number, or if the player has already seen or played it, nothing
        changes.

        Args:
            match: The match.
            player_id: The player's ID.
            at: The Unix time.
        """
        game, deal = match.game, match.type.deal
        if deal and not await self.knows_deal(game, player_id, deal):
            await self._do("mark_viewed", game=game, player_id=player_id, deal=deal, at=at)

    async def count_hint(self, match_id: str, seat: int, n: int) -> None:
        """Count a hint that a seat has used. Repeated hints at the same move number ``n`` count once."""
        await self._do("count_hint", match_id=match_id, seat=seat, n=n)

    async def _check_host(
        self, sql: Sql, host_id: int, check: Callable[[Sequence[Match]], object] | None
    ) -> None:
        if check is not None:
            await sql.opens(player_id=host_id)
            check(await self._read_hosted(sql, host_id))

    async def _reseat(self, sql: Sql, before: Match, after: Match) -> None:
        """Store the changed data of a match's players.

        If players joined, left or changed seats, rewrite all seats.
        """
        if [player.id for player in before.players] != [player.id for player in after.players]:
            await sql.clear_seats(match_id=after.id)
            await self._seat(sql, after)
            return
        for seat, player in enumerate(after.players):
            if player != before.players[seat]:
                await sql.set_player(match_id=after.id, seat=seat, **_seat_columns(player))

    async def _seat(self, sql: Sql, match: Match) -> None:
        for seat, player in enumerate(match.players):
            await sql.add_seat(match_id=match.id, seat=seat, **_seat_columns(player))

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
        stored = await self._find(sql, match.id)  # includes hints counted in the meantime
        assert stored is not None, "it has results"
        assert match.ended_at is not None, "it has results"
        await tally(sql, stored, results, match.ended_at)
        for record in self.end_recorders:
            for seat, facts in (await record(sql, stored, results)).items():
                for key, value in facts.items():
                    await sql.add_end_fact(match_id=match.id, seat=seat, key=key, value=value)

    async def _publish(self, sql: Sql, match: Match) -> None:
        """Notify other processes of a changed match if it is private or not on this process's shards."""
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


def _seat_columns(player: Player) -> dict[str, Any]:
    columns = {name: getattr(player, name) for name in SEATED}
    return {"player_id": player.id, "strength": player.strength and player.strength.value, **columns}


def _roster(match: Match) -> str:
    """Return the IDs of a match's players in special situations as JSON. Omit empty lists.

    If the match has ended, return an empty object.
    """
    if not match.stage.is_live:
        return "{}"
    return json.dumps({name: ids for name, ids in asdict(match.roster).items() if ids})

"""The journal: what happens to matches, each change of one in one transaction and one hop."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict

from bot.engine.change import Change
from bot.engine.leaderboard import own_deal
from bot.engine.match import Entry, Match, Player, Result
from bot.engine.shards import ALL_SHARDS, Shards
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.match_reader import MatchReader, matches_in
from bot.storage.sql import Queries
from bot.storage.tallying import tally
from bot.storage.writer import Reader, Session, Writer


class Journal(MatchReader):
    """Matches and their moves. What a call returned without an error is on the disk."""

    def __init__(
        self,
        queries: Queries,
        writer: Writer,
        reader: Reader,
        pubsub: PubSub | None = None,
        shards: Shards = ALL_SHARDS,
    ) -> None:
        """Others own, and are told of, the matches that ``shards`` have not."""
        super().__init__(queries, reader)
        self._writer = writer
        self._pubsub = pubsub or PubSub()
        self._shards = shards

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

        async def work(connection: Session) -> Match | None:
            for taken in await matches_in(self._sql.match_at(connection, place=place)):
                return taken
            await self._check_host(connection, match.host_id, check)
            for tried in await self._tries(connection, match):
                return tried
            await self._sql.follow(connection, place=place)
            await self._add(connection, match, place)
            await self._seat(connection, match)
            for entry in entries:
                await self._move(connection, match.id, entry)
            await self._publish(connection, match)
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

        async def work(connection: Session) -> bool:
            if not await self._set_clock(connection, before, after):
                return False
            for entry in filter(None, (change.entry, change.then)):
                await self._move(connection, after.id, entry)
            if after.host_id != before.host_id or change.place is not None:
                await self._check_host(connection, after.host_id, check)
            if change.place is not None:
                await self._set_place(connection, after, change.place)
                await self._publish(connection, before)
            if (before.stage, before.host_id) != (after.stage, after.host_id):
                await self._set_stage(connection, after)
            await self._reseat(connection, before, after)
            if change.results:
                await self._finish(connection, after, change.results)
            if change.is_learned and change.entry is not None:
                await self._sql.learn(connection, match_id=after.id, at=change.entry.at)
            await self._publish(connection, after)
            return True

        return await self._writer.write(work)

    def shown(self, match_id: str, version: int) -> None:
        """Take note that all messages of a match were right after so many of its changes.

        It is stored with something that is written later, and may be lost: a start shows it again then.
        """
        self._writer.ride(
            ("shown", match_id),
            lambda connection: self._sql.set_shown(connection, match_id=match_id, version=version),
        )

    async def stand_still(self, since: int, shards: Shards | None) -> None:
        """Have the clocks of all matches, or of some shards', stand since then."""
        first, last, count = (0, 0, 1) if shards is None else (shards.first, shards.last, shards.count)
        await self._writer.write(
            lambda connection: self._sql.stand_still(
                connection, since=since, first=first, last=last, count=count
            )
        )

    async def count_hint(self, match_id: str, seat: int, n: int) -> None:
        """Count a hint for move n of a match, once."""
        await self._writer.write(
            lambda connection: self._sql.count_hint(connection, match_id=match_id, seat=seat, n=n)
        )

    # ---- the parts of a change -----------------------------------------------------------------

    async def _add(self, connection: Session, match: Match, place: str) -> None:
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
            day=match.day,
            deal=own_deal(match),
            stage=match.stage.value,
            seed=match.seed,
            secret=match.secret,
            started_by=match.started_by,
            thinking_version=match.thinking_version,
            opened_by=match.opened_by,
            opened_at=match.opened_at,
            turn_seconds=match.turn_seconds,
            turn_ends_at=match.turn_ends_at,
            rests_since=match.rests_since,
            wakes_at=match.wakes_at,
            guest=int(match.guest),
            roster=_roster(match),
            active_at=match.active_at,
        )

    async def _check_host(
        self,
        connection: Session,
        host_id: int,
        check: Callable[[Sequence[Match]], object] | None,
    ) -> None:
        if check is not None:
            await self._sql.opens(connection, player_id=host_id)
            check(await self._hosted(connection, host_id))

    async def _tries(self, connection: Session, match: Match) -> list[Match]:
        """Return the host's try of the day that a match is of, if there is one before it."""
        if not match.day:
            return []
        of_day = {"player_id": match.host_id, "day": match.day, "game": match.game}
        return await matches_in(self._sql.match_of_day(connection, **of_day))

    async def _set_place(self, connection: Session, match: Match, place: str) -> None:
        await self._sql.follow(connection, place=place)
        await self._sql.set_place(
            connection,
            match_id=match.id,
            place=place,
            guild_id=match.guild_id,
            channel_id=match.channel_id,
            guest=int(match.guest),
        )

    async def _set_clock(self, connection: Session, before: Match, after: Match) -> bool:
        return bool(
            await self._sql.set_clock(
                connection,
                match_id=before.id,
                version=before.version,
                turn_ends_at=after.turn_ends_at,
                rests_since=after.rests_since,
                stands_since=after.stands_since,
                wakes_at=after.wakes_at,
                active_at=after.active_at,
                roster=_roster(after),
            )
        )

    async def _set_stage(self, connection: Session, match: Match) -> None:
        await self._sql.set_stage(
            connection,
            match_id=match.id,
            stage=match.stage.value,
            host_id=match.host_id,
            seed=match.seed,
            started_by=match.started_by,
            thinking_version=match.thinking_version,
            opened_by=match.opened_by,
            ended_at=match.ended_at,
            unfinished=int(match.unfinished),
            end_unseen=int(not match.stage.is_live),
        )

    async def _reseat(self, connection: Session, before: Match, after: Match) -> None:
        """Store who sits where, and how: in a lobby seats are closed up, in a match they stay."""
        if [player.id for player in before.players] != [player.id for player in after.players]:
            await self._sql.clear_seats(connection, match_id=after.id)
            await self._seat(connection, after)
            return
        for seat, player in enumerate(after.players):
            if player != before.players[seat]:
                await self._sql.set_player(
                    connection,
                    match_id=after.id,
                    seat=seat,
                    name=player.name,
                    missed=player.missed,
                    strength=_strength(player),
                    bank=player.bank,
                )

    async def _seat(self, connection: Session, match: Match) -> None:
        for seat, player in enumerate(match.players):
            await self._sql.add_seat(
                connection,
                match_id=match.id,
                seat=seat,
                player_id=player.id,
                name=player.name,
                strength=_strength(player),
                bank=player.bank,
                interaction=player.interaction,
            )

    async def _move(self, connection: Session, match_id: str, entry: Entry) -> None:
        await self._sql.add_move(
            connection,
            match_id=match_id,
            n=entry.n,
            seat=entry.seat,
            text=entry.text,
            at=entry.at,
            choice=entry.choice,
            mover=None if entry.mover is None else entry.mover.value,
        )

    async def _finish(self, connection: Session, match: Match, results: tuple[Result, ...]) -> None:
        for result in results:
            won, played = int(result.won), int(result.played)
            added = await self._sql.add_result(
                connection, match_id=match.id, seat=result.seat, won=won, played=played
            )
            if not added:
                raise ValueError(f"match {match.id} has no seat {result.seat}")
            for key, value in result.figures.items():
                await self._sql.add_figure(
                    connection, match_id=match.id, seat=result.seat, key=key, value=value
                )
        stored = await self._find(connection, match.id)  # with the hints that were counted meanwhile
        assert stored is not None, "it has results"
        assert match.ended_at is not None, "it has results"
        await tally(self._sql, connection, stored, results, match.ended_at)

    async def _publish(self, connection: Session, match: Match) -> None:
        """Have others told that a match has changed, where one of them may have to show it.

        That is one that another process owns; and a lesson, whose pupil may look at it anywhere.
        """
        if match.is_lesson or not self._shards.has(match.guild_id):
            await self._pubsub.note(connection, MATCH, {"match": match.id, "guild": match.guild_id})


def _strength(player: Player) -> str | None:
    return None if player.strength is None else player.strength.value


def _roster(match: Match) -> str:
    """Return who may do what at a match, as it is stored: no empty lists, and none at its end."""
    if not match.stage.is_live:
        return "{}"
    return json.dumps({name: ids for name, ids in asdict(match.roster).items() if ids})

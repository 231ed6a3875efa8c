"""The journal: what happens to matches, each piece of it in one transaction and one hop."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

from bot.engine.match import Entry, Match, Player, Result, Stage
from bot.engine.thinking import Strength
from bot.storage.cluster.pubsub import PubSub
from bot.storage.leaderboards import tally
from bot.storage.match_reader import MatchReader, matches_in
from bot.storage.sql import Queries
from bot.storage.writer import Reader, Session, Writer


class Journal(MatchReader):
    """Matches and their moves. What a call returned without an error is on the disk."""

    def __init__(
        self, queries: Queries, writer: Writer, reader: Reader, pubsub: PubSub | None = None
    ) -> None:
        """Without ``waking`` nobody else cares for any match."""
        super().__init__(queries, reader)
        self._writer = writer
        self._pubsub = pubsub

    async def open(
        self,
        match: Match,
        place: str,
        entries: Sequence[Entry] = (),
        check: Callable[[Sequence[Match]], object] | None = None,
    ) -> Match | None:
        """Store a new match with its players, and moves, at a place that holds one live match.

        ``check`` is called with all live matches that the host has at that moment: what it raises is
        raised here, and nothing is stored. Of two matches at once one is among them for the other.
        Returns None when it is stored, or else the live match that has the place.
        """

        async def work(connection: Session) -> Match | None:
            for taken in await matches_in(self._sql.match_at(connection, place=place)):
                return taken
            if check is not None:
                await self._sql.opens(connection, player_id=match.host_id)
                check(await self._hosted(connection, match.host_id))
            await self._sql.follow(connection, place=place)
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
                stage=match.stage.value,
                seed=match.seed,
                opened_at=_at(match.opened_at),
                turn_seconds=match.turn_seconds,
                rests_since=match.rests_since,
                wakes_at=match.wakes_at,
                guest=int(match.guest),
            )
            await self._seat(connection, match.id, match.players)
            for entry in entries:
                await self._append(connection, match.id, entry)
            await self._tell(connection, match.id, match)
            return None

        return await self._writer.write(work)

    def shown(self, match_id: str, version: int) -> None:
        """Take note that all messages of a match were right after so many of its changes.

        It is stored with something that is written later, and may be lost: a start shows it again then.
        """
        self._writer.ride(
            ("shown", match_id),
            lambda connection: self._sql.set_shown(connection, match_id=match_id, version=version),
        )

    async def sit(
        self, match_id: str, player: Player, at: int | None = None, wakes_at: int | None = None
    ) -> Match | None:
        """Seat a player in a lobby, once, while there is room; return the match as it then is.

        ``wakes_at`` is when the lobby has to be looked at if nobody does anything more. Returns None
        for a match that does not exist.
        """

        async def work(connection: Session) -> Match | None:
            if await self._sql.sit(connection, match_id=match_id, **_seated(player)):
                await self._sql.stirred(connection, match_id=match_id, at=_at(at), wakes_at=wakes_at)
                await self._tell(connection, match_id)
            return await self._find(connection, match_id)

        return await self._writer.write(work)

    async def stand(
        self, match_id: str, player_id: int, at: int | None = None, wakes_at: int | None = None
    ) -> Match | None:
        """Take a player out of a lobby; a leaving host hands over to the next seat.

        The last person out stops the match. Returns the match as it then is.
        """

        async def work(connection: Session) -> Match | None:
            match = await self._find(connection, match_id)
            if match is None or match.stage is not Stage.LOBBY or match.seat_of(player_id) is None:
                return match
            left = tuple(player for player in match.players if player.id != player_id)
            await self._sql.stirred(connection, match_id=match_id, at=_at(at), wakes_at=wakes_at)
            await self._sql.clear_seats(connection, match_id=match_id)
            await self._seat(connection, match_id, left)
            people = [player for player in left if not player.is_frog]
            if not people:
                await self._sql.end_match(
                    connection, match_id=match_id, stage=Stage.STOPPED.value, at=_at(at)
                )
            elif match.host_id == player_id:
                await self._sql.hand_over(connection, match_id=match_id, host_id=people[0].id)
            await self._tell(connection, match_id, match)
            return await self._find(connection, match_id)

        return await self._writer.write(work)

    async def begin(
        self, match_id: str, seed: bytes, at: int | None = None, wakes_at: int | None = None
    ) -> Match | None:
        """Start a lobby with this seed, once, and the clock of its first turn; return the match."""

        async def work(connection: Session) -> Match | None:
            if await self._sql.begin(
                connection, match_id=match_id, seed=seed, at=_at(at), wakes_at=wakes_at
            ):
                await self._tell(connection, match_id)
            return await self._find(connection, match_id)

        return await self._writer.write(work)

    async def close(self, match_id: str, stage: Stage, at: int | None = None) -> bool:
        """End a live match without a result, at a time in seconds since 1970, or now.

        Returns False for one that has ended already.
        """

        async def work(connection: Session) -> bool:
            ended = await self._sql.end_match(
                connection, match_id=match_id, stage=stage.value, at=_at(at)
            )
            if ended:
                await self._sql.changed(connection, match_id=match_id)
                await self._tell(connection, match_id)
            return bool(ended)

        return await self._writer.write(work)

    async def leave_unfinished(self, match_id: str, rests_since: int, at: int) -> bool:
        """End a live match that has rested since then; returns False where somebody came back."""

        async def work(connection: Session) -> bool:
            ended = await self._sql.leave_unfinished(
                connection, match_id=match_id, rests_since=rests_since, at=at
            )
            if ended:
                await self._tell(connection, match_id)
            return bool(ended)

        return await self._writer.write(work)

    async def count_hint(self, match_id: str, seat: int, n: int) -> None:
        """Count a hint for move n of a match, once."""
        await self._writer.write(
            lambda connection: self._sql.count_hint(connection, match_id=match_id, seat=seat, n=n)
        )

    async def set_clock(self, before: Match, after: Match) -> bool:
        """Set the clock of a live match, and when it has to be looked at.

        Returns False, and stores nothing, when the match has changed since it stood as before.
        """

        async def work(connection: Session) -> bool:
            is_set = await self._set_clock(connection, before, after)
            if is_set:
                await self._tell(connection, before.id, before)
            return is_set

        return await self._writer.write(work)

    async def _set_clock(self, connection: Session, before: Match, after: Match) -> bool:
        is_set = await self._sql.set_clock(
            connection,
            match_id=before.id,
            version=before.version,
            turn_ends_at=after.turn_ends_at,
            rests_since=after.rests_since,
            wakes_at=after.wakes_at,
        )
        if is_set:
            for seat, player in enumerate(after.players):
                if player != before.players[seat]:
                    await self._sql.set_player(
                        connection,
                        match_id=before.id,
                        seat=seat,
                        missed=player.missed,
                        strength=_word(player.strength),
                    )
        return bool(is_set)

    async def append(
        self,
        match_id: str,
        entry: Entry,
        results: tuple[Result, ...] = (),
        at: int | None = None,
        clock: tuple[Match, Match] | None = None,
        *,
        is_learned: bool = False,
    ) -> bool:
        """Store a move; with results, also the end of the match (at a time, or now), in one transaction.

        ``clock`` is the match before the move, and with its clock as the move sets it. ``is_learned``:
        it is a lesson, and its host has learned the game by now; that is stored, too. Returns False,
        and stores nothing, when the move is not the match's next one, the match is not being played,
        or it has changed in any way since it stood as before.
        """

        async def work(connection: Session) -> bool:
            version = None if clock is None else clock[0].version
            if not await self._append(connection, match_id, entry, version):
                return False
            if clock is None:
                await self._sql.changed(connection, match_id=match_id)
            else:
                await self._set_clock(connection, *clock)
            if results:
                await self._finish(connection, match_id, results, _at(at))
            if is_learned:
                await self._sql.learn(connection, match_id=match_id, at=_at(at))
            await self._tell(connection, match_id, clock[0] if clock else None)
            return True

        return await self._writer.write(work)

    async def _tell(self, connection: Session, match_id: str, match: Match | None = None) -> None:
        """Have it told to others that a match has changed, where one of them may have to show it.

        That is one that another process cares for; and a lesson, whose pupil may look at it anywhere.
        """
        if self._pubsub is None:
            return
        match = match or await self._find(connection, match_id)
        if match is not None and (match.is_lesson or not self._pubsub.owns(match.guild_id)):
            about = {"match": match_id, "guild": match.guild_id}
            await self._pubsub.note(connection, "match", about)

    async def _append(
        self, connection: Session, match_id: str, entry: Entry, version: int | None = None
    ) -> bool:
        added = await self._sql.append(
            connection,
            match_id=match_id,
            n=entry.n,
            seat=entry.seat,
            text=entry.text,
            at=_at(entry.at),
            choice=entry.choice,
            version=version,
        )
        return bool(added)

    async def _finish(
        self,
        connection: Session,
        match_id: str,
        results: tuple[Result, ...],
        at: int,
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
        match = await self._find(connection, match_id)
        assert match is not None, "it has results"
        await tally(self._sql, connection, match, results, at)

    async def _seat(self, connection: Session, match_id: str, players: tuple[Player, ...]) -> None:
        for seat, player in enumerate(players):
            await self._sql.add_seat(connection, match_id=match_id, seat=seat, **_seated(player))


def _seated(player: Player) -> dict[str, object]:
    return {"player_id": player.id, "name": player.name, "strength": _word(player.strength)}


def _word(strength: Strength | None) -> str | None:
    return None if strength is None else strength.value


def _at(at: int | None) -> int:
    """Return a time in seconds since 1970, or now."""
    return int(time.time()) if at is None else at

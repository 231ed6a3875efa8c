"""All live tables: one move after the other, and stored before it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

import structlog

from bot.engine.game import AnyGame
from bot.engine.match import LEAVES, Entry, Match, Stage, fold
from bot.engine.words import _
from bot.sessions.click import FIRST_STEP, Click
from bot.sessions.clock import Call, Due, Mover, call, come_back, due, fallen_asleep, next_wake, timed
from bot.sessions.errors import MovedOnError, TableError
from bot.sessions.ports import Journal
from bot.sessions.refusals import not_seated, over_or_begun
from bot.sessions.table import Table
from bot.sessions.timers import Timers

log = structlog.get_logger(__name__)

RETRY_SECONDS = 60
"""When a table tries again to do by itself what went wrong."""


class Tables:
    """Plays matches. Memory is a cache of the journal, and may be empty any time."""

    def __init__(
        self,
        *,
        games: Mapping[str, AnyGame],
        journal: Journal,
        clock: Callable[[], int],
        lull: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        """``clock`` returns the seconds since 1970; what is due by itself is done inside a ``lull``."""
        self._games = games
        self._journal = journal
        self._clock = clock
        self._moved_by_itself: Callable[[str], object] = lambda _match_id: None
        self._playing: dict[str, Table] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._timers = Timers(clock, self._ring, lull)

    def watch(self, moved_by_itself: Callable[[str], object]) -> None:
        """Have this called with a match's id whenever the table did something by itself."""
        self._moved_by_itself = moved_by_itself

    # ---- looking -------------------------------------------------------------------------------

    async def look(self, match_id: str) -> Table:
        """Return the table of a match, live or not; raises TableError where there is none."""
        table = self._playing.get(match_id)
        if table is not None:
            return table
        match = await self._journal.find(match_id)
        if match is None or match.game not in self._games:
            raise TableError(_("I do not know this table any more. Start a new one."))
        return await self._table(match)

    async def at(self, channel_id: int) -> Table | None:
        """Return the live table of a channel."""
        match = await self._journal.live_at(place_of(channel_id))
        return await self.look(match.id) if match else None

    async def deal_of(self, channel_id: int, player_id: int) -> Table | None:
        """Return a player's live deal of a game for one in a channel."""
        match = await self._journal.live_at(place_of(channel_id, player_id))
        return await self.look(match.id) if match else None

    async def live(self) -> list[Match]:
        """Return every live match, oldest first."""
        return await self._journal.live()

    async def tried(self, game: str, player_id: int, option: str, value: int) -> Table | None:
        """Return a player's first match of a game whose option has this value, live or not."""
        match = await self._journal.with_option(game, player_id, option, value)
        return await self.look(match.id) if match else None

    async def resume(self) -> list[Table]:
        """Take up every live table after a start; returns them, oldest first."""
        tables = []
        for match in await self._journal.live():
            if match.game not in self._games:
                log.warning("match of an unknown game", match=match.id, game=match.game)
                continue
            table = await self._table(match)
            self.take_up(table)
            tables.append(table)
        return tables

    async def _table(self, match: Match) -> Table:
        game = self._games[match.game]
        if match.seed is None:
            return Table(match, game)
        if match.rules_version != game.info.rules_version:
            if match.stage.is_live:
                await self._journal.close(match.id, Stage.STOPPED, self._clock())
                log.warning("match of older rules stopped", match=match.id)
            return Table(replace(match, stage=Stage.STOPPED), game)
        table = Table.dealt(match, game)
        for entry in await self._journal.entries(match.id):
            table = table.after(entry)
        return table

    async def _hold(self, match_id: str) -> Table:
        """Return the table of a match and keep it in memory. The caller holds the match's lock.

        Only so: a table read without the lock may be older than what was stored meanwhile.
        """
        table = await self.look(match_id)
        if table.is_playing:
            self._playing[match_id] = table
        return table

    async def _fresh(self, match_id: str) -> Table:
        """Return the table of a match as it is stored. The caller holds the match's lock."""
        self._playing.pop(match_id, None)
        return await self._hold(match_id)

    # ---- the stages of a match -----------------------------------------------------------------

    def take_up(self, table: Table) -> None:
        """Have the table do in time what it does by itself; called after each change of it."""
        self._timers.set(table.match.id, table.n, next_wake(table, self._clock()))

    async def stop(self, match_id: str) -> Table:
        """End a match without a result."""
        async with self._lock(match_id):
            await self._journal.close(match_id, Stage.STOPPED, self._clock())
            table = await self._fresh(match_id)
            self.take_up(table)
            return table

    async def withdraw(self, match_id: str, seat: int) -> Table:
        """Have a seat give up, in or out of turn."""
        async with self._lock(match_id):
            table = await self._hold(match_id)
            return await self._append(table, Entry(table.n, seat, LEAVES))

    async def come_back(self, match_id: str, player_id: int) -> Table:
        """Have a player back who is away, and the table with them if it rests."""
        async with self._lock(match_id):
            table = await self._fresh(match_id)
            seat = table.match.seat_of(player_id)
            if seat is None or not table.is_playing:
                raise TableError(not_seated(table) if table.is_playing else over_or_begun(table))
            if seat not in table.remaining:
                raise TableError(_("You are out of this match already."))
            if seat not in table.away:
                raise TableError(_("You are not away: your turns wait for you."))
            log.info("player comes back", match=match_id, player=player_id)
            return await self._set_clock(table, come_back(table, seat, self._clock()))

    # ---- playing -------------------------------------------------------------------------------

    async def choose(self, click: Click, player_id: int) -> Table:
        """Carry out a click that plays a move; one that leads to a next step changes nothing.

        A doubled click counts once: the second is answered with the table as it stands. Raises
        MovedOnError for a stale click, TableError or IllegalMoveError for one that is not allowed.
        """
        async with self._lock(click.match_id):
            table = await self._hold(click.match_id)
            seat = table.match.seat_of(player_id)
            if seat is None:
                raise TableError(not_seated(table))
            if click.seen != table.n and await self._is_double(table, click, seat):
                return table
            if not table.is_playing:
                raise TableError(over_or_begun(table))
            if click.seen != table.n:
                raise _moved_on()
            return await self._choose(table, click, seat)

    async def _choose(self, table: Table, click: Click, seat: int) -> Table:
        if seat != table.to_move and table.to_move is not None:
            if table.pauses:
                raise TableError(_("The table goes on by itself in a moment."))
            if table.rests:
                raise TableError(_("Everybody is away, and the table rests. Press **Wake** there."))
            name = table.match.names[table.to_move]
            raise TableError(_("It is {name}'s turn. You are told when it is yours.").format(name=name))
        if click.path == (FIRST_STEP,):
            return table
        choice = click.choice(table, seat)
        if choice is None:
            raise MovedOnError(_("That choice is not there any more. Have a look at the table now."))
        if choice.move is None:
            return table
        return await self._append(table, Entry(table.n, seat, table.game.write(choice.move)))

    async def _is_double(self, table: Table, click: Click, seat: int) -> bool:
        """Return whether the click is the same player's same choice that was carried out already."""
        if table.state is None or click.seen > table.n:
            return False
        entries = await self._journal.entries(table.match.id)
        match = replace(table.match, stage=Stage.PLAYING)
        before = replace(table, match=match, state=fold(table.game, match, entries[: click.seen]))
        choice = click.choice(before, seat)
        made = entries[click.seen]
        return (
            choice is not None
            and choice.move is not None
            and made.seat == seat
            and made.text == table.game.write(choice.move)
        )

    async def _append(self, table: Table, entry: Entry, mover: Mover = Mover.PLAYER) -> Table:
        """Store an entry, then let it have happened (law 6). The caller holds the match's lock."""
        match, now = table.match, self._clock()
        entry = replace(entry, at=now)
        after = table.after(entry)
        if after.outcome is not None:
            after = replace(after, match=replace(match, stage=Stage.FINISHED))
        after = timed(table, after, mover, now)
        clock = (match.timing, after.match.timing)
        if not await self._journal.append(match.id, entry, after.results, now, clock):
            fresh = await self._fresh(match.id)
            if fresh.is_playing and fresh.n == entry.n and mover is Mover.PLAYER:  # somebody came back
                return await self._append(fresh, entry)
            raise _moved_on()
        if after.is_playing:
            self._playing[match.id] = after
        else:
            self._playing.pop(match.id, None)
        self.take_up(after)
        player_id = match.players[entry.seat].id
        log.info("move", match=match.id, n=entry.n, seat=entry.seat, player=player_id, mover=mover.value)
        if after.outcome is None:
            return after
        winners = [match.players[seat].id for seat in after.outcome.winners]
        log.info("match finished", match=match.id, winners=winners)
        return await self.look(match.id)

    # ---- what the table does by itself -----------------------------------------------------------

    def call(self, table: Table) -> Call | None:
        """Return how the player to move is called just now, or None where that is not done."""
        return call(table, self._clock())

    async def _ring(self, match_id: str, n: int) -> None:
        """Do what is due at a table that was waited for after ``n`` moves."""
        try:
            async with self._lock(match_id):
                table = await self._fresh(match_id)  # another process may have moved
                if table.n == n or not table.pauses:
                    table = await self._go_on(table)
                self.take_up(table)
        except MovedOnError:
            log.info("another process moved first", match=match_id, n=n)
            self._timers.set(match_id, n, self._clock())
        except Exception:
            log.exception("the table could not go on by itself", match=match_id, n=n)
            self._timers.set(match_id, n, self._clock() + RETRY_SECONDS)
        self._moved_by_itself(match_id)

    async def _go_on(self, table: Table) -> Table:
        now = self._clock()
        match due(table, now):
            case Due.NOTHING:
                return table
            case Due.CLOSE:
                return await self._leave_unfinished(table, now)
            case Due.PASS:
                asleep = fallen_asleep(table, now)
                if asleep is not None:
                    log.info("table rests", match=table.match.id, n=table.n)
                    return await self._set_clock(table, asleep)
                return await self._make(table, table.game.passing(table.state), Mover.CLOCK)
            case Due.MOVE:
                return await self._make(table, table.game.automatic(table.state), Mover.TABLE)

    async def _set_clock(self, before: Table, after: Table) -> Table:
        """Store another time of the clock. The caller holds the match's lock."""
        match_id = before.match.id
        if not await self._journal.set_clock(match_id, before.match.timing, after.match.timing):
            raise _moved_on()
        self._playing[match_id] = after
        self.take_up(after)
        return after

    async def _make(self, table: Table, move: Any, mover: Mover) -> Table:
        assert table.to_move is not None, "a move is due only where one is awaited"
        entry = Entry(table.n, table.to_move, table.game.write(move))
        return await self._append(table, entry, mover)

    async def _leave_unfinished(self, table: Table, now: int) -> Table:
        match = table.match
        since = match.opened_at if match.rests_since is None else match.rests_since
        assert since is not None, "what is closed has rested"
        if await self._journal.leave_unfinished(match.id, since, now):
            log.info("table left unfinished", match=match.id)
        return await self._fresh(match.id)

    async def close(self) -> None:
        """Wait for nothing more; the next start takes up what is waited for."""
        await self._timers.close()

    def _lock(self, match_id: str) -> asyncio.Lock:
        return self._locks.setdefault(match_id, asyncio.Lock())


def place_of(channel_id: int, player_id: int | None = None) -> str:
    """Return the name of a place that holds one live match: a channel, or a player's own in it."""
    return f"channel {channel_id}" if player_id is None else f"channel {channel_id} player {player_id}"


def _moved_on() -> MovedOnError:
    return MovedOnError(_("The table has moved on. Have a look at how it stands now."))

"""All live tables: one move after the other, and stored before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import replace

import structlog

from bot.engine.errors import AwayError
from bot.engine.game import AnyGame
from bot.engine.match import Match, Waiting
from bot.engine.shards import ALL_SHARDS, Shards
from bot.engine.thinking import Mover
from bot.sessions import events
from bot.sessions.click import Click
from bot.sessions.computer_turns import ComputerTurns
from bot.sessions.decision import Decision, decide, moved_on
from bot.sessions.decision.clock import thinks
from bot.sessions.events import Answered, Clicked, Event, Rang, Thought
from bot.sessions.log_lines import note
from bot.sessions.ports import HostCheck, Journal, Opponents
from bot.sessions.table import Table
from bot.sessions.table_reader import TableReader
from bot.sessions.timers import Timers
from bot.sessions.turn_clock import Call, call, looked_at

log = structlog.get_logger(__name__)

RETRY_SECONDS = 60
"""When a table tries again to do by itself what went wrong."""

UNSURE_SECONDS = 10
"""When a match is looked at anew of which it is not known whether something was stored."""

ENDED_SECONDS = 24 * 60 * 60
"""For how long a start still shows the end of a match, where nobody may have been shown it."""

TRIES = 10
"""How often it is decided anew, where each time another process is faster."""


class Tables(TableReader):
    """Plays matches. Memory is a cache of the journal, and may be empty any time."""

    def __init__(
        self,
        *,
        games: Mapping[str, AnyGame],
        journal: Journal,
        clock: Callable[[], int],
        idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
        opponents: Opponents | None = None,
        shards: Shards = ALL_SHARDS,
    ) -> None:
        """``clock`` returns the seconds since 1970; what is due by itself is done inside ``idle``.

        ``opponents`` think for frogs; without them a frog that is to move is waited for. Matches of
        ``shards`` go on by themselves here.
        """
        super().__init__(
            games=games,
            journal=journal,
            clock=clock,
            is_sure=lambda match: shards.has(match.guild_id),
            opponents=opponents,
        )
        self._shards = shards
        self._moved_by_itself: Callable[[str], object] = lambda _match_id: None
        self._moved: Callable[[str, Mover], object] = lambda _game, _mover: None
        self.unplayable_since: Callable[[Match], int | None] = lambda _match: None
        self._timers = Timers(clock, self.ring, idle)
        self._computer_turns = (
            None
            if opponents is None
            else ComputerTurns(opponents, self._repository.live, self._move_frog)
        )

    def watch(self, moved_by_itself: Callable[[str], object]) -> None:
        """Have this called with a match's id whenever the table did something by itself."""
        self._moved_by_itself = self._repository.set_aside = moved_by_itself

    def watch_reads(self, read: Callable[[Table], object]) -> None:
        """Have this called with each table that is read, as it is stored, before it changes."""
        self._repository.read = read

    def watch_moves(self, moved: Callable[[str, Mover], object]) -> None:
        """Have this called with the game's key, and who made it, whenever a move was stored."""
        self._moved = moved

    async def resume(self) -> list[Waiting]:
        """Wait for what live tables of its shards do by themselves; no table is read for that.

        Returns what is known of them, and of those whose end may not have been shown, oldest first;
        whose messages may not show its last change is not ``is_shown``.
        """
        waiting = []
        ended_since = self._clock() - ENDED_SECONDS
        for match in await self._journal.waiting(
            ended_since, frozenset(self._shards.ids), self._shards.count
        ):
            game = self._games.get(match.game)
            if game is None:
                log.warning("match of an unknown game", match=match.match_id, game=match.game)
                continue
            if game.by_rules(match.rules_version) is None:
                waiting.append(await self._ended_by_rules(match, game))
                continue
            if not self._timers.waits_for(match.match_id):  # else it has changed just now
                self._timers.set(match.match_id, match.wakes_at)
            waiting.append(match)
        return waiting

    async def _ended_by_rules(self, waiting: Waiting, game: AnyGame) -> Waiting:
        """End a match of rules that nobody knows any more: its moves cannot be read."""
        match = await self._journal.find(waiting.match_id)
        if match is None or not match.stage.is_live:
            return waiting
        change = decide(Table(match, game), events.Ended(), self._clock()).change
        assert change is not None, "it is live"
        await self._journal.commit(change)
        log.warning("match of older rules stopped", match=match.id)
        return replace(waiting, is_shown=False)

    def shown(self, table: Table) -> None:
        """Take note that all messages of a table show it as it stands here, so that no start has to."""
        self._journal.shown(table.match.id, table.match.version)

    # ---- the stages of a match -----------------------------------------------------------------

    def take_up(self, table: Table) -> None:
        """Have the table do in time what it does by itself; called after each change of it."""
        is_own = self._shards.has(table.match.guild_id)
        self._timers.set(table.match.id, looked_at(table, self._clock()) if is_own else None)

    async def changed(self, match_id: str) -> Table:
        """Take note that another process has changed a match; return the table as it is stored."""
        try:
            async with self._repository.live.locked(match_id):
                table = await self._repository.changed(match_id)
        except AwayError:
            self._timers.set(match_id, self._clock() + RETRY_SECONDS)
            raise
        self.take_up(table)
        return table

    def let_go(self) -> None:
        """Wait for nothing and know nothing any more; what is owned has then to be resumed.

        For when other processes may have changed it unheard.
        """
        self._timers.clear()
        self._repository.live.clear()

    async def stop(self, match_id: str) -> Table:
        """End a match without a result."""
        return await self.happens(match_id, events.Ended())

    async def come_back(self, match_id: str, player_id: int) -> Table:
        """Have a player back who is away, and the table with them if it rests."""
        return await self.happens(match_id, events.CameBack(player_id))

    async def choose(self, click: Click, player_id: int) -> Table:
        """Carry out a click that plays a move; one that leads to a next step changes nothing.

        A doubled click counts once: the second is answered with the table as it stands. Raises
        MovedOnError for a stale click, TableError or IllegalMoveError for one that is not allowed.
        """
        return await self.happens(click.match_id, Clicked(click, player_id))

    async def answer(self, table: Table, player_id: int, text: str) -> Table:
        """Store the answer, a move in writing, to what a player asked about a table as it stood.

        Raises MovedOnError where the table stands otherwise by now.
        """
        return await self.happens(table.match.id, events.Answered(player_id, table.n, text))

    def call(self, table: Table) -> Call | None:
        """Return how the player to move is called just now, or None where that is not done."""
        return call(table, self._clock())

    async def stand_in(self, match_id: str, seat: int, player_id: int) -> Table:
        """Have a frog play for a seat: one who is away, or the player's own who leaves it."""
        return await self.happens(match_id, events.StoodIn(seat, player_id))

    def look_soon(self, match_id: str) -> None:
        """Have it looked at whether a table can be played, for that may have changed."""
        self._timers.set(match_id, self._clock())

    async def ring(self, match_id: str) -> None:
        """Have the table do what is due, when the time has come that was waited for."""
        try:
            table = self._repository.live.get(match_id)
            if table is None or not thinks(table, self._clock()):
                # another process may have moved
                table = await self.happens(match_id, Rang())
            if not self._shards.has(table.match.guild_id):
                return
            if self._computer_turns is not None and thinks(table, self._clock()):
                self._computer_turns.begin(
                    table
                )  # nobody waits for it; what came too late changes nothing
                return
            self.take_up(table)
        except AwayError:
            self._timers.set(match_id, self._clock() + RETRY_SECONDS)
        except Exception:
            log.exception("the table could not go on by itself", match=match_id)
            self._timers.set(match_id, self._clock() + RETRY_SECONDS)
        self._moved_by_itself(match_id)

    async def _move_frog(self, match_id: str, thought: Thought | None) -> None:
        """Have a frog make the move it has thought of; its whole turn is shown at once."""
        if thought is None:
            self._timers.set(match_id, self._clock() + RETRY_SECONDS)
            return
        try:
            table = await self.happens(match_id, thought)
        except AwayError:
            self._timers.set(match_id, self._clock() + RETRY_SECONDS)
            return
        except Exception:
            log.exception("a frog could not move", match=match_id)
            self._timers.set(match_id, self._clock() + RETRY_SECONDS)
            return
        self.take_up(table)
        if not table.is_playing or (table.n == table.began and not table.is_left_to_frogs):
            self._moved_by_itself(match_id)

    async def happens(self, match_id: str, what: Event, check: HostCheck | None = None) -> Table:
        """Let something happen at a table: it is decided, and stored before anybody is shown it (law 6).

        Where another process was faster, it is decided again on what that has stored. ``check`` judges
        who is to host the match by it.
        """
        async with self._repository.live.locked(match_id):
            says_what_it_saw = isinstance(what, Clicked | Answered | Thought)
            read = self._repository.hold if says_what_it_saw else self._repository.changed
            table = await read(match_id)
            if isinstance(what, Rang | Thought) and not self._shards.has(table.match.guild_id):
                return table  # what it does by itself, it does where it is owned
            for _try in range(TRIES):
                if isinstance(what, Rang):
                    what = Rang(self.unplayable_since(table.match))
                if isinstance(what, Clicked):
                    table, what = await self._read_up(table, what)
                decision = decide(table, what, self._clock())
                if decision.change is None:
                    return decision.table
                with self._unsure(match_id):
                    is_stored = await self._journal.commit(decision.change, check)
                if is_stored:
                    return self._keep(decision, table)
                table = await self._repository.fresh(match_id)
            raise moved_on()

    @contextmanager
    def _unsure(self, match_id: str) -> Iterator[None]:
        """Have a match looked at anew soon where the block could not store a change of it.

        A database that went away in that moment may have stored it all the same.
        """
        try:
            yield
        except AwayError:
            self._repository.live.forget(match_id)
            self._timers.set(match_id, self._clock() + UNSURE_SECONDS)
            raise

    async def _read_up(self, table: Table, what: Clicked) -> tuple[Table, Clicked]:
        """Return what has to be known to judge a click: the table it saw, or what was done since."""
        seen = what.click.seen
        if seen > table.n:  # the clicker knows more than this process's memory
            table = await self._repository.fresh(table.match.id)
        if seen < table.n:
            what = replace(what, made=await self._journal.entry(table.match.id, seen))
        return table, what

    def _keep(self, decision: Decision, before: Table) -> Table:
        """Take over how a table stands now that this is stored; what nobody sees needs no showing."""
        table, match = decision.table, decision.table.match
        if before.match.is_shown and before.signature == table.signature:
            table = replace(table, match=replace(match, shown=match.version))
            self.shown(table)
        if table.memories.keys() == set(table.match.computer_seats):
            self._repository.live.keep(table)
        else:  # what the new frog was shown is in the journal
            self._repository.live.forget(table.match.id)
        self.take_up(table)
        note(decision)
        if decision.mover is not None:
            self._moved(table.match.game, decision.mover)
        return table

    async def close(self) -> None:
        """Wait for nothing more; the next start takes up what is waited for."""
        await self._timers.close()
        if self._computer_turns is not None:
            await self._computer_turns.close()

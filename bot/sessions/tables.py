"""All live tables: one move after the other, and stored before it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import structlog

from bot.engine.errors import AwayError, IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.thinking import Mover
from bot.engine.words import _
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.shards import ALL_SHARDS, Shards
from bot.sessions import events
from bot.sessions.decision import decide, moved_on
from bot.sessions.decision.closing import closed
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.events import Answered, Click, Clicked, Event, Rang, Thought
from bot.sessions.live_match import LiveMatch, LiveMatches
from bot.sessions.lobby import place_of
from bot.sessions.ports import HostCheck, Journal, Opponents
from bot.sessions.table import Table
from bot.sessions.table_timers import Upkeep, note
from bot.sessions.turn_clock import Call, call

log = structlog.get_logger(__name__)

UNSURE_SECONDS = 10  # until a match is read anew of which nobody knows what was stored
ENDED_SECONDS = 24 * 60 * 60  # how long a start shows an end that nobody may have been shown
FOLDED_AT_ONCE = 20  # moves, which take some 3 ms, before others have the event loop
TRIES = 10  # how often it is decided anew, where each time another process is faster


@dataclass(eq=False, kw_only=True)
class Tables:
    """Plays matches. Memory is a cache of the journal, and may be empty any time.

    ``clock`` returns the seconds since 1970; what is due by itself is done inside ``idle``, and
    ``opponents`` think for frogs; without them a frog that is to move is waited for. Those of ``shards``
    go on by themselves here, and no other process changes one of them unheard.
    """

    games: Mapping[str, AnyGame]
    journal: Journal
    clock: Callable[[], int]
    idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
    opponents: Opponents | None = None
    shards: Shards = ALL_SHARDS
    unplayable_since: Callable[[Match], int | None] = lambda _match: None
    moved: Callable[[str, Mover], object] = lambda _game, _mover: None
    """What is called with the game's key, and who made it, whenever a move was stored."""

    def __post_init__(self) -> None:
        self._reading = WeakValueDictionary[int | str, asyncio.Lock]()
        clock, journal, self.matches = self.clock, self.journal, LiveMatches(self.clock)
        self._upkeep = upkeep = Upkeep(
            self.matches, clock, self.shards, self.happens, self.idle, self.opponents
        )
        # What the journal and the parts do as it is wanted here:
        self.stored, self.hosted, self.ended_in = journal.find, journal.hosted, journal.ended_in
        self.live_in, self.live_of = journal.live_in, journal.live_of
        self.live_match, self.in_use = self.matches.of, self.matches.in_use
        self.take_up, self.ring, self.close = upkeep.take_up, upkeep.ring, upkeep.close

    def watch(self, moved_by_itself: Callable[[str], object]) -> None:
        """Have this called with a match's id whenever the table did something by itself."""
        self._upkeep.moved_by_itself = moved_by_itself

    # ---- tables as they stand, by what they are known by: nothing is changed by that --------------

    async def look(self, match_id: str, who: int | None = None) -> Table:
        """Return the table of a match, live or not; raises TableError where there is none.

        Those that one user, ``who``, clicks on are read one at a time: a long match takes half a second.
        """
        live = self.live_match(match_id)
        if (table := await self._known(live)) is None:
            async with self._reading.setdefault(who or match_id, asyncio.Lock()), live.lock:
                table = await self._hold(live)
        return table

    async def whole(self, match_id: str) -> tuple[Match, list[Entry]]:
        """Return a match and all its moves; raises TableError where there is none, or none any more."""
        if (record := await self.journal.load(match_id)) is None:
            raise _unknown()
        return record

    async def find(self, match_id: str) -> Table | None:
        match = await self.journal.find(match_id)
        return await self.look(match.id) if match else None

    async def at(self, channel_id: int, player_id: int | None = None) -> Table | None:
        """Return the live table of a channel, or the deal of a player there."""
        match = await self.journal.live_at(place_of(channel_id, player_id))
        table = await self.look(match.id) if match else None
        return table if table and table.match.stage.is_live else None  # one that cannot be read is over

    async def apart(self, game: str, player_id: int, *, abroad: bool = False) -> Table | None:
        """Return a player's newest live match in private but no lesson, or ``abroad``, as a guest's."""
        hosted = [one for one in await self.hosted(player_id) if one.game == game and not one.is_lesson]
        found = [match.id for match in hosted if match.is_private or (match.guest and abroad)]
        return await self.look(found[-1]) if found else None

    async def tried(self, game: str, player_id: int, day: int) -> Table | None:
        """Return a player's match of the deal that counts for a day, live or not."""
        match = await self.journal.of_day(game, player_id, day)
        return await self.look(match.id) if match else None

    async def resume(self) -> list[Waiting]:
        """Wait for what live tables of its shards do by themselves, anew; no table is read for that.

        Returns them, oldest first, and those that have ended, where nobody may have been shown that.
        """
        waiting = []
        self._upkeep.timers.cancel()
        ended_since = self.clock() - ENDED_SECONDS
        for match in await self.journal.waiting(
            ended_since, frozenset(self.shards.ids), self.shards.count
        ):
            game = self.games.get(match.game)
            if game is None:
                log.warning("match of an unknown game", match=match.match_id, game=match.game)
                continue
            if game.by_rules(match.rules_version) is None:
                if (stored := await self.journal.find(match.match_id)) is not None:
                    await self._set_aside(stored, "its rules are known no more")
                waiting.append(replace(match, wakes_at=None, is_shown=False))
                continue
            if match.wakes_at is not None:
                self._upkeep.timers.wait(match.match_id, match.wakes_at)
            waiting.append(match)
        return waiting

    def shown(self, table: Table) -> None:
        """Take note that all messages of a table show it as it stands here, so that no start has to."""
        self.journal.shown(table.match.id, table.match.version)

    async def changed(self, match_id: str) -> Table:
        """Take note that another process has changed a match; return the table as it is stored."""
        live = self.live_match(match_id)
        try:
            async with live.lock:
                table = await self._hold(live, is_believed=False)
        except AwayError:
            self._upkeep.look_in(match_id)
            raise
        self.take_up(table)
        return table

    def look_soon(self, match_id: str) -> None:
        """Look whether a table can be played, which may have changed."""
        self._upkeep.look_in(match_id, 0)

    def let_go(self, player_id: int | None = None) -> None:
        """Drop from memory all tables, which others may have changed unheard, or those of a player."""
        for live in self.matches:
            table = live.table
            if player_id is None or (table is not None and table.match.seat_of(player_id) is not None):
                live.table = live.as_read = None

    async def _known(self, live: LiveMatch, *, is_believed: bool = True) -> Table | None:
        """Return a table that is in memory, where that is as it is stored, else None.

        The journal is asked where others may have changed it unheard, or memory is not ``is_believed``.
        """
        table = live.table
        if table is None or (is_believed and self.shards.has(table.match.guild_id)):
            return table
        match = table.match
        if await self.journal.stands(match.id) == (match.version, match.stage):
            return table
        if live.table is table:
            live.table = None
        return None

    async def _hold(self, live: LiveMatch, *, is_believed: bool = True) -> Table:
        """Return a table that is known, or have it read first; raises TableError where there is none.

        The caller holds the match's lock: else what is read may be older than what was stored meanwhile.
        """
        table = await self._known(live, is_believed=is_believed)
        if table is None:
            table = live.table = live.as_read = await self._read(live.id)
        return table

    async def _read(self, match_id: str) -> Table:
        match, entries = await self.whole(match_id)
        game = self.games.get(match.game)
        if game is None:
            raise _unknown()
        try:
            return await _folded(match, entries, game)
        except (UnreadableMoveError, IllegalMoveError) as error:
            return await self._set_aside(match, error.sentence)

    async def _set_aside(self, match: Match, why: str) -> Table:
        """Return the table of a match that cannot be read: it is over, whatever it was.

        A live one is ended as it is stored, so that its place is free; its journal is left as it is.
        """
        table = Table(match, self.games[match.game])
        if not match.stage.is_live:
            return table.having(stage=Stage.STOPPED)
        decision = closed(table, self.clock(), unfinished=match.seed is not None)
        assert decision.change is not None, "it is live"
        if not await self.journal.commit(decision.change):
            return await self._read(match.id)  # another process was faster
        log.error("match set aside", match=match.id, why=why)
        self._upkeep.moved_by_itself(match.id)
        return decision.table

    # ---- what happens ----------------------------------------------------------------------------

    async def open(
        self,
        match: Match,
        place: str,
        what: Event | None = None,
        entries: Sequence[Entry] = (),
        check: HostCheck | None = None,
    ) -> Table:
        """Store a new match as it is by what happens first, or with moves that are made in it.

        Raises TableTakenError where a live one has its place. ``check`` judges all that the host hosts.
        """
        table = Table(match, self.games[match.game])
        if what is not None:
            table = decide(table, what, self.clock()).table
        taken = await self.journal.create(table.match, place, entries, check)
        if taken is not None and not (await self.look(taken.id)).match.stage.is_live:
            taken = await self.journal.create(table.match, place, entries, check)  # it has just ended
        if taken is not None:
            raise TableTakenError(taken.id, is_deal=table.is_solo)
        if what is None:
            table = await self.look(match.id)
        self.take_up(table)
        log.info("match opened", match=match.id, game=match.game, channel=match.channel_id)
        return table

    async def stop(self, match_id: str) -> Table:
        return await self.happens(match_id, events.Ended())

    async def choose(self, click: Click, player_id: int) -> Table:
        """Carry out a click that plays a move; one that leads to a next step changes nothing.

        A doubled click counts once: the second is answered with the table as it stands. Raises
        MovedOnError for a stale click, TableError or IllegalMoveError for one that is not allowed.
        """
        return await self.happens(click.match_id, Clicked(click, player_id))

    def call(self, table: Table) -> Call | None:
        """Return how the player to move is called just now, or None where that is not done."""
        return call(table, self.clock())

    async def happens(self, match_id: str, what: Event, check: HostCheck | None = None) -> Table:
        """Let something happen at a table: it is decided, and stored before anybody is shown it (law 6).

        It is decided anew where another process was faster. ``check`` judges who is to host the match.
        """
        live = self.live_match(match_id)
        async with live.lock:
            says_what_it_saw = isinstance(what, Clicked | Answered | Thought)
            table = await self._hold(live, is_believed=says_what_it_saw)
            if isinstance(what, Rang | Thought) and not self.shards.has(table.match.guild_id):
                return table  # what it does by itself, it does where it is owned
            for _try in range(TRIES):
                if isinstance(what, Rang):
                    what = Rang(self.unplayable_since(table.match))
                if isinstance(what, Clicked):
                    table, what = await self._read_up(live, table, what)
                decision = decide(table, what, self.clock())
                if decision.change is None:
                    return decision.table
                try:
                    is_stored = await self.journal.commit(decision.change, check)
                except AwayError:  # a database that went away in that moment may have stored it
                    live.table = None
                    self._upkeep.look_in(match_id, UNSURE_SECONDS)
                    raise
                if is_stored:
                    return self._keep(live, table, decision.table, decision.change)
                live.table = None
                table = await self._hold(live)
            raise moved_on()

    async def _read_up(self, live: LiveMatch, table: Table, what: Clicked) -> tuple[Table, Clicked]:
        """Return what has to be known to judge a click: the table it saw, or what was done since."""
        seen = what.click.seen
        if seen > table.n:  # the clicker knows more than this process's memory
            live.table = None
            table = await self._hold(live)
        if seen < table.n:
            what = replace(what, made=await self.journal.entry(table.match.id, seen))
        return table, what

    def _keep(self, live: LiveMatch, before: Table, table: Table, change: Change) -> Table:
        """Take over how a table stands now that this is stored; what nobody sees needs no showing."""
        match, entry = table.match, change.entry
        if before.match.is_shown and before.signature == table.signature:
            table = table.having(shown=match.version)
            self.shown(table)
        live.table = None
        if table.memories.keys() == set(match.computer_seats):  # else the journal has what it was shown
            live.table = table
        self.take_up(table)
        note(table, change)
        if entry is not None and entry.mover is not None:
            self.moved(match.game, entry.mover)
        return table


async def _folded(match: Match, entries: Sequence[Entry], game: AnyGame) -> Table:
    """Return a match as a table; raises UnreadableMoveError or IllegalMoveError for a move of it."""
    if match.seed is None:
        return Table(match, game)
    dealt_by = game.by_rules(match.rules_version)
    if dealt_by is None:  # the next start ends it
        return Table(replace(match, stage=Stage.STOPPED), game)
    table = Table.dealt(match, dealt_by)
    for number, entry in enumerate(entries, 1):
        table = table.after(entry)
        if number % FOLDED_AT_ONCE == 0:
            await asyncio.sleep(0)
    return table


def _unknown() -> TableError:
    return TableError(_("I no longer know this table. Start a new one."))

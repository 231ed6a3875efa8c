"""All live tables. Events are handled one after the other, and stored before they are shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import structlog

from bot.engine.errors import AwayError, IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.opponent import Mover
from bot.engine.translation import _
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.shards import ALL_SHARDS, Shards
from bot.sessions import events
from bot.sessions.decision import decide, moved_on_error
from bot.sessions.decision.closing import close
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.events import Answered, Click, Clicked, Event, Rang, Thought
from bot.sessions.live_match import LiveMatch, LiveMatches
from bot.sessions.lobby import place_of
from bot.sessions.ports import HostCheck, Journal, Opponents
from bot.sessions.table import Table
from bot.sessions.table_timers import Upkeep, note
from bot.sessions.turn_clock import Call, call

log = structlog.get_logger(__name__)

UNSURE_SECONDS = 10  # until a match is read again, if a change may or may not be stored
ENDED_SECONDS = 24 * 60 * 60  # startup shows ends up to this age that may not have been shown
FOLDED_AT_ONCE = 20  # moves, about 3 ms of work, before the event loop gets control
TRIES = 10  # attempts, if another process stores a change first each time


@dataclass(eq=False, kw_only=True)
class Tables:
    """The live tables of this process. Memory is a cache of the journal and may be empty at any time.

    Tables of the process's shards act automatically here. No other process changes one of them without
    notifying this one.

    Attributes:
        games: The games by key.
        journal: The storage of matches.
        clock: Returns the Unix time in seconds.
        idle: A context in which timed events run.
        opponents: The workers that choose moves. Without them, computer players never move.
        unplayable_since: Returns the Unix time since which a match cannot be played, or None.
    """

    games: Mapping[str, AnyGame]
    journal: Journal
    clock: Callable[[], int]
    idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
    opponents: Opponents | None = None
    shards: Shards = ALL_SHARDS
    unplayable_since: Callable[[Match], int | None] = lambda _match: None
    moved: Callable[[str, Mover], object] = lambda _game, _mover: None
    """Called with the game's key and the origin of each stored move."""

    def __post_init__(self) -> None:
        self._reading = WeakValueDictionary[int | str, asyncio.Lock]()
        clock, journal, self.matches = self.clock, self.journal, LiveMatches(self.clock)
        self._upkeep = upkeep = Upkeep(
            self.matches, clock, self.shards, self.happens, self.idle, self.opponents
        )
        # Methods of the journal and the parts that are also part of this interface:
        self.stored, self.hosted_matches, self.last_ended_in = (
            journal.find,
            journal.hosted_matches,
            journal.last_ended_in,
        )
        self.live_in, self.live_of = journal.live_in, journal.live_of
        self.live_match, self.in_use = self.matches.of, self.matches.in_use
        self.take_up, self.ring, self.close = upkeep.take_up, upkeep.ring, upkeep.close

    def watch(self, moved_by_itself: Callable[[str], object]) -> None:
        """Register a callback with the match's ID for each automatic action."""
        self._upkeep.moved_by_itself = moved_by_itself

    # ---- queries ------------------------------------------------------------------------------------

    async def look(self, match_id: str, who: int | None = None) -> Table:
        """Return the table of a match, live or not.

        Reading a long match takes half a second, so a user's requests are read one at a time.

        Args:
            match_id: The match.
            who: The user whose click needs the table, or None.

        Raises:
            TableError: There is no such match.
        """
        live = self.live_match(match_id)
        if (table := await self._cached(live)) is None:
            async with self._reading.setdefault(who or match_id, asyncio.Lock()), live.lock:
                table = await self._hold(live)
        return table

    async def whole(self, match_id: str) -> tuple[Match, list[Entry]]:
        """Return a match and all its moves.

        Raises:
            TableError: There is no such match, or its moves have been deleted.
        """
        if (record := await self.journal.load(match_id)) is None:
            raise _unknown()
        return record

    async def find(self, match_id: str) -> Table | None:
        match = await self.journal.find(match_id)
        return await self.look(match.id) if match else None

    async def at(self, channel_id: int, player_id: int | None = None) -> Table | None:
        """Return the live table of a channel, or a player's deal there, or None."""
        match = await self.journal.live_at(place_of(channel_id, player_id))
        table = await self.look(match.id) if match else None
        return table if table and table.match.stage.is_live else None  # an unreadable one has ended

    async def apart(self, game: str, player_id: int, *, abroad: bool = False) -> Table | None:
        """Return a player's newest live private match of a game, except lessons, or None.

        Args:
            game: The key of the game.
            player_id: The player.
            abroad: Whether to include matches in places where Ribit is a guest.
        """
        hosted = [
            one for one in await self.hosted_matches(player_id) if one.game == game and not one.is_lesson
        ]
        found = [match.id for match in hosted if match.is_private or (match.guest and abroad)]
        return await self.look(found[-1]) if found else None

    async def tried(self, game: str, player_id: int, day: int) -> Table | None:
        """Return a player's match of a day's deal, live or not, or None."""
        match = await self.journal.of_day(game, player_id, day)
        return await self.look(match.id) if match else None

    async def resume(self) -> list[Waiting]:
        """Schedule the automatic actions of live tables on this process's shards.

        The tables themselves are not read.

        Returns:
            The live matches, and matches that ended without their end being shown, oldest first.
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
        """Record that all messages of a table show its current version."""
        self.journal.shown(table.match.id, table.match.version)

    async def changed(self, match_id: str) -> Table:
        """Read a match again after another process has changed it, and return its table."""
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
        """Check soon whether a table can be played."""
        self._upkeep.look_in(match_id, 0)

    def let_go(self, player_id: int | None = None) -> None:
        """Drop cached tables that other processes may have changed.

        Args:
            player_id: The player whose tables are dropped, or None for all tables.
        """
        for live in self.matches:
            table = live.table
            if player_id is None or (table is not None and table.match.seat_of(player_id) is not None):
                live.table = live.as_read = None

    async def _cached(self, live: LiveMatch, *, is_believed: bool = True) -> Table | None:
        """Return a cached table if it is up to date, or None.

        The journal is asked if other processes may have changed the table unnoticed, or unless
        ``is_believed``.
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
        """Return a table from the cache or the journal.

        The caller must hold the match's lock. Otherwise, a change stored meanwhile could be overwritten
        by older data.

        Raises:
            TableError: There is no such match.
        """
        table = await self._cached(live, is_believed=is_believed)
        if table is None:
            table = live.table = live.as_read = await self._read(live.id)
        return table

    async def _read(self, match_id: str) -> Table:
        match, entries = await self.whole(match_id)
        game = self.games.get(match.game)
        if game is None:
            raise _unknown()
        try:
            return await self._introduced(await _fold(match, entries, game))
        except (UnreadableMoveError, IllegalMoveError) as error:
            return await self._set_aside(match, error.sentence)

    async def _introduced(self, table: Table) -> Table:
        """Return a table in play with its newcomers, and any other table unchanged."""
        if not table.is_playing or table.match.is_lesson:
            return table
        info, ids = table.game.info, [each.id for each in table.match.people]
        return replace(table, newcomers=await self.journal.newcomers(info.key, info.goal, ids))

    async def _set_aside(self, match: Match, why: str) -> Table:
        """Return the table of an unreadable match as stopped.

        A live match is also stopped in storage, which frees its location. Its moves are kept.
        """
        table = Table(match, self.games[match.game])
        if not match.stage.is_live:
            return table.having(stage=Stage.STOPPED)
        decision = close(table, self.clock(), unfinished=match.seed is not None)
        assert decision.change is not None, "it is live"
        if not await self.journal.commit(decision.change):
            return await self._read(match.id)  # another process stored a change first
        log.error("match set aside", match=match.id, why=why)
        self._upkeep.moved_by_itself(match.id)
        return decision.table

    # ---- events -------------------------------------------------------------------------------------

    async def open(
        self,
        match: Match,
        place: str,
        what: Event | None = None,
        entries: Sequence[Entry] = (),
        check: HostCheck | None = None,
    ) -> Table:
        """Store a new match.

        Args:
            match: The match.
            place: The key of the location that it occupies.
            what: The first event, or None.
            entries: The moves that it begins with.
            check: Checks the host.

        Raises:
            TableTakenError: The location already holds a live match.
        """
        game = self.games[match.game]
        table = Table(match, game.as_of(match.rules_version, match.thinking_version) or game)
        if what is not None:
            table = await self._introduced(decide(table, what, self.clock()).table)
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
        """Handle a click that plays a move. A click that leads to a further step changes nothing.

        The second click of a double click returns the current table.

        Raises:
            MovedOnError: The click was on an outdated state.
            TableError: The click is not allowed.
            IllegalMoveError: The rules do not allow the move.
        """
        return await self.happens(click.match_id, Clicked(click, player_id))

    def call(self, table: Table) -> Call | None:
        """Return how the player to move should be notified now, or None."""
        return call(table, self.clock())

    async def happens(self, match_id: str, what: Event, check: HostCheck | None = None) -> Table:
        """Decide an event and store its consequence before it is shown (law 6).

        If another process stores a change first, the event is decided again.

        Args:
            match_id: The match.
            what: The event.
            check: Checks a new host.
        """
        live = self.live_match(match_id)
        async with live.lock:
            says_what_it_saw = isinstance(what, Clicked | Answered | Thought)
            table = await self._hold(live, is_believed=says_what_it_saw)
            if isinstance(what, Rang | Thought) and not self.shards.has(table.match.guild_id):
                return table  # automatic actions run in the owning process only
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
                except AwayError:  # the change may have been stored before the connection was lost
                    live.table = None
                    self._upkeep.look_in(match_id, UNSURE_SECONDS)
                    raise
                if is_stored:
                    has_begun = table.is_lobby and decision.table.is_playing
                    after = await self._introduced(decision.table) if has_begun else decision.table
                    return self._keep(live, table, after, decision.change)
                live.table = None
                table = await self._hold(live)
            raise moved_on_error()

    async def _read_up(self, live: LiveMatch, table: Table, what: Clicked) -> tuple[Table, Clicked]:
        """Return the data needed to judge a click.

        Returns:
            The table, read again if the user saw a newer state, and the event with the move made since
            the state that the user saw.
        """
        seen = what.click.seen
        if seen > table.n:  # the user saw a newer state than this process
            live.table = None
            table = await self._hold(live)
        if seen < table.n:
            what = replace(what, made=await self.journal.entry(table.match.id, seen))
        return table, what

    def _keep(self, live: LiveMatch, before: Table, table: Table, change: Change) -> Table:
        """Cache a table after its change was stored. If nothing visible changed, it counts as shown."""
        match, entry = table.match, change.entry
        if before.match.is_shown and before.signature == table.signature:
            table = table.having(shown=match.version)
            self.shown(table)
        live.table = None
        if table.memories.keys() == set(match.computer_seats):  # else memories must be rebuilt
            live.table = table
        self.take_up(table)
        note(table, change)
        if entry is not None and entry.mover is not None:
            self.moved(match.game, entry.mover)
        return table


async def _fold(match: Match, entries: Sequence[Entry], game: AnyGame) -> Table:
    """Return a match as a table.

    Raises:
        UnreadableMoveError: A move cannot be read.
        IllegalMoveError: A move is not allowed.
    """
    if match.seed is None:
        return Table(match, game)
    dealt_by = game.as_of(match.rules_version, match.thinking_version)
    dealt_by = dealt_by or game.by_rules(match.rules_version)
    if dealt_by is None:  # the next startup stops it
        return Table(replace(match, stage=Stage.STOPPED), game)
    table = Table.dealt(match, dealt_by)
    for number, entry in enumerate(entries, 1):
        table = table.after(entry)
        if number % FOLDED_AT_ONCE == 0:
            await asyncio.sleep(0)
    return table


def _unknown() -> TableError:
    return TableError(_("I no longer know this table. Start a new one."))

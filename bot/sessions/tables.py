"""The live tables. Each table handles one event at a time, and a change is stored before it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import structlog

from bot.engine.errors import IllegalMoveError, UnavailableError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.opponent import Mover
from bot.engine.translation import _
from bot.matches.match import Change, Entry, Match, Stage, Waiting
from bot.matches.shards import ALL_SHARDS, Shards
from bot.sessions import events
from bot.sessions.decision import decide, moved_on_error
from bot.sessions.decision.closing import close
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.events import (
    Click,
    Clicked,
    ComputerMoveChosen,
    QuestionAnswered,
    TableEvent,
    TimerFired,
)
from bot.sessions.live_matches import LiveMatch, LiveMatches
from bot.sessions.match_creation import place_of
from bot.sessions.ports import HostCheck, Journal, Opponents
from bot.sessions.table_state import Table
from bot.sessions.table_timers import Upkeep, log_change

log = structlog.get_logger(__name__)

UNSURE_SECONDS = 10  # until a match is read again, if a change may or may not be stored
ENDED_SECONDS = 24 * 60 * 60  # startup shows ends up to this age that may not have been shown
FOLDED_AT_ONCE = 20  # moves replayed (about 3 ms of work) before the event loop gets control
TRIES = 10  # attempts to store a change while other processes keep storing changes first


@dataclass(eq=False, kw_only=True)
class Tables:
    """The live tables of this process. They are cached in memory and can be reloaded from the journal.

    This process runs the automatic actions of tables on its own shards. If another process changes one
    of these tables, it notifies this process.

    Attributes:
        games: The games by key.
        journal: The storage of matches.
        clock: Returns the Unix time in seconds.
        idle: Returns the context manager in which automatic actions run.
        opponents: The worker processes that choose computer players' moves. If None, computer players
            never move.
        unplayable_since: Returns the Unix time since which a match cannot be played, or None if it can.
    """

    games: Mapping[str, AnyGame]
    journal: Journal
    clock: Callable[[], int]
    idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
    opponents: Opponents | None = None
    shards: Shards = ALL_SHARDS
    unplayable_since: Callable[[Match], int | None] = lambda _match: None
    moved: Callable[[str, Mover], object] = lambda _game, _mover: None
    """Called after each stored move, with the game's key and the type of mover."""

    def __post_init__(self) -> None:
        self._reading = WeakValueDictionary[int | str, asyncio.Lock]()
        self.matches = LiveMatches(self.clock)
        self._upkeep = upkeep = Upkeep(
            self.matches, self.clock, self.shards, self.happens, self.idle, self.opponents
        )
        # Methods of the parts that are also part of this interface:
        self.live_match = self.matches.live_match
        self.take_up, self.ring, self.close = upkeep.take_up, upkeep.fire_timer, upkeep.close

    def watch(self, moved_by_itself: Callable[[str], object]) -> None:
        """Register a callback that receives the match ID after each automatic action at a table."""
        self._upkeep.moved_by_itself = moved_by_itself

    # ---- queries ------------------------------------------------------------------------------------

    async def read(self, match_id: str, who: int | None = None) -> Table:
        """Return the table of a match, which may have ended.

        Loading a long match takes half a second. Therefore, only one match at a time is loaded for each
        user.

        Args:
            match_id: The match.
            who: The user whose click needs the table, or None.

        Raises:
            TableError: There is no such match.
        """
        live = self.live_match(match_id)
        if (table := await self._find_cached(live)) is None:
            async with self._reading.setdefault(who or match_id, asyncio.Lock()), live.lock:
                table = await self._hold(live)
        return table

    async def whole(self, match_id: str) -> tuple[Match, list[Entry]]:
        """Load a match and all its moves from the journal.

        Raises:
            TableError: There is no such match, or its moves have been deleted.
        """
        if (record := await self.journal.load(match_id)) is None:
            raise _unknown()
        return record

    async def find(self, match_id: str) -> Table | None:
        match = await self.journal.find(match_id)
        return await self.read(match.id) if match else None

    async def table_in_channel(self, channel_id: int, player_id: int | None = None) -> Table | None:
        """Return a channel's live table, or None if it has none.

        If ``player_id`` is set, return the table of this player's live solitaire deal in the channel
        instead.
        """
        match = await self.journal.live_at(place_of(channel_id, player_id))
        table = await self.read(match.id) if match else None
        return table if table and table.match.stage.is_live else None  # an unreadable one has ended

    async def private_table(self, game: str, player_id: int, *, abroad: bool = False) -> Table | None:
        """Return a player's newest live private match of a game, except lessons.

        Return None if there is none.

        Args:
            game: The game's key.
            player_id: The player.
            abroad: True to include public matches in servers and groups that Ribit is not a member of.
        """
        hosted = [
            one
            for one in await self.journal.hosted_matches(player_id)
            if one.game == game and not one.is_lesson
        ]
        match_ids = [match.id for match in hosted if match.is_private or (match.guest and abroad)]
        return await self.read(match_ids[-1]) if match_ids else None

    async def match_of_day(self, game: str, player_id: int, day: int) -> Table | None:
        """Return the table of a player's match with a daily deal, or None. The match may have ended.

        Args:
            game: The game's key.
            player_id: The player.
            day: The day, such as 20261121.
        """
        match = await self.journal.of_day(game, player_id, day)
        return await self.read(match.id) if match else None

    async def resume(self) -> list[Waiting]:
        """Schedule the automatic actions of live tables on this process's shards, without loading them.

        If this version of Ribit does not know a match's rules, the match is stopped.

        Returns:
            The live matches, and the ended matches whose messages do not show the end yet, oldest first.
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
            self._upkeep.timers.set(match.match_id, match.wakes_at)
            waiting.append(match)
        return waiting

    def record_shown(self, table: Table) -> None:
        """Record that all of a table's messages show its current version."""
        self.journal.record_shown(table.match.id, table.match.version)

    async def reload(self, match_id: str) -> Table:
        """Load a match again after another process has changed it, and return its table."""
        live = self.live_match(match_id)
        try:
            async with live.lock:
                table = await self._hold(live, is_believed=False)
        except UnavailableError:
            self._upkeep.check_in(match_id)
            raise
        self.take_up(table)
        return table

    def check_soon(self, match_id: str) -> None:
        """Schedule an immediate check of whether a table can be played.

        Its clock is stopped or restarted.
        """
        self._upkeep.check_in(match_id, 0)

    def evict(self, player_id: int | None = None) -> None:
        """Remove tables from the cache that other processes may have changed.

        Args:
            player_id: The player whose tables are removed, or None to remove all tables.
        """
        for live in self.matches:
            table = live.table
            if player_id is None or (table is not None and table.match.seat_of(player_id) is not None):
                live.table = live.as_read = None

    async def _find_cached(self, live: LiveMatch, *, is_believed: bool = True) -> Table | None:
        """Return the cached table, or None if no table is cached or the cached one is outdated.

        If another process may have changed the table without notifying this one, the table's version is
        compared with the journal. If ``is_believed`` is False, it is always compared.
        """
        table = live.table
        if table is None or (is_believed and self.shards.has(table.match.guild_id)):
            return table
        match = table.match
        if await self.journal.version_and_stage(match.id) == (match.version, match.stage):
            return table
        if live.table is table:
            live.table = None
        return None

    async def _hold(self, live: LiveMatch, *, is_believed: bool = True) -> Table:
        """Return the table from the cache. If it is not cached, load it from the journal and cache it.

        The caller must hold the match's lock. Otherwise, older data could replace a newer cached table.

        Raises:
            TableError: There is no such match.
        """
        table = await self._find_cached(live, is_believed=is_believed)
        if table is None:
            table = live.table = live.as_read = await self._read(live.id)
        return table

    async def _read(self, match_id: str) -> Table:
        match, entries = await self.whole(match_id)
        game = self.games.get(match.game)
        if game is None:
            raise _unknown()
        try:
            return await self._with_newcomers(await _fold(match, entries, game))
        except (UnreadableMoveError, IllegalMoveError) as error:
            return await self._set_aside(match, error.sentence)

    async def _with_newcomers(self, table: Table) -> Table:
        """Return the table with its newcomers: the people who have never reached the aim of the game.

        If the match is a lesson or not in progress, return the table unchanged.
        """
        if not table.is_playing or table.match.is_lesson:
            return table
        info, ids = table.game.info, [player.id for player in table.match.people]
        return replace(table, newcomers=await self.journal.newcomers(info.key, info.goal, ids))

    async def _set_aside(self, match: Match, why: str) -> Table:
        """Return the table of a match whose moves cannot be read, marked as stopped.

        If the match is live, this is stored too, so that the channel can have a new match. The moves are
        kept.
        """
        table = Table(match, self.games[match.game])
        if not match.stage.is_live:
            return table.having(stage=Stage.STOPPED)
        decision = close(table, self.clock(), unfinished=match.seed is not None)
        assert decision.change is not None, "it is live"
        if not await self.journal.commit(decision.change):
            return await self._read(match.id)  # another process stored a change first
        log.error("match cannot be read", match=match.id, why=why)
        self._upkeep.moved_by_itself(match.id)
        return decision.table

    # ---- events -------------------------------------------------------------------------------------

    async def open(
        self,
        match: Match,
        place: str,
        what: TableEvent | None = None,
        entries: Sequence[Entry] = (),
        check: HostCheck | None = None,
    ) -> Table:
        """Store a new match and return its table.

        Args:
            match: The match.
            place: The key of the match's location. Each location holds one live match.
            what: The first event of the match, or None.
            entries: The moves that were already played.
            check: Checks whether the host may open another match.

        Raises:
            TableTakenError: The location already holds a live match.
        """
        game = self.games[match.game]
        table = Table(match, game.as_of(match.rules_version, match.thinking_version) or game)
        if what is not None:
            table = await self._with_newcomers(decide(table, what, self.clock()).table)
        occupant = await self.journal.create(table.match, place, entries, check)
        if occupant is not None and not (await self.read(occupant.id)).match.stage.is_live:
            occupant = await self.journal.create(table.match, place, entries, check)  # it has just ended
        if occupant is not None:
            raise TableTakenError(occupant.id, is_deal=table.is_solo)
        if what is None:
            table = await self.read(match.id)
        self.take_up(table)
        log.info("match opened", match=match.id, game=match.game, channel=match.channel_id)
        return table

    async def stop(self, match_id: str) -> Table:
        return await self.happens(match_id, events.TableEnded())

    async def choose(self, click: Click, player_id: int) -> Table:
        """Make the move that a player has clicked, and return the table.

        If the click only leads to another step, or if it repeats an earlier click, nothing changes.

        Raises:
            OutdatedClickError: The message that was clicked showed an earlier state.
            TableError: The click is not allowed.
            IllegalMoveError: The rules do not allow the move.
        """
        return await self.happens(click.match_id, Clicked(click, player_id))

    async def happens(self, match_id: str, what: TableEvent, check: HostCheck | None = None) -> Table:
        """Apply an event to a table, store the change (law 6), and return the new table.

        If another process stores a change first, the event is applied again to the changed table.

        Args:
            match_id: The match.
            what: The event.
            check: Checks whether a new host may host another match.

        Raises:
            OutdatedClickError: The event refers to an earlier state, or other processes repeatedly
                stored changes first.
            TableError: The table does not allow the event.
            IllegalMoveError: The rules do not allow the move.
        """
        live = self.live_match(match_id)
        async with live.lock:
            says_what_it_saw = isinstance(what, Clicked | QuestionAnswered | ComputerMoveChosen)
            table = await self._hold(live, is_believed=says_what_it_saw)
            if isinstance(what, TimerFired | ComputerMoveChosen) and not self.shards.has(
                table.match.guild_id
            ):
                return table  # automatic actions run in the owning process only
            for _try in range(TRIES):
                if isinstance(what, TimerFired):
                    what = TimerFired(self.unplayable_since(table.match))
                if isinstance(what, Clicked):
                    table, what = await self._read_up(live, table, what)
                decision = decide(table, what, self.clock())
                if decision.change is None:
                    return decision.table
                try:
                    is_stored = await self.journal.commit(decision.change, check)
                # the change may have been stored before the connection was lost
                except UnavailableError:
                    live.table = None
                    self._upkeep.check_in(match_id, UNSURE_SECONDS)
                    raise
                if is_stored:
                    has_begun = table.is_lobby and decision.table.is_playing
                    after = await self._with_newcomers(decision.table) if has_begun else decision.table
                    return self._keep(live, table, after, decision.change)
                live.table = None
                table = await self._hold(live)
            raise moved_on_error()

    async def _read_up(self, live: LiveMatch, table: Table, what: Clicked) -> tuple[Table, Clicked]:
        """Load data that is missing if a click refers to a different state than the cached table.

        Returns:
            The table and the event. If the user saw a newer state, the table is reloaded. If the user
            saw an older state, the event contains the move that followed that state.
        """
        state_number = what.click.seen
        if state_number > table.n:  # the user saw a newer state than this process
            live.table = None
            table = await self._hold(live)
        if state_number < table.n:
            what = replace(what, made=await self.journal.entry(table.match.id, state_number))
        return table, what

    def _keep(self, live: LiveMatch, before: Table, table: Table, change: Change) -> Table:
        """Cache a table after its change was stored.

        If messages need no update, mark the version as shown.
        """
        match, entry = table.match, change.entry
        if before.match.is_shown and before.signature == table.signature:
            table = table.having(shown=match.version)
            self.record_shown(table)
        live.table = None
        if table.memories.keys() == set(match.computer_seats):  # else memories must be rebuilt
            live.table = table
        self.take_up(table)
        log_change(table, change)
        if entry is not None and entry.mover is not None:
            self.moved(match.game, entry.mover)
        return table


async def _fold(match: Match, entries: Sequence[Entry], game: AnyGame) -> Table:
    """Compute the table of a stored match by replaying its moves.

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
    table = Table.deal(match, dealt_by)
    for number, entry in enumerate(entries, 1):
        table = table.after_move(entry)
        if number % FOLDED_AT_ONCE == 0:
            await asyncio.sleep(0)
    return table


def _unknown() -> TableError:
    return TableError(_("I no longer know this table. Start a new one."))

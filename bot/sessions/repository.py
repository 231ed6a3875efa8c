"""Tables as they are stored: read when first asked for, and known for as long as that is sure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import structlog

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.match import Entry, Match, Stage
from bot.engine.task import Task
from bot.engine.values import frozen
from bot.engine.words import _
from bot.games import rules_of
from bot.sessions.decision.decision import closed
from bot.sessions.errors import TableError
from bot.sessions.live_tables import LiveTables
from bot.sessions.ports import Journal, Opponents
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

FOLDED_AT_ONCE = 100
"""After so many moves, which take some 3 ms, a table that is read lets others have the event loop."""

MOST_FOLDED_HERE = 500
"""More moves than nearly every match has: a longer one is read by a worker, its host's turn by turn."""


class Repository:
    """Tables out of the journal, and out of memory where that cannot differ."""

    def __init__(
        self,
        *,
        games: Mapping[str, AnyGame],
        journal: Journal,
        clock: Callable[[], int],
        is_sure: Callable[[Match], bool],
        opponents: Opponents | None = None,
    ) -> None:
        """``is_sure`` says of a match that no other process changes it unheard.

        Others are asked for by the number of their changes before what is in memory counts.
        """
        self._games = games
        self._journal = journal
        self._clock = clock
        self._is_sure = is_sure
        self._opponents = opponents
        self.live = LiveTables(clock)
        self.read: Callable[[Table], object] = lambda _table: None
        """What is called with each table that was read."""
        self.set_aside: Callable[[str], object] = lambda _match_id: None
        """What is called with the id of a match that was ended because it cannot be read."""

    async def known(self, match_id: str) -> Table | None:
        """Return the table of a match where it is in memory, and as it is stored."""
        table = self.live.get(match_id)
        if table is not None and not self._is_sure(table.match):
            return await self._unless_changed(table)
        return table

    async def hold(self, match_id: str) -> Table:
        """Return the table of a match, live or not, and keep it in memory; raises TableError for none.

        The caller holds the match's lock. Only so: a table read without the lock may be older than what
        was stored meanwhile.
        """
        table = await self.known(match_id)
        if table is None:
            table = await self._read(match_id)
            self.live.keep(table)
        return table

    async def fresh(self, match_id: str) -> Table:
        """Return the table of a match as it is stored. The caller holds the match's lock."""
        self.live.forget(match_id)
        return await self.hold(match_id)

    async def changed(self, match_id: str) -> Table:
        """Return the table of a match that another process may have changed, as ``fresh`` does.

        What is in memory is not read again where it is as it is stored.
        """
        table = self.live.get(match_id)
        if table is None or await self._unless_changed(table) is None:
            return await self.fresh(match_id)
        return table

    async def _unless_changed(self, table: Table) -> Table | None:
        """Return a table that is still as it is stored; else have it forgotten."""
        match = table.match
        if await self._journal.stands(match.id) == (match.version, match.stage):
            return table
        if self.live.get(match.id) is table:
            self.live.forget(match.id)
        return None

    async def _read(self, match_id: str) -> Table:
        """Return the table of a match as it is stored."""
        record = await self._journal.load(match_id)
        if record is None or record[0].game not in self._games:
            raise TableError(_("I no longer know this table. Start a new one."))
        table = await self._table(*record)
        self.read(table)
        return table

    async def _table(self, match: Match, entries: list[Entry]) -> Table:
        game = self._games[match.game]
        if match.seed is None:
            return Table(match, game)
        dealt_by = game.by_rules(match.rules_version)
        if dealt_by is None:  # the next start ends it
            return Table(replace(match, stage=Stage.STOPPED), game)
        game = dealt_by
        if len(entries) > MOST_FOLDED_HERE and self._opponents is not None:
            found = await self._opponents.ask(Fold(match, entries), who=match.host_id)
            if found is not None:
                return replace(found, game=game)
        table = Table.dealt(match, game)
        for number, entry in enumerate(entries, 1):
            try:
                table = table.after(entry)
            except (UnreadableMoveError, IllegalMoveError):
                return await self._without_moves(match, game, entry.n)
            if number % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)
        return table

    async def _without_moves(self, match: Match, game: AnyGame, n: int) -> Table:
        """Return the table of a match whose move ``n`` cannot be read: it is over, whatever it was.

        A live one is ended as it is stored, so that its place is free; its journal is left as it is.
        """
        if not match.stage.is_live:
            return Table(replace(match, stage=Stage.STOPPED), game)
        decision = closed(Table(match, game), self._clock(), unfinished=True)
        assert decision.change is not None, "it is live"
        if not await self._journal.commit(decision.change):
            return await self._read(match.id)  # another process was faster
        log.error("match set aside: a move of it cannot be read", match=match.id, game=match.game, n=n)
        self.set_aside(match.id)
        return decision.table


@frozen
class Fold(Task[Table | None]):
    """A table but for its game, which cannot be sent, or None where a move cannot be read."""

    match: Match
    entries: Sequence[Entry]
    is_question = False

    def made(self) -> Table | None:
        """Play it."""
        with suppress(UnreadableMoveError, IllegalMoveError):
            table = Table.dealt(self.match, rules_of(self.match))
            for entry in self.entries:
                table = table.after(entry)
            return replace(table, game=None)  # type: ignore[arg-type]
        return None

    def otherwise(self) -> None:
        """Return that no worker could read it."""

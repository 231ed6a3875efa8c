"""The journal's matches folded into tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

import structlog

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.words import _
from bot.matches.match import Entry, Match, Stage
from bot.sessions.decision.closing import closed
from bot.sessions.errors import TableError
from bot.sessions.ports import Journal
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

FOLDED_AT_ONCE = 100  # moves, which take some 3 ms, before others have the event loop


class JournalReader:
    """Reads tables as they are stored."""

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        journal: Journal,
        clock: Callable[[], int],
    ) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock
        self.has_read: Callable[[Table], object] = lambda _table: None
        """What is called with each table that was read."""
        self.set_aside: Callable[[str], object] = lambda _match_id: None
        """What is called with the id of a match that was ended because it cannot be read."""

    async def table(self, match_id: str) -> Table:
        """Return the table of a match, live or not; raises TableError where there is none."""
        match, entries = await load_whole(self._journal, match_id)
        if match.game not in self._games:
            raise _unknown()
        table = await self._folded(match, entries)
        self.has_read(table)
        return table

    async def _folded(self, match: Match, entries: list[Entry]) -> Table:
        newest = self._games[match.game]
        if match.seed is None:
            return Table(match, newest)
        game = newest.by_rules(match.rules_version)
        if game is None:  # the next start ends it
            return Table(replace(match, stage=Stage.STOPPED), newest)
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
            return await self.table(match.id)  # another process was faster
        log.error("match set aside: a move of it cannot be read", match=match.id, game=match.game, n=n)
        self.set_aside(match.id)
        return decision.table


async def load_whole(journal: Journal, match_id: str) -> tuple[Match, list[Entry]]:
    """Return a match and all its moves; raises TableError where there is none, or none any more."""
    record = await journal.load(match_id)
    if record is None:
        raise _unknown()
    return record


def _unknown() -> TableError:
    return TableError(_("I no longer know this table. Start a new one."))

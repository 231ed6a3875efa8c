"""The journal's matches folded into tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import structlog

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.task import Task
from bot.engine.values import frozen
from bot.engine.words import _
from bot.games import rules_of
from bot.matches.match import Entry, Match, Stage
from bot.sessions.decision.closing import closed
from bot.sessions.errors import TableError
from bot.sessions.ports import Journal, Opponents
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

FOLDED_AT_ONCE = 100  # moves, which take some 3 ms, before others have the event loop
MOST_FOLDED_HERE = 500  # moves, more than nearly every match has; a longer one is read by a worker


class JournalReader:
    """Reads tables as they are stored."""

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        journal: Journal,
        clock: Callable[[], int],
        opponents: Opponents | None,
    ) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock
        self._opponents = opponents
        self.set_aside: Callable[[str], object] = lambda _match_id: None
        """What is called with the id of a match that was ended because it cannot be read."""

    async def table(self, match_id: str) -> Table:
        """Return the table of a match, live or not; raises TableError where there is none."""
        match, entries = await load_whole(self._journal, match_id)
        if match.game not in self._games:
            raise _unknown()
        return await self._folded(match, entries)

    async def _folded(self, match: Match, entries: list[Entry]) -> Table:
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
            return await self.table(match.id)  # another process was faster
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
        with suppress(UnreadableMoveError, IllegalMoveError):
            table = Table.dealt(self.match, rules_of(self.match))
            for entry in self.entries:
                table = table.after(entry)
            return replace(table, game=None)  # type: ignore[arg-type]
        return None

    def otherwise(self) -> None:
        """Return that no worker could read it."""


async def load_whole(journal: Journal, match_id: str) -> tuple[Match, list[Entry]]:
    """Return a match and all its moves; raises TableError where there is none, or none any more."""
    record = await journal.load(match_id)
    if record is None:
        raise _unknown()
    return record


def _unknown() -> TableError:
    return TableError(_("I no longer know this table. Start a new one."))

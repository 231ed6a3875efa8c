"""A match gone through once more from its deal on, as somebody saw it; in worker processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from bot.engine.game import Viewer
from bot.engine.match import Entry, Match, advance, opening
from bot.engine.task import OfMatch
from bot.engine.thinking import fresh
from bot.engine.values import frozen
from bot.games import rules_of
from bot.sessions.journal_reader import load_whole
from bot.sessions.ports import Journal, Opponents
from bot.sessions.table import Table


class Histories:
    """Has matches gone through by the moves that are stored."""

    def __init__(self, journal: Journal, opponents: Opponents) -> None:
        self._journal = journal
        self._opponents = opponents

    async def events(self, table: Table, player_id: int) -> tuple[Any, ...]:
        """Return all that happened at a table of a game with a history, as everybody saw it."""
        match = table.match
        return tuple(await self._made(Happened(match.game, match.id, table.n), player_id))

    async def memory(self, table: Table, seat: int, player_id: int) -> Any:
        """Return what a seat remembers that was shown a table so far."""
        match = table.match
        return await self._made(Remembered(match.game, match.id, table.n, seat), player_id)

    async def _made(self, task: Happened | Remembered, player_id: int) -> Any:
        read = partial(load_whole, self._journal, task.match_id)
        return await self._opponents.ask(task, who=player_id, read=read)


def _views(match: Match, entries: Sequence[Entry], viewer: Viewer) -> Iterator[Any]:
    """Yield what a viewer has seen: the deal, and each move."""
    game = rules_of(match)
    state = opening(game, match)
    yield game.view(state, viewer)
    for entry in entries:
        state = advance(game, state, entry)
        yield game.view(state, viewer)


@frozen
class Happened(OfMatch[list[Any]]):
    """All that happened in the first ``n`` moves of a match, as everybody saw it."""

    n: int

    def made(self, match: Match, entries: Sequence[Entry]) -> list[Any]:
        """Go through the match."""
        history = rules_of(match).history
        assert history is not None, "only such a game is asked"
        told, latest = list[Any](), tuple[Any, ...]()
        for view in _views(match, entries[: self.n], None):
            told += fresh(latest, latest := history.events(view))
        return told


@frozen
class Remembered(OfMatch[Any]):
    """What a seat remembers that was shown the first ``n`` moves of a match."""

    n: int
    seat: int

    def made(self, match: Match, entries: Sequence[Entry]) -> Any:
        """Go through the match."""
        thinking, memory = rules_of(match).thinking, None
        assert thinking is not None, "it was looked at"
        for view in _views(match, entries[: self.n], self.seat):
            memory = thinking.recall(memory, view)
        return memory

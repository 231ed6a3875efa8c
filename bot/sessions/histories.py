"""A match gone through once more from its deal on, as somebody saw it; in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.engine.game import Viewer
from bot.engine.match import Entry, Match, advance, opening
from bot.engine.thinking import fresh
from bot.games import rules_of
from bot.sessions.ports import Journal, Opponents
from bot.sessions.replays import load_whole
from bot.sessions.table import Table


class Histories:
    """Has matches gone through by the moves that are stored."""

    def __init__(self, journal: Journal, opponents: Opponents) -> None:
        self._journal = journal
        self._opponents = opponents

    async def events(self, table: Table, player_id: int) -> tuple[Any, ...]:
        """Return all that happened at a table of a game with a history, as everybody saw it."""
        return tuple(await self._made(happened, table, None, player_id))

    async def memory(self, table: Table, seat: int, player_id: int) -> Any:
        """Return what a seat remembers that was shown a table so far."""
        return await self._made(remembered, table, seat, player_id)

    async def _made(self, task: Callable[..., Any], table: Table, viewer: Viewer, player_id: int) -> Any:
        match = table.match

        async def read() -> tuple[Match, list[Entry], Viewer]:
            stored, entries = await load_whole(self._journal, match.id)
            return stored, entries[: table.n], viewer

        about = match.id, table.n, viewer
        return await self._opponents.whole(task, about, read, who=player_id, game=match.game)


def _views(match: Match, entries: Sequence[Entry], viewer: Viewer) -> Iterator[Any]:
    """Yield what a viewer has seen: the deal, and each move."""
    game = rules_of(match)
    state = opening(game, match)
    yield game.view(state, viewer)
    for entry in entries:
        state = advance(game, state, entry)
        yield game.view(state, viewer)


def happened(match: Match, entries: Sequence[Entry], viewer: Viewer) -> list[Any]:
    """Return all that happened, as a viewer saw it."""
    history = rules_of(match).history
    assert history is not None, "only such a game is asked"
    told, latest = list[Any](), tuple[Any, ...]()
    for view in _views(match, entries, viewer):
        told += fresh(latest, latest := history.events(view))
    return told


def remembered(match: Match, entries: Sequence[Entry], viewer: Viewer) -> Any:
    """Return what a seat remembers that was shown this."""
    thinking, memory = rules_of(match).thinking, None
    assert thinking is not None, "it was looked at"
    for view in _views(match, entries, viewer):
        memory = thinking.recall(memory, view)
    return memory

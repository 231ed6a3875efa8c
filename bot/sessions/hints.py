"""What a player asks about a match that goes on: what a toad would do, and what has happened.

Workers go through the match once more from its deal on, as somebody saw it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from bot.engine.game import Viewer
from bot.engine.match import Entry, Match, advance, opening
from bot.engine.task import OfMatch
from bot.engine.thinking import fresh
from bot.engine.values import frozen
from bot.engine.words import _
from bot.games import rules_of
from bot.sessions.decision import moved_on
from bot.sessions.decision.moves import seat_asking
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.tasks import Advise


class Hints:
    """Has a toad look over the shoulder of players who ask for it."""

    def __init__(self, tables: Tables, opponents: Opponents, histories: Histories) -> None:
        self._tables = tables
        self._histories = histories
        self._opponents = opponents

    async def give(self, match_id: str, player_id: int) -> Table:
        """Have a table keep what a toad would do for a player who is to move; return the table.

        Raises TableError for who is not to move, or where a move was made meanwhile.
        """
        table = await self._tables.look(match_id)
        seat = _asking(table, player_id)
        if seat in table.plans:
            return table
        plan = await self._thought(table, seat, player_id)
        now = await self._tables.look(match_id)
        if now.n != table.n:
            raise moved_on()
        now.plans[seat] = plan
        return now

    async def _thought(self, table: Table, seat: int, player_id: int) -> tuple[str, ...]:
        """Return what a toad would do, in writing; it is counted.

        A plan for a turn is counted once for the turn, also where it has to be thought of anew.
        """
        match = table.match
        memory, lot = await self._histories.memory(table, seat, player_id), table.lot
        plan = await self._opponents.ask(Advise(match.game, memory, lot), who=player_id)
        plans_turns = table.game.thinking is not None and table.game.thinking.plan is not None
        await self._tables.journal.count_hint(match.id, seat, table.began if plans_turns else table.n)
        return plan


def _asking(table: Table, player_id: int) -> int:
    """Return the seat of a player who may have a hint now, or raise TableError."""
    seat = seat_asking(table, player_id)
    if not table.gives_hints:
        raise TableError(_("There are no hints at this table."))
    if seat != table.to_move or table.pauses or table.computer is not None:
        raise TableError(_("You can only ask for a hint on your own turn."))
    return seat


class Histories:
    """Has matches gone through by the moves that are stored."""

    def __init__(self, tables: Tables, opponents: Opponents) -> None:
        self._tables = tables
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
        read = partial(self._tables.whole, task.match_id)
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

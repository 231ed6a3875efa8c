"""What a toad would do in a player's seat: asked for by the player, and counted."""

from __future__ import annotations

from bot.engine.words import _
from bot.sessions.decision import moved_on
from bot.sessions.decision.moves import seat_asking
from bot.sessions.errors import TableError
from bot.sessions.histories import Histories
from bot.sessions.ports import Journal, Opponents
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.tasks import Advise


class Hints:
    """Has a toad look over the shoulder of players who ask for it."""

    def __init__(
        self, *, tables: Tables, journal: Journal, opponents: Opponents, histories: Histories
    ) -> None:
        self._tables = tables
        self._journal = journal
        self._histories = histories
        self._opponents = opponents

    async def give(self, match_id: str, player_id: int) -> Table:
        """Have a table keep what a toad would do for a player who is to move; return the table.

        Raises TableError for who is not to move.
        """
        table = await self._tables.look(match_id)
        seat = _asking(table, player_id)
        if seat not in table.plans:
            plan = await self._thought(table, seat, player_id)
            table = await self._require_same(table)
            table.plans[seat] = plan
        return await self._require_same(table)

    async def _require_same(self, table: Table) -> Table:
        """Return the table as it is by now; raise TableError where a move was made at it meanwhile."""
        now = await self._tables.look(table.match.id)
        if now.n != table.n:
            raise moved_on()
        return now

    async def _thought(self, table: Table, seat: int, player_id: int) -> tuple[str, ...]:
        """Return what a toad would do, in writing; it is counted.

        A plan for a turn is counted once for the turn, also where it has to be thought of anew.
        """
        match = table.match
        memory, lot = await self._histories.memory(table, seat, player_id), table.lot
        plan = await self._opponents.ask(Advise(match.game, memory, lot), who=player_id)
        plans_turns = table.game.thinking is not None and table.game.thinking.plan is not None
        await self._journal.count_hint(match.id, seat, table.began if plans_turns else table.n)
        return plan


def _asking(table: Table, player_id: int) -> int:
    """Return the seat of a player who may have a hint now, or raise TableError."""
    seat = seat_asking(table, player_id)
    if not table.gives_hints:
        raise TableError(_("There are no hints at this table."))
    if seat != table.to_move or table.pauses or table.computer is not None:
        raise TableError(_("You can only ask for a hint on your own turn."))
    return seat

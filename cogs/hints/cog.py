"""The *Hint* button, which suggests a strong computer player's move.

The suggestion is marked among the buttons below the player's hand.
"""

from __future__ import annotations

from functools import partial

from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import action
from bot.delivery.table_opening import own_seat
from bot.engine.panel import HINT
from bot.engine.translation import _
from bot.features import Feature
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Button
from bot.messages.custom_ids import action_id
from bot.messages.table_view import TableView
from bot.sessions.decision import moved_on_error
from bot.sessions.decision.moves import seat_asking
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from cogs.hints.tasks import ChooseHint, SeatMemory


def hint_button(table: TableView) -> Button | None:
    if not table.gives_hints or table.pauses or table.hinted:
        return None
    return Button(action_id(table.match.id, "hint"), _("Hint"), emoji=HINT)


class Hints(commands.Cog):
    """A cog that suggests a move to a player who clicks *Hint*."""

    def __init__(self, thinkers: Opponents) -> None:
        self._thinkers = thinkers

    @action("hint")
    async def give(self, clicked: ClickContext, table: Table) -> None:
        """Show the player's hand with the suggested move marked.

        Raises:
            TableError: The match has no hints, it is not the user's turn, or a player moved while the
                hint was computed.
        """
        seat, tables = seat_asking(table, clicked.player_id), clicked.display.tables
        if not table.gives_hints:
            raise TableError(_("There are no hints at this table."))
        if seat != table.to_move or table.pauses or table.computer is not None:
            raise TableError(_("You can only ask for a hint on your own turn."))
        if seat not in table.plans:
            plan = await self._compute_plan(tables, table, seat, clicked.player_id)
            now = await tables.read(table.match.id)
            if now.n != table.n:
                raise moved_on_error()
            table = now
            table.plans[seat] = plan
        if clicked.is_private:
            await clicked.show(table, in_public=False)
        else:
            await clicked.open_hand(table, own_seat(table, clicked.player_id))

    async def _compute_plan(
        self, tables: Tables, table: Table, seat: int, player_id: int
    ) -> tuple[str, ...]:
        """Return the suggested move and any further moves planned for the same turn.

        This also counts the hint. If the computer player plans whole turns, all hints in one turn count
        as one.
        """
        match, thinking = table.match, table.game.thinking
        remembered = SeatMemory(match.game, match.id, table.n, seat)
        read = partial(tables.whole, match.id)
        memory = await self._thinkers.ask(remembered, who=player_id, read=read)
        plan = await self._thinkers.ask(ChooseHint(match.game, memory, table.lot), who=player_id)
        plans_turns = thinking is not None and thinking.plan is not None
        await tables.journal.count_hint(match.id, seat, table.began if plans_turns else table.n)
        return plan


async def setup(bot: Ribit) -> None:
    offers = [FeatureButton(ButtonPlace.TURN, 20, hint_button)]
    await bot.add_feature(Feature(Hints(bot.thinkers), offers=offers))

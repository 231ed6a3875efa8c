"""Hints: what a toad would do in a player's seat, marked among the choices of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked
from bot.delivery.clicks import action
from bot.delivery.table_opening import own_seat
from bot.engine.panel import HINT
from bot.engine.task import OfMatch, Task
from bot.engine.thinking import Lots, Strength
from bot.engine.values import frozen
from bot.engine.words import _
from bot.features import Feature
from bot.games import games, rules_of
from bot.matches.match import Entry, Match, states
from bot.messages.components import Button
from bot.messages.custom_ids import action_id
from bot.messages.offers import Offer, Place
from bot.sessions.decision import moved_on
from bot.sessions.decision.moves import seat_asking
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.tasks import Choose


def hint_button(table: Table) -> Button | None:
    """Return the button of the seat to move, where it may ask for a hint and has none."""
    if not table.gives_hints or table.pauses or table.hinted:
        return None
    return Button(action_id(table.match.id, "hint"), _("Hint"), emoji=HINT)


@frozen
class Remembered(OfMatch[Any]):
    """What a seat remembers that was shown the first ``n`` moves of a match."""

    n: int
    seat: int

    def made(self, match: Match, entries: Sequence[Entry]) -> Any:
        """Show it the match once more, from its deal on."""
        game, memory = rules_of(match), None
        assert game.thinking is not None, "it was looked at"
        for state in states(game, match, entries[: self.n]):
            memory = game.thinking.recall(memory, game.view(state, self.seat))
        return memory


@frozen
class Advise(Task[tuple[str, ...]]):
    """What a toad would do in a person's seat: that move, and those planned after it in the turn."""

    game: str
    memory: Any = field(compare=False)
    lot: bytes
    strength: Strength = Strength.TOAD
    label = Strength.TOAD.value

    def made(self) -> tuple[str, ...]:
        """Think."""
        game = games()[self.game]
        assert game.thinking is not None, f"{self.game} has no opponents"
        if game.thinking.plan is None:
            return (Choose(self.game, self.strength, self.memory, self.lot).made(),)
        return tuple(map(game.write, game.thinking.plan(self.memory, self.strength, Lots(self.lot))))

    def otherwise(self) -> tuple[str, ...]:
        """Return what a froglet would do."""
        return replace(self, strength=Strength.FROGLET).made()


class Hints(commands.Cog):
    """Has a toad look over the shoulder of players who ask for it."""

    def __init__(self, tables: Tables, thinkers: Opponents) -> None:
        self._tables = tables
        self._thinkers = thinkers

    @action("hint")
    async def give(self, clicked: Clicked, table: Table) -> None:
        """Mark in the player's hand what a toad would do, and say why.

        Raises TableError for who is not to move, or where a move was made meanwhile.
        """
        seat, match_id = _asking(table, clicked.player_id), table.match.id
        if seat not in table.plans:
            plan = await self._thought(table, seat, clicked.player_id)
            now = await self._tables.look(match_id)
            if now.n != table.n:
                raise moved_on()
            table = now
            table.plans[seat] = plan
        if clicked.is_private:
            await clicked.show(table, in_public=False)
        else:
            await clicked.open_hand(table, own_seat(table, clicked.player_id))

    async def _thought(self, table: Table, seat: int, player_id: int) -> tuple[str, ...]:
        """Return what a toad would do, in writing; it is counted.

        A plan for a turn is counted once for the turn, also where it has to be thought of anew.
        """
        match, thinking = table.match, table.game.thinking
        remembered = Remembered(match.game, match.id, table.n, seat)
        read = partial(self._tables.whole, match.id)
        memory = await self._thinkers.ask(remembered, who=player_id, read=read)
        plan = await self._thinkers.ask(Advise(match.game, memory, table.lot), who=player_id)
        plans_turns = thinking is not None and thinking.plan is not None
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


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    offers = [Offer(Place.TURN, 20, hint_button)]
    await bot.add_feature(Feature(Hints(bot.tables, bot.thinkers), offers=offers))

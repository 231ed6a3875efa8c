"""Frogs at a table: added to a lobby, taken away, and playing for somebody."""

from __future__ import annotations

from bot.engine.words import _
from bot.messages.components import notice_content
from bot.messages.computer_players import PERSON, FrogPick, StandIn, gone_words
from bot.services.click import Clicked
from bot.sessions.events import FrogAdded, FrogRemoved
from bot.sessions.table import Table
from cogs.clicks.handlers import handles_at_table


@handles_at_table(FrogPick)
async def pick(clicked: Clicked, table: Table, picked: FrogPick) -> None:
    """Have the host of a lobby add a frog, or send a frog or a person away."""
    services, person = clicked.services, picked.pick.removeprefix(PERSON)
    if picked.pick.startswith(PERSON) and person.isdecimal():
        may_manage = clicked.interaction.permissions.manage_messages
        await services.seating.remove(
            table.match.id, int(person), clicked.player_id, may_manage=may_manage
        )
        if clicked.is_private:  # a moderator has picked it, where a match is closed
            services.display.refresh(table.match.id)
            await clicked.answer.update(notice_content(gone_words(int(person))))
            return
    elif picked.pick.isdecimal():
        gone = FrogRemoved(clicked.player_id, -int(picked.pick))
        await services.tables.happens(table.match.id, gone)
    else:
        await services.tables.happens(table.match.id, FrogAdded(clicked.player_id, picked.pick))
    await clicked.show_changed(table.match.id)


@handles_at_table(StandIn)
async def stand_in(clicked: Clicked, table: Table, asked: StandIn) -> None:
    """Have a frog play for a seat: one who is away, or the one who leaves it."""
    match = table.match
    table = await clicked.services.tables.stand_in(match.id, asked.seat, clicked.player_id)
    if clicked.is_private:
        clicked.services.display.refresh(match.id)
        words = (
            _("Nobody else is left, so the frogs finish this match right away.")
            if table.is_left_to_frogs
            else _("A frog is playing for you now. Press **Join** at the table to take your seat back.")
        )
        await clicked.answer.update(notice_content(words))
        return
    await clicked.show_changed(match.id)

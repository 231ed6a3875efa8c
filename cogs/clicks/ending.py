"""The end of a match, asked for and confirmed, and the next one after it."""

from __future__ import annotations

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.dealing import call_to_rematch, deal_again, own_seat, player_of, post_table
from bot.delivery.hosting import telling_which
from bot.delivery.permits import check_may_start
from bot.engine.words import _
from bot.messages.hosting import close_sheet
from bot.messages.ids import CloseOwn
from bot.messages.parts import notice_sheet
from bot.messages.sheets import give_up_sheet
from bot.sessions.table import Table


async def stop(clicked: Clicked, table: Table) -> None:
    """End the table for everybody."""
    desk, may_manage = clicked.desk, clicked.interaction.permissions.manage_messages
    await desk.seating.stop(table.match.id, clicked.player_id, may_manage=may_manage)
    desk.display.refresh(table.match.id)
    await clicked.answer.update(notice_sheet(_("Table closed.")))


async def ask_to_give_up(clicked: Clicked, table: Table) -> None:
    """Ask before a deal is given up."""
    own_seat(table, clicked.player_id)
    await clicked.answer.whisper(give_up_sheet(table.match.id))


async def give_up(clicked: Clicked, table: Table) -> None:
    """Give up the seat for good."""
    await clicked.desk.seating.leave(table.match.id, clicked.player_id)
    clicked.desk.display.refresh(table.match.id)
    await clicked.answer.update(notice_sheet(_("You gave up.")))


async def close_own(clicked: Clicked, asked: CloseOwn) -> None:
    """Ask before a host ends a match of theirs from elsewhere, and end it.

    A table goes by its server's settings, like by command; where Ribit is no more, nobody is in the way.
    """
    desk, table = clicked.desk, await clicked.desk.tables.look(asked.match_id)
    if table.match.host_id != clicked.player_id:
        raise unknown_button()
    is_lost = desk.display.is_lost(table.match)
    if not table.is_solo:
        await desk.seating.check_may_stop(table, clicked.player_id, may_manage=is_lost)
    if not asked.is_sure:
        await clicked.answer.update(close_sheet(table))
        return
    if table.is_solo:
        await desk.seating.leave(table.match.id, clicked.player_id)
    else:
        await desk.seating.stop(table.match.id, clicked.player_id, may_manage=is_lost)
    desk.display.refresh(table.match.id)
    await clicked.answer.update(notice_sheet(_("Done. There is room for another one now.")))


async def never_mind(clicked: Clicked, _table: Table) -> None:
    """Go on as if nothing had been asked."""
    await clicked.answer.update(notice_sheet(_("Nothing has changed: the match goes on.")))


async def rematch(clicked: Clicked, before: Table) -> None:
    """Open a table like the one that ended, or sit down where somebody has opened it."""
    desk, interaction = clicked.desk, clicked.interaction
    clicked.require_here(before)
    if before.is_solo:
        raise unknown_button()
    if await desk.tables.at(before.match.channel_id) is None:
        await check_may_start(desk, interaction)
    async with telling_which(desk):
        table, is_new = await desk.seating.rematch(before.match.id, player_of(interaction))
    if not is_new:
        desk.display.refresh(table.match.id)
        await clicked.answer.tell(_("You have a seat at the new table."))
        return
    await post_table(desk, clicked.answer, table)
    others = [player.id for player in before.match.people if player.id != clicked.player_id]
    if others and not table.is_playing:
        await call_to_rematch(desk, table, others)


async def deal_new(clicked: Clicked, before: Table) -> None:
    """Deal another game for one."""
    await _deal(clicked, before, is_same=False)


async def deal_same(clicked: Clicked, before: Table) -> None:
    """Deal the same game for one again."""
    await _deal(clicked, before, is_same=True)


async def _deal(clicked: Clicked, before: Table, *, is_same: bool) -> None:
    if not before.is_solo:
        raise unknown_button()
    table = await deal_again(clicked.desk, clicked.interaction, before, is_same=is_same)
    await post_table(clicked.desk, clicked.answer, table)

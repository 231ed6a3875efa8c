"""The end of a match, asked for and confirmed, and the next one after it."""

from __future__ import annotations

from bot.delivery.clicked import Clicked, post_table, unknown_button
from bot.delivery.clicks import action, handles
from bot.engine.words import _
from bot.messages.closing import CloseOwn, close_content, closed_words, give_up_content
from bot.messages.components import notice_content
from bot.services.player_names import sitting_down
from bot.services.start_checks import check_may_start, check_may_start_there
from bot.services.table_opening import own_seat
from bot.sessions.events import PlayedOn
from bot.sessions.table import Table


@action("stop", in_private=True)
async def stop(clicked: Clicked, table: Table) -> None:
    """End the table for everybody, or ask the others to."""
    if table.is_solo:  # made up: a deal ends by being given up
        raise unknown_button()
    services, may_manage = clicked.services, clicked.interaction.permissions.manage_messages
    table = await services.seating.stop(table.match.id, clicked.player_id, may_manage=may_manage)
    services.display.refresh(table.match.id)
    await clicked.answer.update(notice_content(closed_words(table)))


@action("agree")
async def agree_to_close(clicked: Clicked, table: Table) -> None:
    """Agree to close a match that is being played; a moderator who plays answers as a player."""
    await clicked.services.seating.stop(table.match.id, clicked.player_id, may_manage=False)
    await clicked.show_changed(table.match.id, in_public=not clicked.is_private)


@action("playon")
async def play_on(clicked: Clicked, table: Table) -> None:
    """Refuse to close a match that is being played."""
    await clicked.services.tables.happens(table.match.id, PlayedOn(clicked.player_id))
    await clicked.show_changed(table.match.id, in_public=not clicked.is_private)


@action("give")
async def ask_to_give_up(clicked: Clicked, table: Table) -> None:
    """Ask before a deal is given up."""
    own_seat(table, clicked.player_id)
    await clicked.answer.whisper(give_up_content(table.match.id))


@action("quit", in_private=True)
async def give_up(clicked: Clicked, table: Table) -> None:
    """Give up the seat for good."""
    await clicked.services.seating.leave(table.match.id, clicked.player_id)
    clicked.services.display.refresh(table.match.id)
    await clicked.answer.update(notice_content(_("You gave up.")))


@handles(CloseOwn, in_private=True)
async def close_own(clicked: Clicked, asked: CloseOwn) -> None:
    """Ask before a host ends a match of theirs from elsewhere, and end it.

    A table goes by its server's settings, like by command; where Ribit is no more, nobody is in the way.
    A match that others still play goes on without its host, who gives it up.
    """
    services, table = clicked.services, await clicked.services.tables.look(asked.match_id)
    if table.match.host_id != clicked.player_id:
        raise unknown_button()
    is_lost = services.display.routes.permissions.is_lost(table.match)
    is_given_up = table.is_solo or (len(table.people) > 1 and not is_lost)
    if not is_given_up:
        await services.seating.check_may_stop(table, clicked.player_id, may_manage=is_lost)
    if not asked.is_sure:
        await clicked.answer.update(close_content(table, is_given_up=is_given_up))
        return
    if is_given_up:
        await services.seating.leave(table.match.id, clicked.player_id)
    else:
        await services.seating.stop(table.match.id, clicked.player_id, may_manage=is_lost)
    services.display.refresh(table.match.id)
    await clicked.answer.update(notice_content(_("Done. There is room for another one now.")))


@action("never", in_private=True)
async def never_mind(clicked: Clicked, _table: Table) -> None:
    """Go on as if nothing had been asked."""
    await clicked.answer.update(notice_content(_("Nothing has changed: the match goes on.")))


@action("rematch")
async def rematch(clicked: Clicked, before: Table) -> None:
    """Open a table like the one that ended, or sit down where somebody has opened it.

    Who asks in their DMs has to see the channel where it stands then.
    """
    services, interaction = clicked.services, clicked.interaction
    if before.is_solo or before.match.is_lesson:
        raise unknown_button()
    is_here = clicked.is_at(before)
    if not is_here:
        await check_may_start_there(services.display, services.membership, interaction, before)
    elif await services.tables.at(before.match.channel_id) is None:
        await check_may_start(services.display, interaction)
    async with services.opening.telling_which():
        table, is_new = await services.seating.rematch(before.match.id, sitting_down(interaction))
    if not is_new:
        services.display.refresh(table.match.id)
        await clicked.answer.tell(_("You have a seat at the new table."))
        return
    await clicked.show_new(table)
    others = [each for each in table.match.roster.invited if each != clicked.player_id]
    if others and not table.is_playing:
        await services.opening.call_to_rematch(table, others)


@action("new")
async def deal_new(clicked: Clicked, before: Table) -> None:
    """Deal another game for one."""
    await _deal(clicked, before, is_same=False)


@action("same")
async def deal_same(clicked: Clicked, before: Table) -> None:
    """Deal the same game for one again."""
    await _deal(clicked, before, is_same=True)


async def _deal(clicked: Clicked, before: Table, *, is_same: bool) -> None:
    if not before.is_solo or before.match.stage.is_live:
        raise unknown_button()
    table = await clicked.services.opening.deal_again(clicked.interaction, before, is_same=is_same)
    await post_table(clicked.services.display, clicked.answer, table)

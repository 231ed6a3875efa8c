"""What a player missed in a match that is over, and that match played again from there."""

from __future__ import annotations

from bot.delivery.clicked import Clicked
from bot.delivery.clicks import action, handles_at_table
from bot.messages.components import Content
from bot.messages.reviews import Missed, PlayFrom, missed_content
from bot.messages.text_table import as_liked
from bot.services.start_checks import check_may_start, check_may_start_there
from bot.sessions.table import Table


async def _content(clicked: Clicked, table: Table, number: int) -> Content:
    services, player_id, match = clicked.services, clicked.player_id, table.match
    await services.access.check_may_look(clicked.interaction, match)
    found = await services.reviews.of(match.id, player_id)
    look = await services.display.appearances.of_own(player_id, match.guild_id, match.channel_id)
    return as_liked(missed_content(found, match.seat_of(player_id), number, look), look)


@action("missed")
async def show_missed(clicked: Clicked, table: Table) -> None:
    """Show the first moment in which the player missed something, in private."""
    await clicked.answer.whisper(await _content(clicked, table, 0))


@handles_at_table(Missed, in_private=True)
async def turn_to(clicked: Clicked, table: Table, asked: Missed) -> None:
    """Show another moment in place of the one before."""
    await clicked.answer.update(await _content(clicked, table, asked.number))


@handles_at_table(PlayFrom, in_private=True)
async def play_from(clicked: Clicked, before: Table, asked: PlayFrom) -> None:
    """Deal a match again as it was at a moment, against frogs; the table stands where it stood."""
    services = clicked.services
    await services.access.check_may_look(clicked.interaction, before.match)
    if clicked.is_at(before):
        await check_may_start(services.display, clicked.interaction)
    else:
        await check_may_start_there(services.display, services.membership, clicked.interaction, before)
    async with services.opening.telling_which():
        table = await services.reviews.play_from(before.match.id, clicked.player_id, asked.n)
    await clicked.show_new(table)

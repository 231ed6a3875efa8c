"""A deal that was given up: back to where it could be won, and how it could."""

from __future__ import annotations

from bot.delivery.clicked import Clicked
from bot.delivery.dealing import own_deal_elsewhere, post_table
from bot.delivery.hosting import telling_which
from bot.delivery.permits import check_may_start
from bot.messages.ids import GoBack, ShowHow
from bot.messages.retries import line_sheet
from bot.sessions.errors import TableTakenError
from bot.sessions.table import Table


async def go_back(clicked: Clicked, before: Table, asked: GoBack) -> None:
    """Deal a match again as it was after so many moves."""
    desk = clicked.desk
    clicked.require_here(before)
    await check_may_start(desk, clicked.interaction)
    try:
        async with telling_which(desk):
            table = await desk.dealing.go_back(before.match.id, clicked.player_id, asked.moves)
    except TableTakenError as taken:
        raise await own_deal_elsewhere(desk, taken) from None
    await post_table(desk, clicked.answer, table)


async def show_how(clicked: Clicked, table: Table, asked: ShowHow) -> None:
    """Show a step of a line that would have won, in private."""
    line = await clicked.desk.lines.of(table, clicked.player_id, asked.moves)
    await clicked.answer.update(line_sheet(table, asked.moves, line, asked.step))

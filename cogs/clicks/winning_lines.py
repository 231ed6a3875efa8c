"""A deal that was given up: back to where it could be won, and how it could."""

from __future__ import annotations

from bot.engine.words import _
from bot.messages.text_table import as_liked
from bot.messages.winning_lines import GoBack, ShowHow, line_content
from bot.services.click import Clicked, post_table
from bot.services.hosting import telling_which
from bot.services.match_access import check_may_look
from bot.services.start_checks import check_may_start
from bot.services.table_opening import own_deal_elsewhere
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.lobby import check_may_go_back
from bot.sessions.table import Table
from bot.sessions.tasks import WinningLine
from cogs.clicks.handlers import handles_at_table


@handles_at_table(GoBack)
async def go_back(clicked: Clicked, before: Table, asked: GoBack) -> None:
    """Deal a match again as it was after so many moves."""
    services = clicked.services
    clicked.require_here(before)
    await check_may_start(services, clicked.interaction)
    try:
        async with telling_which(services):
            table = await services.dealing.go_back(before.match.id, clicked.player_id, asked.moves)
    except TableTakenError as taken:
        raise await own_deal_elsewhere(services, taken) from None
    await post_table(services, clicked.answer, table)


@handles_at_table(ShowHow, in_private=True)
async def show_how(clicked: Clicked, table: Table, asked: ShowHow) -> None:
    """Show a step of a line that would have won, in private."""
    services, match = clicked.services, table.match
    await check_may_look(services, clicked.interaction, match)
    check_may_go_back(table, clicked.player_id)  # what is hidden in a match stays so while it lives
    search = WinningLine(match.game, table.state, asked.moves)
    line = await services.thinkers.ask(search, who=clicked.player_id)
    if not line:
        raise TableError(_("I found no way to win from there."))
    look = await services.display.appearances.of_own(clicked.player_id, match.guild_id, match.channel_id)
    content = line_content(table, asked.moves, line, asked.step)
    await clicked.answer.update(as_liked(content, look))

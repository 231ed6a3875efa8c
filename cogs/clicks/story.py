"""What happened at a table, told to who asks, a turn of the table at a time."""

from __future__ import annotations

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import action, handles_at_table
from bot.messages.components import Content
from bot.messages.story import StoryOf, story_content
from bot.messages.text_table import as_liked
from bot.sessions.table import Table


@action("story")
async def tell(clicked: Clicked, table: Table) -> None:
    """Tell what happened last, in private."""
    await clicked.answer.whisper(await _page(clicked, table, None))


@handles_at_table(StoryOf, in_private=True)
async def turn_page(clicked: Clicked, table: Table, asked: StoryOf) -> None:
    """Show another page in place of the one that was read."""
    await clicked.answer.update(await _page(clicked, table, asked.page))


async def _page(clicked: Clicked, table: Table, number: int | None) -> Content:
    if table.state is None or table.game.history is None:
        raise unknown_button()
    services, match = clicked.services, table.match
    if not match.stage.is_live:
        await services.access.check_may_look(clicked.interaction, match)
    look = await services.display.appearances.of_own(clicked.player_id, match.guild_id, match.channel_id)
    events = await services.histories.events(table, clicked.player_id)
    return as_liked(story_content(table, events, number, look), look)

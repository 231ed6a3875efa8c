"""The questions before something is taken off a server's leaderboards."""

from __future__ import annotations

from bot.engine.leaderboard import Kind, Removal
from bot.messages.components import Content
from bot.messages.removals import match_words, question_content
from bot.services import Services
from bot.services.clicked_message import unknown_button


async def asked_about_match(services: Services, guild_id: int, match_id: str) -> Content:
    """Return the question about a match, or raise TableError where that server has none such."""
    table = await services.tables.look(match_id)
    if table.match.guild_id != guild_id:
        raise unknown_button()
    words = match_words(table.match, table.game.info.name)
    is_off = await services.removals.has(Removal(guild_id, Kind.MATCH, match_id))
    return question_content(Kind.MATCH, match_id, words, is_off=is_off)

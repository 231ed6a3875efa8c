"""What those who may manage the server take off its leaderboards, and put back."""

from __future__ import annotations

import structlog

from bot.engine.leaderboard import Kind, Removal
from bot.messages.components import Content
from bot.messages.removals import Correction, MatchPick, done_content, match_words, question_content
from bot.services import Services
from bot.services.click import Clicked, unknown_button
from bot.services.start_checks import check_is_admin
from bot.storage import Removing
from cogs.clicks.handlers import handles

log = structlog.get_logger(__name__)


@handles(MatchPick, in_private=True)
async def pick_match(clicked: Clicked, picked: MatchPick) -> None:
    """Ask about the match that was picked."""
    guild = check_is_admin(clicked.interaction)
    await clicked.answer.update(await asked_about_match(clicked.services, guild.id, picked.match_id))


@handles(Correction, in_private=True)
async def correct(clicked: Clicked, asked: Correction) -> None:
    """Take something off the server's leaderboards, or put it back, and write down who did so."""
    guild, is_back = check_is_admin(clicked.interaction), asked.act == "back"
    removal = Removal(guild.id, Kind(asked.what), asked.subject)
    at = int(clicked.interaction.created_at.timestamp())
    await clicked.services.removals.change(Removing(removal, clicked.player_id, at, is_back))
    log.info("board corrected", server=guild.id, what=asked.act, player=clicked.player_id)
    await clicked.answer.update(done_content(is_back=is_back))


async def asked_about_match(services: Services, guild_id: int, match_id: str) -> Content:
    """Return the question about a match, or raise TableError where that server has none such."""
    table = await services.tables.look(match_id)
    if table.match.guild_id != guild_id:
        raise unknown_button()
    words = match_words(table.match, table.game.info.name)
    is_off = await services.removals.has(Removal(guild_id, Kind.MATCH, match_id))
    return question_content(Kind.MATCH, match_id, words, is_off=is_off)

"""What those who may manage the server take off its leaderboards, and put back."""

from __future__ import annotations

import structlog

from bot.engine.leaderboard import Kind, Removal
from bot.messages.removals import Correction, MatchPick, done_content
from bot.services.clicked_message import Clicked
from bot.services.removals import asked_about_match
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

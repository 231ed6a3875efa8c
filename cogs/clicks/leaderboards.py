"""Turning the pages of leaderboards."""

from __future__ import annotations

from bot.delivery.clicked_message import Clicked
from bot.delivery.leaderboards import board_message
from bot.engine.words import _, language, speaking
from bot.messages.leaderboards import BoardPage
from bot.sessions.errors import TableError
from cogs.clicks.handlers import handles


@handles(BoardPage)
async def turn_page(clicked: Clicked, asked: BoardPage) -> None:
    """Turn the page for who asked for the board; anybody else gets a private copy."""
    services, interaction = clicked.services, clicked.interaction
    metadata = interaction.message.interaction_metadata if interaction.message else None
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    is_own = metadata is not None and metadata.user.id == clicked.player_id
    in_public = is_own and not is_private
    with speaking(await services.display.language_in(interaction.guild_id) if in_public else language()):
        made = await board_message(services, interaction, asked.board, asked.page)
    if made is None:
        raise TableError(_("I no longer know this leaderboard. `/leaderboard` shows a new one."))
    if is_private or is_own:
        await clicked.answer.update(made)
    else:
        await clicked.answer.whisper(made)

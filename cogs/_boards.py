"""Turning the pages of leaderboards."""

from __future__ import annotations

import discord

from bot.delivery.answers import Answer
from bot.delivery.desk import Desk
from bot.engine.words import _, language, speaking
from bot.messages.boards import board_of, board_sheet
from bot.messages.ids import BoardPage
from bot.sessions.errors import TableError


async def show_page(
    desk: Desk, answer: Answer, interaction: discord.Interaction, asked: BoardPage
) -> None:
    """Turn the page for who asked for the board; anybody else gets a private copy."""
    guild, player_id = interaction.guild, interaction.user.id
    metadata = interaction.message.interaction_metadata if interaction.message else None
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    is_own = metadata is not None and metadata.user.id == player_id
    in_public = is_own and not is_private
    with speaking(await desk.display.language_in(interaction.guild_id) if in_public else language()):
        board = board_of(desk.games, desk.standings, asked.board, guild, player_id) if guild else None
        made = await board_sheet(board, player_id, page=asked.page) if board else None
    if made is None:
        raise TableError(_("I do not know this leaderboard any more. `/leaderboard` shows it."))
    if is_private or is_own:
        await answer.update(made)
    else:
        await answer.whisper(made)

"""Turning the pages of leaderboards."""

from __future__ import annotations

from bot.engine.words import _, language, speaking
from bot.messages.daily_deal import DAILY, daily_game
from bot.messages.day_boards import DayPage, PlayDay
from bot.messages.leaderboards import BoardPage
from bot.services.click import Clicked, post_table, unknown_button
from bot.services.daily_try import deal_of_past
from bot.services.leaderboards import board_message
from bot.sessions.errors import TableError
from cogs.clicks.handlers import handles


@handles(BoardPage)
async def turn_page(clicked: Clicked, asked: BoardPage) -> None:
    """Turn the page for who asked for the board; anybody else gets a private copy."""
    await _turn(clicked, asked.board, asked.page)


@handles(DayPage)
async def turn_day(clicked: Clicked, asked: DayPage) -> None:
    """Turn to a page of the board of a day."""
    await _turn(clicked, DAILY, asked.page, asked.day)


@handles(PlayDay)
async def play_day(clicked: Clicked, asked: PlayDay) -> None:
    """Deal the deal of a day that is over, which counts nowhere."""
    game = daily_game(clicked.services.games)
    if game is None:
        raise unknown_button()
    table = await deal_of_past(clicked.services, clicked.interaction, game, asked.day)
    await post_table(clicked.services, clicked.answer, table)


async def _turn(clicked: Clicked, key: str, page: int, day: int = 0) -> None:
    services, interaction = clicked.services, clicked.interaction
    metadata = interaction.message.interaction_metadata if interaction.message else None
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    is_own = metadata is not None and metadata.user.id == clicked.player_id
    in_public = is_own and not is_private
    with speaking(
        await services.display.plans.language_in(interaction.guild_id) if in_public else language()
    ):
        made = await board_message(services, interaction, key, page, day)
    if made is None:
        raise TableError(_("I no longer know this leaderboard. `/leaderboard` shows a new one."))
    if is_private or is_own:
        await clicked.answer.update(made)
    else:
        await clicked.answer.whisper(made)

"""Leaderboards and profiles, as they stand just now."""

from __future__ import annotations

from datetime import UTC, datetime

import discord

from bot.messages.components import Content
from bot.messages.daily_deal import DAILY, daily_game, day_of, ends_at, has_par
from bot.messages.day_boards import Day, day_board
from bot.messages.leaderboards import (
    PAGE_SIZE,
    Page,
    board_content,
    game_board,
    last_page,
    profile_content,
)
from bot.requests.user_install import is_guest
from bot.services import Services
from bot.services.player_names import player_of
from bot.services.verification import tomorrows_commitment


async def board_message(
    services: Services, interaction: discord.Interaction, key: str, number: int = 0, day: int = 0
) -> Content | None:
    """Return a page of a server's leaderboard by its key, a game's or ``daily``: of a day, or today.

    Returns None in DMs, and for a board that there is not, of a day to come too.
    """
    guild, player_id = interaction.guild, interaction.user.id
    game = daily_game(services.games) if key == DAILY else services.games.get(key)
    if guild is None or game is None:
        return None
    if key == DAILY:
        today = day_of(interaction.created_at)
        day = day or today
        if day > today:
            return None
        board = day_board(game, await _day(services, interaction, game.info.key, day), guild.name)
        page = await _day_page(services, guild.id, game.info.key, day, player_id, number)
    else:
        board = game_board(game, guild.name)
        page = await _game_page(services, guild.id, key, player_id, number)
    return board_content(board, page, player_id)


async def _day(services: Services, asked: discord.Interaction, game: str, day: int) -> Day:
    """Return what is told of a day and those beside it: its deal's number when it is over.

    But not to who has a try of it in play.
    """
    today, tried = day_of(asked.created_at), await services.tables.tried(game, asked.user.id, day)
    is_tried = tried is not None and tried.is_playing
    deal, earlier = await services.days.of(game, day), await services.days.before(game, day, 1)
    after = 0 if day == today else day_of(datetime.fromtimestamp(ends_at(day), UTC))
    before, number = (
        earlier[0].day if earlier else 0,
        deal.number if deal and after and not is_tried else 0,
    )
    tomorrow = "" if after else await tomorrows_commitment(services, game, today)
    return Day(day, before, after, number, tomorrow)


async def _game_page(services: Services, guild_id: int, game: str, player_id: int, number: int) -> Page:
    found = services.standings
    count = await found.count(guild_id, game)
    number = min(number, last_page(count))
    rows = await found.leaderboard(guild_id, game, number * PAGE_SIZE, PAGE_SIZE) if count else ()
    return Page(number, count, rows, await found.place_of(guild_id, game, player_id))


async def _day_page(
    services: Services, guild_id: int, game: str, day: int, player_id: int, number: int
) -> Page:
    found = services.standings
    count = await found.day_count(guild_id, game, day)
    number = min(number, last_page(count))
    rows = await found.day_board(guild_id, game, day, number * PAGE_SIZE, PAGE_SIZE)
    own = await found.day_board(guild_id, game, day, 0, 1, player_id)
    return Page(number, count, rows, next(iter(own), None))


async def profile_message(
    services: Services, interaction: discord.Interaction, player: discord.User | discord.Member
) -> Content:
    """Return what a player has done in each game, in the server where that is asked or else anywhere."""
    guild_id = None if is_guest(interaction) else interaction.guild_id
    today, who = day_of(interaction.created_at), player_of(player)
    played = await services.standings.profile(player.id, guild_id)
    daily = daily_game(services.games)
    days = await services.standings.days_won(player.id, daily.info.key) if daily else {}
    pars = {
        key: await services.standings.pars(player.id, guild_id, key)
        for key in played
        if key in services.games and has_par(services.games[key])
    }
    return profile_content(services.games, who, played, days, pars, today)

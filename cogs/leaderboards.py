"""``/leaderboard`` and ``/profile``, as they stand just now, and turning the pages."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, post_table, unknown_button
from bot.delivery.clicks import handles
from bot.engine.commitment import commitment_to
from bot.engine.words import _, language, speaking
from bot.features import Feature
from bot.games import default_of
from bot.messages.components import Content
from bot.messages.daily_deal import DAILY, daily_game, day_after, day_of, ends_at, has_par
from bot.messages.day_boards import Day, DayPage, PlayDay, day_board
from bot.messages.leaderboards import (
    PAGE_SIZE,
    BoardPage,
    Page,
    board_content,
    game_board,
    last_page,
    profile_content,
)
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.services import Services
from bot.services.daily_try import deal_of_past
from bot.services.player_names import player_of
from bot.services.start_checks import plays_here
from bot.sessions.errors import TableError

Command: TypeAlias = app_commands.Command[Any, ..., None]


def leaderboard_command(services: Services) -> Command:
    """Return the command that shows who has done how well in a server, at each game there is."""
    first, daily = default_of(services.games).info, daily_game(services.games)
    boards = [
        app_commands.Choice(name=game.info.name, value=key) for key, game in services.games.items()
    ]
    if daily:
        name = f"{daily.info.command.capitalize()}: the deal of the day"
        boards.append(app_commands.Choice(name=name, value=DAILY))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(board=f"Which leaderboard ({first.name}'s if you don't say)")
    @app_commands.choices(board=boards)
    async def leaderboard(interaction: discord.Interaction, board: str = first.key) -> None:
        """Show who has won most in this server, or today's deal."""
        async with answering(interaction, public=True) as answer:
            in_public = await plays_here(services.display, interaction)
            with speaking(await _spoken(services, interaction, in_public=in_public)):
                made = await board_message(services, interaction, board)
            if made is None:
                raise TableError(_("Only servers have leaderboards. Use this command in one."))
            await (answer.post(made) if in_public else answer.whisper(made))

    return leaderboard


def profile_command(services: Services) -> Command:
    """Return the command that shows what a player has done, wherever a game for one can be played."""

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(player="Whose profile (your own if you don't say)")
    async def profile(interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Show what a player has done in each game."""
        async with answering(interaction, public=True) as answer:
            in_public = await plays_here(services.display, interaction)
            is_elsewhere = interaction.guild_id is None or is_guest(interaction)
            if is_elsewhere and player not in {None, interaction.user}:
                raise TableError(_("Here I only show you your own profile. Ask in a server we share."))
            with speaking(await _spoken(services, interaction, in_public=in_public)):
                made = await profile_message(services, interaction, player or interaction.user)
            await (answer.post(made) if in_public else answer.whisper(made))

    return profile


async def _spoken(
    services: Services, interaction: discord.Interaction, *, in_public: bool
) -> str | None:
    """Return the language of those who see the answer."""
    return await services.display.plans.language_in(interaction.guild_id) if in_public else language()


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
    await post_table(clicked.services.display, clicked.answer, table)


async def _turn(clicked: Clicked, key: str, page: int, day: int = 0) -> None:
    services, interaction = clicked.services, clicked.interaction
    metadata = interaction.message.interaction_metadata if interaction.message else None
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    is_own = metadata is not None and metadata.user.id == clicked.player_id
    in_public = is_own and not is_private
    with speaking(await _spoken(services, interaction, in_public=in_public)):
        made = await board_message(services, interaction, key, page, day)
    if made is None:
        raise TableError(_("I no longer know this leaderboard. `/leaderboard` shows a new one."))
    if is_private or is_own:
        await clicked.answer.update(made)
    else:
        await clicked.answer.whisper(made)


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
    else:
        board = game_board(game, guild.name)
    page = await _page(services, guild.id, game.info.key, player_id, number, day)
    return board_content(board, page, player_id)


async def _day(services: Services, asked: discord.Interaction, game: str, day: int) -> Day:
    """Return what is told of a day and those beside it: its deal's number when it is over.

    But not to who has a try of it in play.
    """
    today, tried = day_of(asked.created_at), await services.tables.tried(game, asked.user.id, day)
    is_tried = tried is not None and tried.is_playing
    deal, earlier = await services.days.of(game, day), await services.days.before(game, day, 1)
    after = 0 if day == today else day_of(datetime.fromtimestamp(ends_at(day), UTC))
    before = earlier[0].day if earlier else 0
    number = deal.number if deal and after and not is_tried else 0
    tomorrow = "" if after else commitment_to(await services.days.secret_of(game, day_after(today)))
    return Day(day, before, after, number, tomorrow)


async def _page(
    services: Services, guild_id: int, game: str, player_id: int, number: int, day: int = 0
) -> Page:
    """Return a page of a game's board, or of that of a day's deal."""
    found = services.standings
    count = await (found.day_count(guild_id, game, day) if day else found.count(guild_id, game))
    number = min(number, last_page(count))
    if day:
        rows = await found.day_board(guild_id, game, day, number * PAGE_SIZE, PAGE_SIZE)
        own = next(iter(await found.day_board(guild_id, game, day, 0, 1, player_id)), None)
        return Page(number, count, rows, own)
    rows = await found.leaderboard(guild_id, game, number * PAGE_SIZE, PAGE_SIZE)
    return Page(number, count, rows, await found.place_of(guild_id, game, player_id))


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


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    boards = leaderboard_command(bot.services), profile_command(bot.services)
    await bot.add_feature(Feature(commands=boards))

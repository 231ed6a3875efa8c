"""``/correct``, with what is picked there, and ``/doctor``."""

from __future__ import annotations

import sys

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import handles
from bot.engine.leaderboard import Kind, Removal
from bot.features import Feature
from bot.messages.channel_diagnostics import Health, health_content
from bot.messages.components import Content
from bot.messages.removals import (
    Correction,
    MatchPick,
    done_content,
    match_words,
    matches_content,
    question_content,
)
from bot.requests.answers import answering
from bot.requests.budget import Priority
from bot.services import Services
from bot.services.start_checks import (
    check_is_admin,
    home_of,
    is_closed_thread,
    is_granted,
    permits,
)
from bot.storage import Removing

log = structlog.get_logger(__name__)

_CORRECTIONS = [
    app_commands.Choice(name="one match", value=Kind.MATCH.value),
    app_commands.Choice(name="a player, with all they play here", value=Kind.PLAYER.value),
    app_commands.Choice(name="a player's name", value=Kind.NAME.value),
]


class Admin(commands.Cog):
    """What is taken off a server's boards, and what is wrong in a channel; answered in private."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(what="What to take off, or to put back", player="Whose")
    @app_commands.choices(what=_CORRECTIONS)
    async def correct(
        self, interaction: discord.Interaction, what: app_commands.Choice[str], player: discord.User
    ) -> None:
        """Take a match, a player or a name off this server's leaderboards, or put it back."""
        async with answering(interaction) as answer:
            guild, kind, removals = (
                check_is_admin(interaction),
                Kind(what.value),
                self._services.removals,
            )
            if kind is Kind.MATCH:
                games = {key: game.info.name for key, game in self._services.games.items()}
                matches = await removals.matches(guild.id, player.id)
                await answer.whisper(matches_content(matches, games))
                return
            is_off = await removals.has(Removal(guild.id, kind, str(player.id)))
            await answer.whisper(question_content(kind, str(player.id), player.mention, is_off=is_off))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Say what works in this channel, which permission is missing, and what fails without it."""
        async with answering(interaction) as answer:
            await answer.whisper(health_content(await examined(self._services, interaction)))


async def examined(services: Services, interaction: discord.Interaction) -> Health:
    """Return what works for the user where the interaction happened."""
    channel_id, player_id = interaction.channel_id or 0, interaction.user.id
    player = await services.players.get(player_id)
    settings = await services.servers.get(interaction.guild_id)
    found = (await services.tables.at(channel_id), await services.tables.deal_of(channel_id, player_id))
    return Health(
        channel_id=channel_id,
        granted={permit: is_granted(permit, interaction) for permit in permits(interaction)},
        is_closed_thread=is_closed_thread(interaction),
        settings=None if settings.allows(home_of(interaction)) else settings,
        takes_dms=not player.dms_closed,
        opens_dms=player.dm_channel_id is not None or not services.display.routes.quarantine.holds,
        refused=services.budget.refused,
        is_held_back=Priority.UPKEEP in services.budget.held_back,
        tables=[
            (table, await services.display.plans.link(table)) for table in found if table is not None
        ],
    )


# ---- what is picked ------------------------------------------------------------------------


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


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    await bot.add_feature(Feature(Admin(bot.services)))

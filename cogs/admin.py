"""``/settings``, ``/correct`` and ``/doctor``."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine.leaderboard import Kind, Removal
from bot.messages.channel_diagnostics import Health, health_content
from bot.messages.nights import local_time, zone_named, zones_like
from bot.messages.removals import matches_content, question_content
from bot.requests.answers import answering
from bot.requests.budget import Priority
from bot.services import Services
from bot.services.start_checks import (
    check_is_admin,
    home_of,
    is_closed_thread,
    is_granted,
    permits,
    settings_for,
)

_MOST_CHOICES = 25

_CORRECTIONS = [
    app_commands.Choice(name="one match", value=Kind.MATCH.value),
    app_commands.Choice(name="a player, with all they play here", value=Kind.PLAYER.value),
    app_commands.Choice(name="a player's name", value=Kind.NAME.value),
]


class Admin(commands.Cog):
    """What is set in a server or by a player, and what is wrong in a channel; answered in private."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.describe(zone="Your time zone, such as Europe/Berlin: by its clock your night is")
    async def settings(
        self, interaction: discord.Interaction, zone: app_commands.Range[str, 1, 50] | None = None
    ) -> None:
        """Choose how your cards look; who manages the server also sets what holds at its tables."""
        async with answering(interaction) as answer:
            if zone is not None:
                await self._services.players.choose(interaction.user.id, zone=zone_named(zone))
            panel = await settings_for(self._services, interaction, are_own=zone is not None)
            await answer.whisper(panel)

    @settings.autocomplete("zone")
    async def _zones(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Offer the time zones that are called so, with the time there."""
        now = int(interaction.created_at.timestamp())
        return [
            app_commands.Choice(name=f"{zone} · {local_time(zone, now):%H:%M}", value=zone)
            for zone in zones_like(typed)[:_MOST_CHOICES]
        ]

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
        opens_dms=player.dm_channel_id is not None or not services.messenger.quarantine.holds,
        refused=services.budget.refused,
        is_held_back=Priority.UPKEEP in services.budget.held_back,
        answers_only=Priority.CLICK in services.budget.held_back,
        tables=[(table, await services.display.link(table)) for table in found if table is not None],
    )

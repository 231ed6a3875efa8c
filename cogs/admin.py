"""``/settings`` and ``/correct``, with what is picked there, and ``/doctor``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.engine.leaderboard import Kind, Removal
from bot.engine.server import ServerSettings
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
from bot.messages.settings import (
    BARRED,
    CHANNELS,
    DAYS,
    MINE,
    MOST_CHANNELS,
    OURS,
    OWN_SETTINGS,
    SETTINGS,
    TEXT_CHANNELS,
    SettingPick,
    barring,
    local_time,
    not_offered,
    zone_named,
    zones_like,
)
from bot.requests.answers import answering
from bot.requests.budget import Priority
from bot.requests.components import CHANNEL_TYPES
from bot.services import Services
from bot.services.click import Clicked, unknown_button
from bot.services.start_checks import (
    check_is_admin,
    home_of,
    is_closed_thread,
    is_granted,
    permits,
    settings_for,
)
from bot.storage import Removing
from cogs.clicks.handlers import handles

log = structlog.get_logger(__name__)

_CHANNEL_FIELDS = {CHANNELS: "channels", TEXT_CHANNELS: "text_channels"}

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
        opens_dms=player.dm_channel_id is not None or not services.display.routes.quarantine.holds,
        refused=services.budget.refused,
        is_held_back=Priority.UPKEEP in services.budget.held_back,
        tables=[
            (table, await services.display.plans.link(table)) for table in found if table is not None
        ],
    )


# ---- what is picked ------------------------------------------------------------------------


@handles(SettingPick, in_private=True)
async def pick_setting(clicked: Clicked, picked: SettingPick) -> None:
    """Store what was picked, and show the panel as the settings then are."""
    interaction = clicked.interaction
    are_own = picked.setting in OWN_SETTINGS
    if are_own:
        await _change_own(clicked, picked)
    elif picked.setting not in (MINE, OURS):
        await _change_server(clicked, picked)
    are_own |= picked.setting == MINE
    content = await settings_for(clicked.services, interaction, are_own=are_own)
    await clicked.answer.update(content)


async def _change_own(clicked: Clicked, picked: SettingPick) -> None:
    players, setting = clicked.services.players, OWN_SETTINGS[picked.setting]
    choice = setting.picked(picked.values)
    if picked.setting != DAYS:
        await players.choose(clicked.player_id, **{setting.field: choice})
    elif clicked.interaction.guild is not None:
        guild_id = clicked.interaction.guild.id
        await clicked.services.days.show(clicked.player_id, guild_id, is_shown=choice)


async def _change_server(clicked: Clicked, picked: SettingPick) -> None:
    guild = check_is_admin(clicked.interaction)
    await clicked.services.servers.change(guild.id, _change(clicked.interaction, guild, picked))
    if picked.setting == BARRED:
        for match_id in await clicked.services.seating.bar(guild.id, int(picked.values[0])):
            clicked.services.display.refresh(match_id)
    log.info("setting picked", server=guild.id, setting=picked.setting, player=clicked.player_id)


def _change(
    asked: discord.Interaction, guild: discord.Guild, picked: SettingPick
) -> Callable[[ServerSettings], ServerSettings]:
    """Return the change that a pick asks for, or raise TableError where it was not offered."""
    value: Any
    if picked.setting == BARRED:
        return barring(picked.values)
    if picked.setting in _CHANNEL_FIELDS:
        field, value = _CHANNEL_FIELDS[picked.setting], _picked_channels(picked.values, asked)
    elif picked.setting in SETTINGS:
        setting = SETTINGS[picked.setting]
        field, value = setting.field, setting.picked(picked.values, str(guild.preferred_locale))
    else:
        raise not_offered()
    return lambda settings: replace(settings, **{field: value})


def _picked_channels(values: Sequence[str], interaction: discord.Interaction) -> frozenset[int]:
    """Return the channels that were picked, of which Discord itself has told what they are."""
    data: Any = interaction.data or {}
    known = data.get("resolved", {}).get("channels", {})
    types = {kind.value for kind in CHANNEL_TYPES}
    if len(values) > MOST_CHANNELS or any(known.get(one, {}).get("type") not in types for one in values):
        raise not_offered()
    return frozenset(map(int, values))


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

"""``/settings``, and what is picked there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked
from bot.delivery.clicks import handles
from bot.engine.server import ServerSettings
from bot.features import Feature
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
from bot.requests.components import CHANNEL_TYPES
from bot.services import Services
from bot.services.start_checks import (
    check_is_admin,
    settings_for,
)

log = structlog.get_logger(__name__)

_CHANNEL_FIELDS = {CHANNELS: "channels", TEXT_CHANNELS: "text_channels"}

_MOST_CHOICES = 25


class Settings(commands.Cog):
    """What is set in a server or by a player; answered in private."""

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
            panel = await settings_for(self._services.display, interaction, are_own=zone is not None)
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
    content = await settings_for(clicked.services.display, interaction, are_own=are_own)
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


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    await bot.add_feature(Feature(Settings(bot.services)))

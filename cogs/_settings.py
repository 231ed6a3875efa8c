"""What admins pick in the panel of settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog

from bot.delivery.answers import Answer
from bot.delivery.desk import Desk
from bot.engine.server import ServerSettings
from bot.engine.words import _
from bot.messages.ids import SettingPick
from bot.messages.settings import (
    CHANNEL_TYPES,
    CHANNELS,
    MOST_CHANNELS,
    SETTINGS,
    not_offered,
    settings_sheet,
)
from bot.sessions.errors import TableError

log = structlog.get_logger(__name__)


def check_is_admin(interaction: discord.Interaction) -> discord.Guild:
    """Return the server that the user may manage, or raise TableError.

    Discord lets admins give the command to others; the settings are for those who manage the server.
    """
    if interaction.guild is None or not interaction.permissions.manage_guild:
        raise TableError(_("The settings are for those who may manage this server (*Manage Server*)."))
    return interaction.guild


async def pick_setting(
    desk: Desk, answer: Answer, interaction: discord.Interaction, picked: SettingPick
) -> None:
    """Store what was picked, and show the panel as the settings then are."""
    guild = check_is_admin(interaction)
    if picked.setting == CHANNELS:
        change = _channels_change(picked.values, interaction)
    elif picked.setting in SETTINGS:
        change = SETTINGS[picked.setting].change(picked.values, guild)
    else:
        raise not_offered()
    settings = await desk.servers.change(guild.id, change)
    log.info("setting picked", server=guild.id, setting=picked.setting, player=interaction.user.id)
    await answer.update(settings_sheet(settings, guild))


def _channels_change(
    values: Sequence[str], interaction: discord.Interaction
) -> Callable[[ServerSettings], ServerSettings]:
    """Return the change to these channels, of which Discord itself has told what they are."""
    data: Any = interaction.data or {}
    known = data.get("resolved", {}).get("channels", {})
    types = {kind.value for kind in CHANNEL_TYPES}
    if len(values) > MOST_CHANNELS or any(known.get(one, {}).get("type") not in types for one in values):
        raise not_offered()
    channels = frozenset(map(int, values))
    return lambda settings: replace(settings, channels=channels)

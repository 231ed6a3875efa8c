"""What admins pick in the panel of settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord
import structlog

from bot.engine.server import ServerSettings
from bot.messages import own_settings
from bot.messages.own_settings import OWN_SETTINGS, not_offered, own_choice
from bot.messages.settings import (
    BARRED,
    CHANNELS,
    MOST_CHANNELS,
    SETTINGS,
    TEXT_CHANNELS,
    SettingPick,
    barring,
)
from bot.requests.components import CHANNEL_TYPES
from bot.services.clicked_message import Clicked
from bot.services.start_checks import check_is_admin, server_of, settings_for
from cogs.clicks.handlers import handles

log = structlog.get_logger(__name__)

_CHOSEN = {
    own_settings.OWN: "four_colours",
    own_settings.WORDS: "text_table",
    own_settings.TOLD: "told",
    own_settings.NIGHT: "night",
}


@handles(SettingPick, in_private=True)
async def pick_setting(clicked: Clicked, picked: SettingPick) -> None:
    """Store what was picked, and show the panel as the settings then are."""
    interaction = clicked.interaction
    are_own = picked.setting in OWN_SETTINGS
    if are_own:
        await _change_own(clicked, picked)
    elif picked.setting not in (own_settings.MINE, own_settings.OURS):
        await _change_server(clicked, picked)
    are_own |= picked.setting == own_settings.MINE
    content = await settings_for(clicked.services, interaction, are_own=are_own)
    await clicked.answer.update(content)


async def _change_own(clicked: Clicked, picked: SettingPick) -> None:
    players, choice = clicked.services.players, own_choice(picked.setting, picked.values)
    if picked.setting != own_settings.DAYS:
        await players.choose(clicked.player_id, **{_CHOSEN[picked.setting]: choice})
    elif clicked.interaction.guild is not None:
        guild_id = clicked.interaction.guild.id
        await clicked.services.days.show(clicked.player_id, guild_id, is_shown=choice)


async def _change_server(clicked: Clicked, picked: SettingPick) -> None:
    interaction = clicked.interaction
    guild = check_is_admin(interaction)
    if picked.setting in (CHANNELS, TEXT_CHANNELS):
        change = _channels_change(picked.setting, _picked_channels(picked.values, interaction))
    elif picked.setting == BARRED:
        change = barring(picked.values)
    elif picked.setting in SETTINGS:
        change = SETTINGS[picked.setting].change(picked.values, server_of(guild))
    else:
        raise not_offered()
    await clicked.services.servers.change(guild.id, change)
    if picked.setting == BARRED:
        for match_id in await clicked.services.seating.bar(guild.id, int(picked.values[0])):
            clicked.services.display.refresh(match_id)
    log.info("setting picked", server=guild.id, setting=picked.setting, player=clicked.player_id)


def _channels_change(
    setting: str, channels: frozenset[int]
) -> Callable[[ServerSettings], ServerSettings]:
    if setting == CHANNELS:
        return lambda settings: replace(settings, channels=channels)
    return lambda settings: replace(settings, text_channels=channels)


def _picked_channels(values: Sequence[str], interaction: discord.Interaction) -> frozenset[int]:
    """Return the channels that were picked, of which Discord itself has told what they are."""
    data: Any = interaction.data or {}
    known = data.get("resolved", {}).get("channels", {})
    types = {kind.value for kind in CHANNEL_TYPES}
    if len(values) > MOST_CHANNELS or any(known.get(one, {}).get("type") not in types for one in values):
        raise not_offered()
    return frozenset(map(int, values))

"""What ``/doctor`` finds where it is asked: permissions, settings, DMs, and the table that is here."""

from __future__ import annotations

import discord

from bot.messages.channel_diagnostics import Health
from bot.requests.budget import Priority
from bot.services import Services
from bot.services.start_checks import home_of, is_closed_thread, is_granted, permits


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

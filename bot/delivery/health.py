"""What ``/doctor`` finds where it is asked: permissions, settings, DMs, and the table that is here."""

from __future__ import annotations

import discord

from bot.delivery.budget import Urgency
from bot.delivery.desk import Desk
from bot.delivery.permits import home_of, is_closed_thread, is_granted, permits
from bot.messages.health import Health


async def examined(desk: Desk, interaction: discord.Interaction) -> Health:
    """Return what works for the user where the interaction happened."""
    channel_id, player_id = interaction.channel_id or 0, interaction.user.id
    player = await desk.players.get(player_id)
    settings = await desk.servers.get(interaction.guild_id)
    found = (await desk.tables.at(channel_id), await desk.tables.deal_of(channel_id, player_id))
    return Health(
        channel_id=channel_id,
        granted={permit: is_granted(permit, interaction) for permit in permits(interaction)},
        is_closed_thread=is_closed_thread(interaction),
        settings=None if settings.allows(home_of(interaction)) else settings,
        takes_dms=not player.dms_closed,
        opens_dms=player.dm_channel_id is not None or not desk.messenger.quarantine.holds,
        refused=desk.budget.refused,
        is_held_back=Urgency.UPKEEP in desk.budget.held_back,
        answers_only=Urgency.CLICK in desk.budget.held_back,
        tables=[(table, await desk.display.link(table)) for table in found if table is not None],
    )

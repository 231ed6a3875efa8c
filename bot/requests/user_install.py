"""Where Ribit is a guest: somebody has added it to the own account, and uses it where it is not.

In a server without Ribit, in a group DM and in other people's DMs a bot can answer interactions and edit
these answers by the interactions' tokens, for 15 minutes after each. All else is refused.
"""

from __future__ import annotations

import discord


def is_guest(interaction: discord.Interaction) -> bool:
    """Return whether Ribit can only answer where an interaction happened."""
    if interaction.guild_id is None:
        return bool(interaction.context.private_channel)
    return interaction.client.get_guild(interaction.guild_id) is None


def is_own_dm(interaction: discord.Interaction) -> bool:
    """Return whether an interaction happened in a user's DMs with Ribit, where nobody else reads."""
    return interaction.guild_id is None and not is_guest(interaction)

"""What was clicked, in one of few words: whatever anybody sends, no more of them come about."""

from __future__ import annotations

import discord

from bot.requests.answers import COMPONENTS
from cogs.clicks import asked_by
from cogs.clicks.handlers import counted_as, read

UNKNOWN = "unknown"
"""What was asked that this bot never offered."""


def kind_of(interaction: discord.Interaction) -> str:
    """Return what was clicked, or which command was given: one of few words, whatever was sent."""
    if interaction.type not in COMPONENTS:
        command = interaction.command
        return UNKNOWN if command is None else f"/{command.qualified_name}"
    return counted_as(read(*asked_by(interaction))) or UNKNOWN

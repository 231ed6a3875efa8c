"""All slash commands: those of each game, and those beside them."""

from __future__ import annotations

from typing import Any, TypeAlias

from discord import app_commands

from bot.delivery.services import Services
from cogs.leaderboards import leaderboard_command, profile_command
from cogs.privacy import privacy_command
from cogs.solitaire import SolitaireCommands
from cogs.tables import TableCommands
from cogs.verify import verify_command

SlashCommand: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group


def slash_commands(services: Services, privacy_policy: str | None) -> list[SlashCommand]:
    """Return what Discord lists, but for what belongs to a cog."""
    groups = [
        (SolitaireCommands if game.info.is_solo else TableCommands)(services, game)
        for game in services.games.values()
    ]
    return [
        *groups,
        leaderboard_command(services),
        profile_command(services),
        privacy_command(privacy_policy),
        verify_command(services),
    ]

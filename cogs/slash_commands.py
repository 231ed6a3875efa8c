"""All slash commands: those of each game, and those beside them."""

from __future__ import annotations

from typing import Any, TypeAlias

from discord import app_commands

from bot.services import Services
from cogs.leaderboards import leaderboard_command, profile_command
from cogs.privacy import privacy_command
from cogs.replays import replay_command, watch_menu
from cogs.solitaire import SolitaireCommands
from cogs.tables import TableCommands
from cogs.verify import verify_command

AppCommand: TypeAlias = (
    app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu
)


def slash_commands(services: Services, privacy_policy: str | None) -> list[AppCommand]:
    """Return what Discord lists, but for what belongs to a cog."""
    groups = [
        (SolitaireCommands if game.info.is_solo else TableCommands)(services, game)
        for game in services.games.values()
    ]
    return [
        *groups,
        leaderboard_command(services),
        profile_command(services),
        replay_command(services),
        watch_menu(services),
        privacy_command(privacy_policy),
        verify_command(services),
    ]

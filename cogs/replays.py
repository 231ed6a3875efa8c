"""``/replay``, and *Watch this match* among a message's apps."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.engine.words import _, speaking
from bot.messages.replays import past_label
from bot.requests.answers import answering
from bot.services import Services
from bot.services.click import custom_ids
from bot.services.replays import replay_page, watched
from bot.sessions.errors import TableError
from cogs.clicks.handlers import read

Command: TypeAlias = app_commands.Command[Any, ..., None]

_MOST_CHOICES = 25
"""As many as Discord takes."""


def replay_command(services: Services) -> Command:
    """Return the command that shows a match that is over, from its deal on, to who asks."""

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(match="Which one, by its id (your last one here if you don't say)")
    async def replay(
        interaction: discord.Interaction, match: app_commands.Range[str, 1, 16] | None = None
    ) -> None:
        """Watch a match that is over, move by move, with every hand open; only you see it."""
        async with answering(interaction) as answer:
            match_id = match.strip().lower() if match else await _last(services, interaction)
            found = await watched(services, interaction, match_id)
            await answer.whisper(await replay_page(services, interaction, found, 0))

    @replay.autocomplete("match")
    async def own(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Return the latest matches of who asks, and how they ended."""
        played = await services.replays.played(interaction.user.id, interaction.guild_id, _MOST_CHOICES)
        with speaking(str(interaction.locale)):
            labels = {
                past.match_id: past_label(past, services.games[past.game])
                for past in played
                if past.game in services.games
            }
        wanted = typed.casefold()
        return [
            app_commands.Choice(name=label, value=match_id)
            for match_id, label in labels.items()
            if wanted in label.casefold()
        ]

    return replay


def watch_menu(services: Services) -> app_commands.ContextMenu:
    """Return what a message's apps offer: to watch the match of the table in it."""

    @app_commands.context_menu(name="Watch this match")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def watch(interaction: discord.Interaction, message: discord.Message) -> None:
        async with answering(interaction) as answer:
            ours = message.author == interaction.client.user
            controls = [read(one, ()) for one in custom_ids(message.components)] if ours else []
            match_id = next(filter(None, (getattr(one, "match_id", "") for one in controls)), None)
            if match_id is None:
                raise TableError(_("That message shows no match. Pick a table's message of mine."))
            found = await watched(services, interaction, match_id)
            await answer.whisper(await replay_page(services, interaction, found, 0))

    return watch


async def _last(services: Services, interaction: discord.Interaction) -> str:
    """Return the id of the last match of who asks, in this server or, in DMs, anywhere."""
    played = await services.replays.played(interaction.user.id, interaction.guild_id)
    if not played:
        raise TableError(_("You have finished no match here yet, so there is nothing to watch."))
    return played[0].match_id

"""``/replay``, *Watch this match* among a message's apps, and a part of one as a moving picture.

That is made in a worker process.
"""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, custom_ids, unknown_button
from bot.delivery.clicks import handles, read
from bot.engine.words import _, speaking
from bot.features import Feature
from bot.messages.film import film_of
from bot.messages.replays import (
    ALL,
    LEAP,
    RANGE,
    ROUND,
    TEN,
    Share,
    ShareRange,
    TurnTo,
    Watch,
    past_label,
)
from bot.requests.answers import answering
from bot.services import Services
from bot.services.sharing import ask_range, check_may_share, share, watched, watched_page
from bot.sessions.errors import TableError

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
            await answer.whisper(await watched_page(services, interaction, match_id))

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
            await answer.whisper(await watched_page(services, interaction, match_id))

    return watch


async def _last(services: Services, interaction: discord.Interaction) -> str:
    """Return the id of the last match of who asks, in this server or, in DMs, anywhere."""
    played = await services.replays.played(interaction.user.id, interaction.guild_id)
    if not played:
        raise TableError(_("You have finished no match here yet, so there is nothing to watch."))
    return played[0].match_id


@handles(Watch)
async def watch(clicked: Clicked, asked: Watch) -> None:
    """Show a match from its deal on to who clicked, alone."""
    page = await watched_page(clicked.services, clicked.interaction, asked.match_id)
    await clicked.answer.whisper(page)


@handles(TurnTo, in_private=True)
async def turn_to(clicked: Clicked, asked: TurnTo) -> None:
    """Show the match as it was after so many moves."""
    page = await watched_page(clicked.services, clicked.interaction, asked.match_id, asked.n)
    await clicked.answer.update(page)


@handles(Share, in_private=True)
async def share_part(clicked: Clicked, asked: Share) -> None:
    """Show a part of the match to all, or ask for its first move and its last."""
    services, interaction = clicked.services, clicked.interaction
    replay = await watched(services, interaction, asked.match_id)
    n = min(asked.n, replay.last)
    if asked.part == RANGE:
        await check_may_share(services, interaction, replay)
        await ask_range(clicked.answer, replay, n)
        return
    begins, ends = replay.round_at(n)
    ends -= ends in replay.course.rounds  # there the next one is dealt
    parts = {ROUND: (begins, ends), TEN: (max(n - LEAP, 0), n), ALL: (0, replay.last)}
    if asked.part not in parts:
        raise unknown_button()
    await share(services, clicked.answer, replay, n, film_of(replay, *parts[asked.part]))


@handles(ShareRange, in_private=True)
async def share_range(clicked: Clicked, asked: ShareRange) -> None:
    """Show all what was played from one move to another."""
    replay = await watched(clicked.services, clicked.interaction, asked.match_id)
    if asked.moves is None:
        raise TableError(_("Type the numbers of two moves, such as 12 and 30."))
    film = film_of(replay, *asked.moves, is_exact=True)
    await share(clicked.services, clicked.answer, replay, min(asked.n, replay.last), film)


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    commands = replay_command(bot.services), watch_menu(bot.services)
    await bot.add_feature(Feature(commands=commands))

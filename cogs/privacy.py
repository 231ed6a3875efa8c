"""``/privacy``: what is kept of somebody, or of the server that they manage, and to be forgotten."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.app import LEARNS, Ribit
from bot.delivery.clicked import Clicked
from bot.delivery.clicks import handles
from bot.engine.words import _
from bot.features import Feature
from bot.messages.components import notice_content
from bot.messages.privacy import (
    FILE,
    PrivacyStep,
    Step,
    download_content,
    forget_me_content,
    forget_server_content,
    privacy_content,
)
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.services.forgetting import forget_person, forget_server
from bot.services.start_checks import check_is_admin, is_admin
from bot.storage.own_data import OwnData

Command: TypeAlias = app_commands.Command[Any, ..., None]


def privacy_command(policy: str | None) -> Command:
    """Return the command that says what is kept of who asks, wherever the bot can be asked.

    ``policy`` is the address of the host's policy, or None.
    """

    @app_commands.command(extras={LEARNS: False})
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def privacy(interaction: discord.Interaction) -> None:
        """Say what is kept of you; have it as a file, or be forgotten."""
        async with answering(interaction) as answer:
            manages = not is_guest(interaction) and is_admin(interaction)
            await answer.whisper(privacy_content(policy, manages=manages))

    return privacy


@handles(PrivacyStep, in_private=True, learns=False)
async def step(clicked: Clicked, asked: PrivacyStep) -> None:
    """Hand out what is kept, or ask before it is forgotten, and forget it."""
    services, answer = clicked.services, clicked.answer
    match Step(asked.step):
        case Step.DOWNLOAD:
            await _download(clicked)
        case Step.ME:
            await answer.update(forget_me_content())
        case Step.ME_SURELY:
            await answer.acknowledge()  # tables are shown once those who clicked are answered
            await forget_person(services, clicked.player_id)
            await answer.update(
                notice_content(_("Done: I have forgotten you. If you play again, you are new here."))
            )
        case Step.SERVER:
            check_is_admin(clicked.interaction)
            await answer.update(forget_server_content())
        case Step.SERVER_SURELY:
            guild = check_is_admin(clicked.interaction)
            await answer.acknowledge()
            await forget_server(services, guild.id, is_gone=False)
            await answer.update(
                notice_content(_("Done: I have forgotten what was played in this server."))
            )


async def _download(clicked: Clicked) -> None:
    """Hand out what is kept; who clicks again meanwhile is refused, or each click would send a file."""
    services, click = clicked.services, clicked.interaction
    now = int(click.created_at.timestamp())
    task = OwnData(services.location, clicked.player_id, now, click.id)
    file, is_packed = await services.thinkers.ask(task, who=clicked.player_id)
    await clicked.answer.whisper(download_content(f"{FILE}.gz" if is_packed else FILE, file))


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    await bot.add_feature(Feature(commands=[privacy_command(bot.privacy_policy)]))

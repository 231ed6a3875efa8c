"""Buttons and menus: every one that Ribit ever sent, and any other that claims to be one.

One listener takes them all by their custom_id, which says everything: so a button works after a
restart, and one that nobody knows is answered too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord.ext import commands

from bot.messages.custom_ids import Control
from bot.messages.privacy import PrivacyStep
from bot.requests.answers import COMPONENTS, answering
from bot.services import Services
from bot.services.click import Clicked, unknown_button

# Each of these says which clicks it carries out.
from cogs import admin, leaderboards, privacy, replays, settings, solitaire, verify  # noqa: F401
from cogs.clicks import (  # noqa: F401
    hand,
    lessons,
    lobby,
    match_end,
    moves,
    puzzles,
    reviews,
    story,
)
from cogs.clicks.handlers import handler_of, read


def asked_by(interaction: discord.Interaction) -> tuple[str, list[str]]:
    """Return the custom_id of what was clicked, and the values that were picked, or typed in a form."""
    data: Mapping[str, Any] = interaction.data or {}
    fields = (part.get("component") or {} for part in data.get("components", ()))
    values = data.get("values") or [field["value"] for field in fields if "value" in field]
    return str(data.get("custom_id", "")), [str(value) for value in values]


class Clicks(commands.Cog):
    """Has each click carried out and answered by what was clicked."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a component; commands have their own way."""
        if interaction.type not in COMPONENTS:
            return
        self._services.display.recent_activity.note(interaction.user.id)
        try:
            async with answering(interaction) as answer:
                asked = read(*asked_by(interaction))
                if not isinstance(asked, PrivacyStep):  # who is forgotten is not learned by that
                    await self._services.names.learn(interaction)
                await _carry_out(Clicked(self._services, answer, interaction), asked)
        finally:
            interaction.message = None  # what is kept of it for a quarter of an hour is its token


async def _carry_out(clicked: Clicked, asked: Control | None) -> None:
    handler = handler_of(asked)
    if handler is None or (handler.in_private and not clicked.is_private):
        raise unknown_button()
    await handler.carry_out(clicked, asked)

"""What was clicked, in one of few words: whatever anybody sends, no more of them come about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.messages import custom_ids
from bot.sessions.click import Click
from cogs.clicks import ACTIONS

UNKNOWN = "unknown"
"""What was asked that this bot never offered."""

KINDS: Mapping[type, str] = {
    Click: "choice",
    custom_ids.FrogPick: "frogs",
    custom_ids.StandIn: "stand in",
    custom_ids.Ask: "question",
    custom_ids.GoBack: "go back",
    custom_ids.ShowHow: "show how",
    custom_ids.BoardPage: "board",
    custom_ids.RulesPage: "rules page",
    custom_ids.InThread: "thread",
    custom_ids.Learn: "lesson",
    custom_ids.CloseOwn: "close own",
    custom_ids.SettingPick: "setting",
}
"""What the buttons and menus are for; those of a match that are no choice go by their action."""


def kind_of(interaction: discord.Interaction) -> str:
    """Return what was clicked, or which command was given: one of few words, whatever was sent."""
    if interaction.type is not discord.InteractionType.component:
        command = interaction.command
        return UNKNOWN if command is None else f"/{command.qualified_name}"
    data: Mapping[str, Any] = interaction.data or {}
    asked = custom_ids.read_id(
        str(data.get("custom_id", "")), [str(value) for value in data.get("values", ())]
    )
    if isinstance(asked, custom_ids.Action):
        return asked.name if asked.name in ACTIONS else UNKNOWN
    return KINDS.get(type(asked), UNKNOWN)

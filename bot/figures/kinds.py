"""What was clicked, in one of few words: whatever anybody sends, no more of them come about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.messages import ids
from bot.sessions.click import Click
from cogs.clicks import ACTIONS

UNKNOWN = "unknown"
"""What was asked that this bot never offered."""

KINDS: Mapping[type, str] = {
    Click: "choice",
    ids.FrogPick: "frogs",
    ids.StandIn: "stand in",
    ids.Ask: "question",
    ids.GoBack: "go back",
    ids.ShowHow: "show how",
    ids.BoardPage: "board",
    ids.RulesPage: "rules page",
    ids.InThread: "thread",
    ids.Learn: "lesson",
    ids.SettingPick: "setting",
}
"""What the buttons and menus are for; those of a match that are no choice go by their action."""


def kind_of(interaction: discord.Interaction) -> str:
    """Return what was clicked, or which command was given: one of few words, whatever was sent."""
    if interaction.type is not discord.InteractionType.component:
        command = interaction.command
        return UNKNOWN if command is None else f"/{command.qualified_name}"
    data: Mapping[str, Any] = interaction.data or {}
    asked = ids.read_id(str(data.get("custom_id", "")), [str(value) for value in data.get("values", ())])
    if isinstance(asked, ids.Action):
        return asked.name if asked.name in ACTIONS else UNKNOWN
    return KINDS.get(type(asked), UNKNOWN)

"""What was clicked, in one of few words: whatever anybody sends, no more of them come about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.messages.ids import (
    Action,
    Ask,
    BoardPage,
    FrogPick,
    GoBack,
    InThread,
    Learn,
    RulesPage,
    SettingPick,
    ShowHow,
    StandIn,
    read_id,
)
from bot.sessions.click import Click
from cogs.clicks import ACTIONS

UNKNOWN = "unknown"
"""What was asked that this bot never offered."""

KINDS: Mapping[type, str] = {
    Click: "choice",
    FrogPick: "frogs",
    StandIn: "stand in",
    Ask: "question",
    GoBack: "go back",
    ShowHow: "show how",
    BoardPage: "board",
    RulesPage: "rules page",
    InThread: "thread",
    Learn: "lesson",
    SettingPick: "setting",
}
"""What the buttons and menus are for; those of a match that are no choice go by their action."""


def kind_of(interaction: discord.Interaction) -> str:
    """Return what was clicked, or which command was given: one of few words, whatever was sent."""
    if interaction.type is not discord.InteractionType.component:
        command = interaction.command
        return UNKNOWN if command is None else f"/{command.qualified_name}"
    data: Mapping[str, Any] = interaction.data or {}
    asked = read_id(str(data.get("custom_id", "")), [str(value) for value in data.get("values", ())])
    if isinstance(asked, Action):
        return asked.name if asked.name in ACTIONS else UNKNOWN
    return KINDS.get(type(asked), UNKNOWN)

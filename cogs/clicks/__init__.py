"""Buttons and menus: every one that Ribit ever sent, and any other that claims to be one.

One listener takes them all by their custom_id, which says everything: so a button works after a
restart, and one that nobody knows is answered too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord
from discord.ext import commands

from bot.delivery.answers import answering
from bot.delivery.clicked_message import Clicked, unknown_button
from bot.delivery.services import Services
from bot.messages.custom_ids import (
    Action,
    Ask,
    BoardPage,
    CloseOwn,
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
from bot.sessions.table import Table
from cogs.clicks import computer_players, hand, lessons, lobby, match_end, rules, winning_lines
from cogs.clicks.leaderboards import turn_page
from cogs.clicks.moves import ask, choose
from cogs.clicks.settings import pick_setting
from cogs.clicks.threads import open_in_thread

ACTIONS: Mapping[str, Callable[[Clicked, Table], Awaitable[None]]] = {
    "join": lobby.join,
    "wake": lobby.wake,
    "leave": lobby.leave,
    "start": lobby.start,
    "rules": lobby.rules,
    "hand": hand.open_hand,
    "hint": hand.hint,
    "dms": hand.send_to_dms,
    "rematch": match_end.rematch,
    "new": match_end.deal_new,
    "same": match_end.deal_same,
    "give": match_end.ask_to_give_up,
}
IN_PRIVATE: Mapping[str, Callable[[Clicked, Table], Awaitable[None]]] = {
    "here": hand.show_here,
    "stop": match_end.stop,
    "quit": match_end.give_up,
    "never": match_end.never_mind,
    "look": lessons.look,
    "endlesson": lessons.end,
}
"""What is offered in messages for one pair of eyes alone, which become the answer."""


class Clicks(commands.Cog):
    """Has each click carried out and answered by what was clicked."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a component; commands have their own way."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: Mapping[str, Any] = interaction.data or {}
        self._services.display.recent_activity.clicked(interaction.user.id)
        try:
            async with answering(interaction) as answer:
                await self._carry_out(Clicked(self._services, answer, interaction), data)
        finally:
            await self._services.display.handover.done(interaction)
            interaction.message = None  # what is kept of it for a quarter of an hour is its token

    async def _carry_out(self, clicked: Clicked, data: Mapping[str, Any]) -> None:
        values = [str(value) for value in data.get("values", ())]
        match read_id(str(data.get("custom_id", "")), values):
            case Click() as click if click.in_public or clicked.is_private:
                await choose(clicked, await clicked.enter(click.match_id), click)
            case Action(match_id, name) if name in ACTIONS:
                await ACTIONS[name](clicked, await clicked.enter(match_id))
            case Action(match_id, name) if name in IN_PRIVATE and clicked.is_private:
                await IN_PRIVATE[name](clicked, await clicked.enter(match_id))
            case FrogPick(match_id) as picked:
                await computer_players.pick(clicked, await clicked.enter(match_id), picked)
            case StandIn(match_id) as asked:
                await computer_players.stand_in(clicked, await clicked.enter(match_id), asked)
            case Ask(match_id, question):
                await ask(clicked, await clicked.enter(match_id), question)
            case GoBack(match_id) as asked:
                await winning_lines.go_back(clicked, await clicked.enter(match_id), asked)
            case ShowHow(match_id) as asked if clicked.is_private:
                await winning_lines.show_how(clicked, await clicked.enter(match_id), asked)
            case BoardPage() as page:
                await turn_page(clicked, page)
            case RulesPage() as page if clicked.is_private:
                await rules.turn_page(clicked, page)
            case InThread() as asked if clicked.is_private:
                await open_in_thread(clicked, asked)
            case Learn(game):
                await lessons.begin(clicked, game)
            case CloseOwn() as asked if clicked.is_private:
                await match_end.close_own(clicked, asked)
            case SettingPick() as pick if clicked.is_private:
                await pick_setting(clicked, pick)
            case _:
                raise unknown_button()

"""Replays as they are asked for, by whom and where."""

from __future__ import annotations

from functools import partial

import discord

from bot.engine.replay import Replay
from bot.messages.components import Content
from bot.messages.daily_deal import day_of
from bot.messages.replays import replay_content
from bot.messages.text_table import as_liked
from bot.services import Services
from bot.services.match_access import check_may_look, day_of_deal


async def watched(services: Services, asked: discord.Interaction, match_id: str) -> Replay:
    """Return the replay of a match for who asks; raises TableError where they may not watch it."""
    return await services.replays.of(match_id, asked.user.id, partial(check_may_look, services, asked))


async def running_day(services: Services, asked: discord.Interaction, replay: Replay) -> int:
    """Return the day whose deal a match is of, if that is not over, or 0."""
    day = await day_of_deal(services, replay.match)
    return day if day >= day_of(asked.created_at) else 0


async def replay_page(
    services: Services, asked: discord.Interaction, replay: Replay, n: int, note: str = ""
) -> Content:
    """Return a page of a replay as who asks likes it."""
    look = await services.display.appearances.of_own(asked.user.id, asked.guild_id, asked.channel_id)
    return as_liked(replay_content(replay, n, look, note), look)

"""Replays as they are asked for: by whom, where, and when that would tell what is hidden still."""

from __future__ import annotations

import discord

from bot.engine.match import DEAL
from bot.engine.replay import Replay
from bot.engine.words import _
from bot.messages.components import Content
from bot.messages.daily_deal import day_of, has_daily
from bot.messages.replays import replay_content
from bot.messages.text_table import as_liked
from bot.services import Services
from bot.sessions.errors import TableError


async def watched(services: Services, asked: discord.Interaction, match_id: str) -> Replay:
    """Return the replay of a match for who asks; raises TableError where they may not watch it."""
    player_id = asked.user.id
    replay = await services.replays.of(match_id, player_id, asked.guild_id)
    match = replay.match
    is_elsewhere = match.seat_of(player_id) is None and match.channel_id != asked.channel_id
    is_open = match.guild_id != asked.guild_id  # who asks there may ask, so its admins let others watch
    if is_elsewhere and not await services.membership.sees(match, player_id, is_open=is_open):
        raise TableError(_("This match was played in a channel that you can't see."))
    if day := await _day_of_deal(services, replay):
        tried = await services.tables.tried(match.game, player_id, day)
        if tried is not None and tried.is_playing:
            raise TableError(_("You are playing this deal as a deal of the day. Finish that try first."))
        if tried is None and day >= day_of(asked.created_at):
            raise TableError(_("This is the deal of the day. You can watch it after your own try."))
    return replay


async def running_day(services: Services, asked: discord.Interaction, replay: Replay) -> int:
    """Return the day whose deal a match is of, if that is not over, or 0."""
    day = await _day_of_deal(services, replay)
    return day if day >= day_of(asked.created_at) else 0


async def _day_of_deal(services: Services, replay: Replay) -> int:
    """Return the day whose deal a match is of, or 0."""
    match, game = replay.match, replay.game
    if not has_daily(game) or not match.options.get(DEAL):
        return 0
    deal = await services.days.with_deal(match.game, match.options[DEAL])
    return 0 if deal is None else deal.day


async def replay_page(
    services: Services, asked: discord.Interaction, replay: Replay, n: int, note: str = ""
) -> Content:
    """Return a page of a replay as who asks likes it."""
    look = await services.display.appearances.of_own(asked.user.id, asked.guild_id, asked.channel_id)
    return as_liked(replay_content(replay, n, look, note), look)

"""The one try of a day's deal: the way back to it, on with it elsewhere, and the deals of past days."""

from __future__ import annotations

import discord

from bot.delivery.clicked import post_table
from bot.engine.game import AnyGame
from bot.engine.match import DEAL
from bot.engine.words import _
from bot.messages.daily_deal import day_of, elsewhere_content, tried_words
from bot.requests.answers import Answer
from bot.requests.channel_permissions import is_guest
from bot.services import Services
from bot.services.start_checks import check_may_start
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.table import Table


async def lead_to_try(services: Services, answer: Answer, table: Table) -> None:
    """Answer who asks for a day's deal again: where the try is, or the try itself where that is gone."""
    match, link = table.match, await services.display.plans.link(table)
    if not table.is_playing:
        raise TableError(tried_words(table, link))
    is_here = match.channel_id == answer.interaction.channel_id
    if is_here and link is not None:
        raise TableError(tried_words(table, link))
    if is_here:
        await post_table(services.display, answer, table)
    elif services.display.routes.permissions.is_lost(match):
        await take_up_here(services, answer, table)
    else:
        await answer.whisper(elsewhere_content(table, link))


async def take_up_here(services: Services, answer: Answer, table: Table) -> None:
    """Have a try, or a deal that was held back, go on in the channel of an interaction."""
    interaction = answer.interaction
    assert interaction.channel_id is not None, "commands and buttons are used in a channel"
    await check_may_start(services.display, interaction)
    was_guest = table.match.guest
    try:
        table = await services.dealing.take_up(
            table.match.id,
            interaction.user.id,
            guild_id=interaction.guild_id,
            channel_id=interaction.channel_id,
            guest=is_guest(interaction),
        )
    except TableTakenError as taken:
        raise await services.opening.own_deal_elsewhere(taken) from None
    if was_guest:
        await services.display.routes.leave(table.match.id)
    await post_table(services.display, answer, table)


async def deal_of_past(
    services: Services, interaction: discord.Interaction, game: AnyGame, day: int
) -> Table:
    """Deal the deal of a day that is over; raises TableError where there was none."""
    deal = await services.days.of(game.info.key, day)
    if deal is None or day >= day_of(interaction.created_at):
        raise TableError(_("I know no deal of that day. Pick one of the days that are over."))
    return await services.opening.deal_for(interaction, game, {DEAL: deal.number})

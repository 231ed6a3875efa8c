"""Sitting down, being dealt to, and where the table is shown: shared by commands and buttons."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import discord

from bot.delivery.turn_pings import REMATCH_SLOT
from bot.engine.game import AnyGame
from bot.engine.match import AGAIN, REPLAY
from bot.engine.shuffle import new_seed
from bot.engine.words import _, speaking
from bot.messages.closing import too_many_content
from bot.messages.daily_deal import DAILY
from bot.messages.mentions import rematch_words
from bot.requests.answers import OfferError
from bot.requests.discord_errors import NOT_SENT
from bot.requests.user_install import is_guest
from bot.services import Services
from bot.services.options import deal_options, options_of, secret_of_deal
from bot.services.player_names import player_of, sitting_down
from bot.services.start_checks import check_may_start
from bot.sessions.errors import TableError, TableTakenError, TooManyError, ended
from bot.sessions.lobby import Opening, new_match, seeded
from bot.sessions.table import Table


def own_seat(table: Table, player_id: int) -> int:
    """Return a player's seat at a match that has started, or raise TableError."""
    seat = table.match.seat_of(player_id)
    if seat is None:
        raise TableError(_("You're not at this table; you're welcome to watch."))
    if table.is_unreadable:
        raise TableError(ended(table))
    if table.state is None:
        raise TableError(_("The cards are dealt when the host presses **Start**."))
    return seat


async def table_here(services: Services, game: AnyGame, interaction: discord.Interaction) -> Table:
    """Return the table of a game in a channel; raises TableError where there is none, or of another."""
    table = await services.tables.at(interaction.channel_id or 0)
    if table is None:
        words = _("There is no table in this channel. Start one with `/{game} start`.")
        raise TableError(words.format(game=game.info.command))
    here = table.game.info
    if here.key != game.info.key:
        words = _("The table in this channel plays {game}; its commands begin with `/{command}`.")
        raise TableError(words.format(game=here.name, command=here.command))
    return table


async def open_table(
    services: Services,
    interaction: discord.Interaction,
    opening: Opening,
    channel_id: int,
    match_id: str | None = None,
) -> Table:
    """Open a table as it was chosen, with the user as its host; TableTakenError where one stands."""
    await services.players.speaks(interaction.user.id, str(interaction.locale))
    host = sitting_down(interaction)
    async with telling_which(services):
        return await services.seating.open(opening, interaction.guild_id, channel_id, host, match_id)


async def deal_for(
    services: Services, interaction: discord.Interaction, game: AnyGame, named: Mapping[str, int | None]
) -> Table:
    """Deal a game for one to the user in this channel, or say where the user's deal is.

    ``named`` are the options that somebody chose.
    """
    assert interaction.channel_id is not None, "commands and buttons are used in a channel"
    await check_may_start(services, interaction)
    await services.players.speaks(interaction.user.id, str(interaction.locale))
    guild_id, key = interaction.guild_id, game.info.key
    live = await services.tables.deal_of(interaction.channel_id, interaction.user.id)
    if live is not None:  # nothing is looked for that would not be dealt
        return await _deal_there(services, TableTakenError(live.match.id, is_deal=True))
    try:
        async with telling_which(services):
            await services.seating.check_may_host(key, guild_id, interaction.user.id)
            player = player_of(interaction.user) if named.get(DAILY) else sitting_down(interaction)
            drawn_by = await secret_of_deal(services, game, named)
            options = options_of(game.info, named)
            match = new_match(game.info, guild_id, interaction.channel_id, player, 1, options)
            match = replace(
                match, secret=drawn_by, opened_by=interaction.id, guest=is_guest(interaction)
            )
            seed = seeded(match, game, new_seed(), player.interaction).seed or b""
            found = await deal_options(services, interaction, game, named, seed)
            return await services.dealing.deal(match, found)
    except TableTakenError as taken:
        return await _deal_there(services, taken)


async def _deal_there(services: Services, taken: TableTakenError) -> Table:
    """Return the deal of who has one in the channel, where no message shows it; else say where it is."""
    table = await services.tables.look(taken.match_id)
    if await services.display.plans.link(table) is None:
        return table
    raise await own_deal_elsewhere(services, taken) from None


async def own_deal_elsewhere(services: Services, taken: TableTakenError) -> TableError:
    """Return what a player is told who has a deal in the channel already: where it is."""
    link = await services.display.plans.link(await services.tables.look(taken.match_id))
    there = _("[Go to it]({link}).").format(link=link) if link else ""
    return TableError(f"{taken.sentence} {there}".strip())


async def deal_again(
    services: Services, interaction: discord.Interaction, before: Table, *, is_same: bool
) -> Table:
    """Deal a game for one with the options that were chosen before; the same cards, or others."""
    named = {
        option.key: before.match.options.get(option.key)
        for option in before.game.info.options
        if option.key not in {DAILY, AGAIN, REPLAY} and (is_same or (option.asks and not option.by_lot))
    }
    return await deal_for(services, interaction, before.game, named)


async def call_to_rematch(services: Services, table: Table, player_ids: Sequence[int]) -> None:
    """Tell the players of the last match that there is a new table."""
    with speaking(await services.display.plans.language(table)):
        words = rematch_words(player_ids)
    notifies = await services.display.plans.notifies(table)
    with suppress(*NOT_SENT):  # who looks at the channel sees the table anyway
        await services.display.calls.remind_at_table(
            table, REMATCH_SLOT, player_ids, words, notifies=notifies
        )


MOST_TOLD = 10
"""How many are told, the oldest first: who played before there was a limit may have any number."""


@asynccontextmanager
async def telling_which(services: Services) -> AsyncIterator[None]:
    """Have who hosts too many matches told which they are, with a menu to end one of them."""
    try:
        yield
    except TooManyError as error:
        tables = [
            Table(match, services.games[match.game])
            for match in error.matches[:MOST_TOLD]
            if match.game in services.games
        ]
        hosted = [(table, await services.display.plans.link(table)) for table in tables]
        raise OfferError(error.sentence, too_many_content(error.sentence, hosted)) from None

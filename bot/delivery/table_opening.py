"""Sitting down, being dealt to, and where the table is shown: shared by commands and buttons."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import discord

from bot.delivery.click_context import post_table
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.message_keys import POINTER_KEY, TABLE_KEY
from bot.delivery.player_names import player_of, sitting_down
from bot.delivery.start_checks import check_may_start
from bot.engine.game import AnyGame, Info, Option
from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.matches.commitment import number_by_lot
from bot.matches.match_type import DEAL, PAR, PRIVATE, REPLAY
from bot.messages.deal_calendar import DAILY, day_of, has_daily, still_counts
from bot.messages.match_end import too_many_content
from bot.requests.answers import Answer, OfferError
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError, TableTakenError, TooManyError, ended
from bot.sessions.lobby import Opening, new_match, seeded
from bot.sessions.ports import Opponents
from bot.sessions.seating import Seating
from bot.sessions.table import Table
from bot.sessions.worker_tasks import FindDeal


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


MOST_TOLD = 10
"""How many are told, the oldest first: who played before there was a limit may have any number."""


def options_of(info: Info, named: Mapping[str, int | None], seed: bytes | None = None) -> dict[str, int]:
    """Return a value for each option of a game: the one that was named, or else as the game has it.

    With a seed what nobody named may be drawn by lot from that.
    """
    return {option.key: _value(option, named.get(option.key), seed) for option in info.options}


def _value(option: Option, named: int | None, seed: bytes | None) -> int:
    if named is not None:
        return int(named)
    return number_by_lot(option, seed) if option.by_lot and seed is not None else option.default


def is_chosen(info: Info, named: Mapping[str, int | None]) -> bool:
    return any(named.get(option.key) is not None for option in info.options if option.by_lot)


class TableOpening:
    """Opens tables and deals, and says where the table is that is there already."""

    def __init__(
        self,
        display: Display,
        seating: Seating,
        thinkers: Opponents,
        access: MatchAccess,
    ) -> None:
        self._display = display
        self._seating = seating
        self._thinkers = thinkers
        self._access = access
        self._days = display.database.days

    async def open_table(
        self,
        interaction: discord.Interaction,
        opening: Opening,
        channel_id: int,
        match_id: str | None = None,
    ) -> Table:
        """Open a table as it was chosen, with the user as its host; TableTakenError where one stands."""
        await self._display.players.speaks(interaction.user.id, str(interaction.locale))
        host = sitting_down(interaction)
        async with self.telling_which():
            return await self._seating.open(opening, interaction.guild_id, channel_id, host, match_id)

    async def deal_for(
        self,
        interaction: discord.Interaction,
        game: AnyGame,
        named: Mapping[str, int | None],
        private: int = 0,
    ) -> Table:
        """Deal a game for one to the user in this channel, or say where the user's deal is.

        ``named`` are the options that somebody chose, ``private`` is the value of that option. A day's
        deal that still counts for others is private as well.
        """
        assert interaction.channel_id is not None, "commands and buttons are used in a channel"
        await check_may_start(self._display, interaction)
        await self._display.players.speaks(interaction.user.id, str(interaction.locale))
        guild_id, key = interaction.guild_id, game.info.key
        live = await self._display.tables.at(interaction.channel_id, interaction.user.id)
        if live is not None and not private:  # nothing is looked for that would not be dealt
            return await self._deal_there(TableTakenError(live.match.id, is_deal=True))
        try:
            async with self.telling_which():
                await self._seating.check_may_host(key, guild_id, interaction.user.id)
                player = player_of(interaction.user) if named.get(DAILY) else sitting_down(interaction)
                drawn_by = await self.secret_of_deal(game, named)
                options = options_of(game.info, named)
                match = new_match(game.info, guild_id, interaction.channel_id, player, 1, options)
                match = replace(
                    match, secret=drawn_by, opened_by=interaction.id, guest=is_guest(interaction)
                )
                seed = seeded(match, game, new_seed(), player.interaction).seed or b""
                found = await self.deal_options(interaction, game, named, seed)
                if still_counts(found.get(REPLAY, 0), day_of(interaction.created_at)):
                    private = 1
                found = {**found, PRIVATE: private} if private else found
                return await self._seating.deal(match, found)
        except TableTakenError as taken:
            return await self._deal_there(taken)

    async def _deal_there(self, taken: TableTakenError) -> Table:
        """Return the deal of who has one in the channel, where no message shows it; else tell where."""
        table = await self._display.tables.look(taken.match_id)
        if await self._display.plans.link(table) is None:
            return table
        raise await self.own_deal_elsewhere(taken) from None

    async def own_deal_elsewhere(self, taken: TableTakenError) -> TableError:
        link = await self._display.plans.link(await self._display.tables.look(taken.match_id))
        there = _("[Go to it]({link}).").format(link=link) if link else ""
        return TableError(f"{taken.sentence} {there}".strip())

    async def take_up(self, answer: Answer, table: Table) -> None:
        """Have a deal that is shown elsewhere, or nowhere, go on in the channel of an interaction."""
        interaction, match = answer.interaction, table.match
        assert interaction.channel_id is not None, "commands and buttons are used in a channel"
        await check_may_start(self._display, interaction)
        try:
            moved = await self._seating.take_up(
                match.id,
                interaction.user.id,
                guild_id=interaction.guild_id,
                channel_id=interaction.channel_id,
                guest=is_guest(interaction),
            )
        except TableTakenError as taken:
            raise await self.own_deal_elsewhere(taken) from None
        for key in (TABLE_KEY, POINTER_KEY) if match.guest else ():  # nobody can reach them any more
            await self._display.channels.posts.remove(match.id, key)
        await post_table(self._display, answer, moved)

    @asynccontextmanager
    async def telling_which(self) -> AsyncIterator[None]:
        """Have who hosts too many matches told which they are, with a menu to end one of them."""
        try:
            yield
        except TooManyError as error:
            games, matches = self._display.tables.games, error.matches[:MOST_TOLD]
            tables = [Table(match, games[match.game]) for match in matches if match.game in games]
            hosted = [(table, await self._display.plans.link(table)) for table in tables]
            raise OfferError(error.sentence, too_many_content(error.sentence, hosted)) from None

    async def deal_options(
        self,
        asked: discord.Interaction,
        game: AnyGame,
        named: Mapping[str, int | None],
        seed: bytes,
    ) -> Mapping[str, int]:
        """Return the options of a deal; where nobody named its number, it is drawn, or found, by a seed.

        Raises TableError for a deal that is the asker's to try as a day's, and not to be known before.
        """
        options = options_of(game.info, named, seed)
        if not is_chosen(game.info, named) and game.find_deal is not None:
            options = await self.find_deal(asked, game, options)
        return options if options.get(DAILY) else await self._apart(asked, game, options)

    async def secret_of_deal(self, game: AnyGame, named: Mapping[str, int | None]) -> bytes | None:
        """Return the secret that a deal is drawn by: a new one, the day's, or None where chosen.

        A day's deal that an earlier version has chosen comes from nothing that there is a commitment to.
        """
        if day := named.get(DAILY):
            deal = await self._days.of(game.info.key, day)
            is_committed = deal is not None and deal.is_committed
            return await self._days.secret_of(game.info.key, day) if is_committed else None
        return None if is_chosen(game.info, named) else new_seed()

    async def find_deal(
        self, asked: discord.Interaction, game: AnyGame, options: Mapping[str, int]
    ) -> dict[str, int]:
        """Return the options of a deal that the game finds in place of one that was drawn."""
        find = FindDeal(game.info.key, tuple(options.items()))
        return dict(await self._thinkers.ask(find, who=asked.user.id))

    async def _apart(
        self, asked: discord.Interaction, game: AnyGame, options: dict[str, int]
    ) -> dict[str, int]:
        """Return the options with which a deal is played apart from the day that it is of, if of any.

        Nobody may who has not had the one try of the day, or is having it: it would be a rehearsal.
        """
        deal = await self._days.with_deal(game.info.key, options[DEAL]) if has_daily(game) else None
        if deal is None:
            return options
        words = _("That's the deal of the day. Play it with `/{command} daily`.")
        words = words.format(command=game.info.command)
        await self._access.check_may_practise(asked, game.info.key, deal.day, words)
        return {**options, PAR: deal.par, REPLAY: deal.day}

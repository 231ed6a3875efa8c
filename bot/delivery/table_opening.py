"""Opening of tables and solitaire matches for commands and buttons.

The code calls a user's solitaire match a deal, and any other match a table.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import discord

from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.message_keys import POINTER_KEY, TABLE_KEY
from bot.delivery.name_updates import player_of, sitting_down
from bot.delivery.permission_checks import check_may_start
from bot.delivery.table_posting import post_table
from bot.engine.game import AnyGame, GameOption, Info
from bot.engine.shuffle import new_seed
from bot.engine.translation import _
from bot.matches.commitment import number_by_lot
from bot.matches.match_type import DEAL, PAR, PRIVATE, REPLAY
from bot.messages.confirmations import too_many_content
from bot.messages.deal_calendar import DAILY, day_of, has_daily, still_counts
from bot.requests.answers import Answer, OfferError
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError, TableTakenError, TooManyError, ended_words
from bot.sessions.match_creation import Opening, add_seed, new_match
from bot.sessions.ports import Opponents
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from bot.sessions.worker_tasks import FindDeal
from bot.storage.daily_deals import Days


def own_seat(table: Table, player_id: int) -> int:
    """Return a player's seat at a match that has started.

    Raises:
        TableError: The player has no seat, the match has not started, or its moves cannot be read.
    """
    seat = table.match.seat_of(player_id)
    if seat is None:
        raise TableError(_("You're not at this table, but you're welcome to watch."))
    if table.match.seed is not None and table.state is None:
        raise TableError(ended_words(table.match, None))
    if table.state is None:
        raise TableError(_("The cards are dealt when the host presses **Start**."))
    return seat


MOST_TOLD = 10
"""Maximum number of matches to list for a host who has too many. The oldest are listed.

A host who opened matches before there was a limit may have any number of them.
"""


def options_of(info: Info, named: Mapping[str, int | None], seed: bytes | None = None) -> dict[str, int]:
    """Return the values of all options of a game. Missing values are drawn at random or set to defaults.

    Args:
        info: The game's general facts.
        named: The chosen values by key. None means not chosen.
        seed: The seed for drawing random values for options that the user did not choose. None means
            that these options get their defaults.
    """
    return {option.key: _value(option, named.get(option.key), seed) for option in info.options}


def _value(option: GameOption, named: int | None, seed: bytes | None) -> int:
    if named is not None:
        return int(named)
    return number_by_lot(option, seed) if option.by_lot and seed is not None else option.default


def is_chosen(info: Info, named: Mapping[str, int | None]) -> bool:
    """Return whether the user has chosen a value that Ribit would otherwise draw at random."""
    return any(named.get(option.key) is not None for option in info.options if option.by_lot)


@dataclass(eq=False)
class TableOpening:
    """Opens tables and solitaire matches for users.

    If a user already has a solitaire match in the channel, the user gets that match or a link to it.
    """

    _display: Display
    _seating: Seating
    _thinkers: Opponents
    _access: MatchAccess

    @property
    def _days(self) -> Days:
        return self._display.database.days

    async def open_table(
        self,
        interaction: discord.Interaction,
        opening: Opening,
        channel_id: int,
        match_id: str | None = None,
    ) -> Table:
        """Open a table with the user as its host.

        Args:
            interaction: The user's interaction.
            opening: The choices for the table.
            channel_id: The channel of the table.
            match_id: The ID for the new match, or None to generate one.

        Raises:
            TableTakenError: The channel already has a table.
            OfferError: The user hosts too many tables. The answer offers to end one of them.
        """
        await self._display.players.record_locale(interaction.user.id, str(interaction.locale))
        host = sitting_down(interaction)
        async with self.offer_to_end_one():
            return await self._seating.open(opening, interaction.guild_id, channel_id, host, match_id)

    async def deal_for(
        self,
        interaction: discord.Interaction,
        game: AnyGame,
        named: Mapping[str, int | None],
        private: int = 0,
    ) -> Table:
        """Start a solitaire match for the user.

        If the user already has a deal in the channel and no message shows it, return that deal. If the
        user practises a daily deal that other players can still win, make the match private.

        Args:
            interaction: The user's interaction.
            game: The game.
            named: The chosen options by key. None means not chosen.
            private: The value of the match's ``PRIVATE`` option, or 0 for a public deal.

        Raises:
            TableError: The deal is not allowed, or the user has another deal in the channel.
            OfferError: The user has too many deals. The answer offers to end one of them.
        """
        assert interaction.channel_id is not None, "commands and buttons are used in a channel"
        await check_may_start(self._display, interaction)
        await self._display.players.record_locale(interaction.user.id, str(interaction.locale))
        guild_id, key = interaction.guild_id, game.info.key
        live = await self._display.tables.table_in_channel(interaction.channel_id, interaction.user.id)
        if live is not None and not private:  # saves the search for a new deal
            return await self._deal_there(TableTakenError(live.match.id, is_deal=True))
        try:
            async with self.offer_to_end_one():
                await self._seating.check_may_host(key, guild_id, interaction.user.id)
                player = player_of(interaction.user) if named.get(DAILY) else sitting_down(interaction)
                drawn_by = await self.secret_of_deal(game, named)
                options = options_of(game.info, named)
                match = new_match(game.info, guild_id, interaction.channel_id, player, 1, options)
                match = replace(
                    match, secret=drawn_by, opened_by=interaction.id, guest=is_guest(interaction)
                )
                seed = add_seed(match, game, new_seed(), player.interaction).seed or b""
                found = await self.deal_options(interaction, game, named, seed)
                if still_counts(found.get(REPLAY, 0), day_of(interaction.created_at)):
                    private = 1
                found = {**found, PRIVATE: private} if private else found
                return await self._seating.deal(match, found)
        except TableTakenError as taken:
            return await self._deal_there(taken)

    async def _deal_there(self, taken: TableTakenError) -> Table:
        """Return the solitaire match that the user already has in the channel.

        If a message already shows it, raise TableError with a link to that message.
        """
        table = await self._display.tables.read(taken.match_id)
        if await self._display.plans.link(table.match) is None:
            return table
        raise await self.own_deal_elsewhere(taken) from None

    async def own_deal_elsewhere(self, taken: TableTakenError) -> TableError:
        """Return an error that links to the solitaire match that the user already has in the channel."""
        link = await self._display.plans.link((await self._display.tables.read(taken.match_id)).match)
        there = _("[Jump to it]({link}).").format(link=link) if link else ""
        return TableError(f"{taken.sentence} {there}".strip())

    async def take_up(self, answer: Answer, table: Table) -> None:
        """Move the user's solitaire match to the interaction's channel, and show it there.

        Raises:
            TableError: The deal cannot be shown there, or the user has another deal there.
        """
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
        for key in (TABLE_KEY, POINTER_KEY) if match.guest else ():  # they can no longer be edited
            await self._display.channels.posts.remove(match.id, key)
        await post_table(self._display, answer, moved)

    @asynccontextmanager
    async def offer_to_end_one(self) -> AsyncIterator[None]:
        """While the block runs, convert TooManyError into an offer to end one of the user's matches.

        Raises:
            OfferError: The user hosts too many matches. The error's content lists them.
        """
        try:
            yield
        except TooManyError as error:
            games, matches = self._display.tables.games, error.matches[:MOST_TOLD]
            tables = [Table(match, games[match.game]) for match in matches if match.game in games]
            hosted = [(table, await self._display.plans.link(table.match)) for table in tables]
            raise OfferError(error.sentence, too_many_content(error.sentence, hosted)) from None

    async def deal_options(
        self,
        interaction: discord.Interaction,
        game: AnyGame,
        named: Mapping[str, int | None],
        seed: bytes,
    ) -> Mapping[str, int]:
        """Return the options of a new solitaire match.

        If the user has not chosen a deal number, it is drawn at random or found by the game.

        Args:
            interaction: The user's interaction.
            game: The game.
            named: The chosen options by key. None means not chosen.
            seed: The seed of the match, for drawing the number.

        Raises:
            TableError: The number is that of the day's deal, and the user has not finished the one try
                of it that counts.
        """
        options = options_of(game.info, named, seed)
        if not is_chosen(game.info, named) and game.find_deal is not None:
            options = await self.find_deal(interaction, game, options)
        return options if options.get(DAILY) else await self._replay_options(interaction, game, options)

    async def secret_of_deal(self, game: AnyGame, named: Mapping[str, int | None]) -> bytes | None:
        """Return the secret from which the match's seed is derived.

        Returns:
            For a day's deal, the day's secret. None if an earlier version of Ribit chose the day's deal
            without publishing a commitment. For any other deal, a new secret, or None if the user chose
            the deal's number.
        """
        if day := named.get(DAILY):
            deal = await self._days.deal_of_day(game.info.key, day)
            is_committed = deal is not None and deal.is_committed
            return await self._days.secret_of(game.info.key, day) if is_committed else None
        return None if is_chosen(game.info, named) else new_seed()

    async def find_deal(
        self, interaction: discord.Interaction, game: AnyGame, options: Mapping[str, int]
    ) -> dict[str, int]:
        """Search for a suitable deal in a worker process, and return its options."""
        find = FindDeal(game.info.key, tuple(options.items()))
        return dict(await self._thinkers.ask(find, who=interaction.user.id))

    async def _replay_options(
        self, interaction: discord.Interaction, game: AnyGame, options: dict[str, int]
    ) -> dict[str, int]:
        """If a deal has been a daily deal, mark the match as a replay. Return the match's options.

        If the deal is today's, the player must finish the try that counts first, because a replay would
        be a rehearsal. Until then, raise TableError.
        """
        deal = await self._days.with_deal(game.info.key, options[DEAL]) if has_daily(game) else None
        if deal is None:
            return options
        words = _("That's the deal of the day. Play it with `/{command} daily`.")
        words = words.format(command=game.info.command)
        await self._access.check_may_practise(interaction, game.info.key, deal.day, words)
        return {**options, PAR: deal.par, REPLAY: deal.day}

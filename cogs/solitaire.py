"""The slash commands of a game for one, such as ``/solitaire``, and the deal of the day."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, post_table, unknown_button
from bot.delivery.clicks import handles, handles_at_table
from bot.engine.game import AnyGame
from bot.engine.words import _
from bot.features import Feature
from bot.messages.closing import give_up_content
from bot.messages.daily_deal import TakeUp, as_date, day_of, day_of_text, has_daily
from bot.messages.text_table import as_liked, whole_content
from bot.messages.winning_lines import GoBack, ShowHow, line_content
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_own_dm
from bot.services import Services
from bot.services.daily_try import deal_of_past, lead_to_try, take_up_here
from bot.services.start_checks import check_may_start
from bot.sessions.errors import TableError, TableTakenError, TriedError
from bot.sessions.lobby import check_may_go_back
from bot.sessions.table import Table
from bot.sessions.tasks import WinningLine
from cogs._questions import IN_WORDS, option_questions
from cogs._start import start_command

MOST_OFFERED = 25
"""As many as Discord shows while somebody types."""

MOST_DAYS = 400
"""Among so many of the last days those are looked for that somebody types."""


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class SolitaireCommands(app_commands.Group):
    """The commands of one game for one. Several people may play side by side in a channel."""

    def __init__(self, services: Services, game: AnyGame) -> None:
        info = game.info
        super().__init__(name=info.command, description=info.about)
        self._services = services
        self._game = game
        words = f"Deal a game of {info.command} in this channel."
        self.add_command(start_command(words, option_questions(info), self._deal))
        if not has_daily(game):
            self.remove_command("daily")
            self.remove_command("archive")

    async def _deal(self, interaction: discord.Interaction, answers: Mapping[str, int | None]) -> None:
        """Deal, or say where the user's deal is."""
        async with answering(interaction, public=True) as answer:
            table = await self._services.opening.deal_for(interaction, self._game, answers)
            await post_table(self._services.display, answer, table)

    @app_commands.command()
    async def daily(self, interaction: discord.Interaction) -> None:
        """Play the deal of the day: the same for everybody, and one try that counts."""
        async with answering(interaction, public=True) as answer:
            day = day_of(interaction.created_at)
            key = self._game.info.key
            services, tables = self._services, self._services.tables
            before = await tables.tried(key, interaction.user.id, day)
            if before is None:
                options = await services.opening.options_of_day(interaction, self._game, day)
                try:
                    table = await services.opening.deal_for(interaction, self._game, options)
                except TriedError:  # in another channel, in the same moment
                    before = await tables.tried(key, interaction.user.id, day)
                else:
                    await post_table(services.display, answer, table)
            if before is not None:
                await lead_to_try(services, answer, before)

    @app_commands.command()
    @app_commands.describe(day="A day that is over, such as 2026-11-21")
    async def archive(self, interaction: discord.Interaction, day: str) -> None:
        """Play the deal of a past day, for fun: it never counts."""
        async with answering(interaction, public=True) as answer:
            table = await deal_of_past(self._services, interaction, self._game, day_of_text(day) or 0)
            await post_table(self._services.display, answer, table)

    @archive.autocomplete("day")
    async def _days(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Offer the days that have a deal, latest first."""
        today = day_of(interaction.created_at)
        deals = await self._services.days.before(self._game.info.key, today, MOST_DAYS)
        days = [as_date(deal.day).isoformat() for deal in deals]
        return [app_commands.Choice(name=day, value=day) for day in days if typed in day][:MOST_OFFERED]

    @app_commands.command()
    @app_commands.describe(in_words=IN_WORDS)
    async def table(self, interaction: discord.Interaction, in_words: bool = False) -> None:
        """Bring my deal down to the end of the channel, or into our DMs from where Ribit is a guest."""
        async with answering(interaction, public=not in_words) as answer:
            if in_words:
                await answer.whisper(whole_content(await self._deal_here(interaction), None))
                return
            dealing, key = self._services.dealing, self._game.info.key
            try:
                table = await self._deal_here(interaction)
            except TableError:
                abroad = await dealing.deal_abroad(key, interaction.user.id)
                if abroad is None or not is_own_dm(interaction):
                    raise
                await take_up_here(self._services, answer, abroad)
            else:
                await post_table(self._services.display, answer, table)

    @app_commands.command()
    async def stop(self, interaction: discord.Interaction) -> None:
        """Give up my deal in this channel."""
        async with answering(interaction) as answer:
            table = await self._deal_here(interaction)
            await answer.whisper(give_up_content(table.match.id))

    @app_commands.command()
    async def rules(self, interaction: discord.Interaction) -> None:
        """Explain how the game is played."""
        async with answering(interaction) as answer:
            await answer.whisper(await self._services.display.appearances.rules(self._game, interaction))

    async def _deal_here(self, interaction: discord.Interaction) -> Table:
        table = await self._services.tables.deal_of(interaction.channel_id or 0, interaction.user.id)
        if table is None:
            raise TableError(
                _("You have no deal in this channel. Start one with `/{command} start`.").format(
                    command=self.name
                )
            )
        return table


@handles(TakeUp, in_private=True)
async def take_up(clicked: Clicked, asked: TakeUp) -> None:
    """Have the player's try go on here."""
    table = await clicked.services.tables.look(asked.match_id)
    await take_up_here(clicked.services, clicked.answer, table)


@handles_at_table(GoBack)
async def go_back(clicked: Clicked, before: Table, asked: GoBack) -> None:
    """Deal a match again as it was after so many moves."""
    services = clicked.services
    if not clicked.is_at(before):  # a click in DMs was made up
        raise unknown_button()
    await check_may_start(services.display, clicked.interaction)
    try:
        async with services.opening.telling_which():
            table = await services.dealing.go_back(before.match.id, clicked.player_id, asked.moves)
    except TableTakenError as taken:
        raise await services.opening.own_deal_elsewhere(taken) from None
    await post_table(services.display, clicked.answer, table)


@handles_at_table(ShowHow, in_private=True)
async def show_how(clicked: Clicked, table: Table, asked: ShowHow) -> None:
    """Show a step of a line that would have won, in private."""
    services, match = clicked.services, table.match
    await services.access.check_may_look(clicked.interaction, match)
    check_may_go_back(table, clicked.player_id)  # what is hidden in a match stays so while it lives
    search = WinningLine(match.game, table.state, asked.moves)
    line = await services.thinkers.ask(search, who=clicked.player_id)
    if not line:
        raise TableError(_("I found no way to win from there."))
    look = await services.display.appearances.of_own(clicked.player_id, match.guild_id, match.channel_id)
    content = line_content(table, asked.moves, line, asked.step)
    await clicked.answer.update(as_liked(content, look))


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    bot.clicks.add(sys.modules[__name__])
    await bot.add_feature(
        Feature(
            of_game=lambda game: (
                SolitaireCommands(bot.services, game).commands if game.info.is_solo else ()
            )
        )
    )

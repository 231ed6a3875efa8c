"""Slash commands of solitaire games, such as ``/solitaire``, and the buttons below a deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles_at_table
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.permission_checks import check_may_start
from bot.delivery.start_command import IN_WORDS, start_command
from bot.delivery.table_opening import TableOpening, own_seat
from bot.delivery.table_posting import post_table
from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.features import Feature
from bot.matches.match_type import AGAIN, REPLAY
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Button, Content
from bot.messages.confirmations import confirm_content
from bot.messages.custom_ids import Ask, action_id
from bot.messages.deal_calendar import DAILY
from bot.messages.table_view import TableView
from bot.messages.text_mode import adapted_to_reader, whole_content
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_own_dm
from bot.sessions.decision.moves import seat_asking
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.events import QuestionAnswered
from bot.sessions.lobby import check_may_go_back
from bot.sessions.ports import Opponents
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from cogs.solitaire.answers import (
    AnswerQuestion,
    GoBack,
    ShowHow,
    WinningLine,
    answer_content,
    line_content,
)


def give_up_content(match_id: str) -> Content:
    return confirm_content(_("Give up this deal? It counts as lost."), match_id, "quit", _("Give up"))


class SolitaireCommands(app_commands.Group):
    """Slash commands of one solitaire game.

    Several users can each play a deal of their own in the same channel.
    """

    def __init__(self, game: AnyGame, display: Display, opening: TableOpening) -> None:
        super().__init__(name=game.info.command, description=game.info.about)
        self._game = game
        self._display = display
        self._opening = opening
        words = f"Deal a game of {game.info.command} in this channel."
        self.add_command(start_command(game.info, words, self._deal))

    async def _deal(self, interaction: discord.Interaction, answers: Mapping[str, int | None]) -> None:
        async with answering(interaction, public=True) as answer:
            table = await self._opening.deal_for(interaction, self._game, answers)
            await post_table(self._display, answer, table)

    @app_commands.command()
    @app_commands.describe(in_words=IN_WORDS)
    async def table(self, interaction: discord.Interaction, in_words: bool = False) -> None:
        """Move your deal to the end of the channel, or to your DMs if Ribit is only a guest here."""
        async with answering(interaction, public=not in_words) as answer:
            table = await self._deal_here(interaction)
            if in_words:
                await answer.send_ephemeral(whole_content(table, None))
            elif table.match.is_private or table.match.channel_id == interaction.channel_id:
                await post_table(self._display, answer, table)
            else:
                await self._opening.take_up(answer, table)

    @app_commands.command()
    async def stop(self, interaction: discord.Interaction) -> None:
        """Give up your deal in this channel."""
        async with answering(interaction) as answer:
            table = await self._deal_here(interaction)
            await answer.send_ephemeral(give_up_content(table.match.id))

    async def _deal_here(self, interaction: discord.Interaction) -> Table:
        """Return the user's deal in this channel, or else the user's newest private deal.

        If the user runs the command in DMs with the bot, their deals in servers that the bot has not
        joined are also found.

        Raises:
            TableError: The user has no such deal.
        """
        tables, user, game = self._display.tables, interaction.user.id, self._game.info
        here = await tables.table_in_channel(interaction.channel_id or 0, user)
        table = here or await tables.private_table(game.key, user, abroad=is_own_dm(interaction))
        if table is None:
            words = _("You have no deal in this channel. Start one with `/{command} start`.")
            raise TableError(words.format(command=game.command))
        return table


@dataclass(eq=False)
class Solitaire(commands.Cog):
    """A cog that handles the buttons below a solitaire deal.

    They ask questions about the position, give up the deal, start a new deal, or go back to a move.
    """

    _opening: TableOpening
    _seating: Seating
    _thinkers: Opponents
    _access: MatchAccess

    @handles_at_table(Ask)
    async def ask(self, clicked: ClickContext, table: Table, asked: Ask) -> None:
        """Answer the user's question about the position, for example a request for a hint.

        The answer is cached with the table, so that the same question about the same position starts no
        new search.
        """
        game, key = table.game, asked.question
        if table.is_playing or table.outcome is None:
            seat_asking(table, clicked.player_id)
        else:
            own_seat(table, clicked.player_id)
            await self._access.check_may_look(clicked.interaction, table.match)
        question = next((one for one in game.questions if one.key == key), None)
        if question is None:
            raise unknown_button()
        if not question.fits(table.view(None)):
            await clicked.show_changed(table.match.id)
            return
        if (answer := table.answers.get(key)) is None:
            task = AnswerQuestion(game.info.key, key, table.state)
            answer = await self._thinkers.ask(task, who=clicked.player_id)
        table.answers[key] = answer
        if not table.is_playing:
            await clicked.answer.send_ephemeral(answer_content(table, answer))
            return
        answered = QuestionAnswered(clicked.player_id, table.n, answer)
        await clicked.display.tables.happens(table.match.id, answered)
        await clicked.show_changed(table.match.id)

    @action("give")
    async def ask_to_give_up(self, clicked: ClickContext, table: Table) -> None:
        own_seat(table, clicked.player_id)
        await clicked.answer.send_ephemeral(give_up_content(table.match.id))

    @action("new")
    async def deal_new(self, clicked: ClickContext, before: Table) -> None:
        await self._deal_again(clicked, before, is_same=False)

    @action("same")
    async def deal_same(self, clicked: ClickContext, before: Table) -> None:
        await self._deal_again(clicked, before, is_same=True)

    async def _deal_again(self, clicked: ClickContext, before: Table, *, is_same: bool) -> None:
        if not before.is_solo or before.match.stage.is_live:
            raise unknown_button()
        named = {
            option.key: before.match.options.get(option.key)
            for option in before.game.info.options
            if option.key not in {DAILY, AGAIN, REPLAY}
            and (is_same or (option.asks and not option.by_lot))
        }
        table = await self._opening.deal_for(clicked.interaction, before.game, named)
        await post_table(clicked.display, clicked.answer, table)

    @handles_at_table(GoBack)
    async def go_back(self, clicked: ClickContext, before: Table, asked: GoBack) -> None:
        if not (clicked.is_at(before) or before.match.is_private):  # in DMs, such a click is forged
            raise unknown_button()
        await check_may_start(clicked.display, clicked.interaction)
        try:
            async with self._opening.offer_to_end_one():
                table = await self._seating.go_back(before.match.id, clicked.player_id, asked.moves)
        except TableTakenError as taken:
            raise await self._opening.own_deal_elsewhere(taken) from None
        await post_table(clicked.display, clicked.answer, table)

    @handles_at_table(ShowHow, in_private=True)
    async def show_how(self, clicked: ClickContext, table: Table, asked: ShowHow) -> None:
        match, player_id = table.match, clicked.player_id
        await self._access.check_may_look(clicked.interaction, match)
        check_may_go_back(table, player_id)  # facts that a match hides stay hidden until it ends
        search = WinningLine(match.game, table.state, asked.moves)
        line = await self._thinkers.ask(search, who=player_id)
        if not line:
            raise TableError(_("I couldn't find a way to win from there."))
        look = await clicked.display.appearances.of_own(player_id, match.guild_id, match.channel_id)
        content = line_content(table, asked.moves, line, asked.step)
        await clicked.answer.update(adapted_to_reader(content, look))


def play_button(table: TableView) -> Button | None:
    if not table.is_solo or table.match.day:
        return None
    return Button(action_id(table.match.id, "same"), _("Play this deal"))


async def setup(bot: Ribit) -> None:
    display, opening, seating = bot.display, bot.opening, bot.seating
    await bot.add_feature(
        Feature(
            Solitaire(opening, seating, bot.thinkers, bot.access),
            offers=[FeatureButton(ButtonPlace.SHARED, 30, play_button)],
            of_game=lambda game: (
                SolitaireCommands(game, display, opening).commands if game.info.is_solo else ()
            ),
        )
    )

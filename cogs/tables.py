"""The slash commands of a game that a table sits down to, such as ``/toad``."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.clicked import open_hand, post_table
from bot.engine.game import AnyGame
from bot.engine.match import BANK
from bot.engine.words import _
from bot.features import Feature
from bot.messages.closing import ask_to_close_content, leave_content
from bot.messages.computer_players import gone_words
from bot.messages.lobby import offer_content
from bot.messages.text_table import whole_content
from bot.requests.answers import answering
from bot.services import Services
from bot.services.start_checks import check_may_start, may_open_thread
from bot.services.table_opening import options_of, own_seat
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.lobby import Opening
from cogs._questions import (
    BANK_QUESTION,
    IN_WORDS,
    SEATS,
    TURN,
    TURN_QUESTION,
    option_questions,
    seats_question,
)
from cogs._start import frog_questions, frogs_of, hints_of, start_command


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
class TableCommands(app_commands.Group):
    """The commands of a game for several, such as ``start``, ``hand``, ``leave`` and ``stop``."""

    def __init__(self, services: Services, game: AnyGame) -> None:
        info = game.info
        super().__init__(name=info.command, description=info.about)
        self._services = services
        self._game = game
        questions = [*option_questions(info), seats_question(info)]
        if game.thinking is not None:
            questions += frog_questions(info)
        if game.has_clock:
            questions += [TURN_QUESTION, BANK_QUESTION]
        words = f"Open a table in this channel for {info.players} players."
        self.add_command(start_command(words, questions, self._open))
        if not info.hidden_hands:
            self.remove_command("hand")

    async def _open(self, interaction: discord.Interaction, answers: Mapping[str, int | None]) -> None:
        """Open a lobby in this channel, or say where the channel's table is."""
        async with answering(interaction, public=True) as answer:
            assert interaction.channel_id is not None, "the command is for servers"
            await check_may_start(self._services.display, interaction)
            opening = await self._chosen(interaction, answers)
            try:
                table = await self._services.opening.open_table(
                    interaction, opening, interaction.channel_id
                )
            except TableTakenError as taken:
                words = await self._where(taken)
                if not may_open_thread(interaction):
                    raise TableError(words) from None
                await answer.whisper(offer_content(words, opening))
                return
            await post_table(self._services.display, answer, table)

    async def _chosen(
        self, interaction: discord.Interaction, answers: Mapping[str, int | None]
    ) -> Opening:
        """Return the table that was asked for; what nobody named is as the server or the game has it."""
        game = self._game
        turn = answers.get(TURN) if game.has_clock else 0
        if turn is None:
            turn = (await self._services.servers.get(interaction.guild_id)).turn_seconds
        frogs = frogs_of(answers)
        alone = max(game.info.fewest, 1 + len(frogs)) if frogs else game.info.most
        limit = answers[SEATS] or alone
        options = options_of(game.info, answers) | hints_of(answers)
        if bank := answers.get(BANK):
            options[BANK] = bank
        return Opening(game.info.key, limit, options, turn, tuple(frogs))

    async def _where(self, taken: TableTakenError) -> str:
        """Return where the table is that stands in the channel already."""
        table = await self._services.tables.look(taken.match_id)
        link = await self._services.display.plans.link(table)
        if link is None:
            return taken.sentence
        hint = _(
            "[Go to it]({link}), or bring it down to the end of the channel with `/{game} table`."
        ).format(link=link, game=table.game.info.command)
        return f"{taken.sentence} {hint}"

    @app_commands.command()
    @app_commands.describe(in_words=IN_WORDS)
    async def table(self, interaction: discord.Interaction, in_words: bool = False) -> None:
        """Bring this channel's table down to the end of the channel."""
        async with answering(interaction, public=not in_words) as answer:
            table = await self._services.opening.table_here(self._game, interaction)
            if in_words:
                await answer.whisper(whole_content(table, None))
            else:
                await post_table(self._services.display, answer, table)

    @app_commands.command()
    @app_commands.describe(in_words=IN_WORDS)
    async def hand(self, interaction: discord.Interaction, in_words: bool = False) -> None:
        """Show me my cards; nobody else sees them."""
        async with answering(interaction) as answer:
            table = await self._services.opening.table_here(self._game, interaction)
            seat = own_seat(table, interaction.user.id)
            if in_words:
                await answer.whisper(whole_content(table, seat))
            else:
                await open_hand(self._services.display, answer, table, seat)

    @app_commands.command()
    async def leave(self, interaction: discord.Interaction) -> None:
        """Give up my seat at this channel's table."""
        async with answering(interaction) as answer:
            table = await self._services.opening.table_here(self._game, interaction)
            match_id = table.match.id
            seat = table.match.seat_of(interaction.user.id)
            if table.is_playing and seat is not None and table.game.can_be_left:
                await answer.whisper(leave_content(table, seat))
                return
            await self._services.seating.leave(match_id, interaction.user.id)
            self._services.display.refresh(match_id)
            await answer.tell(_("You left the table."))

    @app_commands.command()
    async def stop(self, interaction: discord.Interaction) -> None:
        """Close this channel's table, once all who still play agree; moderators at once."""
        async with answering(interaction) as answer:
            table = await self._services.opening.table_here(self._game, interaction)
            may_manage = interaction.permissions.manage_messages
            is_at_once = await self._services.seating.check_may_stop(
                table, interaction.user.id, may_manage=may_manage
            )
            await answer.whisper(
                ask_to_close_content(table, is_at_once=is_at_once, may_manage=may_manage)
            )

    @app_commands.command()
    @app_commands.describe(player="Who is to leave the table")
    async def remove(self, interaction: discord.Interaction, player: discord.User) -> None:
        """Take a player away from this channel's table: the host in the lobby, moderators any time."""
        async with answering(interaction) as answer:
            table = await self._services.opening.table_here(self._game, interaction)
            await self._services.seating.remove(
                table.match.id,
                player.id,
                interaction.user.id,
                may_manage=interaction.permissions.manage_messages,
            )
            self._services.display.refresh(table.match.id)
            await answer.tell(gone_words(player.id))

    @app_commands.command()
    async def rules(self, interaction: discord.Interaction) -> None:
        """Explain how the game is played."""
        async with answering(interaction) as answer:
            await answer.whisper(await self._services.display.appearances.rules(self._game, interaction))


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    await bot.add_feature(
        Feature(
            of_game=lambda game: () if game.info.is_solo else TableCommands(bot.services, game).commands
        )
    )

"""Slash commands of the games for several players, such as ``/toad``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import discord
from discord import app_commands

from bot.app import Ribit
from bot.delivery.display import Display
from bot.delivery.permission_checks import check_may_start
from bot.delivery.start_command import IN_WORDS, RANGE, StartOption, start_command, yes_or_no_question
from bot.delivery.table_opening import TableOpening, options_of, own_seat
from bot.delivery.table_posting import open_hand, post_table
from bot.delivery.turn_pings import COOLDOWN_SECONDS, RecentActivity
from bot.engine.game import AnyGame
from bot.engine.opponent import Strength
from bot.engine.translation import _
from bot.features import Feature
from bot.matches.match_type import BANK, HINTS
from bot.messages.text_mode import whole_content
from bot.messages.time_limits import BANKS, TURN_LIMITS
from bot.requests.answers import answering
from bot.sessions.errors import TableError, TableTakenError
from bot.sessions.lobby import no_such_computer_player
from bot.sessions.match_creation import Opening
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from cogs.tables.clicks import (
    STRENGTHS,
    TableButtons,
    may_open_thread,
    offer_content,
)
from cogs.tables.leave_and_close import ask_to_close_content, gone_words, leave_content

SEATS, TURN, COMPUTER_PLAYERS, STRENGTH = "seats", "turn", "frogs", "strength"
"""Names of the ``start`` command's options.

They set the number of seats, the seconds per turn, and the number and the strength of computer players.
"""

_USUAL = Strength.FROGLET


def _questions(game: AnyGame) -> Iterable[StartOption]:
    info = game.info
    seats = f"Number of seats (default: {info.most})"
    yield StartOption(SEATS, seats, RANGE[int, info.fewest, info.most] | None)
    if game.thinking is not None:
        computer_players = (
            "How many frogs play with you. The match starts right away unless you set the seats"
        )
        yield StartOption(COMPUTER_PLAYERS, computer_players, RANGE[int, 0, info.most - 1] | None)
        yield StartOption(
            STRENGTH,
            f"How well the frogs play (default: {_USUAL.value})",
            int | None,
            choices=_choices({place: strength.value for place, strength in enumerate(STRENGTHS)}),
        )
        hints = "Allow hints (by default, only if you're the only person playing)"
        yield yes_or_no_question(HINTS, hints, default=None)
    if game.has_clock:
        turn = "Time limit for a turn (default: this server's setting)"
        yield StartOption(TURN, turn, int | None, choices=_choices(TURN_LIMITS))
        bank = "Extra time for slow turns, shared across the whole match"
        yield StartOption(BANK, bank, int, 0, choices=_choices(BANKS))


def _choices(names: Mapping[int, str]) -> list[app_commands.Choice[int]]:
    return [app_commands.Choice(name=name, value=value) for value, name in names.items()]


def _opening(game: AnyGame, answers: Mapping[str, int | None], usual_turn: int) -> Opening:
    """Convert the options of the ``start`` command into settings for the new table.

    Raises:
        TableError: The given strength of computer players does not exist.
    """
    info, place = game.info, answers.get(STRENGTH)
    if place is not None and not 0 <= place < len(STRENGTHS):
        raise no_such_computer_player()
    computer_players = (answers.get(COMPUTER_PLAYERS) or 0) * (
        _USUAL if place is None else STRENGTHS[place],
    )
    turn = answers.get(TURN) if game.has_clock else 0
    options = options_of(info, answers)
    if (hints := answers.get(HINTS)) is not None:
        options[HINTS] = int(bool(hints))
    if bank := answers.get(BANK):
        options[BANK] = bank
    alone = max(info.fewest, 1 + len(computer_players)) if computer_players else info.most
    limit = answers[SEATS] or alone
    return Opening(info.key, limit, options, usual_turn if turn is None else turn, computer_players)


class TableCommands(app_commands.Group):
    """The slash commands of one game for several players, such as ``start``, ``hand`` and ``leave``."""

    def __init__(self, game: AnyGame, display: Display, opening: TableOpening, seating: Seating) -> None:
        super().__init__(name=game.info.command, description=game.info.about)
        self._game = game
        self._display = display
        self._opening = opening
        self._seating = seating
        words = f"Open a table in this channel for {game.info.players} players."
        self.add_command(start_command(game.info, words, self._open, *_questions(game)))
        if not game.info.hidden_hands:
            self.remove_command("hand")

    async def _open(self, interaction: discord.Interaction, answers: Mapping[str, int | None]) -> None:
        async with answering(interaction, public=True) as answer:
            assert interaction.channel_id is not None, "the command is for servers"
            await check_may_start(self._display, interaction)
            settings = await self._display.database.servers.get(interaction.guild_id)
            opening = _opening(self._game, answers, settings.turn_seconds)
            try:
                table = await self._opening.open_table(interaction, opening, interaction.channel_id)
            except TableTakenError as taken:
                words = await self._where(taken)
                if not may_open_thread(interaction):
                    raise TableError(words) from None
                await answer.send_ephemeral(offer_content(words, opening))
                return
            await post_table(self._display, answer, table)

    async def _where(self, taken: TableTakenError) -> str:
        table = await self._display.tables.read(taken.match_id)
        link = await self._display.plans.link(table.match)
        if link is None:
            return taken.sentence
        hint = _(
            "[Jump to it]({link}), or use `/{game} table` to bring it to the end of the channel."
        ).format(link=link, game=table.game.info.command)
        return f"{taken.sentence} {hint}"

    @app_commands.command()
    @app_commands.describe(in_words=IN_WORDS)
    async def table(self, interaction: discord.Interaction, in_words: bool = False) -> None:
        """Move this channel's table to the end of the channel."""
        async with answering(interaction, public=not in_words) as answer:
            table = await self._table_here(interaction)
            if in_words:
                await answer.send_ephemeral(whole_content(table, None))
            else:
                await post_table(self._display, answer, table)

    @app_commands.command()
    @app_commands.describe(in_words=IN_WORDS)
    async def hand(self, interaction: discord.Interaction, in_words: bool = False) -> None:
        """Show your cards. Only you can see them."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            seat = own_seat(table, interaction.user.id)
            if in_words:
                await answer.send_ephemeral(whole_content(table, seat))
            else:
                await open_hand(self._display, answer, table, seat)

    @app_commands.command()
    async def leave(self, interaction: discord.Interaction) -> None:
        """Give up your seat at this channel's table."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            seat = table.match.seat_of(interaction.user.id)
            if table.is_playing and seat is not None and table.game.can_be_left:
                await answer.send_ephemeral(leave_content(table, seat))
                return
            await self._seating.leave(table.match.id, interaction.user.id)
            self._display.refresh(table.match.id)
            await answer.send_sentence(_("You left the table."))

    @app_commands.command()
    async def stop(self, interaction: discord.Interaction) -> None:
        """Close this channel's table if all active players agree. Moderators can close it right away."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            player_id, may_manage = interaction.user.id, interaction.permissions.manage_messages
            is_at_once = await self._seating.check_may_stop(table, player_id, may_manage=may_manage)
            question = ask_to_close_content(table, is_at_once=is_at_once, may_manage=may_manage)
            await answer.send_ephemeral(question)

    @app_commands.command()
    @app_commands.describe(player="The player to remove")
    async def remove(self, interaction: discord.Interaction, player: discord.User) -> None:
        """Remove a player from this table. Hosts can do it before the start, moderators any time."""
        async with answering(interaction) as answer:
            table = await self._table_here(interaction)
            match_id, may_manage = table.match.id, interaction.permissions.manage_messages
            await self._seating.remove(match_id, player.id, interaction.user.id, may_manage=may_manage)
            self._display.refresh(match_id)
            await answer.send_sentence(gone_words(player.id))

    async def _table_here(self, interaction: discord.Interaction) -> Table:
        """Return the table in the interaction's channel.

        If the channel has no table, return the user's private table of this game.

        Raises:
            TableError: The user has no such table either, or the channel's table plays another game.
        """
        tables, info = self._display.tables, self._game.info
        table = await tables.table_in_channel(interaction.channel_id or 0)
        table = table or await tables.private_table(info.key, interaction.user.id)
        if table is None:
            words = _("There's no table in this channel. Start one with `/{game} start`.")
            raise TableError(words.format(game=info.command))
        here = table.game.info
        if here.key != info.key:
            words = _("The table in this channel is for {game}. Its commands start with `/{command}`.")
            raise TableError(words.format(game=here.name, command=here.command))
        return table


async def setup(bot: Ribit) -> None:
    display, opening, seating = bot.display, bot.opening, bot.seating
    cooldown = RecentActivity(bot.tables.clock, COOLDOWN_SECONDS)
    await bot.add_feature(
        Feature(
            TableButtons(opening, seating, cooldown),
            of_game=lambda game: (
                () if game.info.is_solo else TableCommands(game, display, opening, seating).commands
            ),
        )
    )

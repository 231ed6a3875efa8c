"""Lessons: begun, looked at again, and ended.

A lesson stands in a message that only its pupil sees, below the command or the button that asked for
it, and in no DM, so that nobody needs to open theirs. Each click renews Discord's 15 minutes for editing
it, and the tadpole answers within seconds. Its buttons work after any restart; where the message itself
is gone, the command shows the lesson again as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, open_panel, post_table, unknown_button
from bot.delivery.clicks import action, handles
from bot.delivery.player_names import player_of
from bot.delivery.queues import Display
from bot.delivery.slots import Step
from bot.delivery.start_checks import check_may_start
from bot.delivery.table_opening import TableOpening, options_of
from bot.engine.game import AnyGame
from bot.engine.lesson import SEATS
from bot.engine.thinking import Strength
from bot.engine.words import _
from bot.features import Command, Feature
from bot.matches.match import HINTS, LESSON, NOWHERE, Player
from bot.messages.components import Row
from bot.requests.answers import Answer, answering
from bot.requests.channel_permissions import is_guest
from bot.sessions import events
from bot.sessions.errors import TableError, TableTakenError, not_seated
from bot.sessions.lobby import Opening, new_match
from bot.sessions.table import Table
from cogs.lessons.content import Learn, PlayAfter, lesson_content, offer

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Lessons(commands.Cog):
    """Teaches the games that have a lesson."""

    _games: Mapping[str, AnyGame]
    _display: Display
    _opening: TableOpening

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        """Yield the command of a game that is taught."""
        if game.lesson is None:
            return
        words = (
            "Learn the game on a small deal, with a coach; only you see it."
            if game.info.is_solo
            else "Learn the game by playing against a tadpole, with a coach; only you see it."
        )

        @app_commands.command(description=words)
        async def learn(interaction: discord.Interaction) -> None:
            async with answering(interaction) as answer:
                await self._show(answer, game)

        yield learn

    async def row_in_rules(self, game: AnyGame, player_id: int, _match_id: str | None) -> Row | None:
        """Return the button that begins a lesson, for who has not learned the game."""
        if game.lesson is None or await self._display.players.has_learned(player_id, game.info.key):
            return None
        return offer(game)

    @handles(Learn)
    async def begin(self, clicked: Clicked, asked: Learn) -> None:
        """Begin a lesson in a game, or go on with the player's own."""
        game = self._games.get(asked.game)
        if game is None or game.lesson is None:
            raise unknown_button()
        await self._show(clicked.answer, game)

    @action("look", in_private=True)
    async def look(self, clicked: Clicked, table: Table) -> None:
        """Show how a lesson stands by now, where nobody has shown it."""
        if not table.match.is_lesson:
            raise unknown_button()
        await clicked.show_changed(table.match.id, in_public=False)

    @action("endlesson", in_private=True)
    async def end(self, clicked: Clicked, table: Table) -> None:
        """End a lesson before its last move, for its pupil; raises TableError for others."""
        match = table.match
        if not match.is_lesson or match.host_id != clicked.player_id:
            raise TableError(not_seated(table))
        log.info("lesson ended", match=match.id, player=clicked.player_id)
        await self._display.tables.stop(match.id)
        await clicked.show_changed(match.id, in_public=False)

    @handles(PlayAfter)
    async def play(self, clicked: Clicked, asked: PlayAfter) -> None:
        """Deal who has learned a game in, at once and where they are: with two frogs, or alone."""
        game = self._games.get(asked.game)
        if game is None:
            raise unknown_button()
        if game.info.is_solo:
            table = await self._opening.deal_for(clicked.interaction, game, {})
        else:
            table = await self._against_frogs(clicked.interaction, game)
        await post_table(self._display, clicked.answer, table)

    async def _against_frogs(self, asked: discord.Interaction, game: AnyGame) -> Table:
        info = game.info
        if asked.guild_id is None or asked.channel_id is None or is_guest(asked):
            words = _("A table stands in a server's channel: use `/{command} start frogs:2` there.")
            raise TableError(words.format(command=info.command))
        await check_may_start(self._display, asked)
        servers = self._display.database.servers
        turn = (await servers.get(asked.guild_id)).turn_seconds if game.has_clock else 0
        frogs = (Strength.FROGLET, Strength.FROGLET)
        opening = Opening(info.key, 1 + len(frogs), options_of(info, {}), turn, frogs)
        return await self._opening.open_table(asked, opening, asked.channel_id)

    async def _show(self, answer: Answer, game: AnyGame) -> None:
        """Show who asked a lesson in a game: the one that was begun, or a new one."""
        asked = answer.interaction
        await self._display.players.speaks(asked.user.id, str(asked.locale))
        table = await self._begun(game, player_of(asked.user))
        await open_panel(self._display, answer, table, Step(table.n))
        self._display.refresh(table.match.id)  # the tadpole may have moved meanwhile

    async def _begun(self, game: AnyGame, pupil: Player) -> Table:
        """Return a new lesson in a game, or the one that its pupil has begun; only they see it."""
        info, lesson = game.info, game.lesson
        assert lesson is not None, "it is offered"
        options = {option.key: option.default for option in info.options}
        options |= {**lesson.options, HINTS: 0, LESSON: 1}
        match = new_match(info, None, NOWHERE, pupil, min(SEATS, info.most), options)
        place = f"lesson {info.key} player {pupil.id}"  # in no channel, and one of each game
        try:
            table = await self._display.tables.open(match, place, events.Dealt(lesson.seed))
        except TableTakenError as taken:
            return await self._display.tables.look(taken.match_id)
        log.info("lesson begun", match=match.id, game=info.key, player=pupil.id)
        return table


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    cog = Lessons(bot.games, bot.display, bot.opening)
    await bot.add_feature(
        Feature(cog, of_game=cog.commands_of, in_rules=cog.row_in_rules, hand=lesson_content)
    )

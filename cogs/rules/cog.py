"""The rules of each game: ``/toad rules``, and *How to play* at a table.

The rules are an ephemeral message with several pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.appearances import Appearances
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.features import Command, Feature, RowInRules
from bot.messages.appearance import Appearance
from bot.messages.components import Button, Content, Row, ScenePicture, Text, layout, row
from bot.messages.custom_ids import GAME, MATCH, Control
from bot.messages.text_mode import adapted_to_reader
from bot.requests.answers import answering
from bot.sessions.table_state import Table


@frozen
class RulesPage(Control):
    """A button that shows one page of a game's rules.

    Attributes:
        page: The page number, from 0.
        match_id: The match whose *How to play* button opened the rules. None if a command or a lesson
            opened them.
    """

    pattern = re.compile(rf"r:{GAME}:(?P<page>\d{{1,2}})(:{MATCH})?")
    kind = "rules page"

    game: str
    page: int
    match_id: str | None = None

    @property
    def custom_id(self) -> str:
        return ":".join(filter(None, (f"r:{self.game}:{self.page}", self.match_id)))


def rules_content(
    game: AnyGame, number: int, look: Appearance, match_id: str | None, more: Iterable[Row]
) -> Content:
    """Return one page of a game's rules as a message.

    Args:
        game: The game.
        number: The page number, from 0. A number that is too large shows the last page.
        look: The custom emoji and colours.
        match_id: The match whose *How to play* button opened the rules, or None.
        more: Rows with further buttons.
    """
    pages = game.pages()
    page_number = min(number, len(pages) - 1)
    turn = [
        Button(
            RulesPage(game.info.key, position, match_id).custom_id,
            page.title,
            Tone.MAIN if position == page_number else Tone.PLAIN,
            disabled=position == page_number,
        )
        for position, page in enumerate(pages)
    ]
    picture = ScenePicture(look.recolour(pages[page_number].picture()))
    return layout(picture, Text(look.replace_icons(pages[page_number].text)), row(*turn), *more)


@dataclass(eq=False)
class Rules(commands.Cog):
    """The cog that shows the rules of each game.

    ``_in_rules`` has functions that return rows of buttons to show below the rules. Features may still
    add functions after this cog is created.
    """

    _games: Mapping[str, AnyGame]
    _appearances: Appearances
    _in_rules: Sequence[RowInRules]

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        @app_commands.command()
        async def rules(interaction: discord.Interaction) -> None:
            """Explain how the game is played."""
            async with answering(interaction) as answer:
                await answer.send_ephemeral(await self._page(interaction, game))

        yield rules

    @action("rules")
    async def begin(self, clicked: ClickContext, table: Table) -> None:
        match_id = None if table.match.is_lesson else table.match.id
        page = await self._page(clicked.interaction, table.game, match_id=match_id)
        await clicked.answer.send_ephemeral(page)

    @handles(RulesPage, in_private=True)
    async def turn_page(self, clicked: ClickContext, asked: RulesPage) -> None:
        game = self._games.get(asked.game)
        if game is None:
            raise unknown_button()
        page = await self._page(clicked.interaction, game, asked.page, asked.match_id)
        await clicked.answer.update(page)

    async def _page(
        self,
        interaction: discord.Interaction,
        game: AnyGame,
        number: int = 0,
        match_id: str | None = None,
    ) -> Content:
        look = await self._appearances.of_asker(interaction)
        rows = [await make(game, interaction.user.id, match_id) for make in self._in_rules]
        content = rules_content(game, number, look, match_id, filter(None, rows))
        return adapted_to_reader(content, look)


async def setup(bot: Ribit) -> None:
    cog = Rules(bot.games, bot.display.appearances, bot.in_rules)
    await bot.add_feature(Feature(cog, of_game=cog.commands_of))

"""The *What happened?* button, which shows the events of a match so far.

The events are in an ephemeral message, with one page per lap. In a lap, each player has one turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles_at_table
from bot.delivery.match_access import MatchAccess
from bot.engine.frozen import frozen
from bot.engine.translation import _
from bot.features import Feature
from bot.messages.appearance import Appearance, fitted_lines
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Button, Content, Text, layout, row
from bot.messages.computer_player_controls import marked_names
from bot.messages.custom_ids import PlainControl, action_id
from bot.messages.player_names import written_names
from bot.messages.table_view import TableView
from bot.messages.text_mode import adapted_to_reader
from bot.sessions.ports import Opponents
from bot.sessions.table_state import Table
from cogs.history.tasks import PublicEvents


@frozen
class HistoryPage(PlainControl):
    """A button that shows one page of a match's events. Pages are numbered from 0."""

    kind = "story page"
    form = "st:{0.match_id}:{0.page}"

    match_id: str
    page: int


def story_button(table: TableView) -> Button | None:
    if table.game.history is None or not table.is_playing:
        return None
    return Button(action_id(table.match.id, "story"), _("What happened?"), emoji="📜")


def story_content(table: Table, events: Sequence[Any], number: int | None, look: Appearance) -> Content:
    history, match = table.game.history, table.match
    assert history is not None, "only such a game is asked"
    pages = history(events, marked_names(match, written_names(match.players)))
    last = len(pages) - 1
    at = last if number is None else min(number, last)
    where = table.game.info.name
    if not match.is_private:
        where = _("{game} in {channel}").format(game=where, channel=f"<#{match.channel_id}>")
    page = _("page {n} of {all}").format(n=at + 1, all=len(pages))
    head = Text(look.replace_icons(f"### {pages[at].title}\n-# {where} · {page}"))
    earlier = [Button(HistoryPage(match.id, at - 1).custom_id, "◀")] if at else []
    on, sign = (at + 1, "▶") if at < last else (at, "🔄")  # the last page may have grown meanwhile
    later = Button(HistoryPage(match.id, on).custom_id, sign)
    return layout(
        head, Text(look.replace_icons("\n".join(fitted_lines(pages[at].lines)))), row(*earlier, later)
    )


class History(commands.Cog):
    """The cog of the *What happened?* button, which shows the events of a match so far."""

    def __init__(self, thinkers: Opponents, access: MatchAccess) -> None:
        self._thinkers = thinkers
        self._access = access

    @action("story")
    async def show(self, clicked: ClickContext, table: Table) -> None:
        await clicked.answer.send_ephemeral(await self._page(clicked, table, None))

    @handles_at_table(HistoryPage, in_private=True)
    async def turn_page(self, clicked: ClickContext, table: Table, asked: HistoryPage) -> None:
        await clicked.answer.update(await self._page(clicked, table, asked.page))

    async def _page(self, clicked: ClickContext, table: Table, number: int | None) -> Content:
        match, player_id, display = table.match, clicked.player_id, clicked.display
        if table.state is None or table.game.history is None:
            raise unknown_button()
        if not match.stage.is_live:
            await self._access.check_may_look(clicked.interaction, match)
        look = await display.appearances.of_own(player_id, match.guild_id, match.channel_id)
        happened = PublicEvents(match.game, match.id, table.n)
        read = partial(display.tables.whole, match.id)
        events = await self._thinkers.ask(happened, who=player_id, read=read)
        return adapted_to_reader(story_content(table, events, number, look), look)


async def setup(bot: Ribit) -> None:
    offers = [FeatureButton(place, 20, story_button) for place in (ButtonPlace.TABLE, ButtonPlace.HAND)]
    await bot.add_feature(Feature(History(bot.thinkers, bot.access), offers=offers))

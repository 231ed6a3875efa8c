"""Buttons and menus of all games: playing moves, showing the table in words, and ending a match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles
from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.features import Feature
from bot.messages.components import Button, Content, notice_content, row
from bot.messages.custom_ids import MATCH, Choose, Control
from bot.messages.text_mode import whole_content
from bot.sessions.errors import OutdatedClickError, TableError
from bot.sessions.events import FIRST_STEP
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table


@frozen
class CloseOwn(Control):
    """A button or menu with which a user ends a match that they host. It works from any channel.

    ``is_sure`` is True if the user has confirmed the choice.
    """

    pattern = re.compile(rf"c(:{MATCH})?")
    kind = "close own"

    match_id: str
    is_sure: bool

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Parse a click on the confirmation button, or a choice from the menu of the user's matches."""
        if found["match_id"] is not None:
            return cls(found["match_id"], is_sure=True)
        return cls(values[0], is_sure=False) if values else None


def close_content(table: Table, *, is_given_up: bool) -> Content:
    if table.is_solo:
        question = _("Give up this deal? It counts as lost.")
    elif is_given_up:
        question = _("Give up your seat? You'll be out of this match for good.")
    else:
        question = _("Close this table of {game} for everybody? The match won't count.")
    question = question.format(game=table.game.info.name)
    label = _("Give up") if is_given_up else _("Close the table")
    return notice_content(question, row(Button(f"c:{table.match.id}", label, Tone.DANGER)))


class Moves(commands.Cog):
    """Handlers of the buttons and menus that the tables of all games have."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating

    @handles(Choose)
    async def choose(self, clicked: ClickContext, asked: Choose) -> None:
        player_id, click = clicked.player_id, asked.click
        if not (click.in_public or clicked.is_private):
            raise unknown_button()
        before = await clicked.enter(click.match_id)
        try:
            table = await clicked.display.tables.choose(click, player_id)
        except OutdatedClickError:
            await clicked.show_changed(click.match_id, in_public=click.in_public)
            raise
        except TableError:
            # In a server without the bot, only a click can show the end.
            if before.match.guest and not before.is_playing:
                await clicked.show(before, in_public=click.in_public)
            raise
        seat = table.match.seat_of(player_id)
        assert seat is not None, "only a seated player gets this far"
        if table.is_playing and table.n == click.seen:  # a step of choosing a move
            path = () if click.path == (FIRST_STEP,) else click.path
            if click.in_public and table.game.info.hidden_hands:
                await clicked.open_hand(table, seat, path)
            else:
                await clicked.show(table, in_public=click.in_public, path=path)
            return
        frames = before.game.unfolding(before.state, table.state) if before.is_playing else ()
        try:
            await clicked.show(table, in_public=click.in_public, frames=tuple(frames))
        finally:  # refresh the other messages, even if the answer came too late
            clicked.display.schedule_update(table.match.id)
        if click.in_public and table.to_move == seat and table.game.info.hidden_hands:
            await clicked.open_hand(table, seat)

    @action("words")
    async def show_whole_text(self, clicked: ClickContext, table: Table) -> None:
        seat = table.match.seat_of(clicked.player_id)
        await clicked.answer.send_ephemeral(whole_content(table, None if table.is_solo else seat))

    @action("quit", in_private=True)
    async def give_up(self, clicked: ClickContext, table: Table) -> None:
        match, display = table.match, clicked.display
        await self._seating.leave(match.id, clicked.player_id)
        if match.type.is_duel and not display.messages_of_match(match.id).panel_keys:
            await clicked.show_changed(match.id, in_public=False)  # with the button of the next board
            return
        display.refresh(match.id)
        await clicked.answer.update(notice_content(_("You gave up.")))

    @action("never", in_private=True)
    async def cancel(self, clicked: ClickContext, _table: Table) -> None:
        await clicked.answer.update(notice_content(_("Nothing has changed: the match goes on.")))

    @handles(CloseOwn, in_private=True)
    async def close_own(self, clicked: ClickContext, asked: CloseOwn) -> None:
        """End a match that the user hosts, or give up the user's seat in it. Ask for confirmation first.

        If other people play in the match, the host gives up the seat and the match continues. Otherwise,
        the match is closed. If the bot has lost access to the table's channel, the match is closed in
        any case and the others are not asked. A solitaire counts as lost.
        """
        table, seating = await clicked.display.tables.read(asked.match_id), self._seating
        match_id, player_id = table.match.id, clicked.player_id
        if table.match.host_id != player_id:
            raise unknown_button()
        is_lost = clicked.display.channels.permissions.is_lost(table.match)
        is_given_up = table.is_solo or (len(table.people) > 1 and not is_lost)
        if not is_given_up:
            await seating.check_may_stop(table, player_id, may_manage=is_lost)
        if not asked.is_sure:
            await clicked.answer.update(close_content(table, is_given_up=is_given_up))
            return
        if is_given_up:
            await seating.leave(match_id, player_id)
        else:
            await seating.stop(match_id, player_id, may_manage=is_lost)
        clicked.display.refresh(match_id)
        await clicked.answer.update(notice_content(_("Done. There's room for another one now.")))


async def setup(bot: Ribit) -> None:
    await bot.add_feature(Feature(Moves(bot.seating)))

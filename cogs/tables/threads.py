"""A table in a thread of its own, offered where the channel has one already."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Self
from weakref import WeakValueDictionary

import discord
from discord.ext import commands

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import handles
from bot.delivery.player_names import player_of
from bot.delivery.queues import Display
from bot.delivery.start_checks import check_may_start, is_granted
from bot.delivery.table_opening import TableOpening
from bot.engine.game import AnyGame
from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.engine.words import _, speaking
from bot.messages.channel_access import THREADING
from bot.messages.components import Button, Content, notice_content, row
from bot.messages.custom_ids import GAME, MATCH, Control
from bot.messages.player_names import written_names
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.sessions.errors import TableError
from bot.sessions.lobby import Opening, new_match_id
from bot.sessions.seating import Seating
from bot.sessions.table import Table

_NOT_LET = (ErrorKind.SHUT, ErrorKind.LOCKED, ErrorKind.PLACE_GONE, ErrorKind.BLOCKED)


@frozen
class InThread(Control):
    """A table is to be opened in a thread of its own: the id of its match to be, and what was chosen."""

    pattern = re.compile(
        rf"t:{MATCH}:{GAME}:(?P<limit>\d{{1,2}}):(?P<turn>\d{{1,6}})"
        r":(?P<frogs>[0-2]{0,9}):(?P<options>([a-z]+=\d{1,5}(\.[a-z]+=\d{1,5})*)?)"
    )
    kind = "thread"

    match_id: str
    opening: Opening

    @property
    def custom_id(self) -> str:
        """The custom_id."""
        opening, strengths = self.opening, tuple(Strength)
        frogs = "".join(str(strengths.index(frog)) for frog in opening.frogs)
        options = ".".join(f"{key}={value}" for key, value in opening.options.items())
        where = f"{opening.game}:{opening.limit}:{opening.turn_seconds}"
        return f"t:{self.match_id}:{where}:{frogs}:{options}"

    @classmethod
    def read(cls, found: re.Match[str], _values: Sequence[str]) -> Self | None:
        """Return what was offered."""
        strengths = tuple(Strength)
        options = (option.split("=") for option in filter(None, found["options"].split(".")))
        opening = Opening(
            game=found["game"],
            limit=int(found["limit"]),
            options={key: int(value) for key, value in options},
            turn_seconds=int(found["turn"]),
            frogs=tuple(strengths[int(digit)] for digit in found["frogs"]),
        )
        return cls(found["match_id"], opening)


def offer_content(sentence: str, opening: Opening) -> Content:
    """Return why a table was not opened in the channel, and the button that opens it in a thread."""
    asked = InThread(new_match_id(), opening)
    return notice_content(
        f"{sentence}\n" + _("You can open yours in a thread of its own."),
        row(Button(asked.custom_id, _("Open it in a thread"))),
    )


def may_open_thread(interaction: discord.Interaction) -> bool:
    """Return whether Ribit may open a thread with a table in it where the interaction happened."""
    is_channel = isinstance(interaction.channel, discord.TextChannel)
    return is_channel and all(is_granted(permit, interaction) for permit in THREADING)


class Threads(commands.Cog):
    """Opens a thread and a table in it, once for each offer."""

    def __init__(
        self, games: Mapping[str, AnyGame], display: Display, opening: TableOpening, seating: Seating
    ) -> None:
        self._games = games
        self._display = display
        self._opening = opening
        self._seating = seating
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """By channel: held from the look for an offer's table until that table is stored."""

    @handles(InThread, in_private=True)
    async def open_in_thread(self, clicked: Clicked, asked: InThread) -> None:
        """Open the table that was offered, once, and say where it is."""
        interaction = clicked.interaction
        async with self._locks.setdefault(interaction.channel_id or 0, asyncio.Lock()):
            table = await self._display.tables.find(asked.match_id) or await self._opened(
                interaction, asked
            )
        if table.match.guild_id != interaction.guild_id:
            raise unknown_button()
        self._display.refresh(table.match.id)
        where = _("Your table is in {thread}.").format(thread=f"<#{table.match.channel_id}>")
        await clicked.answer.update(notice_content(where))

    async def _opened(self, interaction: discord.Interaction, asked: InThread) -> Table:
        opening, guild_id = asked.opening, interaction.guild_id
        game = self._games.get(opening.game)
        if game is None or not opening.fits(game):
            raise unknown_button()
        await check_may_start(self._display, interaction)
        if not may_open_thread(interaction):
            raise _no_thread()
        async with self._opening.telling_which():  # before there is a thread for it
            await self._seating.check_may_host(opening.game, guild_id, interaction.user.id)
        with speaking(await self._display.plans.language_in(guild_id)):
            (host,) = written_names([player_of(interaction.user)])
            name = _("{game} with {name}").format(game=game.info.name, name=host)
        thread_id = await self._opened_thread(interaction, name, game.info.name)
        return await self._opening.open_table(interaction, opening, thread_id, asked.match_id)

    async def _opened_thread(self, interaction: discord.Interaction, name: str, plain: str) -> int:
        """Open a thread for the offer that was pressed; returns its id.

        It has this name, or a ``plain`` one where a filter refuses a word of it.

        The process may have ended between opening a thread and storing its table: then a thread of
        Ribit's own stands there without one, younger than the offer, and is used.
        """
        channel, offer, me = interaction.channel, interaction.message, interaction.client.user
        tables, requests = self._display.tables, self._display.routes.requests
        assert isinstance(channel, discord.TextChannel), "no other channel is offered a thread"
        for thread in channel.threads:
            is_own = me is not None and thread.owner_id == me.id and thread.name in {name, plain}
            if is_own and offer and thread.id > offer.id and await tables.is_unused(thread.id):
                return int(thread.id)
        try:
            try:
                return await requests.open_thread(channel, name)
            except discord.HTTPException as error:
                if error_kind(error) is not ErrorKind.BLOCKED:
                    raise
            return await requests.open_thread(channel, plain)
        except discord.HTTPException as error:
            if error_kind(error) not in _NOT_LET:
                raise
            raise _no_thread() from error


def _no_thread() -> TableError:
    return TableError(_("I can't open a thread in this channel. Start your table in another one."))

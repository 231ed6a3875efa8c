"""A table in a thread of its own, where its channel has one already."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

import discord

from bot.engine.words import _
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.requests.message_requests import Requests
from bot.sessions.errors import TableError
from bot.sessions.tables import Tables

_NOT_LET = (ErrorKind.SHUT, ErrorKind.LOCKED, ErrorKind.PLACE_GONE, ErrorKind.BLOCKED)


class Threads:
    """Opens threads for tables, in each channel one after the other."""

    def __init__(self, requests: Requests, tables: Tables) -> None:
        self._requests = requests
        self._tables = tables
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, channel_id: int) -> asyncio.Lock:
        """Return what is held from the look for an offer's table until that table is stored."""
        return self._locks.setdefault(channel_id, asyncio.Lock())

    async def open(self, interaction: discord.Interaction, name: str, plain: str) -> int:
        """Open a thread for the offer that was pressed; returns its id.

        It has this name, or a ``plain`` one where a filter refuses a word of it.

        The process may have ended between opening a thread and storing its table: then a thread of
        Ribit's own stands there without one, younger than the offer, and is used.
        """
        channel, offer, me = interaction.channel, interaction.message, interaction.client.user
        assert isinstance(channel, discord.TextChannel), "no other channel is offered a thread"
        for thread in channel.threads:
            is_own = me is not None and thread.owner_id == me.id and thread.name in {name, plain}
            if is_own and offer and thread.id > offer.id and await self._tables.is_unused(thread.id):
                return thread.id
        try:
            try:
                return await self._requests.open_thread(channel, name)
            except discord.HTTPException as error:
                if error_kind(error) is not ErrorKind.BLOCKED:
                    raise
            return await self._requests.open_thread(channel, plain)
        except discord.HTTPException as error:
            if error_kind(error) not in _NOT_LET:
                raise
            raise no_thread() from error


def no_thread() -> TableError:
    """Return what is said where Discord does not let Ribit open a thread."""
    return TableError(_("I can't open a thread in this channel. Start your table in another one."))

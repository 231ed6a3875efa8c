"""What keeps a guest from showing a table, told to its player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord

from bot.messages.permissions import held_back_words
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.sessions.errors import TableError
from bot.sessions.table import Table


@contextmanager
def telling_what_holds_back(table: Table) -> Iterator[None]:
    """Raise TableError where a guest may not show a table inside the block: what was done is stored."""
    try:
        yield
    except discord.HTTPException as error:
        kind = error_kind(error)
        if not table.match.guest or kind not in {ErrorKind.BLOCKED, ErrorKind.USED_UP}:
            raise
        words = held_back_words(table.game.info.command, is_blocked=kind is ErrorKind.BLOCKED)
        raise TableError(words) from error

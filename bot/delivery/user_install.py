"""Where Ribit is a guest: somebody has added it to the own account, and uses it where it is not.

In a server without Ribit, in a group DM and in other people's DMs a bot can answer interactions and edit
these answers by the interactions' tokens, for 15 minutes after each. All else is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord

from bot.delivery.discord_errors import ErrorKind, error_kind
from bot.messages.permissions import held_back_words
from bot.sessions.errors import TableError
from bot.sessions.table import Table


def is_guest(interaction: discord.Interaction) -> bool:
    """Return whether Ribit can only answer where an interaction happened."""
    if interaction.guild_id is None:
        return bool(interaction.context.private_channel)
    return interaction.client.get_guild(interaction.guild_id) is None


def is_own_dm(interaction: discord.Interaction) -> bool:
    """Return whether an interaction happened in a user's DMs with Ribit, where nobody else reads."""
    return interaction.guild_id is None and not is_guest(interaction)


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

"""What a click at a match tells the process that owns it, where that is another one.

What happens in DMs arrives at the process of shard 0, and the match may be another's. Whoever gets a
click decides it, stores it and answers it, by the interaction alone; all other messages of the match are
the other's, who is told when a click has begun and which message its answer shows, and when it is done.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from cachetools import LRUCache

from bot.engine.match import Match
from bot.sessions.ports import Ownership
from bot.sessions.table import Table
from bot.storage import Posts
from bot.storage.cluster.pubsub import PubSub

CLICKED = "click"
"""A click has begun; ``slot`` is what its answer may show, ``player`` who clicked, in DMs or not."""

ANSWERED = "answered"
"""A click is done; ``shows`` is after how many changes its answer shows the match, or None."""

UNKNOWN = -1
"""After so many changes where it is told too late to be relied on."""

_MOST_CLICKS = 1000
"""How many clicks may be under way; one that is never done is forgotten after so many more."""


@dataclass(slots=True)
class _Click:
    match: Match
    slot: str | None
    shows: int | None = None


class Handover:
    """Knows which matches this process owns, and tells others of clicks at theirs."""

    def __init__(self, *, ownership: Ownership, pubsub: PubSub, posts: Posts) -> None:
        self._ownership = ownership
        self._pubsub = pubsub
        self._posts = posts
        self._clicks: LRUCache[int, _Click] = LRUCache(_MOST_CLICKS)

    def owns(self, match: Match) -> bool:
        """Return whether the messages of a match are kept right here.

        Where Ribit is a guest only who was clicked can edit them, so each process owns its own.
        """
        return match.guest or self._ownership.has(match.guild_id)

    def has(self, guild_id: int | None) -> bool:
        """Return whether the matches of a server, or of none, are owned here."""
        return self._ownership.has(guild_id)

    async def begun(
        self, table: Table, interaction: discord.Interaction, slot: str | None, *, is_apart: bool
    ) -> None:
        """Tell of a click before anything comes of it, where another process owns the match.

        ``slot`` is what the message shows that was clicked; ``is_apart``: not at the table, but in DMs.
        """
        match = table.match
        if self.owns(match):
            return
        self._posts.forget(match.id)  # what is known of them here may be old
        self._clicks[interaction.id] = _Click(match, slot)
        await self._pubsub.tell(
            CLICKED,
            {
                "match": match.id,
                "guild": match.guild_id,
                "click": interaction.id,
                "player": interaction.user.id,
                "spot": slot,
                "apart": is_apart,
            },
        )

    def shows(self, table: Table, slot: str, interaction: discord.Interaction) -> None:
        """Take note that the answer to a click shows a state of the table."""
        click = self._clicks.get(interaction.id)
        if click is not None and click.slot == slot:
            click.shows = table.match.version

    async def done(self, interaction: discord.Interaction) -> None:
        """Tell that a click is done, where that it had begun was told."""
        click = self._clicks.pop(interaction.id, None)
        if click is not None:
            await self._tell_done(click.match, interaction.id, click.slot, click.shows)

    async def posted(self, table: Table, slot: str, interaction: discord.Interaction) -> None:
        """Tell the owner of a match that the answer to a command is the message of a slot."""
        if not self.owns(table.match):
            await self._tell_done(table.match, interaction.id, slot, table.match.version)

    async def _tell_done(self, match: Match, click: int, slot: str | None, shows: int | None) -> None:
        about = {"match": match.id, "guild": match.guild_id, "click": click, "spot": slot}
        later = {**about, "shows": UNKNOWN}  # more may have been shown in the meantime
        await self._pubsub.tell(ANSWERED, {**about, "shows": shows}, later)

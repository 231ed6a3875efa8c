"""One message of a match: what it shows, and the requests that are under way to it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

import discord

from bot.engine.values import frozen
from bot.messages.components import Content
from bot.requests.answers import SILENT
from bot.requests.components import message
from bot.sessions.table import Table

TABLE_SLOT = "table"
POINTER_SLOT = "pointer"
"""The message that was the table's before, and now says where the table is."""


def hand_slot(seat: int) -> str:
    """Return the slot of a seat's hand in its player's DMs."""
    return f"hand {seat}"


def seat_of(slot: str) -> int | None:
    """Return whose hand a slot shows, or None for one that shows the table."""
    kind, _space, seat = slot.partition(" ")
    return int(seat) if kind == "hand" else None


@frozen
class Step:
    """A step of choosing a move, which a message shows of its table after ``n`` moves, until another."""

    n: int = -1
    path: tuple[str, ...] = ()


_NO_STEP = Step()


@dataclass(slots=True)
class Slot:
    """A message with two writers that never bargain: the reconciler, and the answer to a click on it.

    ``shows`` is the hash of what it was last made to show, None where nobody knows. ``answers`` are on
    their way to show it: the reconciler sends nothing meanwhile. ``requests`` are those under way; where
    two overlap nobody knows which came last, so what the message should show is sent once more.
    ``is_due``: the reconciler has to look at it when the last answer is over.
    """

    shows: int | None = None
    step: Step = _NO_STEP
    answers: int = 0
    requests: int = 0
    is_due: bool = False
    _overlap: bool = False

    def step_of(self, table: Table) -> Step:
        """Return which step the message shows of a table as it stands."""
        return self.step if self.step.n == table.n else _NO_STEP

    def has(self, content: Content) -> bool:
        """Return whether the message is known to show just this."""
        return self.shows == hash(content)

    def begin(self) -> None:
        """Take note that a request goes out."""
        self._overlap = self.requests > 0 or self._overlap
        self.requests += 1

    def end(self, shows: int | None) -> None:
        """Take note that a request is over: what the message shows by it, None where nobody knows."""
        self.requests -= 1
        self.shows = None if self._overlap else shows
        self.is_due |= self._overlap
        self._overlap = self._overlap and self.requests > 0

    async def send(self, content: Content, request: Awaitable[bool]) -> bool:
        """Await a request that makes the message show something; returns whether it does."""
        self.begin()
        is_shown = False
        try:
            is_shown = await request
        finally:
            self.end(hash(content) if is_shown else None)
        return is_shown


@dataclass(slots=True, kw_only=True)
class Panel(Slot):
    """A slot that the token of an interaction can edit, for 15 minutes after it.

    ``is_followup``: the message followed the answer to the interaction, and is not the answer itself.
    """

    interaction: discord.Interaction
    message_id: int
    is_followup: bool

    async def edit(self, content: Content) -> None:
        """Have the message show something."""
        made = message(content)
        if self.is_followup:
            await self.interaction.followup.edit_message(
                self.message_id, view=made.view, attachments=made.files(), allowed_mentions=SILENT
            )
        else:
            await self.interaction.edit_original_response(
                view=made.view, attachments=made.files(), allowed_mentions=SILENT
            )

    async def delete(self) -> None:
        """Take the message away."""
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()

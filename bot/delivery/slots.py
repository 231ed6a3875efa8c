"""The messages of a match: a slot for each, with what it shows, and what it is to show next."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeGuard

import discord

from bot.engine.immutable import frozen
from bot.messages.components import Content
from bot.requests.answers import SILENT
from bot.requests.budget import PrioritizedWork, Priority
from bot.requests.components import Message
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.sessions.table import Table

TABLE_SLOT = "table"
POINTER_SLOT = "pointer"
"""The message that was the table's before, and now says where the table is."""

_PANEL, _HAND = "panel ", "hand "


def hand_slot(seat: int) -> str:
    return f"{_HAND}{seat}"


def panel_slot(player_id: int) -> str:
    return f"{_PANEL}{player_id}"


def seat_of(slot: str) -> int | None:
    """Return whose hand a slot shows in DMs, or None for another slot."""
    return int(slot.removeprefix(_HAND)) if slot.startswith(_HAND) else None


def owner_of(slot: str) -> int | None:
    """Return whose panel a slot is, or None for another slot."""
    return int(slot.removeprefix(_PANEL)) if slot.startswith(_PANEL) else None


@frozen
class Step:
    """A step of choosing a move, which a message shows of its table after ``n`` moves, until another."""

    n: int = -1
    path: tuple[str, ...] = ()


@frozen
class Token:
    """A route to a message for 15 minutes: the token of the interaction that it has answered."""

    interaction: discord.Interaction
    message_id: int
    is_followup: bool = False

    def seconds_left(self, now: int) -> float:
        """Return for how long the token works by Discord's time ``now``: the machine's may be wrong."""
        return max(0.0, self.interaction.expires_at.timestamp() - now)

    async def edit(self, made: Message) -> discord.Message:
        shown: Any = {"view": made.view, "attachments": made.files(), "allowed_mentions": SILENT}
        if self.is_followup:
            return await self.interaction.followup.edit_message(self.message_id, **shown)
        return await self.interaction.edit_original_response(**shown)

    async def delete(self) -> None:
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


@dataclass(slots=True, eq=False)
class Slot:
    """A message and the queue to it, in which there is only the newest content.

    ``shows`` is the hash of what the message is known to show, None where nobody knows. ``of`` is the
    table that its content was planned of last, and ``wanted`` that content, until it is sent.
    ``is_stale``: it has to be planned anew, also of the same table. ``is_lost``: the message takes no
    edits any more, so another takes its place. ``is_unsure``: what failed may have been sent.
    ``attached`` are the IDs of the message's attachments, None if they are unknown. While it
    is ``passing``, through frames that answer a click, the table as it stands comes with the last.
    """

    shows: int | None = None
    wanted: Content | None = None
    of: Table | None = None
    step: Step = field(default_factory=Step)
    token: Token | None = None
    is_stale: bool = False
    is_lost: bool = False
    is_unsure: bool = False
    attached: frozenset[int] | None = None
    passing: discord.Interaction | None = None
    task: asyncio.Task[None] | None = None
    _plans: int = 0
    _newest: tuple[int, int] = (-1, 0)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    def begin(self, step: Step | None = None) -> int:
        """Begin to plan; returns the plan's number: of two the later counts.

        A click shows the table at a ``step``, and ends frames that another one shows.
        """
        if step is not None:
            self.step, self.passing = step, None
        self.is_stale = False
        self._plans += 1
        return self._plans

    def brought_by(self, task: asyncio.Task[None]) -> None:
        self.task = task

    def want(self, content: Content, table: Table, plan: int) -> None:
        """Put the content that was planned of a table into the queue, unless a later plan was there."""
        if (table.match.version, plan) > self._newest:
            self._newest = table.match.version, plan
            self.of = table
            is_there = not self.is_busy and self.shows == hash(content)
            self.wanted = None if is_there else content

    @property
    def is_busy(self) -> bool:
        return self._one.locked()

    def doubt(self) -> None:
        """Take note that nobody knows any more what the message shows."""
        self.shows, self.is_stale = None, True

    def replan(self) -> None:
        self.is_stale = True

    def recall(self, content: Content) -> None:
        """Take note that the message shows some content since before the start."""
        self.shows = hash(content)

    def lose(self) -> None:
        """Take note that the message takes no edits any more, or not for long."""
        self.doubt()
        self.is_lost = True

    def edit_by(self, token: Token | None) -> None:
        """Edit the message by this token from now on, or by none."""
        self.token = token

    def take(self, token: Token | None) -> None:
        """Take another message as the slot's, to be edited by this token."""
        self.token, self.is_lost, self.attached = token, False, None

    @contextmanager
    def frames(self, asked: discord.Interaction) -> Iterator[None]:
        """Show frames that answer a click inside the block, until another click ends them."""
        self.passing = asked
        try:
            yield
        finally:
            if self.passing is asked:
                self.passing = None

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Show something inside the block that is not of any plan; nothing else is sent meanwhile."""
        async with self._one:
            self.doubt()
            yield

    @asynccontextmanager
    async def sending(
        self, answer: Content | None = None, plan: int = 0, by: Token | None = None
    ) -> AsyncIterator[Content | None]:
        """Send the newest content inside the block; nothing else is sent to the message meanwhile.

        Yields None where there is nothing to send, or not ``by`` this token any more. The ``answer`` to
        a click is sent also where the message shows it, unless there was a later one than its ``plan``.
        What the block could not send is still wanted.
        """
        async with self._one:
            if by is not None and by is not self.token:
                yield None
                return
            newest, self.wanted = self.wanted, None
            if newest is None and plan == self._newest[1]:
                newest = answer
            if newest is None or (answer is None and self.shows == hash(newest)):
                yield None
                return
            self.shows = None
            try:
                yield newest
            except BaseException as error:
                self.attached = None
                self.is_unsure |= error_kind(error) is ErrorKind.TROUBLE
                if self.wanted is None:
                    self.wanted = newest
                raise
            self.shows, self.is_unsure = hash(newest), False


@dataclass(slots=True, eq=False)
class Messages:
    """The messages of one match, and the work that brings them up to date.

    ``table`` is what they were planned of last. ``called`` is the table whose players
    are to be called next. ``told`` are the seats that were told that Discord does not let the bot write
    to them. ``deleting`` are the IDs of private messages that are being deleted. ``seen`` is the state
    of the table when it was last asked whether its message has to move, and ``looked_at`` when it was
    found young, and messages after it were counted.
    ``is_left``: not all could be shown; ``failed``: it can be later, ``held_back``: but nothing is
    asked of Discord until it has refused fewer requests. ``again_in`` are seconds after which there may
    be something to show, 0 for nothing.
    """

    match_id: str
    slots: defaultdict[str, Slot] = field(default_factory=lambda: defaultdict(Slot))
    table: Table | None = None
    called: Table | None = None
    told: set[int] = field(default_factory=set)
    deleting: set[int] = field(default_factory=set)
    seen: object = None
    looked_at: float = 0.0
    again: bool = False
    is_left: bool = False
    failed: bool = False
    held_back: bool = False
    again_in: float = 0.0
    work: PrioritizedWork = field(default_factory=lambda: PrioritizedWork(Priority.UPKEEP))
    tries: int = 0
    task: asyncio.Task[None] | None = None
    calling: asyncio.Task[None] | None = None
    retry: asyncio.TimerHandle | None = None

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        tasks = (self.task, self.calling, *(slot.task for slot in self.slots.values()))
        return [task for task in tasks if is_running(task)]

    @property
    def is_idle(self) -> bool:
        return not self.tasks and not self.is_passing

    @property
    def is_passing(self) -> bool:
        """Whether an answer shows a message, or frames of a move, after which it shows the table."""
        return any(slot.passing or slot.is_busy for slot in self.slots.values())

    @property
    def panels(self) -> list[str]:
        return [key for key in self.slots if owner_of(key) is not None]

    def look_in(self, seconds: float) -> None:
        """Look at the match again after so many seconds, or sooner where that was wanted."""
        self.again_in = min(self.again_in or seconds, seconds)

    def replan(self) -> None:
        """Have all of them planned anew, also of the same table."""
        for slot in self.slots.values():
            slot.replan()


def is_running(task: asyncio.Task[None] | None) -> TypeGuard[asyncio.Task[None]]:
    return task is not None and not task.done()

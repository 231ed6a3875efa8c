"""All that memory holds of the messages of one match."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field

from bot.delivery.slot import Panel, Slot
from bot.requests.budget import PrioritizedWork, Priority
from bot.sessions.table import Table


@dataclass(slots=True)
class MatchMessages:
    """The messages of one match, and the work that brings them up to date.

    ``slots`` are its messages in channels and DMs, ``panels`` the private ones of players, by whose they
    are; those that were ``left`` are to be deleted. ``as_read`` is the table as it was read, where every
    message that nothing was sent to since is known to show that.
    ``told`` are the seats that were told that Discord does not let the bot write to them.
    ``seen`` is the state of the table when it was last asked whether its message has to move, and
    ``looked_at`` when it was found young, and messages after it were counted. ``guild_id`` is the
    match's server.
    ``failed``: something could not be shown just now that can be shown later; ``held_back``:
    nor is it asked of Discord until it has refused fewer requests; ``is_refused``: a filter refuses the
    words, which are tried again when they are others. ``again_in`` are seconds after which
    there may be something to show, 0 for nothing; ``call_waits``: that is a player's call to the turn.
    """

    slots: defaultdict[str, Slot] = field(default_factory=lambda: defaultdict(Slot))
    panels: dict[int, Panel] = field(default_factory=dict)
    left: list[Panel] = field(default_factory=list)
    as_read: Table | None = None
    told: set[int] = field(default_factory=set)
    guild_id: int | None = None
    seen: object = None
    looked_at: float = 0.0
    again: bool = False
    failed: bool = False
    held_back: bool = False
    is_refused: bool = False
    again_in: float = 0.0
    call_waits: bool = False
    work: PrioritizedWork = field(default_factory=lambda: PrioritizedWork(Priority.UPKEEP))
    tries: int = 0
    task: asyncio.Task[None] | None = None
    retry: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being shown, is about to be, or is kept up to date by its token."""
        is_busy = self.task is not None or self.retry is not None or self.is_answered
        return not is_busy and not self.panels

    @property
    def is_answered(self) -> bool:
        """Whether answers are about to show a message, or one has to be looked at after them."""
        return any(slot.answers or slot.is_due for slot in self.slots.values())

    def look_in(self, seconds: float) -> None:
        """Have the match looked at again after so many seconds, or sooner where that was wanted."""
        self.again_in = min(self.again_in or seconds, seconds)

    def forget_shown(self) -> None:
        """Know of no message any more what it shows."""
        self.as_read = None
        for slot in self.slots.values():
            slot.shows = None

"""When the messages of each match are reconciled: after each change, and later when it failed."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

import structlog

from bot.delivery.match_messages import MatchMessages
from bot.delivery.slot import Panel
from bot.engine.errors import AwayError
from bot.requests.budget import Budget, HeldBackError, PrioritizedWork, Priority, on

log = structlog.get_logger(__name__)

CLOSE_SECONDS = 1.5

MOST_KEPT = 10_000
"""Of how many matches that is kept, 2 KB each. What the messages of one show that was forgotten is not
known, and they are sent once more when something changes there."""

RETRY_SECONDS = (20, 120)
"""When a failure is tried again, and then once more; after that the next event brings the truth."""


class Scheduler:
    """Has the messages of each match brought up to date, whenever something has changed.

    Changes that come faster than Discord takes edits are shown together: each round
    shows the table as it then stands, so the last thing shown is the truth.
    """

    def __init__(self, show: Callable[[str, MatchMessages], Awaitable[bool]], budget: Budget) -> None:
        """``show`` shows all of a match's messages, and returns whether the match is over."""
        self._show = show
        self._budget = budget
        self._matches: defaultdict[str, MatchMessages] = defaultdict(MatchMessages)
        self._is_closing = False

    def of(self, match_id: str) -> MatchMessages:
        """Return what is known of a match's messages."""
        if match_id not in self._matches and len(self._matches) >= MOST_KEPT:
            self._make_room()
        return self._matches[match_id]

    def panels(self, match_id: str) -> dict[int, Panel]:
        """Return the private panels that are open on a match, by whose they are."""
        return self._matches[match_id].panels if match_id in self._matches else {}

    def _make_room(self) -> None:
        """Forget the oldest of those that have nothing to do."""
        oldest = next(
            (match_id for match_id, messages in self._matches.items() if messages.is_idle), None
        )
        if oldest is not None:
            del self._matches[oldest]

    def has(self, match_id: str) -> bool:
        """Return whether the messages of a match were brought up to date here, and may be so again."""
        return match_id in self._matches

    def start(self, match_id: str, priority: Priority) -> asyncio.Task[None]:
        """Bring the messages of a match up to date, soon; returns the work."""
        messages = self.of(match_id)
        messages.tries = 0
        self._budget.hurry(messages.work, priority)
        return self._start(match_id)

    def _start(self, match_id: str) -> asyncio.Task[None]:
        messages = self.of(match_id)
        messages.again = True
        if messages.retry is not None:
            messages.retry.cancel()
            messages.retry = None
        if messages.task is None:
            messages.task = asyncio.create_task(self._keep_up(match_id, messages))
        return messages.task

    def matches(self) -> list[str]:
        """Return the ids of the matches of which something is known."""
        return list(self._matches)

    def with_panels(self) -> list[str]:
        """Return the ids of the matches that private panels are open on."""
        return [match_id for match_id, messages in self._matches.items() if messages.panels]

    def forget_shown(self) -> None:
        """Know of no message any more what it shows: others may have changed it."""
        for messages in self._matches.values():
            messages.forget_shown()

    async def close(self) -> None:
        """Finish what is under way, unless that takes too long; the next start shows it then."""
        self._is_closing = True
        for messages in self._matches.values():
            if messages.retry is not None:
                messages.retry.cancel()
        tasks = [messages.task for messages in self._matches.values() if messages.task]
        if tasks:
            _finished, late = await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _keep_up(self, match_id: str, messages: MatchMessages) -> None:
        is_over = False
        while messages.again:
            messages.again = messages.failed = messages.held_back = messages.call_waits = False
            messages.is_refused, messages.again_in = False, 0.0
            try:
                with on(messages.work):
                    is_over = await self._show(match_id, messages)
            except (AwayError, HeldBackError):
                messages.held_back = True
            except Exception:
                log.exception("messages could not be shown", match=match_id)
                messages.failed = True
        messages.task = None
        messages.work = PrioritizedWork(Priority.UPKEEP)
        tries = messages.tries
        if messages.held_back and not self._is_closing:
            messages.retry = asyncio.create_task(self._try_again(match_id, RETRY_SECONDS[-1]))
        elif messages.failed and tries < len(RETRY_SECONDS) and not self._is_closing:
            messages.retry = asyncio.create_task(self._try_again(match_id, RETRY_SECONDS[tries]))
            messages.tries += 1
        elif messages.again_in and not self._is_closing:
            messages.retry = asyncio.create_task(self._try_again(match_id, messages.again_in))
        elif is_over and not messages.is_answered:
            self._matches.pop(match_id, None)

    async def _try_again(self, match_id: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self.of(match_id).retry = None
        self._start(match_id)

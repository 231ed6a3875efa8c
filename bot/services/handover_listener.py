"""What other processes tell of the matches that this one owns, and what follows from it.

A change that another has stored is shown like one that was stored here. What another answers just now is
left alone until that is done; if nobody says so, for some seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import structlog

from bot.background import BackgroundTasks
from bot.delivery.display import Display
from bot.delivery.handover import ANSWERED, CLICKED
from bot.delivery.slot import TABLE_SLOT, Slot, Step, seat_of
from bot.engine.errors import AwayError
from bot.requests.budget import Priority
from bot.sessions.errors import TableError
from bot.sessions.ports import Ownership
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.storage import Posts
from bot.storage.cluster.pubsub import PubSub

log = structlog.get_logger(__name__)

ANSWER_SECONDS = 10.0
"""How long a message is left to another process that has not said that it is done with it."""

CHANGED = "match"
"""A match was changed by a process that does not own it."""

_COMMAND = 0
"""In place of a click: the command that opened a table, and is just being answered with it."""

About: TypeAlias = Mapping[str, Any]


@dataclass(slots=True)
class _Answer:
    """An answer that another process is about to give."""

    slot: Slot
    late: asyncio.TimerHandle


class HandoverListener:
    """Follows what is told."""

    def __init__(
        self, *, ownership: Ownership, pubsub: PubSub, tables: Tables, posts: Posts, display: Display
    ) -> None:
        self._ownership = ownership
        self._tables = tables
        self._posts = posts
        self._display = display
        self._answers: dict[tuple[str, int], _Answer] = {}
        self._tasks = BackgroundTasks()
        pubsub.hear(CHANGED, self._changed)
        pubsub.hear(CLICKED, self._clicked)
        pubsub.hear(ANSWERED, self._answered)

    async def close(self) -> None:
        """Follow nothing more."""
        for answer in self._answers.values():
            answer.late.cancel()
        self._answers.clear()
        await self._tasks.close()

    def _changed(self, about: About) -> None:
        match_id = about["match"]
        if self._ownership.has(about["guild"]):
            self._start(self._show_changed(match_id))
        elif self._display.private.are_open(match_id):
            self._display.refresh(match_id)

    def _clicked(self, about: About) -> None:
        if not self._ownership.has(about["guild"]):
            return
        match_id, slot = about["match"], about["spot"]
        self._display.recent_activity.clicked(about["player"])
        if about["apart"]:
            self._display.private.leave(match_id, about["player"])
        if slot is not None:
            self._leave(match_id, slot, about["click"])

    def _answered(self, about: About) -> None:
        if self._ownership.has(about["guild"]):
            self._start(self._take_answer(about["match"], about["click"], about["spot"], about["shows"]))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        self._tasks.start(self._safely(work))

    async def _safely(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except (AwayError, TableError) as error:
            log.info("what another process did is not shown yet", error=type(error).__name__)
        except Exception:
            log.exception("what another process did could not be shown")

    async def _show_changed(self, match_id: str) -> None:
        self._posts.forget(match_id)
        try:
            match = (await self._tables.changed(match_id)).match
            is_shown = match.guest or match.is_lesson or await self._posts.all(match_id)
            if not is_shown:  # the answer to who has opened it will be its table
                self._leave(match_id, TABLE_SLOT, _COMMAND)
        finally:
            self._display.refresh(match_id)

    def _leave(self, match_id: str, slot: str, click: int) -> None:
        """Leave a slot to the answer to a click, for some seconds at most."""
        key = (match_id, click)
        if key in self._answers:
            return
        left = self._display.slot(match_id, slot)
        left.answers += 1
        left.begin()
        late = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._give_up, *key)
        self._answers[key] = _Answer(left, late)

    def _give_up(self, match_id: str, click: int) -> None:
        log.info("another process has not said that it has answered", match=match_id)
        self._take_back(match_id, click, None)
        self._display.refresh(match_id, Priority.UPKEEP)

    def _take_back(self, match_id: str, click: int, shows: int | None) -> None:
        """Leave a slot to an answer no more, which has made it show that; None: nobody knows what."""
        answer = self._answers.pop((match_id, click), None)
        if answer is not None:
            answer.late.cancel()
            answer.slot.answers -= 1
            answer.slot.end(shows)
            answer.slot.is_due &= answer.slot.answers > 0  # whoever takes back has it looked at

    async def _take_answer(self, match_id: str, click: int, key: str | None, shows: int | None) -> None:
        """Take note of what an answer shows, and show over it what is newer."""
        self._posts.forget(match_id)
        slot, known = None if key is None else self._display.slot(match_id, key), None
        try:
            table = await self._tables.changed(match_id)
            if key is not None and slot is not None:
                known = slot.shows if shows is None else await self._known(table, key, shows)
        finally:
            is_due = slot is not None and slot.is_due
            if (match_id, click) not in self._answers and slot is not None:
                slot.begin()  # that the click had begun was not heard
                slot.end(known)
            self._take_back(match_id, click, known)
            self._take_back(match_id, _COMMAND, known)
            if slot is not None and (shows is not None or is_due or slot.shows is None):
                self._display.refresh(match_id)

    async def _known(self, table: Table, key: str, shows: int) -> int | None:
        """Return what an answer has shown after so many changes, None where nobody here knows.

        Who has answered does not know why a table is hidden, which a hand says, nor of a panel here.
        """
        if shows != table.match.version or self._display.is_hidden(table):
            return None
        seat = seat_of(key)
        if seat is None:
            return hash(await self._display.planned_table(table, Step()))
        return hash(await self._display.planned_hand(table, seat, Step()))

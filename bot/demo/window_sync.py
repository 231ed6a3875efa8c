"""Synchronisation of the demo's browser windows with the bot's messages and with real time.

The demo runs on SimCord, a simulation of Discord.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import chain
from time import monotonic, time
from typing import Any

import simcord
from simcord.backend.errors import SetupError

LOOK_SECONDS = 0.1
QUIET_SECONDS = 0.3
"""Seconds without a request after which the bot counts as having finished its work for a click."""

PICTURES = 4
"""Number of pictures that stay attached to a message, including older ones that windows still show."""

BLINK_SECONDS = 0.02
"""Seconds between checks of messages. SimCord sends no event when an ephemeral message is edited."""


class RunningClock:
    """A clock that keeps SimCord's virtual time equal to real time.

    Turns end and days change without a click. The virtual time starts at the current time, because
    countdowns on the page use the browser's clock.
    """

    def __init__(self, env: simcord.Env) -> None:
        """Set SimCord's virtual time to the current time. It cannot be set back."""
        self._env = env
        self._offset = max(time(), env.now().timestamp()) - monotonic()
        self.move()

    def move(self) -> None:
        behind = self._offset + monotonic() - self._env.now().timestamp()
        self._env.backend.advance_clock(max(0.0, behind))


class _Windows:
    """A record of which browser windows are up to date.

    When SimCord publishes a window's content, the number of requests that the bot has made so far is
    stored for this window.
    """

    def __init__(self, env: simcord.Env, preview: simcord.Preview) -> None:
        self._preview = preview
        self._shown: dict[str, int] = {}
        publish = preview._publish  # noqa: SLF001 — no event for this in the pinned SimCord

        def publish_and_count(page: Any, **why: Any) -> None:
            publish(page, **why)
            self._shown[page.id] = len(env.http_requests)

        preview._publish = publish_and_count  # type: ignore[method-assign]  # noqa: SLF001

    def behind(self, made: int) -> list[Any]:
        """Return the browser pages that may not show the result of the bot's latest request yet.

        Only these pages need an update. Updating a page takes up to 0.5 s, and clicks during this time
        would be lost.

        Args:
            made: The number of requests that the bot has made so far.
        """
        pages = self._preview._pages  # noqa: SLF001 — as above
        self._shown = {key: count for key, count in self._shown.items() if key in pages}
        return [
            page for page in pages.values() if self._shown.get(page.id) != made or page.status == "stale"
        ]

    def show(self, pages: list[Any]) -> None:
        self._preview._advance_presentation_time()  # noqa: SLF001 — as above, refresh() shows all
        for page in pages:
            self._preview._publish(page, reason="refresh")  # noqa: SLF001


async def keep_fresh(env: simcord.Env, preview: simcord.Preview, clock: RunningClock) -> None:
    """Keep SimCord's clock and all browser windows up to date, until cancelled."""
    windows, turn = _Windows(env, preview), _let_actions_wait(preview)
    _report_late_actions_as_done(preview)
    request_count = quiet = 0
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        clock.move()
        before, request_count = request_count, len(env.http_requests)
        quiet = quiet + 1 if request_count == before else 0
        if turn.locked():  # a window's action is in progress, and publishes its own result
            continue
        async with turn:
            with suppress(SetupError):  # the bot is busy, so try again soon
                with suppress(TimeoutError):  # a long task of a worker is in progress
                    await env.settle(timeout=0)
                behind = windows.behind(request_count)
                if (
                    behind
                    and quiet * LOOK_SECONDS >= QUIET_SECONDS
                    and request_count == len(env.http_requests)
                ):
                    windows.show(behind)


def _let_actions_wait(preview: simcord.Preview) -> asyncio.Lock:
    """Let clicks and commands from the browser wait for a lock. Return the lock.

    SimCord runs one operation at a time. If an action arrives during another operation, SimCord answers
    with an HTTP error, and the window's buttons stay disabled until the page is reloaded.
    """
    turn, act = asyncio.Lock(), preview._action  # noqa: SLF001 — SimCord has no setting for this

    async def act_in_turn(context_id: str | None, body: Any) -> dict[str, Any]:
        async with turn:
            return await act(context_id, body)

    preview._action = act_in_turn  # type: ignore[method-assign]  # noqa: SLF001
    return turn


def _report_late_actions_as_done(preview: simcord.Preview) -> None:
    """Make SimCord report a click or command as successful even if it takes longer than its timeout.

    The next update of the window shows the result. Otherwise, SimCord would report an uncertain outcome.
    """
    finish = preview._finish_action  # noqa: SLF001 — SimCord has no setting for this

    def finish_in_time(
        page: Any, action: Any, settlement: str, *more: Any, **named: Any
    ) -> dict[str, Any]:
        settlement = "settled" if settlement == "timeout" else settlement
        return finish(page, action, settlement, *more, **named)

    preview._finish_action = finish_in_time  # type: ignore[method-assign]  # noqa: SLF001


async def keep_pictures(env: simcord.Env) -> None:
    """Keep a message's previous pictures available for a while. Run until cancelled.

    SimCord serves a picture only while it is attached to a message. A page that still shows the previous
    content would otherwise show an error in place of its picture. Attachments that no component refers
    to are invisible.
    """
    last: dict[int, list[dict[str, Any]]] = {}

    def keep(*_event: object) -> None:
        for message in chain(
            *(channel_messages.values() for channel_messages in env.backend.messages.values())
        ):
            before = last.get(message.id, [])
            if message.attachments is not before:
                ids = {attachment["id"] for attachment in message.attachments}
                gone = [attachment for attachment in before if attachment["id"] not in ids]
                last[message.id] = message.attachments = [*message.attachments, *gone][:PICTURES]

    env.backend.subscribers.append(keep)
    while True:
        keep()
        await asyncio.sleep(BLINK_SECONDS)

"""The windows that show the demo: each is brought up to what happened in the others, and by itself."""

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
"""How long no request is made when a click, and all that follows from it, is done."""

PICTURES = 4
"""So many pictures a message keeps: the one it shows, and those that a window may still show."""

BLINK_SECONDS = 0.02
"""How long a private message may be without what it showed: SimCord tells nobody of its edits."""


class RunningClock:
    """Moves SimCord's clock as time goes by, so that turns end and days change without a click.

    The demo is played today: its page counts a time down by the browser's own clock.
    """

    def __init__(self, env: simcord.Env) -> None:
        """Set the clock, which no machine can set back."""
        self._env = env
        self._offset = max(time(), env.now().timestamp()) - monotonic()
        self.move()

    def move(self) -> None:
        behind = self._offset + monotonic() - self._env.now().timestamp()
        self._env.backend.advance_clock(max(0.0, behind))


class _Windows:
    """What each window shows: its page as it was after so many requests."""

    def __init__(self, env: simcord.Env, preview: simcord.Preview) -> None:
        self._preview = preview
        self._shown: dict[str, int] = {}
        publish = preview._publish  # noqa: SLF001 — SimCord tells nobody, and its version is pinned

        def published(page: Any, **why: Any) -> None:
            publish(page, **why)
            self._shown[page.id] = len(env.http_requests)

        preview._publish = published  # type: ignore[method-assign]  # noqa: SLF001

    def behind(self, made: int) -> list[Any]:
        """Return the pages that do not show yet what so many requests have done.

        One that has shown that by itself, such as after its own click, is not shown once more: it would
        take up to half a second to hear of that, and drop a second click in the meantime. But where the
        work of a click takes longer than it is waited for, such as behind a deal that is looked for, no
        page shows it.
        """
        pages = self._preview._pages  # noqa: SLF001 — as above
        self._shown = {key: shown for key, shown in self._shown.items() if key in pages}
        return [
            page for page in pages.values() if self._shown.get(page.id) != made or page.status == "stale"
        ]

    def show(self, pages: list[Any]) -> None:
        self._preview._advance_presentation_time()  # noqa: SLF001 — as above; refresh() shows all pages
        for page in pages:
            self._preview._publish(page, reason="refresh")  # noqa: SLF001


async def keep_fresh(env: simcord.Env, preview: simcord.Preview, clock: RunningClock) -> None:
    """Keep the clock and every window up to date until cancelled."""
    windows, turn = _Windows(env, preview), _let_actions_wait(preview)
    made = quiet = 0
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        clock.move()
        before, made = made, len(env.http_requests)
        quiet = quiet + 1 if made == before else 0
        if turn.locked():  # a window's action is being carried out, and shows its result itself
            continue
        async with turn:
            with suppress(SetupError, TimeoutError):  # the bot is at work: soon, then
                await env.settle(timeout=0)
                behind = windows.behind(made)
                if behind and quiet * LOOK_SECONDS >= QUIET_SECONDS and made == len(env.http_requests):
                    windows.show(behind)


def _let_actions_wait(preview: simcord.Preview) -> asyncio.Lock:
    """Return a lock for which every action of a window waits.

    SimCord runs one operation at a time. It refuses an action that arrives during another operation
    with an HTTP error, after which the window's buttons stay grey until it is loaded again.
    """
    turn, act = asyncio.Lock(), preview._action  # noqa: SLF001 — SimCord has no setting for this

    async def act_in_turn(context_id: str | None, body: Any) -> dict[str, Any]:
        async with turn:
            return await act(context_id, body)

    preview._action = act_in_turn  # type: ignore[method-assign]  # noqa: SLF001
    return turn


async def keep_pictures(env: simcord.Env) -> None:
    """Have messages keep the pictures that they showed until a moment ago.

    SimCord lets no page see an attachment that its message has no more, not even a page that shows
    the message as it was: it said that the picture is unavailable, until it heard of the new one. Nobody
    sees what is attached to a message with components and stands in none of them.
    """
    last: dict[int, list[dict[str, Any]]] = {}

    def keep(*_event: object) -> None:
        for message in chain(*(each.values() for each in env.backend.messages.values())):
            before = last.get(message.id, [])
            if message.attachments is not before:
                ids = {each["id"] for each in message.attachments}
                gone = [each for each in before if each["id"] not in ids]
                last[message.id] = message.attachments = [*message.attachments, *gone][:PICTURES]

    env.backend.subscribers.append(keep)
    while True:
        keep()
        await asyncio.sleep(BLINK_SECONDS)

"""The only writer of a long-lived Discord message.

A writer plans the content of its message right before it sends it, and uses the first route that works.
It knows no match: its creator passes the function that plans and the routes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

import discord

from bot.engine.frozen import frozen
from bot.messages.components import Content
from bot.requests.discord_errors import NOT_SENT

FRAME_SECONDS = 1.0
"""Seconds for which each frame of a move is visible."""

Revision: TypeAlias = tuple[int, int]
"""The version of a message's content. A greater revision is newer."""

UNKNOWN: Revision = (-1, -1)


class Delivery(Enum):
    """The outcome of a submission."""

    SHOWN = "shown"  # the message shows this revision or a later one
    OVERTAKEN = "overtaken"  # a later click has replaced this one
    DROPPED = "dropped"  # no route of the click works, so the writer tries its own routes
    HELD = "held"  # no route works at the moment
    REFUSED = "refused"  # the player's DMs are closed, which was unknown until now
    FLAGGED = "flagged"  # Discord does not let the bot send DMs to new players
    AGAIN = "again"  # the same route may accept the content if it is planned again


@frozen
class Ask:
    """A request for the content of a message.

    Attributes:
        step: The newest step of choosing a move that a click has submitted, or None.
        frame: The state to show instead of the newest one, or None.
        interaction: The interaction that the content answers, or None.
        is_urgent: True if a click waits for the content.
    """

    step: object = None
    frame: object = None
    interaction: discord.Interaction | None = None
    is_urgent: bool = False


Plan: TypeAlias = Callable[[Ask], Awaitable[Content | None]]
"""Returns the current content of the message, or None for a frame that should be skipped."""


class Route:
    """A way to send content to a message.

    Attributes:
        creates: True if the route sends a new message instead of editing the current one.
        interaction: The interaction that the route answers, or None.
    """

    __slots__ = ()
    creates = False
    interaction: discord.Interaction | None = None

    async def is_open(self) -> bool:
        """Return whether the route may work at the moment."""
        return True

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until the request inside the block may be made."""
        yield

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        """Send the content.

        Args:
            content: The content to show.
            attached: The IDs of the message's attachments, or None if they are unknown.

        Returns:
            The IDs of the attachments after the request, or None if they are unknown.
        """
        raise NotImplementedError

    async def refused(self, error: Exception, content: Content) -> Delivery | None:
        """Handle an error of ``turn`` or ``send``.

        Args:
            error: The error.
            content: The content that was not sent.

        Returns:
            The outcome of the delivery, or None to try the next route.

        Raises:
            Exception: The same error, if no other route should be tried now.
        """
        raise error


@frozen
class _Shown:
    """The known content of a message."""

    revision: Revision = UNKNOWN
    content_hash: int | None = None
    attachments: frozenset[int] | None = None


_NOTHING_KNOWN = _Shown()


def _future() -> asyncio.Future[Delivery]:
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True, eq=False)
class _Submission:
    """The mailbox of a writer, which holds the newest revision.

    Attributes:
        via: The routes of a click, which are the only ones tried until the click is finished.
        frames: The states to show first, one after the other, by the first route of ``via``.
        content: The content planned for the revision, or None until it is planned.
        answered: Completes when the click is finished.
        done: Completes when this revision or a later one is shown, or cannot be shown.
    """

    revision: Revision
    via: tuple[Route, ...] = ()
    frames: tuple[object, ...] = ()
    content: Content | None = None
    answered: asyncio.Future[Delivery] = field(default_factory=_future)
    done: asyncio.Future[Delivery] = field(default_factory=_future)

    @property
    def must_be_sent(self) -> bool:
        """True if a click waits for a new message of its own, so no later click may replace it."""
        return bool(self.via) and self.via[0].creates

    def finish_click(self, outcome: Delivery | Exception) -> None:
        self.via = self.frames = ()
        _complete(self.answered, outcome)


def _complete(future: asyncio.Future[Delivery], outcome: Delivery | Exception) -> None:
    if future.done():
        return
    if isinstance(outcome, Delivery):
        future.set_result(outcome)
    else:
        future.set_exception(outcome)
        future.exception()  # marks it as retrieved, so asyncio does not log it


@dataclass(slots=True, eq=False)
class MessageWriter:
    """The writer of one message. It sends the newest revision, one request at a time.

    Attributes:
        routes: The routes to the message in order of preference, without those of clicks.
    """

    # Invariants: ``_pending`` is None if and only if the message shows the newest revision as far as
    # the routes allow. While a submission is pending, ``_task`` runs. Each frame and each attempt has
    # its own task. A click cancels the task unless ``_is_sending``. ``_shown`` is unknown from the
    # start of a request until it has succeeded.

    _plan: Plan
    routes: Iterable[Route]
    _step: object = None
    _shown: _Shown = _NOTHING_KNOWN
    _pending: _Submission | None = None
    _task: asyncio.Task[None] | None = None
    _is_sending: bool = False

    @property
    def is_idle(self) -> bool:
        return self._pending is None

    def submit(
        self,
        revision: Revision,
        step: object = None,
        via: Sequence[Route] = (),
        frames: Sequence[object] = (),
    ) -> Awaitable[Delivery]:
        """Show a revision, or a newer one if that is submitted before this one is shown.

        Without ``via``, a revision that is not newer than the shown one does nothing. With ``via``, the
        content is sent even if it is unchanged. A later click replaces an earlier one and its frames. It
        waits instead if the first route of the earlier one sends a new message.

        Args:
            revision: The revision to show.
            step: The step of choosing a move to show from now on, or None to keep the current step.
                Needs ``via``.
            via: The routes of a click or command, tried before the writer's own routes.
            frames: The states to show first, each for ``FRAME_SECONDS``. Needs ``via``.

        Returns:
            An awaitable of the outcome, which raises an error that no route could handle. With ``via``,
            it must be awaited, because it is submitted only then.
        """
        if via:
            return self._answer(_Submission(revision, tuple(via), tuple(frames)), step)
        pending = self._pending
        if pending is None:
            pending = _Submission(revision)
            if self._shown.revision >= revision:
                pending.done.set_result(Delivery.SHOWN)
            else:
                self._replace_pending(pending)
        elif pending.revision < revision:
            pending.revision, pending.content = revision, None
        return self._wait(pending.done)

    async def _answer(self, submission: _Submission, step: object) -> Delivery:
        while (before := self._pending) is not None and before.must_be_sent:
            with suppress(Exception):  # the click that it answers raises it
                await self._wait(before.answered)
        if before is not None:
            submission.revision = max(submission.revision, before.revision)
            submission.done = before.done
            if not self._is_sending:
                before.finish_click(Delivery.OVERTAKEN)
        if step is not None:
            self._step = step
        self._replace_pending(submission)
        return await self._wait(submission.answered)

    async def _wait(self, future: asyncio.Future[Delivery]) -> Delivery:
        """Return the outcome of a submission, which the current task or one of the next sets."""
        while not future.done() and self._task is not None and not self._task.done():
            await asyncio.wait({self._task})
        return await future

    async def recall(self, frame: object) -> None:
        """Assume that the message shows the content of a state, sent before the process started.

        Has no effect if something is pending, or if the shown content is known.

        Args:
            frame: The state, passed on to the function that plans.
        """
        content = await self._plan(Ask(frame=frame))
        if self._pending is None and self._shown is _NOTHING_KNOWN:
            self._shown = _Shown(content_hash=hash(content))

    def invalidate(self) -> None:
        """Mark the shown content as unknown, so that the next revision is always sent."""
        self._shown = _NOTHING_KNOWN

    def close(self) -> None:
        """Stop sending. The next start of the process shows what is still pending."""
        if self._task is not None:
            self._task.cancel()

    # ---- the task ------------------------------------------------------------------------------

    def _replace_pending(self, submission: _Submission) -> None:
        self._pending = submission
        if self._task is not None and not self._task.done():
            if self._is_sending:
                return
            self._task.cancel()
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        submission = self._pending
        assert submission is not None, "something is pending"
        is_click, revision = bool(submission.via), submission.revision
        outcome: Delivery | Exception | None
        try:
            outcome = await self._deliver(submission)
        except Exception as error:  # noqa: BLE001 — raised by the awaitable of the submission
            outcome = error
        if is_click and outcome is not None:
            submission.finish_click(outcome)
        if self._pending is not submission:  # a click has replaced it
            submission.finish_click(Delivery.OVERTAKEN)
        elif outcome is not None and not self._continues(submission, revision, outcome, is_click):
            self._pending = None
            _complete(submission.done, outcome)
        if self._pending is not None:
            self._task = asyncio.create_task(self._run())

    def _continues(
        self, submission: _Submission, revision: Revision, outcome: Delivery | Exception, is_click: bool
    ) -> bool:
        """Return whether to continue with a newer revision or, after a failed click, by other routes.

        A refusal of a player's DMs is final for a newer revision, too, so that it is reported.
        """
        if outcome is Delivery.SHOWN:
            return self._shown.revision < submission.revision
        has_failed = isinstance(outcome, NOT_SENT) or outcome is Delivery.DROPPED
        is_newer = submission.revision > revision
        return (has_failed and (is_click or is_newer)) or (outcome is Delivery.HELD and is_newer)

    async def _deliver(self, submission: _Submission) -> Delivery | None:
        """Send a submission by the first route that works.

        Returns:
            The outcome, or None after a frame or if a click has replaced the submission.
        """
        if submission.frames:
            await self._show_frame(submission, submission.via[0])
            return None
        for route in submission.via or self.routes:
            while (outcome := await self._try(route, submission)) is Delivery.AGAIN:
                submission.content = None
            if outcome is not None or self._pending is not submission:
                return outcome
        return Delivery.DROPPED if submission.via else Delivery.HELD

    async def _try(self, route: Route, submission: _Submission) -> Delivery | None:
        if not await route.is_open():
            return None
        content = await self._plan_newest(submission, route)
        if self._shows(submission, route, content):
            return Delivery.SHOWN
        try:
            async with route.turn():
                content = await self._plan_newest(submission, route)  # a newer revision may be pending
                if not self._shows(submission, route, content):
                    await self._send(route, submission.revision, content)
        except Exception as error:  # noqa: BLE001 — the route decides what it means
            return await self._refuse(route, error, content)
        return Delivery.SHOWN

    async def _plan_newest(self, submission: _Submission, route: Route) -> Content:
        while (content := submission.content) is None:
            revision = submission.revision
            ask = Ask(self._step, None, route.interaction, is_urgent=bool(submission.via))
            planned = await self._plan(ask)
            if submission.revision == revision:
                submission.content = planned
        return content

    def _shows(self, submission: _Submission, route: Route, content: Content) -> bool:
        """Return whether the message already shows the content, so that no request is needed."""
        if submission.via or route.creates or self._shown.content_hash != hash(content):
            return False
        self._shown = replace(self._shown, revision=submission.revision)
        return True

    async def _show_frame(self, submission: _Submission, route: Route) -> None:
        frame, *rest = submission.frames
        content = await self._plan(Ask(self._step, frame, route.interaction, is_urgent=True))
        if content is None or not await route.is_open():
            submission.frames = ()
            return
        submission.frames = tuple(rest)
        try:
            await self._send(route, UNKNOWN, content)
        except Exception as error:  # noqa: BLE001 — the route decides what it means
            submission.frames = ()
            await self._refuse(route, error, content)
            return
        if self._pending is submission:
            await asyncio.sleep(FRAME_SECONDS)

    async def _send(self, route: Route, revision: Revision, content: Content) -> None:
        attached, self._shown = self._shown.attachments, _NOTHING_KNOWN
        self._is_sending = True
        try:
            attached = await route.send(content, attached)
        finally:
            self._is_sending = False
        self._shown = _Shown(revision, hash(content), attached)

    async def _refuse(self, route: Route, error: Exception, content: Content) -> Delivery | None:
        self._is_sending = True
        try:
            return await route.refused(error, content)
        finally:
            self._is_sending = False

"""A writer that keeps one long-lived Discord message up to date. No other code edits the message.

The writer builds the content right before it sends it. A route is a way to send the content, such as
editing the message or answering an interaction. The writer uses the first route that works. It does not
depend on matches: its creator passes the function that builds the content, and the routes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

import discord

from bot.engine.frozen import frozen
from bot.messages.components import Content
from bot.requests.answers import EDIT_SECONDS
from bot.requests.discord_errors import NOT_SENT

FRAME_SECONDS = 1.0
"""Seconds for which each frame (an intermediate state of a move) is visible."""

Revision: TypeAlias = tuple[int, int]
"""A version number of a message's content. A greater revision is newer."""

UNKNOWN: Revision = (-1, -1)


class Delivery(Enum):
    """The outcome of a request to show new content in a message."""

    SHOWN = "shown"  # the message shows this revision or a later one
    OVERTAKEN = "overtaken"  # a later click has replaced this one
    DROPPED = "dropped"  # none of the click's routes works, so the writer tries its own routes
    HELD = "held"  # no route works at the moment
    REFUSED = "refused"  # the player's DMs are closed, and the bot did not know this before
    FLAGGED = "flagged"  # Discord does not let the bot send DMs to new players
    AGAIN = "again"  # the content should be rebuilt and sent by the same route


@frozen
class ContentRequest:
    """A request to build the content of a message.

    Attributes:
        step: The newest step of choosing a move, or None if no click has submitted one.
        frame: The state to show instead of the newest one, or None.
        interaction: The interaction that the content answers, or None.
        is_urgent: True if a user's click waits for the content.
    """

    step: object = None
    frame: object = None
    interaction: discord.Interaction | None = None
    is_urgent: bool = False


Plan: TypeAlias = Callable[[ContentRequest], Awaitable[Content | None]]
"""A function that builds a message's content. It returns None if a frame should be skipped."""


class Route:
    """A way to deliver content to a message, such as an edit or an interaction response.

    Attributes:
        creates: True if the route sends a new message instead of editing the current one.
        interaction: The interaction that the route answers, or None.
    """

    __slots__ = ()
    creates = False
    interaction: discord.Interaction | None = None

    async def is_open(self) -> bool:
        """Return whether the route can be tried now."""
        return True

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until a request by this route may be sent. The block then sends the request."""
        yield

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        """Send the content to Discord. The writer cancels a request after ``EDIT_SECONDS``.

        Args:
            content: The content to show.
            attached: The IDs of the message's current attachments, or None if they are unknown.

        Returns:
            The IDs of the message's attachments after the request, or None if they are unknown.
        """
        raise NotImplementedError

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        """Handle an error that ``turn`` or ``send`` has raised.

        Args:
            error: The error.
            content: The content that was not sent.

        Returns:
            The outcome of the delivery, or None if the writer should try the next route.

        Raises:
            Exception: The same error, if the writer should not try another route now.
        """
        raise error


@frozen
class _Shown:
    """The content that a message currently shows, as far as the writer knows."""

    revision: Revision = UNKNOWN
    content_hash: int | None = None
    attachments: frozenset[int] | None = None


_NOTHING_KNOWN = _Shown()


def _future() -> asyncio.Future[Delivery]:
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True, eq=False)
class _Submission:
    """A revision of a message's content that the writer still has to show.

    Attributes:
        via: A click's routes. Until the click is finished, the writer tries no others.
        frames: The intermediate states to show first. They use the first route of ``via``.
        content: The revision's content, or None if it is not built yet.
        answered: A future that completes when the click is finished.
        done: A future that completes when this revision or a later one is shown, or cannot be shown.
    """

    revision: Revision
    via: tuple[Route, ...] = ()
    frames: tuple[object, ...] = ()
    content: Content | None = None
    answered: asyncio.Future[Delivery] = field(default_factory=_future)
    done: asyncio.Future[Delivery] = field(default_factory=_future)

    @property
    def must_be_sent(self) -> bool:
        """True if the click requires a new message.

        A later click then must not replace this submission.
        """
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
    """Keeps one Discord message up to date. It sends the newest content, one request at a time.

    Attributes:
        routes: The writer's own routes to the message, in order of preference. Clicks bring their own.
    """

    # Invariants: ``_pending`` is None if and only if the message shows the newest revision as far as
    # the routes allow. While a submission is pending, ``_task`` runs. Each frame and each attempt has
    # its own task. A click cancels the task unless ``_sent`` has a submission, whose request is in
    # flight. That submission is finished at the end of its task, even if a further click cancels the
    # task. Every other submission that a click replaces is finished at once. ``_shown`` is unknown from
    # the start of a request until it has succeeded.

    _plan: Plan
    routes: Iterable[Route]
    _step: object = None
    _shown: _Shown = _NOTHING_KNOWN
    _pending: _Submission | None = None
    _task: asyncio.Task[None] | None = None
    _sent: _Submission | None = None

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
        """Request that the message shows a revision, a version of its content.

        If a newer revision is submitted before this one is sent, only the newer one is sent. Without
        ``via``, a revision that is not newer than the shown one is ignored. With ``via``, the content is
        sent even if it is unchanged. A later click replaces an earlier one and its frames. If the
        earlier click needs a new message, the later click waits until that message is sent.

        Args:
            revision: The revision to show.
            step: The new step of choosing a move, or None to keep the current step. Only used with
                ``via``.
            via: The routes of a click or command. They are tried before the writer's own routes.
            frames: The states to show first, each for ``FRAME_SECONDS``. Only used with ``via``.

        Returns:
            An awaitable that returns the outcome. It raises an error that no route could handle. With
            ``via``, the caller must await it, because the revision is submitted only then.
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
            if before is not self._sent:
                before.finish_click(Delivery.OVERTAKEN)
        if step is not None:
            self._step = step
        self._replace_pending(submission)
        return await self._wait(submission.answered)

    async def _wait(self, future: asyncio.Future[Delivery]) -> Delivery:
        """Wait until a submission has an outcome. The current sending task or a later one sets it."""
        while not future.done() and self._task is not None and not self._task.done():
            await asyncio.wait({self._task})
        return await future

    def recall(self, content: Content | None) -> None:
        """Assume that the message already shows given content, because a previous process has sent it.

        If a revision is pending or the shown content is known, this has no effect.
        """
        if self._pending is None and self._shown == _NOTHING_KNOWN:
            self._shown = _Shown(content_hash=hash(content))

    def invalidate(self) -> None:
        """Forget which content the message shows, so that the next revision is always sent."""
        self._shown = _NOTHING_KNOWN

    def close(self) -> None:
        """Stop sending. Content that has not been sent yet is sent after the next start."""
        if self._task is not None:
            self._task.cancel()

    # ---- the task ------------------------------------------------------------------------------

    def _replace_pending(self, submission: _Submission) -> None:
        self._pending = submission
        if self._task is not None and not self._task.done():
            if self._sent is not None:
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
        except asyncio.CancelledError:
            submission.finish_click(Delivery.OVERTAKEN)
            raise
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
        """Return whether the writer should keep trying to show the submission.

        It continues if a newer revision was submitted meanwhile. It also continues after a failed click,
        with its own routes. If a player's DMs refused the message, it stops, so that the refusal is
        reported.
        """
        if outcome is Delivery.SHOWN:
            return self._shown.revision < submission.revision
        has_failed = isinstance(outcome, NOT_SENT) or outcome is Delivery.DROPPED
        is_newer = submission.revision > revision
        return (has_failed and (is_click or is_newer)) or (outcome is Delivery.HELD and is_newer)

    async def _deliver(self, submission: _Submission) -> Delivery | None:
        """Send a pending revision, or its next intermediate state, by the first route that works.

        Returns:
            The outcome. None if only a frame was sent, or if a click has replaced the submission.
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
                    await self._send(submission, route, content)
        except Exception as error:  # noqa: BLE001 — the route decides what it means
            return await self._refuse(submission, route, error, content)
        return Delivery.SHOWN

    async def _plan_newest(self, submission: _Submission, route: Route) -> Content:
        while (content := submission.content) is None:
            revision = submission.revision
            ask = ContentRequest(self._step, None, route.interaction, is_urgent=bool(submission.via))
            planned = await self._plan(ask)
            if submission.revision == revision:
                submission.content = planned
        return content

    def _shows(self, submission: _Submission, route: Route, content: Content) -> bool:
        """Return whether the message already shows the content. If so, mark the revision as shown."""
        if submission.via or route.creates or self._shown.content_hash != hash(content):
            return False
        self._shown = replace(self._shown, revision=submission.revision)
        return True

    async def _show_frame(self, submission: _Submission, route: Route) -> None:
        frame, *rest = submission.frames
        content = await self._plan(ContentRequest(self._step, frame, route.interaction, is_urgent=True))
        if content is None or not await route.is_open():
            submission.frames = ()
            return
        submission.frames = tuple(rest)
        try:
            await self._send(submission, route, content, is_frame=True)
        except Exception as error:  # noqa: BLE001 — the route decides what it means
            submission.frames = ()
            await self._refuse(submission, route, error, content)
            return
        if self._pending is submission:
            await asyncio.sleep(FRAME_SECONDS)

    async def _send(
        self, submission: _Submission, route: Route, content: Content, *, is_frame: bool = False
    ) -> None:
        attached, self._shown = self._shown.attachments, (unknown := _Shown())
        revision = UNKNOWN if is_frame else submission.revision
        with self._in_flight(submission):
            async with asyncio.timeout(EDIT_SECONDS):  # discord.py waits as long as Discord demands
                attached = await route.send(content, attached)
        if self._shown is unknown:  # otherwise invalidated during the request
            self._shown = _Shown(revision, hash(content), attached)

    async def _refuse(
        self, submission: _Submission, route: Route, error: Exception, content: Content
    ) -> Delivery | None:
        with self._in_flight(submission):
            return await route.handle_error(error, content)

    @contextmanager
    def _in_flight(self, submission: _Submission) -> Iterator[None]:
        """Prevent clicks from cancelling the submission's request while the block runs."""
        self._sent = submission
        try:
            yield
        finally:
            self._sent = None

"""Tests of the message writer, with routes that can wait or fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import Mock

import pytest

from bot.delivery import message_writer
from bot.delivery.message_keys import TABLE_KEY, panel_key
from bot.delivery.message_routes import NewAnswer
from bot.delivery.message_writer import ContentRequest, Delivery, MessageWriter, Revision, Route
from bot.messages.components import Content, Text

FAILURES = {
    "closed": None,
    "dropped": OSError("dropped"),
    "failed": RuntimeError("failed"),
    "slow": TimeoutError("slow"),
}


class FakeRoute(Route):
    """A route that records its content, and can be paused or fail.

    Attributes:
        opened: Whether ``is_open`` returns True.
        error: The error of the next request, or None.
        outcome: The result of ``handle_error``, or None.
        drops: True if the writer tries the next route after an error without an ``outcome``.
        is_sending: Set when a request begins.
        goes_on: Awaited in the middle of each request.
        waits: Set when a request waits for its turn.
        its_turn: Awaited before each request.
    """

    def __init__(self, wire: Wire, name: str, *, creates: bool = False) -> None:
        self.wire, self.name, self.creates = wire, name, creates
        self.opened, self.drops = True, True
        self.error: Exception | None = None
        self.outcome: Delivery | None = None
        self.is_sending, self.goes_on = asyncio.Event(), asyncio.Event()
        self.waits, self.its_turn = asyncio.Event(), asyncio.Event()
        self.goes_on.set()
        self.its_turn.set()

    async def is_open(self) -> bool:
        return self.opened

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        self.waits.set()
        await self.its_turn.wait()
        yield

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        assert not self.wire.is_busy, "two requests to one message at a time"
        self.wire.is_busy = True
        try:
            self.is_sending.set()
            await asyncio.sleep(0)
            await self.goes_on.wait()
            if self.error is not None:
                error, self.error = self.error, None
                raise error
            [part] = content.parts
            assert isinstance(part, Text)
            self.wire.shown.append(f"{self.name}: {part.words}")
            self.wire.attached.append(attached)
        finally:
            self.wire.is_busy = False
        return frozenset({len(self.wire.shown)})

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        if self.outcome is None and not self.drops:
            raise error
        return self.outcome


class Wire:
    """A message with its writer and routes, and the content that it has planned and shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.attached: list[frozenset[int] | None] = []
        self.planned: list[str] = []
        self.is_busy = False
        self.words = "one"
        self.planning, self.plans = asyncio.Event(), asyncio.Event()
        self.plans.set()
        self.edit, self.new = FakeRoute(self, "edit"), FakeRoute(self, "new", creates=True)
        self.writer = MessageWriter(self.plan, (self.edit, self.new))

    async def plan(self, ask: ContentRequest) -> Content | None:
        self.planning.set()
        await self.plans.wait()
        words = self.words if ask.frame is None else str(ask.frame)
        if ask.step is not None:
            words = f"{words} at {ask.step}"
        self.planned.append(words)
        return None if ask.frame == "skipped" else Content((Text(words),))

    async def show(self, number: int, words: str, **how: Any) -> Delivery:
        self.words = words
        return await self.writer.submit(new_revision(number), **how)

    def click(self, name: str = "click", *, creates: bool = False) -> FakeRoute:
        return FakeRoute(self, name, creates=creates)


def new_revision(number: int) -> Revision:
    return 0, number


async def run_pending_tasks() -> None:
    """Let all other tasks run until they wait, in any order."""
    await asyncio.sleep(0.02)  # with an order seed, time advances only when all tasks wait


def start_task(work: Awaitable[Delivery]) -> asyncio.Task[Delivery]:
    """Submit in a task, so that the test can go on."""

    async def wait() -> Delivery:
        return await work

    return asyncio.create_task(wait())


# ---- revisions -----------------------------------------------------------------------------------


async def test_unchanged_content_is_not_sent_again() -> None:
    """A shown revision is not planned again. Unchanged content of a newer revision is not sent."""
    wire = Wire()
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert await wire.show(1, "other") is Delivery.SHOWN
    assert await wire.show(2, "one") is Delivery.SHOWN
    assert wire.shown == ["edit: one"]
    assert wire.planned == ["one", "one"]


async def test_an_older_revision_is_ignored() -> None:
    """A revision older than the shown one counts as shown, but makes no request."""
    wire = Wire()
    await wire.show(2, "two")
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["edit: two"]


async def test_an_overtaken_revision_is_never_planned() -> None:
    """Of three revisions submitted during a request, only the last is planned and sent."""
    wire = Wire()
    wire.edit.goes_on.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.is_sending.wait()
    others = [start_task(wire.show(number, f"number {number}")) for number in (2, 3, 4)]
    await run_pending_tasks()
    wire.edit.goes_on.set()
    assert set(await asyncio.gather(first, *others)) == {Delivery.SHOWN}
    assert wire.planned[0] == "one"
    assert len(wire.planned) == 2
    assert len(wire.shown) == 2


async def test_a_newer_revision_replaces_a_waiting_one() -> None:
    """Only the newest content is sent, and both submissions complete."""
    wire = Wire()
    wire.edit.its_turn.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.waits.wait()
    second = start_task(wire.show(2, "two"))
    await run_pending_tasks()
    wire.edit.its_turn.set()
    assert set(await asyncio.gather(first, second)) == {Delivery.SHOWN}
    assert wire.shown == ["edit: two"]


async def test_a_newer_revision_replaces_one_being_planned() -> None:
    """The planned content of the older revision is not sent."""
    wire = Wire()
    wire.plans.clear()
    first = start_task(wire.show(1, "one"))
    await wire.planning.wait()
    second = start_task(wire.show(2, "two"))
    await run_pending_tasks()
    wire.plans.set()
    await asyncio.gather(first, second)
    assert wire.shown == ["edit: two"]


async def test_reverted_content_is_sent_after_the_request_in_flight() -> None:
    """The content before the current request is sent again if it is the newest."""
    wire = Wire()
    await wire.show(1, "one")
    wire.edit.goes_on.clear()
    wire.edit.is_sending.clear()
    second = start_task(wire.show(2, "two"))
    await wire.edit.is_sending.wait()
    third = start_task(wire.show(3, "one"))
    await run_pending_tasks()
    wire.edit.goes_on.set()
    await asyncio.gather(second, third)
    assert wire.shown == ["edit: one", "edit: two", "edit: one"]


async def test_recalled_content_is_sent_only_if_invalidated() -> None:
    """Recalled content is not sent again, unless it was invalidated."""
    wire = Wire()
    wire.writer.recall(Content((Text("one"),)))
    await wire.show(1, "one")
    assert wire.shown == []
    wire.writer.invalidate()
    await wire.show(2, "one")
    assert wire.shown == ["edit: one"]


async def test_content_invalidated_in_flight_is_sent_again() -> None:
    """Invalidated content is sent a second time, as another process may have edited the message."""
    wire = Wire()
    wire.edit.goes_on.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.is_sending.wait()
    wire.writer.invalidate()
    wire.edit.goes_on.set()
    assert await first is Delivery.SHOWN
    assert wire.shown == ["edit: one", "edit: one"]
    await wire.show(2, "one")
    assert len(wire.shown) == 2


async def test_a_step_stays_visible_until_the_next_click() -> None:
    """A step of choosing a move stays visible when something else changes."""
    wire = Wire()
    await wire.show(1, "one", step="discard", via=[wire.click()])
    await wire.show(2, "two")
    await wire.show(3, "three", step="start", via=[wire.click()])
    assert wire.shown == ["click: one at discard", "edit: two at discard", "click: three at start"]


# ---- routes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_route_that_fails_is_followed_by_the_next(failure: str) -> None:
    """A closed, failed or slow route is skipped, and the content is planned only once for both."""
    wire = Wire()
    wire.edit.opened, wire.edit.error = failure != "closed", FAILURES[failure]
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["new: one"]
    assert wire.planned == ["one"]


@pytest.mark.parametrize("failure", ["dropped", "failed", "slow"])
async def test_the_same_content_is_sent_again_after_a_failure(failure: str) -> None:
    """A failure is raised. The shown content is then unknown, so the same content is sent again."""
    wire = Wire()
    await wire.show(1, "one")
    wire.edit.drops, wire.edit.error = False, FAILURES[failure]
    with pytest.raises((OSError, RuntimeError), match=failure):
        await wire.show(2, "two")
    assert wire.writer.is_idle
    await wire.show(2, "one")
    assert wire.shown == ["edit: one", "edit: one"]


async def test_a_newer_revision_is_tried_at_once_after_a_failure() -> None:
    """After a failure, a newer revision is tried immediately."""
    wire = Wire()
    wire.edit.drops, wire.edit.error = False, OSError("away")
    wire.edit.goes_on.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.is_sending.wait()
    second = start_task(wire.show(2, "two"))
    await run_pending_tasks()
    wire.edit.goes_on.set()
    assert set(await asyncio.gather(first, second)) == {Delivery.SHOWN}
    assert wire.shown == ["edit: two"]


async def test_nothing_is_planned_without_an_open_route() -> None:
    """Without an open route nothing is planned. The next submission tries again."""
    wire = Wire()
    wire.edit.opened = wire.new.opened = False
    assert await wire.show(1, "one") is Delivery.HELD
    assert wire.planned == []
    wire.new.opened = True
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["new: one"]


async def test_a_newer_revision_is_tried_after_the_last_route_closes() -> None:
    """A revision that is submitted while the last route turns out to be closed is tried."""
    wire = Wire()
    wire.edit.opened = False

    class Closing(FakeRoute):
        async def is_open(self) -> bool:
            self.waits.set()
            await self.its_turn.wait()
            return False

    last = Closing(wire, "new")
    last.its_turn.clear()
    writer = wire.writer = MessageWriter(wire.plan, (wire.edit, last))
    first = start_task(wire.show(1, "one"))
    await last.waits.wait()
    wire.edit.opened = True
    second = start_task(wire.show(2, "two"))
    await run_pending_tasks()
    last.its_turn.set()
    assert set(await asyncio.gather(first, second)) == {Delivery.SHOWN}
    assert wire.shown == ["edit: two"]
    assert writer.is_idle


async def test_a_refusal_also_applies_to_a_newer_revision() -> None:
    """DMs that turn out to be closed are reported, and a revision that came meanwhile is not tried."""
    wire = Wire()
    wire.edit.error, wire.edit.outcome = OSError("closed"), Delivery.REFUSED
    wire.edit.goes_on.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.is_sending.wait()
    second = start_task(wire.show(2, "two"))
    await run_pending_tasks()
    wire.edit.goes_on.set()
    assert set(await asyncio.gather(first, second)) == {Delivery.REFUSED}
    assert wire.shown == []


async def test_a_route_can_end_the_submission_with_an_outcome() -> None:
    """A route that handles its error with REFUSED ends the submission, and no other route is tried."""
    wire = Wire()
    wire.edit.error, wire.edit.outcome = OSError("closed"), Delivery.REFUSED
    assert await wire.show(1, "one") is Delivery.REFUSED
    assert wire.shown == []


async def test_a_route_can_request_other_content() -> None:
    """After ``AGAIN``, the content is planned again and sent by the same route."""
    wire = Wire()
    wire.edit.error, wire.edit.outcome = OSError("no files"), Delivery.AGAIN
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["edit: one"]
    assert wire.planned == ["one", "one"]


async def test_a_lost_message_is_sent_again_with_the_same_content() -> None:
    """A new message is sent even if the content is the same as in the former one."""
    wire = Wire()
    await wire.show(1, "one")
    wire.edit.opened = False
    await wire.show(2, "one")
    assert wire.shown == ["edit: one", "new: one"]


async def test_a_failed_plan_raises_and_leaves_the_writer_idle() -> None:
    """An exception of the planning callback is raised by `submit`, and the writer is idle again."""
    wire = Wire()

    async def fail(_ask: ContentRequest) -> Content | None:
        raise RuntimeError("no sheet")

    writer = MessageWriter(fail, (wire.edit,))
    with pytest.raises(RuntimeError, match="no sheet"):
        await writer.submit(new_revision(1))
    assert writer.is_idle


# ---- clicks --------------------------------------------------------------------------------------


async def test_a_click_is_answered_even_if_nothing_has_changed() -> None:
    """A click sends the content even if the message already shows the same content."""
    wire = Wire()
    await wire.show(1, "one")
    assert await wire.show(1, "one", via=[wire.click()]) is Delivery.SHOWN
    assert wire.shown == ["edit: one", "click: one"]


async def test_a_click_shows_a_waiting_revision_at_once() -> None:
    """A click shows a revision that waits for its turn, which is then not sent."""
    wire = Wire()
    wire.edit.its_turn.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.waits.wait()
    assert await wire.show(2, "two", via=[wire.click()]) is Delivery.SHOWN
    assert await first is Delivery.SHOWN
    wire.edit.its_turn.set()
    await run_pending_tasks()
    assert wire.shown == ["click: two"]


async def test_a_click_that_two_others_overtake_is_finished() -> None:
    """A click is finished even if it had sent its request before the second of two later clicks."""

    class Leaving(FakeRoute):
        @asynccontextmanager
        async def turn(self) -> AsyncIterator[None]:
            yield
            self.waits.set()
            await self.its_turn.wait()

    wire = Wire()
    first = Leaving(wire, "first")
    first.goes_on.clear()
    first.its_turn.clear()
    clicks = [start_task(wire.show(1, "one", via=[first]))]
    await first.is_sending.wait()
    clicks.append(start_task(wire.show(2, "two", via=[wire.click()])))
    await run_pending_tasks()
    first.goes_on.set()
    await first.waits.wait()
    clicks.append(start_task(wire.show(3, "three", via=[wire.click()])))
    await run_pending_tasks()
    assert [click.done() and click.result() for click in clicks] == [
        Delivery.OVERTAKEN,
        Delivery.OVERTAKEN,
        Delivery.SHOWN,
    ]
    assert wire.shown == ["first: one", "click: three"]


async def test_a_click_waits_for_a_request_in_flight() -> None:
    """A click's newer content is sent after the request in flight, by the click's own route."""
    wire = Wire()
    wire.edit.goes_on.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.is_sending.wait()
    click = start_task(wire.show(2, "two", via=[wire.click()]))
    await run_pending_tasks()
    wire.edit.goes_on.set()
    await asyncio.gather(first, click)
    assert wire.shown == ["edit: one", "click: two"]


async def test_the_later_of_two_clicks_is_answered() -> None:
    """A later click overtakes an earlier one, whose user sees the later content."""
    wire = Wire()
    wire.plans.clear()
    first = start_task(wire.show(1, "one", via=[wire.click("first")]))
    await wire.planning.wait()
    second = start_task(wire.show(2, "two", via=[wire.click("second")]))
    await run_pending_tasks()
    wire.plans.set()
    assert await first is Delivery.OVERTAKEN
    assert await second is Delivery.SHOWN
    assert wire.shown == ["second: two"]


async def test_every_click_completes_during_another_clicks_request() -> None:
    """The click in flight and the last one are shown, and the clicks between them are overtaken."""
    wire = Wire()
    first = wire.click("first")
    first.goes_on.clear()
    clicks = [start_task(wire.show(1, "one", via=(first,)))]
    await first.is_sending.wait()
    for name in ("second", "third", "fourth"):
        clicks.append(start_task(wire.show(2, "two", via=(wire.click(name),))))
        await run_pending_tasks()
    first.goes_on.set()
    async with asyncio.timeout(60):
        sent, *overtaken, last = await asyncio.gather(*clicks)
    assert (sent, last) == (Delivery.SHOWN, Delivery.SHOWN)
    assert set(overtaken) == {Delivery.OVERTAKEN}
    assert wire.shown == ["first: one", "fourth: two"]


@pytest.mark.parametrize("failure", FAILURES)
async def test_the_writer_uses_its_routes_after_a_clicks_routes_fail(failure: str) -> None:
    """After all routes of a click failed, the click ends and the writer uses its own routes."""
    wire = Wire()
    click = wire.click()
    click.opened, click.error = failure != "closed", FAILURES[failure]
    assert await wire.show(1, "one", via=[click]) is Delivery.DROPPED
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["edit: one"]


async def test_a_failed_click_raises_and_another_route_is_used() -> None:
    """An error is raised to the click immediately, and the message is shown by another route."""
    wire = Wire()
    click = wire.click()
    click.drops, click.error = False, OSError("away")
    with pytest.raises(OSError, match="away"):
        await wire.show(1, "one", via=[click])
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["edit: one"]


async def test_a_held_click_tries_no_other_route() -> None:
    """If a player's request for a hand by DM is held, no other DM is tried."""
    wire = Wire()
    click = wire.click()
    click.error, click.outcome = OSError("flagged"), Delivery.HELD
    assert await wire.show(1, "one", via=[click]) is Delivery.HELD
    await run_pending_tasks()
    assert wire.shown == []
    assert wire.writer.is_idle


async def test_a_click_falls_back_to_its_second_route() -> None:
    """If the request of a click's first route fails, its second route sends the content."""
    wire = Wire()
    first, second = wire.click("first"), wire.click("second", creates=True)
    first.error = OSError("gone")
    assert await wire.show(1, "one", via=[first, second]) is Delivery.SHOWN
    assert wire.shown == ["second: one"]


async def test_each_command_gets_its_own_message() -> None:
    """A submission that sends a new message is never replaced, so each command is answered."""
    wire = Wire()
    commands = [
        start_task(wire.show(1, "one", via=[wire.click(f"command {number}", creates=True)]))
        for number in range(3)
    ]
    assert await asyncio.gather(*commands) == [Delivery.SHOWN] * 3
    assert sorted(wire.shown) == [f"command {number}: one" for number in range(3)]


async def test_a_response_gets_the_ids_of_the_newest_attachments() -> None:
    """A response gets the IDs of the newest attachments, so that it keeps no replaced picture."""
    wire = Wire()
    await wire.show(1, "one")
    await wire.show(2, "two", via=[wire.click()])
    wire.writer.invalidate()
    await wire.show(3, "three")
    assert wire.attached == [None, frozenset({1}), None]


@pytest.mark.parametrize("key", [TABLE_KEY, panel_key(1)])
async def test_a_click_that_sends_a_new_message_has_a_timeout(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Later clicks wait for a click that sends a new message, so its request has a timeout."""

    async def endless(_content: Content) -> int:
        never: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        return await never

    monkeypatch.setattr(message_writer, "EDIT_SECONDS", 0.01)
    answer = Mock(send_ephemeral=endless, post=endless)
    wire, route = Wire(), NewAnswer(Mock(key=key), answer)
    first = start_task(wire.show(1, "one", via=[route]))
    await wire.planning.wait()
    second = await wire.show(2, "two", via=[wire.click()])
    assert second is Delivery.SHOWN
    with pytest.raises(TimeoutError):
        await first
    assert wire.shown[-1] == "click: two"


# ---- frames --------------------------------------------------------------------------------------

FRAMES: Sequence[str] = ("a", "b")


@pytest.fixture
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_writer, "FRAME_SECONDS", 0)


@pytest.mark.usefixtures("_fast")
async def test_frames_are_shown_before_the_revision() -> None:
    """A click's frames are sent in their order, and the revision's content is sent last."""
    wire = Wire()
    assert await wire.show(1, "one", via=[wire.click()], frames=FRAMES) is Delivery.SHOWN
    assert wire.shown == ["click: a", "click: b", "click: one"]


@pytest.mark.usefixtures("_fast")
async def test_skipping_the_first_frame_skips_all() -> None:
    """If the first frame is skipped, all others are, too."""
    wire = Wire()
    await wire.show(1, "one", via=[wire.click()], frames=("skipped", "b"))
    assert wire.shown == ["click: one"]


@pytest.mark.parametrize("drops", [True, False])
@pytest.mark.usefixtures("_fast")
async def test_a_failed_frame_cancels_the_remaining_frames(drops: bool) -> None:
    """After a failed frame, the next request sends the revision's content without further frames."""
    wire = Wire()
    click = wire.click()
    click.drops, click.error = drops, OSError("away")
    outcomes = await asyncio.gather(
        wire.show(1, "one", via=[click], frames=FRAMES), return_exceptions=True
    )
    assert [isinstance(one, OSError) for one in outcomes] == [not drops]
    await wire.show(1, "one")
    assert wire.shown == ["click: one" if drops else "edit: one"]


async def test_another_click_cancels_frames() -> None:
    """A click does not wait for frames, and the revision after the frames is not shown."""
    wire = Wire()
    first = start_task(wire.show(1, "one", via=[wire.click("first")], frames=FRAMES))
    while not wire.shown:  # noqa: ASYNC110 — there is no event to wait for
        await asyncio.sleep(0)
    assert await wire.show(2, "two", via=[wire.click("second")]) is Delivery.SHOWN
    assert await first is Delivery.OVERTAKEN
    assert wire.shown == ["first: a", "second: two"]


@pytest.mark.usefixtures("_fast")
async def test_a_newer_revision_is_shown_after_the_frames() -> None:
    """A change during frames is shown after the last frame, by the same click."""
    wire = Wire()
    click = wire.click()
    click.goes_on.clear()
    first = start_task(wire.show(1, "one", via=[click], frames=FRAMES))
    await click.is_sending.wait()
    second = start_task(wire.show(2, "two"))
    await run_pending_tasks()
    click.goes_on.set()
    assert set(await asyncio.gather(first, second)) == {Delivery.SHOWN}
    assert wire.shown == ["click: a", "click: b", "click: two"]


# ---- eviction and the end ------------------------------------------------------------------------


async def test_a_writer_is_idle_only_after_all_content_is_shown() -> None:
    """A writer is not idle while a request is in flight, and is idle after it."""
    wire, idle = Wire(), list[bool]()
    wire.edit.goes_on.clear()
    idle.append(wire.writer.is_idle)
    first = start_task(wire.show(1, "one"))
    await wire.edit.is_sending.wait()
    idle.append(wire.writer.is_idle)
    wire.edit.goes_on.set()
    await first
    idle.append(wire.writer.is_idle)
    assert idle == [True, False, True]


async def test_a_cancelled_click_still_updates_the_message() -> None:
    """A cancelled click, for example when the bot stops, does not stop the update of the message."""
    wire = Wire()
    wire.plans.clear()
    click = start_task(wire.show(1, "one", via=[wire.click()]))
    await wire.planning.wait()
    click.cancel()
    await asyncio.wait({click})
    wire.plans.set()
    assert await wire.show(1, "one") is Delivery.SHOWN
    assert wire.shown == ["click: one"]


async def test_a_closed_writer_sends_nothing() -> None:
    """Content that is waiting for its turn is not sent if the writer is closed meanwhile."""
    wire = Wire()
    wire.edit.its_turn.clear()
    first = start_task(wire.show(1, "one"))
    await wire.edit.waits.wait()
    wire.writer.close()
    wire.edit.its_turn.set()
    await run_pending_tasks()
    assert wire.shown == []
    first.cancel()

"""A pytest plugin that permutes the order in which tasks go on, by a number: ``--order-seed``.

asyncio lets tasks go on in the order in which they became ready, and SimCord and SQLite answer at once:
so a test sees one order of the many that a busy day has. With a number each task that is ready may go
on first, some often and some seldom, and Discord and the database answer sooner or later. One number
gives exactly the same run each time: what runs in threads is waited for, chance is seeded, and time
goes on when nobody has anything to do. Real sockets and processes take their own time, and spoil that.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import selectors
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context, copy_context
from multiprocessing import active_children
from threading import Thread
from types import SimpleNamespace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import pytest
import simcord
from simcord import _dpy_internals as simcord_clocks
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

FRESH = "fresh"
MOST = 1_000_000

_PACES = (1, 1, 4, 16, 64)
"""Ratio of the tasks' speeds. Some tasks are far behind, as if their machine had slept."""

_WAITS = (0, 0, 0, 1, 3, 10, 30)
"""Maximum number of event loop turns before Discord or the database responds."""

_TURN_SECONDS = 0.000_01

_REAL_TIME = SimpleNamespace(monotonic=time.monotonic)


class _Selector(selectors.DefaultSelector):
    """Advance time when no task is ready instead of waiting, except with real sockets or processes."""

    now = 1000.0

    def __init__(self) -> None:
        super().__init__()
        self.idle: list[asyncio.Future[None]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready tasks."""
        self.now += _TURN_SECONDS
        events = super().select(0)
        if events or timeout == 0:
            return events
        if self.idle:
            while self.idle:
                self.idle.pop().set_result(None)
        elif timeout is None or len(self.get_map()) > 1 or active_children():  # one is the loop's own
            began = time.perf_counter()
            events = super().select(timeout)
            self.now += time.perf_counter() - began
        else:
            self.now += max(timeout, 0)
        return events


class _Step(NamedTuple):
    """A ready task and its next step."""

    task: asyncio.Task[Any]
    handle: asyncio.Handle
    go_on: Callable[..., Any]
    given: tuple[Any, ...]
    context: Context


class _Inline(ThreadPoolExecutor):
    """Runs functions in a thread and waits for them."""

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Return the task's result."""
        done: Future[Any] = Future()

        def carry_out() -> None:
            try:
                result = task(*given, **named)
            except BaseException as error:  # noqa: BLE001 — whoever asked is told
                done.set_exception(error)
            else:
                done.set_result(result)

        thread = Thread(target=carry_out)
        thread.start()
        thread.join()
        return done


class OrderedLoop(asyncio.SelectorEventLoop):
    """An event loop that runs ready tasks in a random order and keeps the order of other callbacks.

    Protocols and transports rely on theirs, and no task may rely on that of another.
    """

    def __init__(self, drawn: random.Random) -> None:
        self._clock = _Selector()
        self._drawn = drawn
        self._ready_steps: list[_Step] = []
        self._paces: WeakKeyDictionary[asyncio.Task[Any], int] = WeakKeyDictionary()
        self._trace = hashlib.sha256()
        self.steps = 0
        super().__init__(self._clock)
        self.set_default_executor(_Inline())

    @property
    def trace(self) -> str:
        """A digest of the order and times of all tasks, which distinguishes two runs."""
        return self._trace.hexdigest()[:12]

    @property
    def now(self) -> float:
        """The seconds that have passed since some moment."""
        return self._clock.now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Schedule a callback for the next turn, or a task's next step for a random turn."""
        original = getattr(callback, "__simcord_original_callback__", callback)
        task = getattr(original, "__self__", None)
        if not isinstance(task, asyncio.Task):
            return super().call_soon(callback, *args, context=context)
        context = copy_context() if context is None else context
        handle = asyncio.Handle(callback, args, self, context)
        self._ready_steps.append(_Step(task, handle, callback, args, context))
        super().call_soon(self._run_next_step, context=Context())
        return handle

    def turns(self) -> int:
        """Return the number of loop turns until a response."""
        return self._drawn.choice(_WAITS)

    async def pass_turns(self) -> None:
        """Let some turns pass."""
        for _turn in range(self.turns()):
            await asyncio.sleep(0)

    async def idle(self) -> None:
        """Wait until all tasks are idle."""
        self._clock.idle.append(self.create_future())
        await self._clock.idle[-1]

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Do nothing, because no thread is left."""

    def _run_next_step(self) -> None:
        paces = [self._pace_of(step.task) for step in self._ready_steps]
        [at] = self._drawn.choices(range(len(paces)), paces)
        step = self._ready_steps.pop(at)
        if not step.handle.cancelled():
            self.steps += 1
            name = getattr(step.task.get_coro(), "__qualname__", "")
            self._trace.update(f"{name} {self.now:.5f}\n".encode())
            step.context.run(step.go_on, *step.given)

    def _pace_of(self, task: asyncio.Task[Any]) -> int:
        if task not in self._paces:
            self._paces[task] = self._drawn.choice(_PACES)
        return self._paces[task]


def _complete_later(
    turns: int, future: asyncio.Future[Any], result: Any, error: BaseException | None
) -> None:
    """Complete a future after some turns."""
    if turns:
        future.get_loop().call_soon(_complete_later, turns - 1, future, result, error)
    elif not future.done():
        future.set_result(result) if error is None else future.set_exception(error)


class _Queue:
    """Replacement of aiosqlite's queue. It runs each request before anything else continues."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Call a function in the connection's thread, and complete its future some turns later."""
        future, function = asked
        under_way = self._thread.submit(function)
        error = under_way.exception()
        result = None if error else under_way.result()
        if future is not None:
            loop = asyncio.get_running_loop()
            turns = loop.turns() if isinstance(loop, OrderedLoop) else 0
            loop.call_soon(_complete_later, turns, future, result, error)
        if getattr(function, "__name__", "") == "close_and_stop":
            self._thread.shutdown()


class _NoThread:
    """Replacement of aiosqlite's thread."""

    def __init__(self, *_given: Any, **_named: Any) -> None:
        pass

    def start(self) -> None:
        """Do nothing."""


def _delay_request(request: Callable[..., Any]) -> Callable[..., Any]:
    """Return a request to Discord that takes some turns, as does its response."""

    async def slow(*given: Any, **named: Any) -> Any:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, OrderedLoop)
        await loop.pass_turns()
        try:
            return await request(*given, **named)
        finally:
            await loop.pass_turns()

    return slow


def _wait_for_all_tasks(settle: Callable[..., Any]) -> Callable[..., Any]:
    """Return a replacement of SimCord's wait for the bot, which also waits for unknown tasks."""

    async def settled(*given: Any, **named: Any) -> None:
        await settle(*given, **named)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, OrderedLoop)
        await loop.idle()
        await settle(*given, **named)

    return settled


class Order:
    """The order of one test: its event loop, and all other sources of differences between runs."""

    def __init__(self, seed: str) -> None:
        self._drawn = random.Random(seed)
        self.loops: list[OrderedLoop] = []

    def new_loop(self) -> asyncio.AbstractEventLoop:
        """Return an event loop that runs tasks in this order."""
        loop = OrderedLoop(random.Random(self._drawn.random()))
        self.loops.append(loop)
        return loop

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Make the clock, randomness, the database and Discord follow the order inside the block."""

        def now() -> float:
            return self.loops[-1].now if self.loops else 0.0

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "monotonic", now)
            # It compares two times until a timeout has passed, which is never if the clock stands still.
            patch.setattr("multiprocessing.connection.time", _REAL_TIME)
            patch.setattr(simcord_clocks, "_REAL_MONOTONIC", now)
            patch.setattr("aiosqlite.core.SimpleQueue", _Queue)
            patch.setattr("aiosqlite.core.Thread", _NoThread)
            patch.setattr("bot.requests.channel_permissions.monotonic", now)
            patch.setattr(
                simcord.Env, "_settle_internal", _wait_for_all_tasks(simcord.Env._settle_internal)
            )
            for client in (FakeHTTPClient, FakeWebhookAdapter):
                patch.setattr(client, "request", _delay_request(client.request))
            yield

    def __str__(self) -> str:
        return ", ".join(f"{loop.steps} steps, {loop.trace}" for loop in self.loops)


class OrderPlugin:
    """Runs each test once for each number."""

    def __init__(self, seeds: range) -> None:
        self._seeds = seeds
        self._order: Order | None = None

    def pytest_report_header(self) -> str:
        """Say which numbers they are."""
        return f"order seed: {format_seeds(self._seeds)}"

    def pytest_asyncio_loop_factories(self) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
        """Return the event loop of the test that runs."""
        return {"ordered": self._new_loop}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each test its number."""
        ids = (
            [pytest.HIDDEN_PARAM] if len(self._seeds) == 1 else [f"order{seed}" for seed in self._seeds]
        )
        metafunc.parametrize("order_seed", self._seeds, ids=ids)

    @pytest.fixture(autouse=True)
    def _ordered(self, order_seed: int, request: pytest.FixtureRequest) -> Iterator[None]:
        self._order = Order(f"{order_seed} {request.path.name} {request.node.originalname}")
        with self._order.kept():
            yield
        self._order = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Say with a failure how it is repeated."""
        report = yield
        callspec = getattr(item, "callspec", None)
        if callspec is not None and call.when == "call":
            seed = callspec.params["order_seed"]
            report.sections.append(("order", f"--order-seed {seed} repeats this: {self._order}"))
        return report

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.new_event_loop() if self._order is None else self._order.new_loop()


def format_seeds(seeds: range) -> str:
    """Return numbers as the option takes them."""
    return str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]}-{seeds[-1]}"


def add_option(parser: pytest.Parser) -> None:
    """Add ``--order-seed``."""
    about = f"permute tasks by a number, by each from A to B (A-B), or by a new one ({FRESH})"
    parser.addoption("--order-seed", metavar="NUMBER", help=about)


def configure(config: pytest.Config) -> None:
    """Permute only if there is a number, which is the same in each test process."""
    asked = config.option.order_seed
    if asked is None:
        return
    first, _dash, last = str(secrets.randbelow(MOST) if asked == FRESH else asked).partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise pytest.UsageError(f"--order-seed takes a number, two as in 0-99, or {FRESH}.")
    seeds = range(int(first), int(last or first) + 1)
    config.option.order_seed = format_seeds(seeds)
    config.pluginmanager.register(OrderPlugin(seeds), "order")

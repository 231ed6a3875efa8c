"""Faster version of SimCord's wait until the bot is idle.

After each step of a test, SimCord waits until all tasks of the bot are parked, which means that they
wait for something that only the test can cause. SimCord examines all tasks and timers in each iteration
of the event loop. This module examines them only if no callback is ready to run, and skips checks for
parts of discord.py that the bot does not use.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple

import simcord.components
from simcord import _dpy_internals
from simcord._runtime import _CallbackRecord, _selected_env

PATIENCE_SECONDS = 300.0
"""Maximum seconds for the bot to become idle after a click or a start, even on a busy machine."""

_AHEAD_SECONDS = 5.0
"""Timers that expire within this number of seconds are awaited. SimCord uses its timeout for this."""

_IDLE_SECONDS = 0.002
"""Seconds to wait for a running thread. SimCord's 0.05 s would take a third of the suite's time."""


_MOST_BUSY_TURNS = 10
"""Maximum number of iterations in a row without examining tasks.

Without a limit, a callback that is scheduled again in each iteration would prevent it forever.
"""


def install_speedups() -> None:
    """Replace the slow parts of SimCord with faster versions, for the rest of the process."""
    begin, state = "_virtualize_recognized_waits", "_SettlementState"
    turns = _Turns(getattr(simcord.env, begin))
    setattr(simcord.env, begin, turns.begin)
    for name in ("_is_parked", "_callback_is_parked"):
        setattr(simcord.env, name, turns._limit_to_examined(getattr(simcord.env, name)))
    is_wait_for_listener = _dpy_internals.is_wait_for_listener

    def is_wait_for_some_listener(client: Any, task: asyncio.Task[Any]) -> bool:
        return any(client._listeners.values()) and is_wait_for_listener(client, task)

    _dpy_internals.is_wait_for_listener = is_wait_for_some_listener
    _dpy_internals._clock_monotonic = _monotonic
    # SimCord's own clock and its comparison of records are slow, and neither can be configured.
    _dpy_internals._ClockDatetime.now = classmethod(_now)  # type: ignore[assignment]
    _CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]
    setattr(simcord.env, state, _State)
    simcord.components.walk_components = _all_components
    settle = simcord.Env._settle_internal

    async def settle_patiently(env: simcord.Env, **asked: Any) -> None:
        """Wait as SimCord does, but with the longer timeout even after a start of the bot.

        SimCord's own timeout after a start is five seconds.
        """
        patience = asked.pop("timeout", None)
        asked["timeout"] = None if patience is None else max(patience, env.settle_timeout)
        await settle(env, **{"idle": _IDLE_SECONDS, **asked})

    simcord.Env._settle_internal = settle_patiently  # type: ignore[method-assign, assignment]


class _State(NamedTuple):
    """SimCord's view of its own state, in a class that is created faster. A turn needs several."""

    work: Any
    bot: Any
    loop: Any
    virtual_time: float
    advancing: bool
    generation: int
    last_dispatch: str | None


class _Turns:
    """A filter that decides in which iterations of the event loop SimCord examines the bot's tasks."""

    def __init__(self, virtualize: Callable[..., None]) -> None:
        self._virtualize = virtualize
        self._busy = 0
        self._is_examined = True

    def begin(self, state: Any, pending: list[asyncio.Task[Any]]) -> None:
        """Examine the tasks in this iteration unless a callback is ready to run."""
        self._busy = self._busy + 1 if state.loop._ready else 0
        self._is_examined = self._busy == 0 or self._busy > _MOST_BUSY_TURNS
        if self._is_examined:
            self._virtualize(state, pending)

    def _limit_to_examined(self, is_parked: Callable[..., bool]) -> Callable[..., bool]:
        """Wrap a check so that it returns False in iterations in which no task is examined."""

        def is_parked_if_examined(state: Any, what: Any, deadline: float) -> bool:
            if not self._is_examined:
                return False
            if deadline - _dpy_internals.real_monotonic() > _AHEAD_SECONDS:  # false in the demo
                deadline += _AHEAD_SECONDS - PATIENCE_SECONDS
            return is_parked(state, what, deadline)

        return is_parked_if_examined


def _all_components(components: Any) -> Iterator[dict[str, Any]]:
    """Return every component in wire order, as SimCord's generators of generators do."""
    found = list[dict[str, Any]]()
    _collect_components((components,) if isinstance(components, dict) else components, found)
    return iter(found)


def _collect_components(components: Iterable[Any], found: list[dict[str, Any]]) -> None:
    for component in components:
        if isinstance(component, dict):
            found.append(component)
            if isinstance(children := component.get("components"), list):
                _collect_components(children, found)
            for key in ("accessory", "component"):
                if isinstance(child := component.get(key), dict):
                    _collect_components((child,), found)


def _monotonic() -> float:
    """Return SimCord's monotonic time. SimCord's own function imports a module in each call."""
    env = _selected_env(driver=False)
    return _dpy_internals.real_monotonic() if env is None else env._virtual_time


def _now(_cls: object, tz: tzinfo | None = None) -> datetime:
    """Return the date and time as SimCord does, which imports a module at each call."""
    env = _selected_env()
    if env is None:
        return datetime.now(tz)
    current: datetime = env.now()
    if tz is not UTC:
        current = current.astimezone(tz)
    return current if tz is not None else current.replace(tzinfo=None)

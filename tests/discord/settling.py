"""SimCord's wait for the bot, at a lower cost.

After each step of a test, SimCord waits until every task of the bot waits for something that only the
test can bring about. It examines all tasks and timers at each turn of the event loop. Here they are
examined only when nothing else is ready to run, and questions about parts of discord.py that the bot
does not use are answered at once.
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
"""So long what follows from a click or a start may take, on a machine that is busy with other things."""

_AHEAD_SECONDS = 5.0
"""Timers so far ahead are waited for as well: SimCord looks as far ahead as it is patient."""

_IDLE_SECONDS = 0.002
"""SimCord waits for 0.05 s where a thread is at work, which here is done sooner: a third of all time."""


_MOST_BUSY_TURNS = 10
"""After so many turns, tasks are examined all the same: a timer may be set again at each turn."""


def install() -> None:
    """Replace the expensive parts of SimCord for good."""
    begin, state = "_virtualize_recognized_waits", "_SettlementState"
    turns = _Turns(getattr(simcord.env, begin))
    setattr(simcord.env, begin, turns.begin)
    for name in ("_is_parked", "_callback_is_parked"):
        setattr(simcord.env, name, turns.only_if_examined(getattr(simcord.env, name)))
    is_wait_for_listener = _dpy_internals.is_wait_for_listener

    def is_wait_for_some_listener(client: Any, task: asyncio.Task[Any]) -> bool:
        return any(client._listeners.values()) and is_wait_for_listener(client, task)

    _dpy_internals.is_wait_for_listener = is_wait_for_some_listener
    _dpy_internals._clock_monotonic = _monotonic
    _dpy_internals._ClockDatetime.now = classmethod(_now)  # type: ignore[assignment]
    _CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]
    setattr(simcord.env, state, _State)
    simcord.components.walk_components = _components
    settle = simcord.Env._settle_internal

    async def settle_patiently(env: simcord.Env, **asked: Any) -> None:
        """Settle as ever, also after a start, for which SimCord has five seconds by itself."""
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
    """The turns of the event loop in which SimCord asks whether the bot's tasks are parked."""

    def __init__(self, virtualize: Callable[..., None]) -> None:
        self._virtualize = virtualize
        self._busy = 0
        self._is_examined = True

    def begin(self, state: Any, pending: list[asyncio.Task[Any]]) -> None:
        """Examine the tasks in this turn unless something else is ready to run."""
        self._busy = self._busy + 1 if state.loop._ready else 0
        self._is_examined = self._busy == 0 or self._busy > _MOST_BUSY_TURNS
        if self._is_examined:
            self._virtualize(state, pending)

    def only_if_examined(self, is_parked: Callable[..., bool]) -> Callable[..., bool]:
        """Return a check that calls nothing parked in a turn in which no task is examined."""

        def is_parked_if_examined(state: Any, what: Any, deadline: float) -> bool:
            if not self._is_examined:
                return False
            if deadline - _dpy_internals.real_monotonic() > _AHEAD_SECONDS:  # not the demo's
                deadline += _AHEAD_SECONDS - PATIENCE_SECONDS
            return is_parked(state, what, deadline)

        return is_parked_if_examined


def _components(components: Any) -> Iterator[dict[str, Any]]:
    """Return every component in wire order, as SimCord's generators of generators do."""
    found = list[dict[str, Any]]()
    _collect((components,) if isinstance(components, dict) else components, found)
    return iter(found)


def _collect(components: Iterable[Any], found: list[dict[str, Any]]) -> None:
    for component in components:
        if isinstance(component, dict):
            found.append(component)
            if isinstance(children := component.get("components"), list):
                _collect(children, found)
            for key in ("accessory", "component"):
                if isinstance(child := component.get(key), dict):
                    _collect((child,), found)


def _monotonic() -> float:
    """Return the time as SimCord does, which imports a module at each call."""
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

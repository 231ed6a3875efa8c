"""One budget of requests, also where several processes have a share of it each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.requests.budget import BURST, LIMIT, LONGEST_WAIT_SECONDS, RINGS_AT_ONCE, USED, Budget

SECONDS = 20
PER_SECOND = LIMIT * USED - BURST
"""Long-term average of requests per second."""

FAR = 1000


class Skipping(asyncio.SelectorEventLoop):
    """An event loop that advances its clock instead of waiting."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        loop: Any = self
        select = loop._selector.select

        def skip(timeout: float | None) -> Any:
            self._now += timeout or 0.0
            return select(0)

        loop._selector.select = skip

    def time(self) -> float:
        return self._now


def run_in_virtual_time(act: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await act()

    with asyncio.Runner(loop_factory=Skipping) as runner:
        runner.run(whole())


async def record_request_times(budget: Budget, seconds: float, made: list[float]) -> None:
    """Request as much as the budget allows for a while, and record the time of each request."""
    loop, channels = asyncio.get_running_loop(), count()

    async def ask() -> None:
        while True:
            async with budget.turn(next(channels)):
                made.append(loop.time())

    asking = [asyncio.create_task(ask()) for _who in range(50)]
    await asyncio.sleep(seconds)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


def most_per_second(made: list[float]) -> int:
    """Return the highest number of requests in one second."""
    made = sorted(made)
    return max(sum(at <= other < at + 1 for other in made[i : i + FAR]) for i, at in enumerate(made))


@pytest.mark.parametrize("shares", [(1.0,), (0.5, 0.5), (0.75, 0.25), (0.25,) * 4, (0.1,) * 10])
def test_processes_share_one_request_budget(shares: tuple[float, ...]) -> None:
    """Together, processes reach at least 80% of the allowed rate and stay within its limit."""

    async def act() -> None:
        made: list[float] = []
        budgets = [Budget(share=share) for share in shares]
        await asyncio.gather(*(record_request_times(budget, SECONDS, made) for budget in budgets))
        assert most_per_second(made) <= PER_SECOND + BURST + len(shares)
        assert len(made) >= 0.8 * PER_SECOND * SECONDS

    run_in_virtual_time(act)


def test_requests_dropped_by_a_rate_limit_are_no_outage() -> None:
    """If the bot drops a request because of a long rate limit, the tables continue."""

    async def act() -> None:
        budget = Budget()
        with pytest.raises(TimeoutError):
            async with budget.turn(1):
                raise TimeoutError
        assert budget.failing_seconds is None
        response: Any = SimpleNamespace(status=503, reason="")
        failed = discord.DiscordServerError(response, "down")
        with pytest.raises(discord.DiscordServerError):
            async with budget.turn(1):
                raise failed
        await asyncio.sleep(SECONDS)
        assert budget.failing_seconds == SECONDS

    run_in_virtual_time(act)


def test_a_higher_limit_is_used_but_never_exceeded() -> None:
    """With a limit of 200 requests per second, four times as many are made, but never more than 200."""

    async def act() -> None:
        budget, made = Budget(4 * LIMIT), list[float]()
        await record_request_times(budget, SECONDS, made)
        assert len(made) >= 4 * PER_SECOND * SECONDS
        assert most_per_second(made) <= 4 * LIMIT

    run_in_virtual_time(act)


def test_excess_requests_slow_down_but_never_stop_clocks() -> None:
    """Users that exceed the budget slow down computer players and clocks, but never stop them."""

    async def play() -> None:
        budget, made, rung = Budget(), list[float](), list[int]()

        async def ring(table: int) -> None:
            async with budget.idle():
                rung.append(table)

        crowd = asyncio.create_task(record_request_times(budget, 4 * SECONDS, made))
        await asyncio.sleep(1)
        tables = [asyncio.create_task(ring(table)) for table in range(3 * RINGS_AT_ONCE)]
        await asyncio.sleep(LONGEST_WAIT_SECONDS / 2)
        assert rung == []
        await asyncio.sleep(3 * LONGEST_WAIT_SECONDS)
        assert sorted(rung) == list(range(len(tables)))
        crowd.cancel()

    run_in_virtual_time(play)

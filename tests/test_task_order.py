"""Tests of the seeded order of tasks: each seed has its own order, which is always the same."""

from __future__ import annotations

import asyncio
from multiprocessing import Pipe
from multiprocessing.connection import wait

import aiosqlite

from tests.task_order import Order


async def task_end_order() -> list[int]:
    """Return the order in which tasks end that use a database, a thread and sleeps."""
    ended = list[int]()

    async def one(number: int) -> None:
        for _turn in range(3):
            await asyncio.sleep(0)
        await database.execute("SELECT 1")
        await asyncio.to_thread(sum, [number])
        await asyncio.sleep(0.01)
        ended.append(number)

    async with aiosqlite.connect(":memory:") as database:
        await asyncio.gather(*map(one, range(8)))
    return ended


def run_scenario(seed: str) -> tuple[list[int], str]:
    """Return the scenario's result and its digest."""
    order = Order(seed)
    with order.kept(), asyncio.Runner(loop_factory=order.new_loop) as runner:
        ended = runner.run(task_end_order())
    return ended, str(order)


def test_a_seed_reproduces_the_order_of_tasks() -> None:
    """Each of five seeds repeats its own order, which differs from the orders of the others."""
    runs = [run_scenario(str(seed)) for seed in range(5)]
    assert runs == [run_scenario(str(seed)) for seed in range(5)]
    assert len({trace for _ended, trace in runs}) == len(runs)
    assert len({tuple(ended) for ended, _trace in runs}) > 1
    assert all(sorted(ended) == list(range(8)) for ended, _trace in runs)


def test_waiting_for_a_process_ends_at_the_timeout() -> None:
    """The seeded clock may stand still while a thread or the event loop waits for a process."""
    reader, _writer = Pipe()
    with Order("1").kept():
        assert wait([reader], 0) == []

"""Who gets a worker next: people in turn, and questions never in the way of play."""

from __future__ import annotations

import asyncio

from bot.engine.task import Lane
from bot.opponents.queue import FairQueue


class Line:
    """Some who wait for workers, and in which order they got one."""

    def __init__(self, workers: int) -> None:
        self.queue = FairQueue(workers)
        self.served: list[str] = []

    async def wait(self, lane: Lane, *people: str) -> list[asyncio.Task[None]]:
        """Have people wait, each behind those before."""
        tasks = [asyncio.create_task(self._wait(lane, who)) for who in people]
        await settled()
        return tasks

    async def release(self, lane: Lane, who: str) -> None:
        """Have a person give the worker back."""
        self.queue.release(lane, who)
        await settled()

    async def _wait(self, lane: Lane, who: str) -> None:
        await self.queue.acquire(lane, who)
        self.served.append(who)


async def settled() -> None:
    """Wait until everybody has gone as far as they can."""
    for _turn in range(5):
        await asyncio.sleep(0)


async def test_people_take_turns() -> None:
    """Whoever wants five thoughts waits with the second until everybody else has had a first."""
    line = Line(1)
    await line.wait(Lane.PLAY, *"zaaaaabbc")
    for _each in range(8):
        await line.release(Lane.PLAY, line.served[-1])
    assert "".join(line.served) == "zabcabaaa"


async def test_one_thought_at_a_time_for_a_person() -> None:
    """A person has one worker at a time, however many are free."""
    line = Line(4)
    await line.wait(Lane.PLAY, *"aab")
    assert line.served == ["a", "b"]
    await line.release(Lane.PLAY, "a")
    assert line.served == ["a", "b", "a"]


async def test_questions_leave_a_worker_to_play() -> None:
    """However many ask something, a deal or a computer player's turn does not wait for it."""
    line = Line(2)
    await line.wait(Lane.QUESTIONS, *"abc")
    assert line.served == ["a"]
    await line.wait(Lane.PLAY, *"xyz")
    assert line.served == ["a", "x"]
    await line.release(Lane.QUESTIONS, "a")
    assert line.served == ["a", "x", "b"], "nor do questions wait for all that play wants"
    await line.release(Lane.PLAY, "x")
    assert line.served == ["a", "x", "b", "y"]


async def test_play_takes_what_nobody_asks_for() -> None:
    """Without questions play has all workers; then the first one that is free is for a question."""
    line = Line(2)
    await line.wait(Lane.PLAY, *"xyz")
    await line.wait(Lane.QUESTIONS, *"ab")
    assert line.served == ["x", "y"]
    await line.release(Lane.PLAY, "x")
    assert line.served == ["x", "y", "a"]


async def test_who_gives_up_holds_nobody_up() -> None:
    """Who waits no more takes no worker, also where it was their turn in that very moment."""
    line = Line(1)
    _first, second, third, _fourth = await line.wait(Lane.PLAY, *"abcd")
    second.cancel()
    await settled()
    line.queue.release(Lane.PLAY, "a")
    third.cancel()  # it has the worker, and does not know of it yet
    await settled()
    assert line.served == ["a", "d"]

"""Computer players' moves in worker processes, which do not depend on the worker."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import active_children
from threading import Event
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.engine.frozen import frozen
from bot.engine.lots import lot_of
from bot.engine.opponent import Strength
from bot.engine.worker_task import Lane, NoAnswerError, Task, Unfinished
from bot.games import games
from bot.opponents import BusyError, Opponents, pool
from bot.opponents.pool import PausedError
from bot.sessions.worker_tasks import ChooseMove, FindDeal
from tests.computer_matches import THINKING, choose_move, memory_after
from tests.discord.known_deals import WINNING_LINES, winning_line
from tests.examples import few_or_all
from tests.forked_processes import fork_context

SEED = bytes(range(32))
ANN, BEN = 1, 2
ASKED_SECONDS = 0.3
"""Time after which most machines have finished a short task of the other threads."""
LITTLE_SECONDS, AN_HOUR = 0.5, 3600.0


@frozen
class Advise(ChooseMove):
    """A task like a person's question, with a short time limit."""

    lane = Lane.QUESTIONS
    is_question = True
    waits_long = False

    def otherwise(self) -> str:
        """Return the advice of a froglet."""
        return replace(self, strength=Strength.FROGLET).compute()


@frozen
class Peek(Task[str]):
    """The answer to a question about a deal, which takes a while."""

    state: Any

    def compute(self) -> str:
        """Return the answer."""
        game = games()["american_toad"]
        question = next(one for one in game.questions if one.key == "peek")
        return game.write(question.answer(self.state))


def nearly_won_deal(number: int) -> Any:
    """Return a known deal a few moves before its end, for which a peek is fast."""
    game = games()["american_toad"]
    state = game.deal(1, {"deal": number, "daily": 0}, SEED)
    for text in winning_line(number)[:-8]:
        state = game.play(state, game.read(text, state))
    return state


def new_position(key: str, number: int) -> tuple[Any, bytes]:
    """Return the memory of the seat to move in a newly dealt match, and a lot."""
    game = games()[key]
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(2, options, lot_of(SEED, number))
    return memory_after(key, [game.view(state, game.to_move(state))]), lot_of(SEED, number)


@cache
def differing_position(key: str) -> tuple[Any, bytes]:
    """Return a position in which a toad and a froglet choose different moves."""
    for number in range(50):
        memory, lot = new_position(key, number)
        if choose_move(key, Strength.TOAD, memory, lot) != choose_move(
            key, Strength.FROGLET, memory, lot
        ):
            return memory, lot
    raise AssertionError("a toad should think otherwise now and then")


@pytest.mark.real("workers")
@pytest.mark.parametrize("key", THINKING)
async def test_workers_choose_the_same_move_in_every_process(key: str) -> None:
    """With the same memory and random numbers, a worker with another hash seed makes the same move."""
    positions = [new_position(key, number) for number in range(few_or_all(2, 4))]
    async with Opponents() as opponents:
        moves = await asyncio.gather(
            *(
                opponents.ask(ChooseMove(key, strength, memory, lot), who=who)
                for who, (memory, lot) in enumerate(positions)
                for strength in Strength
            )
        )
    assert moves == [
        choose_move(key, strength, memory, lot) for memory, lot in positions for strength in Strength
    ]


async def test_a_new_pool_replaces_dead_workers() -> None:
    """A new pool replaces killed workers, gives the same result and logs the deaths."""
    memory, lot = differing_position("toad")
    expected = choose_move("toad", Strength.TOAD, memory, lot)
    with capture_logs() as logs:
        await _check_killed_twice(memory, lot, expected)
    assert {line["event"] for line in logs} == {"worker process died"}


async def _check_killed_twice(memory: Any, lot: bytes, expected: str) -> None:
    async with Opponents(workers=1) as opponents:
        others = set(active_children())
        assert await opponents.ask(ChooseMove("toad", Strength.TOAD, memory, lot), who=ANN) == expected
        for _ in range(2):
            for worker in set(active_children()) - others:
                worker.kill()
                worker.join()
            assert (
                await opponents.ask(ChooseMove("toad", Strength.TOAD, memory, lot), who=ANN) == expected
            )


async def test_a_move_may_take_longer_than_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer player's move may take longer than a person's question."""
    memory, lot = differing_position("toad")
    monkeypatch.setattr(pool, "PATIENCE", 0.0)
    monkeypatch.setattr(pool, "LONGEST_THOUGHT", 0.0)
    async with Opponents() as opponents:
        move = await opponents.ask(ChooseMove("toad", Strength.TOAD, memory, lot), who=ANN)
        answer = await opponents.ask(Advise("toad", Strength.TOAD, memory, lot), who=ANN)
    assert move == choose_move("toad", Strength.TOAD, memory, lot)
    assert answer == choose_move("toad", Strength.FROGLET, memory, lot)


async def test_a_slow_move_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that takes too long is cancelled and logged."""
    memory, lot = differing_position("toad")
    monkeypatch.setattr(pool, "FAR", 0.0)
    with capture_logs() as logs:
        async with Opponents() as opponents:
            with pytest.raises(NoAnswerError):
                await opponents.ask(ChooseMove("toad", Strength.TOAD, memory, lot), who=ANN)
    assert len(logs) == 1


async def test_a_slow_hint_is_replaced_by_a_froglets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint that exceeds its worker's time is replaced by a froglet's."""
    memory, lot = differing_position("frogger")
    monkeypatch.setattr(pool, "LONGEST_THOUGHT", 0.0)
    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    async with Opponents() as opponents:
        move = await opponents.ask(Advise("frogger", Strength.TOAD, memory, lot), who=ANN)
    assert move == choose_move("frogger", Strength.FROGLET, memory, lot)


@frozen
class Count(Task[int]):
    """A count without end."""

    number: int = 0

    def compute(self) -> int:
        """Count in one go."""
        number = self.number
        while True:
            number += 1


@frozen
class CountInSlices(Task[int]):
    """A count without end, one number a slice."""

    number: int = 0

    def compute(self) -> Unfinished:
        """Begin to count."""
        return Unfinished(self.number)

    def resume(self, progress: int, _is_over: Callable[[], bool]) -> Unfinished:
        """Count one number."""
        return Unfinished(progress + sum(1 for _number in range(100_000)))


@pytest.mark.parametrize("kind", [Count, CountInSlices])
async def test_a_timed_out_request_is_cancelled_and_never_repeated(
    monkeypatch: pytest.MonkeyPatch, kind: type[Count | CountInSlices]
) -> None:
    """A question that takes too long is cancelled without ending its worker, and never repeated.

    The user who asked it waits before the next question. Other users and deals do not wait.
    """
    monkeypatch.setattr(pool, "LONGEST_THOUGHT", LITTLE_SECONDS / 5)
    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    now = [0.0]
    with capture_logs() as logs:
        async with Opponents(workers=1, clock=lambda: now[0]) as opponents:
            for who in (ANN, ANN, BEN):
                with pytest.raises(NoAnswerError):
                    await opponents.ask(kind(), who=who)
            with pytest.raises(PausedError, match="in a minute"):
                await opponents.ask(Sleep(0), who=ANN)
            await opponents.ask(Sleep(0), who=BEN)
            assert await opponents.ask(Nap(), who=ANN)
            now[0] = pool.PAUSE_SECONDS
            await opponents.ask(Sleep(0), who=ANN)
    assert [line["event"] for line in logs] == ["worker task timed out"]


async def test_a_long_search_lets_other_questions_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker answers other questions between two slices of a search."""
    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    monkeypatch.setattr(pool, "LONGEST_THOUGHT", AN_HOUR)
    opponents = Opponents(workers=1)
    searches = [asyncio.create_task(opponents.ask(CountInSlices(who), who=who)) for who in (ANN, BEN)]
    for other in range(3, 7):
        await opponents.ask(Sleep(0), who=other)
    assert not any(search.done() for search in searches)
    await opponents.close()
    for search in searches:
        with pytest.raises(NoAnswerError):
            await search


async def test_a_search_is_cached_even_if_its_user_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer of a search is cached even if its user no longer waits."""
    monkeypatch.setattr(pool, "PATIENCE", 0.0)
    async with Opponents(workers=1) as opponents:
        with pytest.raises(NoAnswerError):
            await opponents.ask(Zeros(3), who=ANN, read=one_byte_arguments)
        with pytest.raises(BusyError):
            await opponents.ask(Sleep(0), who=ANN)
        monkeypatch.setattr(pool, "PATIENCE", 600.0)
        assert await opponents.ask(Zeros(3), who=BEN, read=fail_if_read) == bytes(1)


@frozen
class Sleep(Task[None]):
    """A wait without CPU time."""

    seconds: float

    def compute(self) -> None:
        """Wait."""
        time.sleep(self.seconds)

    def otherwise(self) -> None:
        """Return at once."""


@frozen
class LongSearch(Sleep):
    """A task of a match that occupies a worker until it is killed."""

    lane = Lane.PLAY
    is_question = False


@frozen
class Nap(Task[bool]):
    """A short task of a match, for all workers."""

    lane = Lane.PLAY
    is_question = False

    def compute(self) -> bool:
        """Return True for a worker's answer."""
        return True

    def otherwise(self) -> bool:
        """Return False without a worker."""
        return False


def wait_as_worker() -> None:
    """Begin as a worker with a short limit of CPU time, and wait for longer."""
    pool._begin()
    pool._think(LITTLE_SECONDS, Sleep(3 * LITTLE_SECONDS), None)


def test_the_worker_time_limit_counts_only_cpu_time() -> None:
    """A worker's time limit counts CPU time and not the time in which it waited for a processor."""
    # the type stubs of BaseContext lack Process
    worker = fork_context().Process(target=wait_as_worker)  # type: ignore[attr-defined]
    worker.start()
    worker.join()
    assert worker.exitcode == 0


async def test_closing_does_not_wait_for_current_tasks() -> None:
    """Stopping the bot does not wait for the workers' current tasks."""
    before = set(active_children())
    opponents = Opponents(workers=1)
    asked = asyncio.create_task(opponents.ask(Sleep(AN_HOUR), who=ANN))
    while not set(active_children()) - before:  # noqa: ASYNC110 — a thread starts them
        await asyncio.sleep(0)
    await asyncio.sleep(ASKED_SECONDS)
    await opponents.close()
    assert not set(active_children()) - before
    await asked


async def test_closing_does_not_wait_for_a_starting_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`close` leaves no worker process running, even if a request is starting one at that moment."""
    before = set(active_children())
    opponents = Opponents(workers=2)
    await opponents.ask(Nap(), who=ANN)
    start: Callable[[ProcessPoolExecutor], None] = ProcessPoolExecutor.__dict__["_spawn_process"]
    is_starting = Event()

    def start_slowly(of: ProcessPoolExecutor) -> None:
        is_starting.set()
        time.sleep(ASKED_SECONDS)  # in the submitting thread, which ends the pool while a worker starts
        start(of)

    monkeypatch.setattr(ProcessPoolExecutor, "_adjust_process_count", start_slowly)
    asked = asyncio.create_task(opponents.ask(Nap(), who=ANN))
    while not is_starting.is_set():  # noqa: ASYNC110 — a thread sets it
        await asyncio.sleep(0)
    await opponents.close()
    assert not set(active_children()) - before
    await asked


async def test_closing_the_pool_stops_all_workers() -> None:
    """No task runs or is answered after the pool is closed."""
    memory, lot = differing_position("toad")
    before = set(active_children())
    opponents = Opponents()
    await opponents.ask(ChooseMove("toad", Strength.TOAD, memory, lot), who=ANN)
    assert set(active_children()) - before
    await opponents.close()
    assert not set(active_children()) - before
    with pytest.raises(NoAnswerError):
        await opponents.ask(ChooseMove("toad", Strength.TOAD, memory, lot), who=ANN)


@pytest.mark.skipif(sys.platform == "win32", reason="nothing stops and goes on there")
async def test_a_dead_worker_leaves_no_other_worker_running() -> None:
    """If a worker dies while cancelled tasks wait, the other workers end with the pool."""
    before = set(active_children())
    opponents = Opponents(workers=2)
    # A search that ended would leave its worker idle, and a second worker might never start.
    search = LongSearch(AN_HOUR)
    asked = [asyncio.create_task(opponents.ask(search, who=who)) for who in range(12)]
    while len(workers := set(active_children()) - before) < 2:  # noqa: ASYNC110 — a thread starts them
        await asyncio.sleep(0)
    for worker in workers:
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
    await asyncio.sleep(ASKED_SECONDS)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    dead, other = workers
    # Do not join it: if the other worker was stopped as it began, it holds a pipe that join waits for.
    dead.kill()
    await asyncio.sleep(ASKED_SECONDS)
    assert other.pid is not None
    os.kill(other.pid, signal.SIGCONT)
    await opponents.close()
    assert not set(active_children()) - before


async def test_a_second_concurrent_request_of_a_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's second question before the first answer is refused.

    A deal may still be searched for.
    """
    deals = [nearly_won_deal(number) for number in list(WINNING_LINES)[:3]]
    options = {"deal": 8, "daily": 0, "par": 0, "any": 1, "again": 0}
    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    async with Opponents() as opponents:

        async def peek(who: int, state: Any) -> str:
            return await opponents.ask(Peek(state), who=who)

        asked = [asyncio.create_task(peek(ANN, deals[0])), asyncio.create_task(peek(BEN, deals[1]))]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="still working"):
            await peek(ANN, deals[2])
        assert await opponents.ask(FindDeal("american_toad", tuple(options.items())), who=ANN)
        assert all(await asyncio.gather(*asked))
        assert await peek(ANN, deals[1]) == asked[1].result(), "it is free again"


async def test_equal_concurrent_requests_share_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal questions about the same position at the same time share one answer."""
    number = next(iter(WINNING_LINES))
    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    async with Opponents(workers=1) as opponents:
        answers = await asyncio.gather(
            *(opponents.ask(Peek(nearly_won_deal(number)), who=ANN) for _click in range(25)),
            opponents.ask(Peek(nearly_won_deal(number)), who=BEN),
        )
    assert len(set(answers)) == 1
    assert answers[0] is not None


@frozen
class Zeros(Task[bytes]):
    """A task that returns zero bytes of a given number."""

    number: int
    is_kept = True

    def compute(self, size: int) -> bytes:
        """Return this number of zero bytes."""
        return bytes(size)


async def one_byte_arguments() -> tuple[int]:
    """Return the arguments for a task of one byte."""
    return (1,)


async def fail_if_read() -> tuple[int]:
    """Fail if a task's arguments are read although its answer is cached."""
    raise AssertionError


async def test_the_last_answers_about_whole_matches_are_cached() -> None:
    """The most recently used answers about whole matches are cached.

    Evicted answers are computed again.
    """
    read = list[int]()

    class Here(Opponents):
        """A pool that works in this process."""

        async def _attempt(
            self, _lane: Lane, _longest: float, task: Task[Any], *given: Any
        ) -> bytes | None:
            return await pool.run_here(task, *given)

    async def asked(number: int) -> bool:
        """Ask for an answer, and return whether it was computed."""

        async def given() -> tuple[int]:
            read.append(number)
            return (1,)

        before = len(read)
        assert await opponents.ask(Zeros(number), who=ANN, read=given) == bytes(1)
        return len(read) > before

    async with Here() as opponents:
        for number in range(pool.MOST_KEPT + 1):
            assert await asked(number)
        assert [await asked(number) for number in (pool.MOST_KEPT, 1, 0)] == [False, False, True]

"""The count of callbacks that hold the event loop, tested over the wire."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.wire.environment import deal_solitaire, open_world, wait_until
from tests.wire.loop_blocking import HELD_SECONDS, Count, callback_counts


def block_with_work() -> None:
    until_then = time.thread_time() + 2 * HELD_SECONDS
    while time.thread_time() < until_then:
        pass


def block_with_sleep() -> None:
    time.sleep(2 * HELD_SECONDS)


def test_only_callbacks_using_cpu_time_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A callback that uses 40 ms of CPU is counted, and one that waits for a processor is not."""
    count = Count()
    count.install_patches(monkeypatch)

    async def call() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(block_with_work)
        loop.call_soon(block_with_sleep)
        await asyncio.sleep(0)

    asyncio.run(call())
    assert count.held == {"block_with_work": 1}


async def test_the_running_bot_logs_its_count_of_blocking_callbacks(tmp_path: Path) -> None:
    """The real program runs under the count, and its log has the number of callbacks."""
    async with open_world(tmp_path, seed=4, module="tests.wire.loop_blocking") as place:
        await place.begin()
        assert await place.connected()
        user, channel = place.server.person("Ann"), place.server.channel("pond")
        await deal_solitaire(place, user, channel)
        [*_others, before] = [one for one in place.crowd.seen(user, channel.id) if one.move]
        assert (await place.crowd.press(user, before)).acknowledged
        await wait_until(
            lambda: any(
                one.move and before.move and one.move[1] > before.move[1]
                for one in place.crowd.seen(user, channel.id)
            )
        )
        place.program.ask_to_stop()
        assert await place.end(0) == []
        callbacks, _held = callback_counts(place.program.log)
        assert callbacks > 100

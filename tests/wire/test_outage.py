"""A start during an outage waits for its end, and a second bot does not start."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.__main__ import UNCONFIGURED
from tests.wire.environment import World, open_world, wait_until
from tests.wire.fast_launcher import HASTY
from tests.wire.program import KILLED, Program
from tests.wire.rest import DroppedError, FailedError, Request

TRIES = 3
WAYS: dict[str, Callable[[], Exception]] = {
    "503": lambda: FailedError(503),
    "429": lambda: FailedError(429, 0.1, bars_host=True),
    "no network": DroppedError,
}


@dataclass
class Outage:
    """An outage of Discord in which every request fails until it ends."""

    failing: Callable[[], Exception]
    is_over: bool = False

    async def before(self, request: Request) -> None:
        if not self.is_over:
            raise self.failing()

    async def after(self, request: Request) -> None:
        """Do nothing after an answer."""


def retry_count(place: World) -> int:
    """Return the number of log lines that announce another try."""
    return place.program.log.read_text("utf-8").count("Discord is unreachable, retrying")


@pytest.mark.parametrize("way", WAYS)
async def test_a_start_during_an_outage_is_retried(tmp_path: Path, way: str) -> None:
    """The bot tries again after growing pauses with a log line each, and then connects."""
    async with open_world(tmp_path, seed=9, module=HASTY) as place:
        place.server.rest.watch = outage = Outage(WAYS[way])
        await place.begin()
        await wait_until(lambda: retry_count(place) >= TRIES)
        outage.is_over = True
        assert await place.connected()
        place.program.ask_to_stop()
        assert await place.end(0) == []
        log = place.program.log.read_text("utf-8")
    pauses = [
        float(seconds) for seconds in re.findall(r"unreachable, retrying .*in_seconds=([\d.]+)", log)
    ]
    assert pauses[0] < pauses[TRIES - 1]
    assert "Traceback" not in log


async def test_sigterm_during_an_outage_exits_cleanly(tmp_path: Path) -> None:
    """SIGTERM during an outage ends the process in order."""
    async with open_world(tmp_path, seed=9, module=HASTY) as place:
        place.server.rest.watch = Outage(WAYS["503"])
        await place.begin()
        await wait_until(lambda: retry_count(place) >= TRIES)
        place.program.ask_to_stop()
        assert await place.end(0) == []


@pytest.mark.parametrize(
    ("code", "word"),
    [(4004, "DISCORD_TOKEN"), (4012, "Update"), (4013, "Update"), (4014, "intents")],
)
async def test_a_permanently_closed_gateway_exits_with_78(tmp_path: Path, code: int, word: str) -> None:
    """A bot whose gateway closes for good reports the repair and exits with 78.

    Further tries would be useless.
    """
    async with open_world(tmp_path, seed=9) as place:
        place.gateway.refusal = code
        await place.begin()
        assert await place.end(UNCONFIGURED) == []
        log = place.program.log.read_text("utf-8")
    assert word in log.splitlines()[-1]
    assert "Traceback" not in log


async def test_an_unreachable_gateway_is_retried_with_growing_pauses(tmp_path: Path) -> None:
    """Each failed try logs one line with the pause before the next try, and no traceback."""
    async with open_world(tmp_path, seed=9, module=HASTY) as place:
        place.server.rest.gateway = "127.0.0.1:1"
        await place.begin()
        await wait_until(lambda: retry_count(place) >= 2)
        place.program.ask_to_stop()
        assert await place.end(0) == []
        lines = place.program.log.read_text("utf-8").splitlines()
    told = [line for line in lines if "127.0.0.1:1" in line or "Traceback" in line or line[:1] == " "]
    assert len(told) == 2
    assert all("retrying" in line and "in_seconds=" in line for line in told)


async def test_the_start_waits_for_new_session_starts(tmp_path: Path) -> None:
    """The bot waits until there are session starts again, as Discord would reset its token."""
    async with open_world(tmp_path, seed=9, module=HASTY) as place:
        place.server.rest.starts_left = 0
        await place.begin()
        await wait_until(lambda: "no session starts left" in place.program.log.read_text("utf-8"))
        assert place.gateway.identified == 0
        place.server.rest.starts_left = 1
        assert await place.connected()
        place.program.ask_to_stop()
        assert await place.end(0) == []
        assert "Traceback" not in place.program.log.read_text("utf-8")


async def test_a_lost_session_waits_for_new_session_starts(tmp_path: Path) -> None:
    """A bot that was connected waits too, with one log line for each try."""
    async with open_world(tmp_path, seed=9, module=HASTY) as place:
        await place.begin()
        assert await place.connected()
        place.server.rest.starts_left = 0
        place.gateway.invalidate()
        await wait_until(lambda: "session starts is left" in place.program.log.read_text("utf-8"))
        assert place.gateway.identified == 1
        place.server.rest.starts_left = 1
        assert await place.connected()
        place.program.ask_to_stop()
        assert await place.end(0) == []
        assert "Traceback" not in place.program.log.read_text("utf-8")


async def test_a_second_bot_on_the_same_database_exits_with_78(tmp_path: Path) -> None:
    """A second bot names the process that holds the database and exits with 78.

    It runs after the first one was killed.
    """
    async with open_world(tmp_path, seed=9) as place:
        await place.begin()
        assert await place.connected()
        (tmp_path / "second").mkdir()
        second = Program(tmp_path / "second", place.server.address)
        second.location = place.program.location
        await second.start()
        assert await second.ended() == UNCONFIGURED
        said = second.log.read_text("utf-8").splitlines()[-1]
        assert f"Another Ribit runs on {second.location}: process {place.program.process.pid} on" in said
        place.program.kill()
        assert await place.end(KILLED) == []
        await place.begin()
        assert await place.connected()
        place.program.ask_to_stop()
        assert await place.end(0) == []
        assert place.server.gateway.identified == 2

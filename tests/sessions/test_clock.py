"""The steady clock: an hour takes an hour, whatever is done to the machine's clock."""

from __future__ import annotations

import pytest

from bot.sessions.table_timers import TOLERANCE_SECONDS, DiscordClock

NOON = 1_800_000_000
DAY = 24 * 60 * 60


class Machine:
    """A machine's two clocks: one that can be set, and one that only goes on."""

    def __init__(self) -> None:
        self.wall, self.passed = float(NOON), 5000.0

    def go_on(self, seconds: float) -> None:
        self.wall += seconds
        self.passed += seconds


@pytest.mark.parametrize("seconds", [DAY, -DAY, 3600, -1])
def test_a_clock_that_is_set_moves_nothing(seconds: int) -> None:
    """What has passed is what counts."""
    machine = Machine()
    clock = DiscordClock(lambda: machine.wall, lambda: machine.passed)
    assert clock() == NOON
    machine.wall += seconds
    assert clock() == NOON
    machine.go_on(60)
    assert clock() == NOON + 60


@pytest.mark.parametrize("off", [DAY, -DAY])
def test_who_knows_better_is_believed(off: int) -> None:
    """A machine that started with a wrong clock, or slept; a small difference is the way of the news."""
    machine = Machine()
    machine.wall += off
    clock = DiscordClock(lambda: machine.wall, lambda: machine.passed)
    clock.told(NOON)
    assert clock() == NOON
    clock.told(NOON - TOLERANCE_SECONDS)
    assert clock() == NOON
    machine.go_on(60)
    assert clock() == NOON + 60

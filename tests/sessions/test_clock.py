"""The steady clock, which ignores changes to the machine's clock."""

from __future__ import annotations

import pytest

from bot.sessions.table_timers import TOLERANCE_SECONDS, DiscordClock

NOON = 1_800_000_000
DAY = 24 * 60 * 60


class Machine:
    """A machine's wall clock, which can be set, and its monotonic clock."""

    def __init__(self) -> None:
        self.wall, self.passed = float(NOON), 5000.0

    def go_on(self, seconds: float) -> None:
        self.wall += seconds
        self.passed += seconds


@pytest.mark.parametrize("seconds", [DAY, -DAY, 3600, -1])
def test_setting_the_system_clock_keeps_the_steady_clock(seconds: int) -> None:
    """Setting the machine's clock does not change the steady clock."""
    machine = Machine()
    clock = DiscordClock(lambda: machine.wall, lambda: machine.passed)
    assert clock() == NOON
    machine.wall += seconds
    assert clock() == NOON
    machine.go_on(60)
    assert clock() == NOON + 60


@pytest.mark.parametrize("off", [DAY, -DAY])
def test_discords_time_corrects_a_wrong_clock(off: int) -> None:
    """Discord's time corrects a clock that started wrong or slept.

    A small difference is the delay of the message and is ignored.
    """
    machine = Machine()
    machine.wall += off
    clock = DiscordClock(lambda: machine.wall, lambda: machine.passed)
    clock.correct(NOON)
    assert clock() == NOON
    clock.correct(NOON - TOLERANCE_SECONDS)
    assert clock() == NOON
    machine.go_on(60)
    assert clock() == NOON + 60

"""The short stress test, in which moves survive ``kill -9`` and tables stay playable.

The long form is ``python -m tests.wire --kills 300``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.wire.environment import open_world
from tests.wire.stress import WEATHERS, StressTest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")

SEED = 20261121
KILLS, MOVES, TABLES = 4, 5, 4
PATIENCE_SECONDS = 300.0
"""Seconds after which the test fails on any machine."""

WEATHER_SECONDS = 1.0
FAULTS = frozenset({"slow", "limited", "failing", "dropping"})


async def test_no_move_is_lost_after_kills(tmp_path: Path) -> None:
    """No shown move is lost or made twice, each click is answered, and every table is playable."""
    async with open_world(tmp_path, SEED) as place:
        stress = StressTest(place, TABLES)
        await stress.run(KILLS, PATIENCE_SECONDS, MOVES)
        assert not stress.violations, stress.violations
        assert stress.kills.total() >= KILLS
        assert place.audit.moves >= MOVES, "the crowd should get somewhere"


async def test_no_move_is_lost_after_kills_and_network_faults(tmp_path: Path) -> None:
    """Moves survive kills together with refusals, failures, closed DMs and lost permissions."""
    async with open_world(tmp_path, SEED) as place:
        stress = StressTest(place, TABLES)
        await stress.run_weathers(WEATHERS, WEATHER_SECONDS, FAULTS)
        assert not stress.violations, stress.violations
        assert place.perils.counts.keys() >= FAULTS

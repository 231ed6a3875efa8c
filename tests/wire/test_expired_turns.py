"""Many turns that timed out while the bot was stopped, with Discord's limits."""

from __future__ import annotations

from pathlib import Path

from tests.wire.expired_turns import open_overdue

TABLES = 100
MOST_REFUSED = 25


async def test_overdue_turns_are_processed_within_rate_limits(tmp_path: Path) -> None:
    """Overdue turns are processed within Discord's limits, with hardly a refusal and correct tables."""
    async with open_overdue(tmp_path, TABLES) as crowd:
        await crowd.click_until_current()
        assert crowd.limits.refused.total() < MOST_REFUSED
        assert crowd.limits.counted > TABLES

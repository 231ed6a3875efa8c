"""What is on the boards, for tests of what counts; skipped where the feature that reads it is gone."""

from __future__ import annotations

from typing import Any

import pytest

from bot.storage.database import Database
from bot.storage.ranked_boards import RankedBoards


def standings(database: Database, *boards: RankedBoards) -> Any:
    """Return what reads the leaderboards of a database."""
    return pytest.importorskip("cogs.leaderboards").Standings(database.surveying, *boards)


def day_wins(database: Database) -> Any:
    """Return what reads the boards of days of a database."""
    return pytest.importorskip("cogs.daily.content").DayWins(database.surveying)

"""The leaderboards, for tests of counting.

These tests are skipped if the feature that reads the boards is missing.
"""

from __future__ import annotations

from typing import Any

import pytest

from bot.storage.database import Database
from bot.storage.ranked_boards import RankedBoards


def leaderboard_reader(database: Database, *boards: RankedBoards) -> Any:
    """Return the reader of a database's leaderboards."""
    return pytest.importorskip("cogs.leaderboards.standings").Standings(database.surveying, *boards)


def day_board_reader(database: Database) -> Any:
    """Return the reader of a database's boards of days."""
    return pytest.importorskip("cogs.daily.store").DayWins(database.surveying)

"""No move is lost if a database file is deleted or replaced while it is open."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.matches.match import Entry
from bot.storage.database import Database
from bot.storage.sqlite_connections import LostDatabaseError
from tests.storage.database_types import on_sqlite
from tests.storage.matches import store_live_match, store_move


def delete_file(path: Path) -> None:
    path.unlink()


def replace_with_copy(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def move_file(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


pytestmark = on_sqlite

LOSSES = [delete_file, replace_with_copy, move_file]


@pytest.mark.parametrize("lose", LOSSES, ids=lambda lose: lose.__name__)
async def test_moves_are_refused_after_the_file_is_lost(
    path: Path, database: Database, lose: Callable[[Path], None]
) -> None:
    """The next move is refused in a sentence, and not stored in a file without a name."""
    match = await store_live_match(database)
    assert await store_move(database, match.id, Entry(0, 0, "pass"))
    lose(path)
    with pytest.raises(LostDatabaseError, match="deleted or replaced"):
        await store_move(database, match.id, Entry(1, 0, "pass"))
    assert [entry.n for entry in await database.journal.entries(match.id)] == [0]


async def test_moving_a_lost_file_back_restores_writes(path: Path, database: Database) -> None:
    """Moving the file back restores play without loss."""
    match = await store_live_match(database)
    path.rename(path.with_name("elsewhere"))
    with pytest.raises(LostDatabaseError):
        await store_move(database, match.id, Entry(0, 0, "pass"))
    path.with_name("elsewhere").rename(path)
    assert await store_move(database, match.id, Entry(0, 0, "pass"))

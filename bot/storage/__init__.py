"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.alive import BEAT_SECONDS, is_fresh, last_alive, note_alive, note_gone, trouble
from bot.storage.copying import CopyError, Restored, back_up, restore
from bot.storage.database import (
    AbsentDatabaseError,
    Database,
    DatabaseError,
    open_database,
    telling_faults,
)
from bot.storage.faults import FaultyDiskError, Halt, HaltedError
from bot.storage.holding import HeldError, alone_on, note_holder
from bot.storage.inspecting import (
    SIDE_FILES,
    FaultyFileError,
    Holding,
    examine,
    fault_of,
    looking,
    newest_version,
)
from bot.storage.journal import Journal
from bot.storage.people import Notes, PlayerRecord, Players, Post, Posts, Servers
from bot.storage.place import LostDatabaseError
from bot.storage.privacy import is_private
from bot.storage.standings import Row, Standings

__all__ = [
    "BEAT_SECONDS",
    "SIDE_FILES",
    "AbsentDatabaseError",
    "CopyError",
    "Database",
    "DatabaseError",
    "FaultyDiskError",
    "FaultyFileError",
    "Halt",
    "HaltedError",
    "HeldError",
    "Holding",
    "Journal",
    "LostDatabaseError",
    "Notes",
    "PlayerRecord",
    "Players",
    "Post",
    "Posts",
    "Restored",
    "Row",
    "Servers",
    "Standings",
    "alone_on",
    "back_up",
    "examine",
    "fault_of",
    "is_fresh",
    "is_private",
    "last_alive",
    "looking",
    "newest_version",
    "note_alive",
    "note_gone",
    "note_holder",
    "open_database",
    "restore",
    "telling_faults",
    "trouble",
]

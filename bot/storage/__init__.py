"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.alive import BEAT_SECONDS, is_fresh, last_alive, note_alive, note_gone
from bot.storage.copying import CopyError, Restored, back_up, restore
from bot.storage.database import Database, DatabaseError, open_database
from bot.storage.inspecting import FaultyFileError, Holding, examine, fault_of, looking, newest_version
from bot.storage.journal import Journal
from bot.storage.people import Notes, PlayerRecord, Players, Post, Posts, Servers
from bot.storage.standings import Row, Standings

__all__ = [
    "BEAT_SECONDS",
    "CopyError",
    "Database",
    "DatabaseError",
    "FaultyFileError",
    "Holding",
    "Journal",
    "Notes",
    "PlayerRecord",
    "Players",
    "Post",
    "Posts",
    "Restored",
    "Row",
    "Servers",
    "Standings",
    "back_up",
    "examine",
    "fault_of",
    "is_fresh",
    "last_alive",
    "looking",
    "newest_version",
    "note_alive",
    "note_gone",
    "open_database",
    "restore",
]

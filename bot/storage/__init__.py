"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.database import Database, DatabaseError, open_database
from bot.storage.journal import Journal
from bot.storage.people import Notes, PlayerRecord, Players, Post, Posts, Servers
from bot.storage.standings import Row, Standings

__all__ = [
    "Database",
    "DatabaseError",
    "Journal",
    "Notes",
    "PlayerRecord",
    "Players",
    "Post",
    "Posts",
    "Row",
    "Servers",
    "Standings",
    "open_database",
]

"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.daily_deals import DayDeal, Days
from bot.storage.database import Database, open_database
from bot.storage.database_address import AbsentDatabaseError, Location, Server, locate
from bot.storage.journal import Journal
from bot.storage.players import FORGOTTEN, PlayerRecord, Players
from bot.storage.servers_and_notes import Emojis, Notes, Post, Posts, Servers
from bot.storage.writer import HaltedError, UnreachableDatabaseError

__all__ = [
    "FORGOTTEN",
    "MATCH",
    "AbsentDatabaseError",
    "Database",
    "DayDeal",
    "Days",
    "Emojis",
    "HaltedError",
    "Journal",
    "Location",
    "Notes",
    "PlayerRecord",
    "Players",
    "Post",
    "Posts",
    "PubSub",
    "Server",
    "Servers",
    "UnreachableDatabaseError",
    "locate",
    "open_database",
]

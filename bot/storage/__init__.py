"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.address import AbsentDatabaseError, Location, Server, locate
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.database import Database, open_database
from bot.storage.days import DayDeal, Days
from bot.storage.journal import Journal
from bot.storage.players import FORGOTTEN, PlayerRecord, Players
from bot.storage.players_and_servers import Emojis, Notes, Post, Posts, Servers
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

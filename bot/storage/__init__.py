"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.address import (
    AbsentDatabaseError,
    AddressError,
    DatabaseError,
    HeldError,
    Holding,
    Location,
    RefusedDatabaseError,
    Server,
    locate,
)
from bot.storage.backups import (
    CopyError,
    Restored,
    back_up,
    dump_program,
    dump_version,
    restore,
    stream_backup,
)
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.connections import LostDatabaseError
from bot.storage.database import Database, open_database
from bot.storage.days import DayDeal, Days
from bot.storage.file import (
    SIDE_FILES,
    examine,
    is_private,
    lock_alone,
    lock_file,
    looking,
    require_file,
)
from bot.storage.forget_by_id import ForgetError, forget_by_id
from bot.storage.hold import (
    BEAT_SECONDS,
    NoMatchError,
    ago,
    is_fresh,
    last_alive,
    last_lived,
    locked,
    note_alive,
    note_gone,
    note_holder,
    note_left,
    noted_on,
    require_shareable,
    running_on,
    stored_match,
    trouble,
)
from bot.storage.journal import Journal
from bot.storage.leaderboards import Standings
from bot.storage.migrate import newest_version
from bot.storage.own_data import own_data
from bot.storage.players import FORGOTTEN, PlayerRecord, Players
from bot.storage.players_and_servers import Emojis, Notes, Post, Posts, Servers
from bot.storage.recount import RecountError, recount
from bot.storage.removals import RemovalError, Removals, Removing
from bot.storage.retention import KEPT_SECONDS, Retention
from bot.storage.server import Runner, Visit, runners_on, visit
from bot.storage.transfer import MoveError, move
from bot.storage.writer import FaultyDiskError, Halt, HaltedError, UnreachableDatabaseError

__all__ = [
    "BEAT_SECONDS",
    "FORGOTTEN",
    "KEPT_SECONDS",
    "MATCH",
    "SIDE_FILES",
    "AbsentDatabaseError",
    "AddressError",
    "CopyError",
    "Database",
    "DatabaseError",
    "DayDeal",
    "Days",
    "Emojis",
    "FaultyDiskError",
    "ForgetError",
    "Halt",
    "HaltedError",
    "HeldError",
    "Holding",
    "Journal",
    "Location",
    "LostDatabaseError",
    "MoveError",
    "NoMatchError",
    "Notes",
    "PlayerRecord",
    "Players",
    "Post",
    "Posts",
    "PubSub",
    "RecountError",
    "RefusedDatabaseError",
    "RemovalError",
    "Removals",
    "Removing",
    "Restored",
    "Retention",
    "Runner",
    "Server",
    "Servers",
    "Standings",
    "UnreachableDatabaseError",
    "Visit",
    "ago",
    "back_up",
    "dump_program",
    "dump_version",
    "examine",
    "forget_by_id",
    "is_fresh",
    "is_private",
    "last_alive",
    "last_lived",
    "locate",
    "lock_alone",
    "lock_file",
    "locked",
    "looking",
    "move",
    "newest_version",
    "note_alive",
    "note_gone",
    "note_holder",
    "note_left",
    "noted_on",
    "open_database",
    "own_data",
    "recount",
    "require_file",
    "require_shareable",
    "restore",
    "runners_on",
    "running_on",
    "stored_match",
    "stream_backup",
    "trouble",
    "visit",
]

"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.backups import CopyError, Restored, back_up, restore, stream_backup
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.cluster.server_lock import Runner, locked, require_shareable
from bot.storage.database import Database, open_database
from bot.storage.days import DayDeal, Days
from bot.storage.file_identity import LostDatabaseError
from bot.storage.file_lock import HeldError, lock_alone, lock_file, note_holder
from bot.storage.file_modes import is_private, require_file
from bot.storage.file_probe import (
    SIDE_FILES,
    Holding,
    examine,
    fault_of,
    looking,
    newest_version,
)
from bot.storage.forget_by_id import ForgetError, forget_by_id
from bot.storage.heartbeat import (
    BEAT_SECONDS,
    ago,
    is_fresh,
    last_alive,
    last_lived,
    note_alive,
    note_gone,
    note_left,
    noted_on,
    running_on,
    trouble,
)
from bot.storage.journal import Journal
from bot.storage.leaderboards import Standings
from bot.storage.location import AddressError, Location, Server, locate
from bot.storage.open_errors import (
    AbsentDatabaseError,
    DatabaseError,
    FaultyFileError,
    RefusedDatabaseError,
    telling_faults,
)
from bot.storage.own_data import OwnData
from bot.storage.pg_dump import dump_program, dump_version
from bot.storage.players import FORGOTTEN, PlayerRecord, Players
from bot.storage.players_and_servers import Notes, Post, Posts, Servers
from bot.storage.recount import RecountError, recount
from bot.storage.removals import RemovalError, Removals, Removing
from bot.storage.retention import KEPT_SECONDS, Retention
from bot.storage.server_probe import Visit, runners_on, visit
from bot.storage.sqlite_errors import FaultyDiskError, Halt, HaltedError
from bot.storage.stored_match import NoMatchError, stored_match
from bot.storage.transfer import MoveError, move
from bot.storage.writer import UnreachableDatabaseError

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
    "FaultyDiskError",
    "FaultyFileError",
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
    "OwnData",
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
    "fault_of",
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
    "recount",
    "require_file",
    "require_shareable",
    "restore",
    "runners_on",
    "running_on",
    "stored_match",
    "stream_backup",
    "telling_faults",
    "trouble",
    "visit",
]

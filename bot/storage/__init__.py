"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

from bot.storage.alive import BEAT_SECONDS, is_fresh, last_alive, note_alive, note_gone, trouble
from bot.storage.caring import Fleet, require_shareable, tenant
from bot.storage.copying import CopyError, Restored, back_up, restore
from bot.storage.database import Database, open_database
from bot.storage.dumping import dump_program, dump_version
from bot.storage.faults import FaultyDiskError, Halt, HaltedError
from bot.storage.file_modes import is_private, require_file
from bot.storage.holding import HeldError, alone_on, note_holder
from bot.storage.inspecting import (
    SIDE_FILES,
    Holding,
    examine,
    fault_of,
    looking,
    newest_version,
)
from bot.storage.journal import Journal
from bot.storage.location import AddressError, Location, Server, locate
from bot.storage.moving import MoveError, move
from bot.storage.people import Notes, PlayerRecord, Players, Post, Posts, Servers
from bot.storage.place import LostDatabaseError
from bot.storage.refusing import (
    AbsentDatabaseError,
    DatabaseError,
    FaultyFileError,
    RefusedDatabaseError,
    telling_faults,
)
from bot.storage.roll import Runner
from bot.storage.standings import Row, Standings
from bot.storage.tenancy import alone
from bot.storage.visiting import Visit, runners_on, visit
from bot.storage.writing import UnreachableDatabaseError

__all__ = [
    "BEAT_SECONDS",
    "SIDE_FILES",
    "AbsentDatabaseError",
    "AddressError",
    "CopyError",
    "Database",
    "DatabaseError",
    "FaultyDiskError",
    "FaultyFileError",
    "Fleet",
    "Halt",
    "HaltedError",
    "HeldError",
    "Holding",
    "Journal",
    "Location",
    "LostDatabaseError",
    "MoveError",
    "Notes",
    "PlayerRecord",
    "Players",
    "Post",
    "Posts",
    "RefusedDatabaseError",
    "Restored",
    "Row",
    "Runner",
    "Server",
    "Servers",
    "Standings",
    "UnreachableDatabaseError",
    "Visit",
    "alone",
    "alone_on",
    "back_up",
    "dump_program",
    "dump_version",
    "examine",
    "fault_of",
    "is_fresh",
    "is_private",
    "last_alive",
    "locate",
    "looking",
    "move",
    "newest_version",
    "note_alive",
    "note_gone",
    "note_holder",
    "open_database",
    "require_file",
    "require_shareable",
    "restore",
    "runners_on",
    "telling_faults",
    "tenant",
    "trouble",
    "visit",
]

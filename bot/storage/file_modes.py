"""File modes: a database is a file for its owner alone, and no other file's mode is changed.

Who can read a database, or a copy of one, knows every hand. And a setting can name anything: a folder
that all programs use, a device, somebody else's letters.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_IRWXU, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK

from bot.storage.open_errors import RefusedDatabaseError

OWNER_ONLY = 0o600


def real_path(path: Path) -> Path:
    """Return where a path leads, through all links; one that leads round in a circle stays as it is."""
    return Path(os.path.realpath(path))


def require_file(path: Path) -> None:
    """Raise RefusedDatabaseError unless there is a file at a path, a link to one, or nothing yet.

    Of a link that leads nowhere it is not known what it was to lead to: nothing is made there.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        target = real_path(path)
        if path.is_symlink() and target.parent.is_dir():  # else its disk may not be there yet
            raise RefusedDatabaseError(
                f"{path} is a link to {target}, where nothing is. For a new database there, set "
                "RIBIT_DATABASE to that path; else put the file there, or mend the link."
            ) from None
        return
    except OSError as error:
        raise RefusedDatabaseError(
            f"{path} cannot be looked at ({error.strerror}). Check the permissions on the way to it, or "
            "set RIBIT_DATABASE to another path."
        ) from error
    if not S_ISREG(mode):
        raise RefusedDatabaseError(
            f"{path} is {_kind(mode)}, but a database is a file. Set RIBIT_DATABASE to the path of a "
            "file, such as ribit.sqlite3 in a folder of its own."
        )


def require_own_file(path: Path) -> None:
    """Raise RefusedDatabaseError unless this user's bot can have its database at a path.

    Raises NotADirectoryError where the folder is missing: its disk may only not be there yet.
    """
    real = real_path(path)
    if not real.parent.is_dir():
        raise NotADirectoryError(real.parent)
    require_file(path)
    if sys.platform != "win32" and real.exists() and real.stat().st_uid != os.geteuid():
        raise RefusedDatabaseError(
            f"{path} belongs to another user (number {real.stat().st_uid}). Run the bot as that user, "
            "give the file to this one, or set RIBIT_DATABASE to another path."
        )
    for place, wanted in ((real.parent, os.W_OK | os.X_OK), (real, os.R_OK | os.W_OK)):
        if place.exists() and not os.access(place, wanted):
            raise RefusedDatabaseError(
                f"{place} cannot be read and written by this user. Check its owner and permissions, or "
                "set RIBIT_DATABASE to another path."
            )


def make_private(path: Path) -> bool:
    """Make a file that its owner alone may read, whatever the umask; return whether none was there.

    A file that is there is not opened: closing it would take SQLite's locks on it away.
    """
    try:
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY)
    except FileExistsError:
        return False
    try:
        if sys.platform != "win32":
            os.fchmod(made, OWNER_ONLY)
    finally:
        os.close(made)
    return True


def keep_private(*files: Path) -> None:
    """Let nobody but their owner read these files; no file, or somebody else's, stays as it is."""
    for file in files:
        found = file.lstat()
        if sys.platform == "win32" or not S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            continue
        if S_IMODE(found.st_mode) != OWNER_ONLY:
            with suppress(PermissionError):
                file.chmod(OWNER_ONLY)


def is_private(file: Path) -> bool:
    """Return whether nobody but its owner may do anything with a file; Windows has no such modes."""
    return sys.platform == "win32" or not S_IMODE(file.stat().st_mode) & ~S_IRWXU


def _kind(mode: int) -> str:
    for is_kind, name in ((S_ISDIR, "a folder"), (S_ISSOCK, "a socket"), (S_ISFIFO, "a pipe")):
        if is_kind(mode):
            return name
    return "a device"

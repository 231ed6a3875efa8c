"""Files for their owner alone: who can read a database, or a copy of one, knows every hand."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE

OWNER_ONLY = 0o600


def make_private(path: Path) -> None:
    """Make a file that its owner alone may read, whatever the umask; one that is there stays.

    A file that is there is not opened: closing it would take SQLite's locks on it away.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        path.chmod(OWNER_ONLY)


def keep_private(*files: Path) -> None:
    """Let nobody but their owners read these files; somebody else's stay as they are."""
    for file in files:
        if not is_private(file):
            with suppress(PermissionError):
                file.chmod(OWNER_ONLY)


def is_private(file: Path) -> bool:
    """Return whether only a file's owner may read and write it; Windows has no such rights."""
    return sys.platform == "win32" or S_IMODE(file.stat().st_mode) == OWNER_ONLY

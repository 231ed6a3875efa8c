"""Whether an open database is still the file at its path."""

from __future__ import annotations

from pathlib import Path

from bot.engine.words import _
from bot.storage.sqlite_errors import HaltedError


class LostDatabaseError(HaltedError):
    """The file was deleted or replaced while it was open: what were written now would be gone."""


class FileIdentity:
    """The files of an open database, as they were when it was opened.

    A deleted file can be written for as long as it is open, and then all of it is gone. So before
    each write the file is looked for; that takes some microseconds.
    """

    def __init__(self, path: Path) -> None:
        log = path.with_name(path.name + "-wal")
        self._files = {file: identity(file) for file in (path, log) if file.exists()}
        self.file = identity(path)

    def require(self) -> None:
        """Raise LostDatabaseError unless the files are there."""
        for file, known in self._files.items():
            if identity(file) != known:
                raise LostDatabaseError(
                    _(
                        "My database file was deleted or replaced while I was running, so I can't "
                        "save anything and play has stopped. Whoever runs me has to restart me, "
                        "perhaps from a backup."
                    )
                )


def identity(file: Path) -> str:
    """Return what tells a file from all others of its machine, or nothing where there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"

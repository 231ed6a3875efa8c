"""The seal of a backup: a digest of all its bytes at its end, so that no spoiled one is restored.

SQLite itself finds damage to a file's structure, but not to what is written in it. It takes no notice
of the seal: how long a database is stands in its first page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from bot.storage.open_errors import FaultyFileError

_MARK = b"\nribit sha256 "
_DIGEST_LENGTH = 64
SEAL_LENGTH = len(_MARK) + _DIGEST_LENGTH
_CHUNK_BYTES = 1024**2


def seal(file: Path) -> None:
    """Write the digest of a file's content at its end."""
    digest = _digest(file, file.stat().st_size)
    with file.open("ab") as sealed:
        sealed.write(_MARK + digest)


def require_seal(file: Path, *, may_lack: bool = False) -> None:
    """Raise FaultyFileError unless a file ends with the digest of what is before.

    A file that ``may_lack`` the seal is refused only where it has another one.
    """
    length = max(0, file.stat().st_size - SEAL_LENGTH)
    with file.open("rb") as sealed:
        sealed.seek(length)
        found = sealed.read()
    if not found.startswith(_MARK):
        if may_lack:
            return
        raise FaultyFileError(
            f"{file} does not end as a backup does: it is damaged or cut off, or no backup that "
            "ribit backup has made. Take another one; say --force if you know better."
        )
    if found != _MARK + _digest(file, length):
        raise FaultyFileError(
            f"{file} is damaged: its content is not what was backed up. Take another backup."
        )


def _digest(file: Path, length: int) -> bytes:
    """Return the digest of a file's first bytes."""
    digest, left = hashlib.sha256(), length
    with file.open("rb") as content:
        while left and (chunk := content.read(min(left, _CHUNK_BYTES))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.hexdigest().encode()

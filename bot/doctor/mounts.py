"""The kind of file system that a folder is on, by Linux's table of mounts; elsewhere it is not known."""

from __future__ import annotations

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")

_SHARE = re.compile(
    r"(fuse\.)?(9p|afs|beegfs|ceph|cifs|coda|davfs|gcsfuse|glusterfs|gpfs|juicefs|lustre|ncpfs|nfs4?"
    r"|rclone|s3fs|smb[23]|smbfs|sshfs)"
)
"""Kinds that other machines may write to as well."""

_OCTAL = re.compile(rb"\\([0-7]{3})")


def network_share(folder: Path) -> str | None:
    """Return what kind of network share a folder is on, or None where it is on none or not known.

    The longest mount point that the folder is under counts; of two mounts at one place, the later one,
    which hides the other.
    """
    try:
        lines = MOUNTS.read_bytes().splitlines()
    except OSError:
        return None
    kind, depth = "", 0
    for line in lines:
        _device, place, found, *_rest = line.split(b" ")
        point = Path(
            _OCTAL.sub(lambda sign: bytes([int(sign[1], 8)]), place).decode(errors="surrogateescape")
        )
        if folder.is_relative_to(point) and len(point.parts) >= depth:
            kind, depth = found.decode(), len(point.parts)
    return kind if _SHARE.fullmatch(kind) else None

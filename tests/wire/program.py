"""The bot as a process, with functions to start, kill and stop it and to read its log."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

from tests import forked_processes

ROOT = Path(__file__).parents[2]
TOKEN = "loopback.token.0"
LAUNCHER = "tests.wire.launcher"
DATABASE = "ribit.sqlite3"
"""The name of the database's file, if it is one."""

KILLED = -signal.SIGKILL
"""The exit code of a process that was killed."""


class Program:
    """A database, a log, and one process at a time."""

    is_copied = False
    """True if each process is a copy of one that has loaded the program, as in the tests."""

    def __init__(self, folder: Path, address: str, module: str = LAUNCHER) -> None:
        """Set the module to run, which gets Discord's address as its only argument."""
        self.database = folder / DATABASE
        self.location = str(self.database)
        """What the program is told of where its database is."""
        self.shards: str | None = None
        """What the program is told of which shards it runs, where it is one of several."""
        self._module = module
        self._folder = folder
        self.address = address
        self._process: asyncio.subprocess.Process | forked_processes.Program | None = None
        self.log = folder / "0.log"
        self.starts = 0
        self.clock = ("never", 0)
        """When, ``before`` the start or ``later``, its clock is set, and by how many seconds."""
        self._starved = self._starved_before = 0.0
        self.started = 0.0

    @property
    def process(self) -> asyncio.subprocess.Process | forked_processes.Program:
        """The process started last."""
        assert self._process is not None
        return self._process

    @property
    def is_alive(self) -> bool:
        """True while a process runs."""
        return self._process is not None and self._process.returncode is None

    async def start(self, level: str = "INFO") -> None:
        """Start the bot with a log file of its own at this level."""
        assert not self.is_alive
        self.starts += 1
        self.log = self._folder / f"{self.starts}.log"
        environment = {
            **os.environ,
            "DISCORD_TOKEN": TOKEN,
            "RIBIT_DATABASE": self.location,
            "RIBIT_LOG_LEVEL": level,
            "PYTHONPATH": str(ROOT),
            **({} if self.shards is None else {"RIBIT_SHARDS": self.shards}),
        }
        arguments = (self._module, self.address, *map(str, self.clock))
        self.started, self._starved_before = time.perf_counter(), _starved_seconds(os.getpid())
        if self.is_copied:
            self._process = forked_processes.Program(
                arguments, self._folder, environment, self.log, self.log
            )
            return
        with self.log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", *arguments),
                cwd=self._folder,
                env=environment,
                stdout=log,
                stderr=log,
            )

    def starved(self) -> float:
        """Return the seconds for which the process, or this one, has waited for a processor."""
        if self.is_alive:
            self._starved = _starved_seconds(self.process.pid) + _starved_seconds(os.getpid())
        return self._starved

    @property
    def starved_seconds_in_life(self) -> float:
        """Seconds of waiting since the start of the process."""
        return self.starved() - self._starved_before

    def kill(self) -> None:
        """Send SIGKILL, like ``kill -9``."""
        if self.is_alive:
            self.starved()  # nobody can say it afterwards
            self.process.kill()

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        if self.is_alive:
            self.process.send_signal(signal.SIGTERM)

    def set_clock(self) -> None:
        """Set the clock of a process that expects ``later``."""
        self.process.send_signal(signal.SIGUSR1)

    async def ended(self) -> int:
        """Wait for the exit of the process and return its exit code."""
        return await self.process.wait()


def _starved_seconds(process_id: int) -> float:
    """Return the seconds for which a process was ready to run and did not.

    Linux measures this time. On other systems it may have been all the time.
    """
    try:
        words = Path(f"/proc/{process_id}/schedstat").read_text("ascii").split()
        return int(words[1]) / 1e9
    except (OSError, IndexError):
        return time.perf_counter()

"""The program in separate processes, each a fork of one that has loaded it.

Loading the program and its games takes 1.6 s of CPU, and a test of killed processes starts a dozen. If
the system cannot fork, each process loads the program.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import multiprocessing.forkserver
import os
import runpy
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import chdir
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path
from pkgutil import iter_modules
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

import bot.games

ROOT = Path(__file__).parents[1]
PRELOADED = [
    "bot.running",
    "bot.doctor.installation",
    "bot.sessions.match_export",
    "pytest",
    "tests.drawn_examples",
    "tests.wire.launcher",
    *(f"bot.games.{found.name}" for found in iter_modules(bot.games.__path__) if found.ispkg),
]
PATIENCE_SECONDS = 300.0


@cache
def fork_context() -> BaseContext:
    """Return the context in which a new process is the copy of one that has loaded the program."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with chdir(ROOT):  # where these are found
        multiprocessing.forkserver.ensure_running()
    return context


class Program:
    """A process that runs a module as ``python -m`` does, and writes into two files."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        out: Path,
        errors: Path,
    ) -> None:
        """Start the process. ``arguments`` begin with the module's name, or with ``-c`` and code.

        ``folder`` is the working directory.
        """
        for written in (out, errors):
            written.touch(0o600)
        given = (list(arguments), folder, dict(environment), out, errors)
        # the type stubs of BaseContext lack Process
        self._process = fork_context().Process(target=_run_program, args=given)  # type: ignore[attr-defined]
        self._process.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return int(self._process.pid)

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal, or None while it runs."""
        code: int | None = self._process.exitcode
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def join(self) -> int:
        """Wait for the end and return the exit code. Raises TimeoutError after five minutes."""
        self._process.join(PATIENCE_SECONDS)
        if self.returncode is None:
            self.kill()
            raise TimeoutError("the program did not end")
        return self.returncode

    def wait_for_line(self, word: str, path: Path) -> str:
        """Wait for the first whole line with a word in the output at a path, and return the line.

        Raises:
            AssertionError: It has ended without such a line.
        """
        while True:
            has_ended = self.returncode is not None
            lines = path.read_text("utf-8", "replace").splitlines(keepends=True)
            if line := next((line for line in lines if word in line and line.endswith("\n")), None):
                return line
            assert not has_ended, lines
            time.sleep(0.01)

    async def wait(self) -> int:
        """Wait for the end without blocking, and return the exit code."""
        while self.returncode is None:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        return self.returncode


def run_program(*arguments: str, folder: Path, environment: Mapping[str, str]) -> CompletedProcess[str]:
    """Run a module, or code after ``-c``, to its end. Return its exit code and output."""
    done = run_program_for_bytes(*arguments, folder=folder, environment=environment)
    out = done.stdout.decode(_output_encoding(environment))
    return CompletedProcess(arguments, done.returncode, out, done.stderr.decode())


def run_program_for_bytes(
    *arguments: str, folder: Path, environment: Mapping[str, str]
) -> CompletedProcess[bytes]:
    """Run a module as ``run`` does. Return its exit code and the bytes of its output."""
    with TemporaryDirectory() as written:
        out, errors = Path(written, "out"), Path(written, "errors")
        code = Program(arguments, folder, environment, out, errors).join()
        return CompletedProcess(arguments, code, out.read_bytes(), errors.read_bytes())


def _output_encoding(environment: Mapping[str, str]) -> str:
    """Return the encoding of the program's output."""
    return environment.get("PYTHONIOENCODING", "utf-8")


def _run_program(
    arguments: list[str], folder: Path, environment: dict[str, str], out: Path, errors: Path
) -> None:
    """Be the program, in the process that was made for it."""
    gc.freeze()  # what was loaded before is not looked through for garbage
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if hasattr(time, "tzset"):
        time.tzset()
    for number, path in ((1, out), (2, errors)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    encoding = _output_encoding(environment)
    sys.stdout = open(1, "w", encoding=encoding, closefd=False, buffering=1)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    sys.argv = arguments
    if arguments[0] == "-c":
        del arguments[0]  # what the code is given comes after it
        exec(arguments[0], {"__name__": "__main__"})
        return
    sys.modules.pop(f"{arguments[0]}.__main__", None)  # it is run, and not only loaded
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)

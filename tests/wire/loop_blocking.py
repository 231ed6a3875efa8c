"""Starts the bot like the launcher and counts callbacks that hold the event loop for long.

The time of a callback is the CPU time that the loop's thread used in it, so a busy machine changes
nothing. The loop is asyncio's own, because uvloop's callbacks cannot be observed, and the bot's are the
same.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from asyncio.events import Handle
from collections import Counter
from pathlib import Path

import pytest

HELD_SECONDS = 0.02
_TOLD = re.compile(r"^(\d+) callbacks; held the loop over 20 ms: (\{.*\})$", re.MULTILINE)
_NAMED = re.compile(r"'([^']+)': (\d+)")


class Count:
    """The number of callbacks, and how often each one held the loop for over 20 ms."""

    def __init__(self) -> None:
        self.callbacks = 0
        self.held: Counter[str] = Counter()

    def install_patches(self, patches: pytest.MonkeyPatch) -> None:
        """Count every callback of asyncio's loops until the patches are undone."""
        run = Handle._run

        def counting(handle: Handle) -> None:
            name = _callback_name(handle)
            began = time.thread_time()
            run(handle)
            self.callbacks += 1
            if time.thread_time() - began > HELD_SECONDS:
                self.held[name] += 1

        patches.setattr(Handle, "_run", counting)

    def tell(self) -> str:
        """Return the line with the count, for the log."""
        return f"{self.callbacks} callbacks; held the loop over 20 ms: {dict(self.held)}"


def callback_counts(log: Path) -> tuple[int, dict[str, int]]:
    """Return the number of callbacks and the long ones from the log of a finished program."""
    [(callbacks, held)] = _TOLD.findall(log.read_text("utf-8"))
    return int(callbacks), {name: int(times) for name, times in _NAMED.findall(held)}


def _callback_name(handle: Handle) -> str:
    """Return the name of a callback, which is a task's coroutine or a function."""
    callback = handle._callback  # type: ignore[attr-defined]  # nothing public says what a handle runs
    task = getattr(callback, "__self__", None)
    of = task.get_coro() if isinstance(task, asyncio.Task) else callback
    return str(getattr(of, "__qualname__", type(of).__name__))


if __name__ == "__main__":
    from bot.__main__ import main
    from tests.wire.launcher import connect_to

    count, patches = Count(), pytest.MonkeyPatch()
    count.install_patches(patches)
    patches.setattr("bot.running.run_loop", asyncio.run)
    connect_to(*sys.argv[1:])
    code = main(["run"])
    sys.stderr.write(f"{count.tell()}\n")
    sys.exit(code)

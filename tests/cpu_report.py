"""CPU time of tests, by folder and by test: ``pytest --cpu``.

The time of a test is that of its process and of its child processes, set-up and teardown included. On
Linux that includes the server that copies the program (``tests/forked_processes.py``) and its copies
that have ended. A fixture of the whole session counts for the first test that uses it.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path, PurePath

import pytest

MOST_EXPENSIVE = 40
"""Number of tests in the second table."""

KEY = "cpu seconds"


class CpuReport:
    """Pytest plugin that measures each test and prints both tables at the end of the run."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note the CPU time at which the test begins."""
        item.stash[_STARTED_AT] = _cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add to each report the CPU seconds since the one before."""
        report = yield
        now = _cpu_seconds()
        report.user_properties.append((KEY, now - item.stash[_STARTED_AT]))
        item.stash[_STARTED_AT] = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Sum the seconds of a test. Under xdist, this hook runs in the controlling process."""
        for key, value in report.user_properties:
            if key == KEY and isinstance(value, float):
                self._seconds[report.nodeid] += value

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print both tables."""
        folders: dict[str, list[float]] = defaultdict(list)
        for test, seconds in self._seconds.items():
            folders[_folder_of(test)].append(seconds)
        write = terminalreporter.write_line
        terminalreporter.section("CPU seconds by folder")
        for folder, times in sorted(folders.items(), key=lambda item: -sum(item[1])):
            per_test = 1000 * sum(times) / len(times)
            write(f"{folder:24} {len(times):5} tests {sum(times):8.1f} s {per_test:7.0f} ms per test")
        write(f"{'total':24} {len(self._seconds):5} tests {sum(self._seconds.values()):8.1f} s")
        terminalreporter.section(f"the {MOST_EXPENSIVE} most expensive tests")
        most_expensive = sorted(self._seconds.items(), key=lambda item: -item[1])[:MOST_EXPENSIVE]
        for test, seconds in most_expensive:
            write(f"{seconds:7.2f} s  {test}")


_STARTED_AT = pytest.StashKey[float]()


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its child processes."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system + _children_cpu_seconds()


def _children_cpu_seconds() -> float:
    """Return the CPU seconds of running child processes and of those that ended in them."""
    lists = Path("/proc/self/task").glob("*/children")
    pids = [pid for each in lists for pid in _read_proc(each).split()]
    stats = [_read_proc(Path("/proc", pid, "stat")).rpartition(")")[2].split() for pid in pids]
    return sum(int(ticks) for stat in stats for ticks in stat[11:15]) / os.sysconf("SC_CLK_TCK")


def _read_proc(path: Path) -> str:
    """Return a file in /proc, or an empty string if its thread or process has ended."""
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _folder_of(test: str) -> str:
    """Return the folder of a test's ID, or ``tests/test_*.py`` for a test beside the folders."""
    parts = PurePath(test.partition("::")[0]).parts
    return "/".join(parts[:2]) if len(parts) > 2 else "tests/test_*.py"

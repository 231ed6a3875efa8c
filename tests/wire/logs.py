"""Reads the log of a process, in which each error must come from an injected fault."""

from __future__ import annotations

import re
from collections.abc import Iterator

_EVENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[(\w+) *\] (.*)")
_RAISED = re.compile(
    r" *[A-Za-z_][\w.]*(?:Error|Exception|Forbidden|NotFound|Closed|Exit|Interrupt)\b.*"
)
_ORPHANED = re.compile(
    r'Traceback \(most recent call last\):\n  File "<string>", line 1, in <module>\n'
    r'(?:  .*\n)*?  File ".*\bmultiprocessing/spawn\.py".*\n(?:  .*\n)+EOFError: .*'
)
"""Message of a worker that was starting when the process was killed, so its task never came."""

EXPECTED = {
    "limited": r"discord\.errors\.HTTPException: 429",
    "failing": r"DiscordServerError: 50\d",
    "dropping": r"(ServerDisconnected|ClientOS|ClientConnection|ConnectionReset)Error|400 .*40060",
    "withdrawn": r"Forbidden: 403 .*5000?1",
    "full disk": r"sqlite3\.OperationalError: (disk I/O error|database or disk is full)|FaultyDiskError",
    "away": r"storage failed, games are paused|UnreachableDatabaseError",
    "deleted": r"NotFound: 404 .*10008",
}
"""Patterns of the errors that each type of injected fault causes in the bot."""


def unexpected_errors(log: str, injected: set[str], *, was_killed: bool) -> list[str]:
    """Return the log's errors that do not come from injected faults.

    The last line of a process that ``was_killed`` may be incomplete or from a starting worker.
    """
    log = _ORPHANED.sub("", log) if was_killed else log
    expected = [re.compile(EXPECTED[kind]) for kind in injected if kind in EXPECTED]
    found = []
    for level, event, rest in _log_events(log):
        traced = any("Traceback (most recent call last)" in line for line in rest)
        if not traced and level not in ("error", "critical"):
            continue
        raised = [line for line in rest if _RAISED.match(line)]
        last = raised[-1] if raised else None
        if traced and last is None and was_killed:
            continue  # broken off in the middle
        if not any(pattern.search(last or event) for pattern in expected):
            found.append(f"{event} … {last}")
    return found


def _log_events(log: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the level, the message and the further lines of each event."""
    level, words, rest = "info", "", list[str]()
    for line in log.splitlines():
        begins = _EVENT.match(line)
        if begins is None:
            rest.append(line)
            continue
        yield level, words, rest
        level, words, rest = begins[1], begins[2], []
    yield level, words, rest

"""The clicks and the shown states of a run, with which the journal is compared."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

ACKNOWLEDGED_WITHIN_SECONDS = 3.0
"""Seconds after which Discord shows that the application did not respond."""

REMEMBERED = 20_000
_MOVE = re.compile(r'"custom_id": ?"m:([0-9a-z]{4,16}):(\d{1,6}):')
_OVER = re.compile(r'"custom_id": ?"a:([0-9a-z]{4,16}):(?:rematch|new)"')


@dataclass(slots=True)
class Click:
    """An interaction with its user, its process's life and the time of its acknowledgement.

    ``excused`` is the reason for which it need not be acknowledged in time, such as a failure of
    Discord.
    """

    id: int
    player_id: int
    custom_id: str
    values: tuple[str, ...] = ()
    life: int | None = None
    process: int = 0
    sent: float | None = None
    answered: float | None = None
    acknowledged: bool = False
    starved: float = 0.0
    """Seconds for which its process had waited for a processor when it was sent."""
    excused: str | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    """Set when no answer will follow, after an acknowledgement or the exit of its process."""

    @property
    def seconds(self) -> float | None:
        """Seconds until the first answer."""
        if self.sent is None or self.answered is None:
            return None
        return self.answered - self.sent


@dataclass
class Ledger:
    """All clicks of a run by ID, the highest move shown of each match, and the refusals.

    ``lives`` counts the lives of all processes, and ``life`` is the number of each process's last one.
    ``starved`` returns the seconds for which the machine made a process wait for a processor, which is
    not the process's fault. ``wrong`` lists errors that should never happen.
    """

    starved: Callable[[int], float] = lambda _process: 0.0
    lives: int = 0
    life: Counter[int] = field(default_factory=Counter)
    late: int = 0
    clicks: dict[int, Click] = field(default_factory=dict)
    of_life: dict[int, list[Click]] = field(default_factory=lambda: defaultdict(list))
    of_move: dict[tuple[str, int], list[Click]] = field(default_factory=lambda: defaultdict(list))
    quits: Counter[tuple[str, int]] = field(default_factory=Counter)
    questions: Counter[tuple[str, int]] = field(default_factory=Counter)
    backs: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    played_from: set[tuple[str, int, int]] = field(default_factory=set)
    stand_ins: set[tuple[str, int]] = field(default_factory=set)
    shown: Counter[str] = field(default_factory=Counter)
    over: set[str] = field(default_factory=set)
    refused: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    said: deque[tuple[float, str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """The last requests and clicks with their times, to find the cause of an error."""

    def add_line(self, line: str) -> None:
        """Keep a line for a while."""
        self.said.append((time.time(), line))

    def told(self, *names: str) -> list[str]:
        """Return the latest lines that have one of these names."""
        return [
            f"{time.strftime('%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03} {line}"
            for at, line in self.said
            if any(name in line for name in names)
        ]

    def ask(self, click: Click) -> None:
        """Record a click before it is sent."""
        self.clicks[click.id] = click
        self.add_line(f"click {click.id} {click.custom_id} by {click.player_id}")
        kind, match_id, rest = (*click.custom_id.split(":"), "", "", "")[:3]
        if kind == "m" and rest.isdecimal():
            self.of_move[match_id, int(rest)].append(click)
        if kind == "f" and rest.isdecimal():
            self.stand_ins.add((match_id, int(rest)))
        if (kind, rest) == ("a", "quit") or (kind == "c" and match_id):  # one's own, of too many
            self.quits[match_id, click.player_id] += 1
        if kind == "q":
            self.questions[match_id, click.player_id] += 1
        if kind == "pf" and rest.isdecimal():
            self.played_from.add((match_id, click.player_id, int(rest)))
        if kind == "w" and rest.isdecimal():
            self.backs[match_id, click.player_id, int(rest)] += 1

    def begin_life(self, process: int = 0) -> int:
        """Record the beginning of a process's next life and return its number."""
        self.lives += 1
        self.life[process] = self.lives
        return self.lives

    def sent(self, interaction_id: int, process: int = 0) -> None:
        """Record that an interaction was sent, possibly for a second time."""
        click = self.clicks[interaction_id]
        if click.sent is not None:
            click.excused = "sent again after a broken connection"
        click.sent, click.process, click.life = time.perf_counter(), process, self.life[process]
        click.starved = self.starved(process)
        self.of_life[click.life].append(click)

    def answer(self, interaction_id: int) -> None:
        """Record an answer to an interaction, and check that it is in time."""
        click = self.clicks[interaction_id]
        if click.answered is None and click.sent is not None:
            click.answered = time.perf_counter()
            self._check_latency(click, click.answered)

    def acknowledge(self, interaction_id: int) -> None:
        """Record that Discord has accepted the answer to an interaction."""
        click = self.clicks[interaction_id]
        click.acknowledged = True
        click.over.set()

    def excuse_click(self, interaction_id: int, why: str) -> None:
        """Expect no acknowledgement of a click."""
        self.clicks[interaction_id].excused = why

    def excuse_open_clicks(self, why: str, process: int = 0) -> None:
        """Expect no acknowledgement of any open click of a process."""
        for click in self.of_life[self.life[process]]:
            if not click.acknowledged:
                click.excused = click.excused or why

    def show(self, words: str) -> None:
        """Record the states in the text of a request's body, which the bot is about to show."""
        for match_id, n in _MOVE.findall(words):
            self.shown[match_id] = max(self.shown[match_id], int(n))
        self.over.update(_OVER.findall(words))

    def end_life(self, process: int = 0) -> None:
        """Record the exit of a process, and check the clicks that it has not answered."""
        ended = time.perf_counter()
        for click in self.of_life[self.life[process]]:
            click.over.set()
            if click.answered is None and click.life == self.life[process]:
                self._check_latency(click, ended)

    def _check_latency(self, click: Click, until: float) -> None:
        assert click.sent is not None
        waited, starved = until - click.sent, self.starved(click.process) - click.starved
        if waited <= ACKNOWLEDGED_WITHIN_SECONDS or click.excused:
            return
        self.late += 1
        if waited - starved > ACKNOWLEDGED_WITHIN_SECONDS:
            words, since = "not answered" if click.answered is None else "answered", time.time() - waited
            asked = sum(at > since and line.startswith("asked") for at, line in self.said)
            self.wrong.append(
                f"{words} after {waited:.2f} s ({starved:.2f} s starved, {asked} requests meanwhile): "
                f"{click.custom_id}"
            )

    def figures(self) -> dict[str, Any]:
        """Return the counts of a run."""
        sent = [click for click in self.clicks.values() if click.sent is not None]
        times = [click.seconds for click in sent if click.seconds is not None and not click.excused]
        return {
            "clicks": len(sent),
            "acknowledged": sum(click.acknowledged for click in sent),
            "slowest answer (s)": round(max(times, default=0.0), 2),
            "late, machine busy": self.late,
        }

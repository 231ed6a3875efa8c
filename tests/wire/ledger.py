"""What the bot was asked and what it showed: the books that the journal is held against."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

ACKNOWLEDGED_WITHIN_SECONDS = 3.0
"""After this Discord tells the user that the application did not respond."""

REMEMBERED = 20_000
_MOVE = re.compile(r'"custom_id": ?"m:([0-9a-z]{4,16}):(\d{1,6}):')
_OVER = re.compile(r'"custom_id": ?"a:([0-9a-z]{4,16}):(?:rematch|new)"')


@dataclass(slots=True)
class Click:
    """An interaction: who asked what of which life of a process, and when it was acknowledged.

    ``excused`` says why it need not be acknowledged in time: Discord itself failed it.
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
    """How long the machine had let its process wait for a processor when it was sent."""
    excused: str | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    """Set when nothing more will come: it was acknowledged, or its process is gone."""

    @property
    def seconds(self) -> float | None:
        """How long the first answer took."""
        if self.sent is None or self.answered is None:
            return None
        return self.answered - self.sent


@dataclass
class Ledger:
    """Every click of a run, by its id; the most moves that each match was shown after; the refusals.

    ``lives`` counts the lives of all processes, and ``life`` is the number of each process's last one.
    ``starved`` says for how long the machine has let a process wait for a processor: that is no fault of
    its own. ``wrong`` is what should never happen.
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
    """The last requests and clicks, and when they came, to tell what led to something wrong."""

    def say(self, line: str) -> None:
        """Remember a line for a while."""
        self.said.append((time.time(), line))

    def told(self, *names: str) -> list[str]:
        """Return the lines of late that have one of these names."""
        return [
            f"{time.strftime('%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03} {line}"
            for at, line in self.said
            if any(name in line for name in names)
        ]

    def ask(self, click: Click) -> None:
        """Take note of a click before it is sent."""
        self.clicks[click.id] = click
        self.say(f"click {click.id} {click.custom_id} by {click.player_id}")
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
        """Take note that a process begins another life; returns its number."""
        self.lives += 1
        self.life[process] = self.lives
        return self.lives

    def sent(self, interaction_id: int, process: int = 0) -> None:
        """Take note that an interaction has gone through a socket, perhaps for a second time."""
        click = self.clicks[interaction_id]
        if click.sent is not None:
            click.excused = "sent again after a broken connection"
        click.sent, click.process, click.life = time.perf_counter(), process, self.life[process]
        click.starved = self.starved(process)
        self.of_life[click.life].append(click)

    def answer(self, interaction_id: int) -> None:
        """Take note that an answer to an interaction has come, and judge whether that is in time."""
        click = self.clicks[interaction_id]
        if click.answered is None and click.sent is not None:
            click.answered = time.perf_counter()
            self._judge(click, click.answered)

    def acknowledge(self, interaction_id: int) -> None:
        """Take note that Discord has taken the answer to an interaction."""
        click = self.clicks[interaction_id]
        click.acknowledged = True
        click.over.set()

    def excuse(self, interaction_id: int, why: str) -> None:
        """Do not expect a click to be acknowledged."""
        self.clicks[interaction_id].excused = why

    def excuse_all(self, why: str, process: int = 0) -> None:
        """Do not expect any click to be acknowledged that still waits for a process."""
        for click in self.of_life[self.life[process]]:
            if not click.acknowledged:
                click.excused = click.excused or why

    def show(self, words: str) -> None:
        """Take note of what the bot wants to show: the text of a request's body."""
        for match_id, n in _MOVE.findall(words):
            self.shown[match_id] = max(self.shown[match_id], int(n))
        self.over.update(_OVER.findall(words))

    def end_life(self, process: int = 0) -> None:
        """Take note that a process is gone, and judge the clicks that it has not answered."""
        ended = time.perf_counter()
        for click in self.of_life[self.life[process]]:
            click.over.set()
            if click.answered is None and click.life == self.life[process]:
                self._judge(click, ended)

    def _judge(self, click: Click, until: float) -> None:
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

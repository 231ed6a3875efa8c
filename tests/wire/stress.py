"""A stress test, in which the process is killed again and again, and a final check."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from bot.matches.match import Stage
from tests.wire.channel_players import Party
from tests.wire.database_snapshot import Glances
from tests.wire.environment import World, wait_until
from tests.wire.final_check import DRY_LAND, Revival
from tests.wire.injected_faults import CALM, Doom, Weather
from tests.wire.program import KILLED

REVIVED_WITHIN_SECONDS = 120.0
MOST_ROUNDS = 20
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hugo", "Ida", "Jon")

STORMY = Weather(
    limited=0.02,
    failing=0.01,
    dropping=0.01,
    slow=0.10,
    cutting=0.10,
    closing=0.3,
    withdrawing=0.25,
    deleting=0.3,
)
WEATHERS = (
    CALM,
    CALM,
    Weather(limited=0.1, slow=0.1),
    Weather(failing=0.05),
    Weather(dropping=0.05),
    Weather(slow=0.5),
    Weather(cutting=0.5),
    Weather(closing=0.5, deleting=0.5),
    Weather(withdrawing=0.6, closing=0.2),
    Weather(limited=0.1, failing=0.1, dropping=0.05, from_the_start=True),
    STORMY,
)
KINDS = {"answer": 20, "follow-up": 5, "post": 5, "edit": 8, "delete": 3, "": 40}
"""Types of events at which a process is killed, with the highest number of events before it."""


class StressTest:
    """Players use a process that is killed again and again, and errors are collected."""

    def __init__(self, place: World, tables: int) -> None:
        self.violations: list[str] = []
        self.kills: Counter[str] = Counter()
        self._place = place
        self._random = place.random
        self._stops = 0
        self._slowest_stop = 0.0
        self._starts: list[float] = []
        people = [place.server.person(name) for name in NAMES]
        self._parties = [
            Party(
                place.crowd,
                place.ledger,
                place.server.channel(f"pond-{number}", number % len(place.server.guilds)),
                self._random.sample(people, self._random.randint(2, 5)),
                number,
            )
            for number in range(tables)
        ]
        place.server.channel(DRY_LAND)
        self._channels = [party.channel.id for party in self._parties]
        self._people = [user.id for user in people]

    # ---- lives ---------------------------------------------------------------------------------

    async def run(self, kills: int, seconds: float, moves: int = 0) -> None:
        """Run until this many kills and moves or for this long, and check the end."""
        until = time.monotonic() + seconds
        async with self._run_parties():
            while self._is_unfinished(kills, moves) and time.monotonic() < until and not self.violations:
                await self._run_life()
        await self._reckon()

    def _is_unfinished(self, kills: int, moves: int) -> bool:
        return self.kills.total() < kills or self._place.audit.moves < moves

    async def run_weathers(
        self, weathers: Sequence[Weather], seconds: float, faults: frozenset[str]
    ) -> None:
        """Run one process with each of these sets of faults for a while, and check the end.

        They are repeated until the process has met each of these faults.
        """
        async with self._run_parties():
            await self._place.begin()
            for _round in range(MOST_ROUNDS):
                for weather in weathers:
                    self._place.perils.weather = weather
                    await self._live(seconds)
                if self._place.perils.counts.keys() >= faults:
                    break
            await self._kill_process("in the end")
        await self._reckon()

    @asynccontextmanager
    async def _run_parties(self) -> AsyncIterator[None]:
        """Let all parties play during the block."""
        playing = [asyncio.create_task(party.play()) for party in self._parties]
        yield
        for task in playing:
            task.cancel()
        for outcome in await asyncio.gather(*playing, return_exceptions=True):
            if not isinstance(outcome, asyncio.CancelledError):
                self.violations.append(f"a party broke up: {outcome!r}")

    async def _run_life(self) -> None:
        """Start the process, let it run for a while and end it."""
        random, roll = self._random, self._random.random()
        weather = random.choice(WEATHERS)
        if roll < 0.07:
            await self._place.begin(weather)
            await self._kill_during_start()
        elif roll < 0.15:
            await self._place.begin(weather)
            await self._stop_process()
        elif roll < 0.35:
            await self._place.begin(weather)
            await self._kill_at_random_time()
        elif roll < 0.55:
            await self._kill_by_doom(weather, Doom("click", count=random.randint(1, 25)))
        else:
            moment, kind = random.choice(("before", "after")), random.choice(tuple(KINDS))
            await self._kill_by_doom(weather, Doom(moment, kind, random.randint(1, KINDS[kind])))

    async def _kill_during_start(self) -> None:
        await asyncio.sleep(self._random.uniform(0, 2.0))
        await self._kill_process("while it starts")

    async def _kill_at_random_time(self) -> None:
        longest = 11.0 if self._random.random() < 0.3 else 2.5
        await self._live(self._random.uniform(0, longest))
        await self._kill_process("any time")

    async def _kill_by_doom(self, weather: Weather, doom: Doom) -> None:
        name = f"{doom.moment} {doom.kind}".strip()
        await self._place.begin(weather, doom)
        await self._live(self._random.uniform(1.0, 6.0))
        await self._kill_process(name if doom.count <= 0 else "any time")

    async def _kill_process(self, how: str, *others: int) -> None:
        """Kill the process. With ``others`` it may already have exited in one of these ways."""
        program = self._place.program
        program.kill()
        self.violations += await self._place.end(KILLED, *others)
        self.kills[how] += program.process.returncode == KILLED

    async def _stop_process(self) -> None:
        await self._live(self._random.uniform(0, 3.0))
        self._stops += 1
        program, connected = self._place.program, self._place.gateway.connected
        program.ask_to_stop()
        asked = time.monotonic()
        await wait_until(lambda: not (program.is_alive and connected.is_set()))
        self._place.ledger.excuse_open_clicks(
            "asked to stop"
        )  # what was sent while it left was read by nobody
        if self._random.random() < 0.3:
            await asyncio.sleep(self._random.uniform(0, 0.5))
            await self._kill_process("while it stops", 0)
            return
        self.violations += await self._place.end(0)
        self._slowest_stop = max(self._slowest_stop, time.monotonic() - asked)

    async def _live(self, seconds: float) -> None:
        """Wait until the bot is connected, and then for a while in which faults are injected."""
        place = self._place
        trouble = asyncio.create_task(place.perils.inject_troubles(self._channels, self._people))
        if await place.connected():
            self._starts.append(time.perf_counter() - place.program.started)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await place.program.ended()
        elif place.program.is_alive:
            self.violations.append("the bot did not connect")
        trouble.cancel()
        with suppress(asyncio.CancelledError):
            await trouble

    # ---- the reckoning -------------------------------------------------------------------------

    async def _reckon(self) -> None:
        """Start the process again without faults, and make every live table take a move."""
        place = self._place
        if self.violations:
            return
        place.perils.stop_faults()
        await place.begin(CALM)
        await self._live(0.0)
        revival = Revival(place.crowd, place.audit, Glances(place.location), place.server)
        self.violations += await revival.unresponsive_tables(REVIVED_WITHIN_SECONDS)
        place.program.ask_to_stop()
        self.violations += await place.end(0)
        self.violations += place.audit.last()

    def figures(self) -> dict[str, object]:
        """Return the metrics of the run."""
        place = self._place
        faults = place.perils.counts
        return {
            "kills": self.kills.total(),
            **{f"  {how}": count for how, count in sorted(self.kills.items())},
            "clean stops": self._stops,
            "slowest stop (s)": round(self._slowest_stop, 2),
            "process starts": place.program.starts,
            **place.ledger.figures(),
            "moves": place.audit.moves,
            "matches": len(place.audit.records),
            "matches finished": place.audit.ended(Stage.FINISHED),
            "HTTP requests": place.server.rest.requests,
            "gateway resumes": place.server.gateway.resumed,
            "faults injected": faults.total(),
            **{f"  {kind}": count for kind, count in sorted(faults.items())},
            **{f"  refused: {code}": count for code, count in sorted(place.ledger.refused.items())},
            "moves lost": place.audit.lost,
            "moves twice": place.audit.twice,
            "tables dead": sum("is dead" in words for words in self.violations),
            "integrity": "ok" if place.audit.is_sound else "broken",
            "median start (s)": round(statistics.median(self._starts or [0.0]), 2),
        }

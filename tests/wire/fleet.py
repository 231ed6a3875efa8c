"""A stress test of several processes with one database, in which any of them is killed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import cycle

from tests.postgres import Postgres
from tests.wire.database_snapshot import Glances
from tests.wire.environment import World
from tests.wire.final_check import Revival
from tests.wire.fleet_checks import Border, Truth
from tests.wire.injected_faults import CALM, Doom, Weather
from tests.wire.program import KILLED
from tests.wire.stress import KINDS, REVIVED_WITHIN_SECONDS, WEATHERS, StressTest

BLOWS_A_PROOF = 10
"""Number of failures between two checks, at which every live table must move and show its state."""

TRIES = 3
TRUE_WITHIN_SECONDS = 60.0
STOPPED_WITHIN_SECONDS = 30.0
LONGEST_OUTAGE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 3.0


class FleetStressTest(StressTest):
    """A stress test of several processes, in which processes and the database are killed."""

    def __init__(self, places: Sequence[World], postgres: Postgres, tables: int) -> None:
        super().__init__(places[0], tables)
        self._places = places
        self._postgres = postgres
        self._outages: list[tuple[float, float]] = []
        self._proofs = 0
        self._glances = Glances(places[0].location)
        for place in places:
            place.server.lines[place.process].rest.watch = Border(place, place.perils)

    # ---- blows ---------------------------------------------------------------------------------

    async def run(self, kills: int, seconds: float, moves: int = 0) -> None:
        """Run until this many kills and moves or for this long, with checks in between."""
        until = time.monotonic() + seconds

        def goes_on() -> bool:
            is_time = time.monotonic() < until
            return self._is_unfinished(kills, moves) and is_time and not self.violations

        while goes_on():
            blows = 0
            async with self._run_parties():
                while blows < BLOWS_A_PROOF and goes_on():
                    await self._strike(*self._random_failure())
                    blows += 1
            await self._check_live_tables()
        await self._reckon()

    async def each(self) -> None:
        """Apply each type of failure once, in random order, to one process after the other."""
        blows = list(self._failure_weights())
        self._random.shuffle(blows)
        async with self._run_parties():
            for blow, place in zip(blows, cycle(self._places), strict=False):
                await self._strike(blow, place)
        await self._check_live_tables()
        await self._reckon()

    def _failure_weights(self) -> dict[Callable[[World], Awaitable[None]], int]:
        """Return the possible failures of a process with their frequencies."""
        return {
            self._kill_one_during_start: 6,
            self._stop_one_process: 8,
            self._kill_one_at_random_time: 22,
            self._kill_after_click: 16,
            self._kill_at_request: 22,
            self._kill_all: 9,
            self._kill_database: 12,
            self._kill_during_outage: 5,
        }

    def _random_failure(self) -> tuple[Callable[[World], Awaitable[None]], World]:
        blows = self._failure_weights()
        [blow] = self._random.choices(list(blows), list(blows.values()))
        return blow, self._random.choice(self._places)

    async def _strike(self, blow: Callable[[World], Awaitable[None]], place: World) -> None:
        """Start every process with some faults, and apply a failure to one."""
        weather = self._random.choice(WEATHERS)
        if blow != self._kill_one_during_start:
            await self._start_all(weather)
        async with self._inject_troubles():
            await blow(place)
        if self._random.random() < 0.5:
            await asyncio.sleep(self._random.uniform(0, LONGEST_PAUSE_SECONDS))

    async def _kill_one_during_start(self, place: World) -> None:
        """Kill the process during its start, start it and kill it again."""
        if place.program.is_alive:
            await self._kill_one_process(place, "any time")
        await place.begin(self._random.choice(WEATHERS))
        await asyncio.sleep(self._random.uniform(0, 2.5))
        await self._kill_one_process(place, "while it starts")

    async def _stop_one_process(self, place: World) -> None:
        await self._run_briefly(place, 3.0)
        place.ledger.excuse_open_clicks("asked to stop", place.process)
        self._stops += 1
        place.program.ask_to_stop()
        asked = time.monotonic()
        if self._random.random() < 0.3:
            await asyncio.sleep(self._random.uniform(0, 0.5))
            await self._kill_one_process(place, "while it stops", 0)
            return
        await self._wait_for_stop(place)
        self._slowest_stop = max(self._slowest_stop, time.monotonic() - asked)

    async def _kill_one_at_random_time(self, place: World) -> None:
        await self._run_briefly(place, 4.0)
        await self._kill_one_process(place, "any time")

    async def _kill_after_click(self, place: World) -> None:
        await self._kill_at_event(place, Doom("click", count=self._random.randint(1, 25)))

    async def _kill_at_request(self, place: World) -> None:
        moment, kind = self._random.choice(("before", "after")), self._random.choice(tuple(KINDS))
        await self._kill_at_event(place, Doom(moment, kind, self._random.randint(1, KINDS[kind])))

    async def _kill_all(self, place: World) -> None:
        """Kill all processes at the same moment, as one kill."""
        await self._run_briefly(place, 4.0)
        for one in self._places:
            one.program.kill()
        for one in self._places:
            self.violations += await one.gone(KILLED)
        self.violations += await place.stored()
        self.kills["all"] += 1

    async def _kill_database(self, place: World) -> None:
        """Stop the database server at once, and start it after a while."""
        await self._run_briefly(place, 4.0)
        async with self._stop_database():
            await asyncio.sleep(self._random.uniform(0, LONGEST_OUTAGE_SECONDS))
        self.kills["the database"] += 1
        await self._run_briefly(place, 4.0)

    async def _kill_during_outage(self, place: World) -> None:
        """Kill a process while the database is unavailable, and start it meanwhile or afterwards."""
        await self._run_briefly(place, 4.0)
        async with self._stop_database():
            await asyncio.sleep(self._random.uniform(0, LONGEST_OUTAGE_SECONDS))
            place.program.kill()
            self.violations += await place.gone(KILLED)
            if self._random.random() < 0.5:
                await place.begin(CALM)
                place.perils.of_life.add("away")
                await asyncio.sleep(self._random.uniform(0, LONGEST_OUTAGE_SECONDS))
        self.kills["a process and the database"] += 1

    # ---- what blows are made of ----------------------------------------------------------------

    async def _start_all(self, weather: Weather) -> None:
        """Start all stopped processes, and set these faults for all."""
        for place in self._places:
            if place.program.is_alive:
                place.perils.weather, place.perils.doom = weather, None
            else:
                if place.gateway.has_session:  # it exited without a kill
                    self.violations += await place.gone(KILLED)
                await place.begin(weather)

    async def _run_briefly(self, place: World, seconds: float) -> None:
        """Wait until all processes are connected, and then for a while or until the doom ends one."""
        ended = asyncio.create_task(place.program.ended())
        passed = asyncio.create_task(self._run_all_for(self._random.uniform(0, seconds)))
        await asyncio.wait({ended, passed}, return_when=asyncio.FIRST_COMPLETED)
        for task in (ended, passed):
            task.cancel()
        await asyncio.gather(ended, passed, return_exceptions=True)

    async def _run_all_for(self, seconds: float) -> None:
        """Wait until all are connected, and then for this many seconds."""
        await asyncio.gather(*(self._wait_for_connection(one) for one in self._places))
        await asyncio.sleep(seconds)

    async def _wait_for_connection(self, place: World) -> None:
        was_connected, came = place.gateway.connected.is_set(), False
        for _try in range(TRIES):  # the machine may have no time for it
            came = await place.connected()  # a cut, or a kill, may have ended that by now
            if came or not place.program.is_alive:
                break
        if came:
            if not was_connected:
                self._starts.append(time.perf_counter() - place.program.started)
        elif place.program.is_alive:
            starved = f"{place.program.starved_seconds_in_life:.0f} s starved"
            self.violations.append(f"process {place.process} did not connect ({starved})")

    async def _kill_at_event(self, place: World, doom: Doom) -> None:
        name = f"{doom.moment} {doom.kind}".strip()
        place.perils.doom = doom
        await self._run_briefly(place, 6.0)
        await self._kill_one_process(place, name if doom.count <= 0 else "any time")

    async def _kill_one_process(self, place: World, how: str, *others: int) -> None:
        place.program.kill()
        self.violations += await place.end(KILLED, *others)
        self.kills[how] += place.program.process.returncode == KILLED

    async def _wait_for_stop(self, place: World) -> None:
        """Wait for the exit of a process that was asked to stop. Later clicks need no answer."""
        try:
            async with asyncio.timeout(STOPPED_WITHIN_SECONDS):
                await place.program.ended()
        except TimeoutError:
            starved = f"{place.program.starved_seconds_in_life:.0f} s starved"
            self.violations.append(f"process {place.process} does not stop ({starved})")
        place.ledger.excuse_open_clicks("asked to stop", place.process)
        self.violations += await place.end(0)

    @asynccontextmanager
    async def _stop_database(self) -> AsyncIterator[None]:
        """Stop the database server for a while."""
        self._place.perils.record_shared_fault("away")
        began = time.perf_counter()
        await asyncio.to_thread(self._postgres.stop)
        try:
            yield
        finally:
            await asyncio.to_thread(self._postgres.start)
            self._outages.append((began, time.perf_counter()))

    @asynccontextmanager
    async def _inject_troubles(self) -> AsyncIterator[None]:
        """Inject troubles during the block."""
        troubles = [
            asyncio.create_task(place.perils.inject_troubles(self._channels, self._people))
            for place in self._places
        ]
        try:
            yield
        finally:
            for trouble in troubles:
                trouble.cancel()
            await asyncio.gather(*troubles, return_exceptions=True)

    # ---- the reckoning -------------------------------------------------------------------------

    async def _check_live_tables(self) -> None:
        """Without faults, make every live table move and show its state."""
        place = self._place
        if self.violations:
            return
        for one in self._places:
            one.perils.stop_faults()
        await self._start_all(CALM)
        await asyncio.gather(*(self._wait_for_connection(one) for one in self._places))
        self.violations += await place.stored()
        revival = Revival(place.crowd, place.audit, self._glances, place.server)
        self.violations += await revival.unresponsive_tables(REVIVED_WITHIN_SECONDS)
        self.violations += await self._stale_messages()
        self.violations += await place.stored()
        self._proofs += 1

    async def _stale_messages(self) -> list[str]:
        """Return the messages that do not become current without further actions."""
        truth, until = Truth(self._place, self._glances), time.monotonic() + TRUE_WITHIN_SECONDS
        while (found := await truth.untrue()) and time.monotonic() < until:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.5)
        return found

    async def _reckon(self) -> None:
        """Stop all processes in order, and fold every match."""
        for place in self._places:
            if place.program.is_alive:
                place.ledger.excuse_open_clicks("asked to stop", place.process)
                place.program.ask_to_stop()
                await self._wait_for_stop(place)
        self.violations += self._place.audit.last()
        await self._glances.close()

    def figures(self) -> dict[str, object]:
        """Return the metrics of the run."""
        clicks = self._place.ledger.clicks.values()
        during = [
            click
            for click in clicks
            for began, ended in self._outages
            if click.sent is not None and began <= click.sent <= ended
        ]
        waits = [click.seconds for click in during if click.seconds is not None and not click.excused]
        return {
            **super().figures(),
            "process starts": sum(place.program.starts for place in self._places),
            "HTTP requests": sum(line.rest.requests for line in self._place.server.lines),
            "gateway resumes": sum(line.gateway.resumed for line in self._place.server.lines),
            "database's outages": len(self._outages),
            "  clicks meanwhile": len(during),
            "  answered": len(waits),
            "  slowest (s)": round(max(waits, default=0.0), 2),
            "proofs": self._proofs,
        }

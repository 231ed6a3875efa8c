"""A bot's whole environment on one machine."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

from simcord.backend.models import Channel, User

from bot.engine.frozen import frozen
from bot.games import games
from bot.storage.database_address import Location
from bot.storage.database_address import Server as Database
from tests.wire.audit import Audit
from tests.wire.gateway import Gateway
from tests.wire.injected_faults import CALM, Doom, Perils, Weather
from tests.wire.ledger import Ledger
from tests.wire.limits import Limits
from tests.wire.logs import unexpected_errors
from tests.wire.program import DATABASE, KILLED, LAUNCHER, Program
from tests.wire.server import Server, open_server, shards_of_process
from tests.wire.simulated_players import Crowd

PATIENCE_SECONDS = 60.0
"""Seconds after which the test fails on any machine."""

STARVING_SECONDS = 1.0
"""Seconds without a processor after which the database server may seem unavailable.

The server starves with the process, and seems unavailable after two seconds.
"""


@frozen
class World:
    """A Discord, the program under test, its players, its injected faults and the records of a run.

    If the program runs as several processes, each has a world, with shared parts.
    """

    process: int
    location: Location
    """The location of the database."""
    server: Server
    program: Program
    perils: Perils
    ledger: Ledger
    crowd: Crowd
    audit: Audit
    random: Random

    async def begin(
        self, weather: Weather = CALM, doom: Doom | None = None, level: str = "INFO"
    ) -> None:
        """Start the process with a log level, and with the faults and the end of this life."""
        self.perils.begin(weather, doom)
        self.ledger.begin_life(self.process)
        await self.program.start(level)

    @property
    def gateway(self) -> Gateway:
        """The process's end of the gateway."""
        return self.server.lines[self.process].gateway

    async def connected(self) -> bool:
        """Wait until the bot is connected, and return whether it is."""
        connected = asyncio.create_task(self.gateway.connected.wait())
        ended = asyncio.create_task(self.program.ended())
        both = {connected, ended}
        try:
            await asyncio.wait(both, timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            return connected.done()  # the process may be killed, and have gone again, by now
        finally:
            for task in both:
                task.cancel()

    async def end(self, *expected: int) -> list[str]:
        """Wait for the exit of the process, and return its errors and those in the database.

        ``expected`` are the accepted exit codes.
        """
        return await self.gone(*expected) + await self.stored()

    async def gone(self, *expected: int) -> list[str]:
        """Wait for the exit of the process, and return its errors alone."""
        found = []
        if self.program.shards is not None and self.program.starved_seconds_in_life > STARVING_SECONDS:
            self.perils.met("away")
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self.program.ended()
        except TimeoutError:
            found.append("the process does not end")
            self.program.kill()
        code = await self.program.ended()
        injected = set(self.perils.of_life)
        self.gateway.forget()
        self.ledger.end_life(self.process)
        if code not in expected:
            found.append(f"the process ended with {code}, see {self.program.log}")
        log = self.program.log.read_text("utf-8", "replace")
        found += unexpected_errors(log, injected, was_killed=code == KILLED)
        return self._label_errors(found)

    async def stored(self) -> list[str]:
        """Return the errors in the database and all others until now."""
        found = await asyncio.to_thread(self.audit.look) + self.ledger.wrong
        self.ledger.wrong.clear()
        return self._label_errors(found)

    def _label_errors(self, found: list[str]) -> list[str]:
        life, injected = self.ledger.life[self.process], sorted(self.perils.of_life)
        return [f"life {life} ({injected}): {words}" for words in found]


async def deal_solitaire(place: World, user: User, channel: Channel) -> None:
    """Deal a numbered solitaire to a player, as a busy machine searches too long for a winnable one.

    Afterwards the channel shows the table, and the bot has stored its message.
    """
    number = place.random.randint(1, 10_000)
    assert (await place.crowd.slash(user, channel.id, "solitaire start", deal=number)).acknowledged
    await wait_until(lambda: any(one.move for one in place.crowd.seen(user, channel.id)))
    await wait_until(lambda: _is_post_stored(place.program.database, channel.id))


def _is_post_stored(database: Path, channel_id: int) -> bool:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as reading:
        found = reading.execute("SELECT count(*) FROM posts WHERE channel_id = ?", (channel_id,))
        return bool(found.fetchone()[0])


async def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for a condition that the model does not report."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.02)


@asynccontextmanager
async def open_world(
    folder: Path, seed: int, module: str = LAUNCHER, limits: Limits | None = None
) -> AsyncIterator[World]:
    """Open a local Discord and a program with its files in a folder.

    ``module`` is the program, which is Ribit by default.
    """
    async with open_worlds([folder], folder / DATABASE, seed, module=module, limits=limits) as [place]:
        yield place


@asynccontextmanager
async def open_worlds(
    folders: Sequence[Path],
    location: Location,
    seed: int,
    shards: int = 1,
    module: str = LAUNCHER,
    limits: Limits | None = None,
) -> AsyncIterator[list[World]]:
    """Open a local Discord and a process with its files in each folder.

    Several processes share the shards and one database.
    """
    random, ledger = Random(seed), Ledger()
    perils = [Perils(random, ledger, process=process) for process, _folder in enumerate(folders)]
    async with open_server(ledger, perils, shards, limits) as server:
        programs = [
            Program(folder, line.address, module)
            for folder, line in zip(folders, server.lines, strict=True)
        ]
        crowd, audit = Crowd(server, ledger, random), Audit(location, ledger, games())
        ledger.starved = lambda process: programs[process].starved()
        for process, (program, peril) in enumerate(zip(programs, perils, strict=True)):
            peril.set_targets(server, program)
            peril.fellows = [fellow for fellow in perils if fellow is not peril]
            server.lines[process].gateway.watch(peril.clicked)
            program.location = location.address if isinstance(location, Database) else str(location)
            if len(folders) > 1:
                own = shards_of_process(process, len(folders), shards)
                program.shards = f"{own[0]}-{own[-1]}/{shards}"
        try:
            yield [
                World(process, location, server, program, peril, ledger, crowd, audit, random)
                for process, (program, peril) in enumerate(zip(programs, perils, strict=True))
            ]
        finally:
            for program in programs:
                program.kill()
                if program.starts:
                    await program.ended()

"""Processes that share a server's database: who runs which shards, and who cares for their matches."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.engine.shards import Shards
from bot.storage import Fleet, HeldError, Location, RefusedDatabaseError, Server, locked, note_holder
from bot.storage.database import open_database
from tests.postgres import Postgres

ROOT = Path(__file__).parents[2]
COUNT = 4
LOW, HIGH = Shards(0, 1, COUNT), Shards(2, 3, COUNT)
PAUSE = 0.01


@pytest.fixture(autouse=True)
def _haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a lock, or for a process that is gone."""
    for name, seconds in (("POLL", 5 * PAUSE), ("FREE", 10 * PAUSE), ("WAIT", PAUSE)):
        monkeypatch.setattr(f"bot.storage.cluster.ownership.{name}_SECONDS", seconds)


class Process:
    """What a process is told of its shards; it waits for what it cares for."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        self.told: list[tuple[str, frozenset[int]]] = []
        self._changed = asyncio.Event()
        fleet.watch(self._gained, self._lost)

    def _gained(self, shards: frozenset[int]) -> None:
        self.told.append(("gained", shards))
        self._changed.set()

    def _lost(self, shards: frozenset[int]) -> None:
        self.told.append(("lost", shards))
        self._changed.set()

    @property
    def cares_for(self) -> set[int]:
        """The shards whose servers it says to care for."""
        return {shard for shard in range(COUNT) if self.fleet.has(shard << 22)}

    async def until(self, *shards: int) -> None:
        """Wait until it cares for these shards, and no others."""
        while self.cares_for != set(shards):
            self._changed.clear()
            await self._changed.wait()


@asynccontextmanager
async def process(server: Server, shards: Shards) -> AsyncIterator[Process]:
    """Have a process run shards, with a bot that is connected to Discord."""
    async with locked(server, shards) as (_taken_away, fleet):
        assert fleet is not None
        async with fleet.with_bot():
            running = Process(fleet)
            fleet.serve()
            yield running


async def test_each_cares_for_its_own(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two processes each cares for its shards, and who runs shard 0 for what is in no server."""
    monkeypatch.setattr("bot.storage.cluster.ownership.FREE_SECONDS", 600)
    async with process(server, LOW) as low, process(server, HIGH) as high:
        await low.until(0, 1)
        await high.until(2, 3)
        assert low.fleet.has(None)
        assert not high.fleet.has(None)
        assert low.told == [("gained", frozenset({0, 1}))]


async def test_nobody_cares_before_discord_is_there(server: Server) -> None:
    """A process that has not been told of its servers yet does nothing for them, nor for others'."""
    async with process(server, HIGH) as high, locked(server, LOW) as (_taken_away, fleet):
        assert fleet is not None
        async with fleet.with_bot():
            low = Process(fleet)
            await high.until(0, 1, 2, 3)
            assert low.cares_for == set()
            fleet.serve()
            await low.until(0, 1)
            await high.until(2, 3)


RUNS = """
import asyncio, sys
from bot.engine.shards import read_shards
from bot.storage import locate, locked
async def run():
    async with locked(locate(sys.argv[1]), read_shards(sys.argv[2])) as (_taken_away, fleet):
        fleet.watch(lambda _shards: print("cares", flush=True), print)
        fleet.serve()
        await asyncio.sleep(600)
asyncio.run(run())
"""


async def _other_process(server: Server) -> asyncio.subprocess.Process:
    """Start another process that runs the low shards; it cares for them already."""
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUNS, server.address, str(LOW), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert other.stdout is not None
    while (line := await other.stdout.readline()) != b"cares\n":
        assert line, "it has ended"
    return other


async def test_a_killed_process_is_stood_in_for(server: Server) -> None:
    """After a ``kill -9`` another process cares for its shards, until one serves them again."""
    killed = await _other_process(server)
    async with process(server, HIGH) as high:
        await high.until(2, 3)
        killed.kill()
        await killed.wait()
        await high.until(0, 1, 2, 3)
        async with process(server, LOW) as low:
            await low.until(0, 1)
            assert high.cares_for == {2, 3}
            assert high.told[-1] == ("lost", frozenset({0, 1}))


async def test_a_bot_that_ended_is_stood_in_for(server: Server) -> None:
    """A process that tries to reach Discord again keeps its shards; others care for them meanwhile."""
    async with process(server, HIGH) as high, locked(server, LOW) as (_taken_away, fleet):
        assert fleet is not None
        for _bot in range(2):
            async with fleet.with_bot():
                low = Process(fleet)
                fleet.serve()
                await low.until(0, 1)
            await high.until(0, 1, 2, 3)
            assert low.cares_for == set()


async def test_a_lost_session(postgres: Postgres, server: Server) -> None:
    """Cut off from PostgreSQL a process cares for nothing; when it is back, for its own again."""
    async with process(server, LOW) as low:
        await low.until(0, 1, 2, 3)
        low.told.clear()
        _cut(postgres, server)
        while ("gained", frozenset({0, 1})) not in low.told:
            await low.until()
            await low.until(0, 1)
        assert low.told[0] == ("lost", frozenset(range(COUNT)))


def _cut(postgres: Postgres, server: Server) -> None:
    """End the sessions that hold something of a server's database."""
    name = server.address.partition("@/")[2].partition("?")[0]
    postgres.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        f" AND database = (SELECT oid FROM pg_database WHERE datname = '{name}')"
    )


async def test_an_errand_is_done_by_one(postgres: Postgres, server: Server) -> None:
    """What is to be done once is done by one after the other, however many processes there are."""
    now = most = done = 0

    async def run(fleet: Fleet) -> None:
        nonlocal now, most, done
        async with fleet.once("commands"):
            now += 1
            most = max(most, now)
            await asyncio.sleep(3 * PAUSE)
            now -= 1
        done += 1

    async with process(server, LOW) as low, process(server, HIGH) as high:
        await asyncio.gather(*(run(one.fleet) for one in (low, high, low, high)))
        assert (most, done) == (1, 4)
        async with low.fleet.once("commands"), high.fleet.once("emojis"):
            _cut(postgres, server)
        await run(high.fleet)
        await run(low.fleet)


async def test_an_errand_does_not_wait_for_a_server_that_is_away(
    stopping: Postgres, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the database a bot can still be introduced to Discord, if less politely."""
    async with process(server, LOW) as low:
        await low.until(0, 1, 2, 3)
        await asyncio.to_thread(stopping.stop)
        monkeypatch.setattr("bot.storage.cluster.ownership.ANSWER_SECONDS", PAUSE)
        async with low.fleet.once("introduce a shard"):
            assert low.cares_for == set()
        await asyncio.to_thread(stopping.start)


# ---- who may not ---------------------------------------------------------------------------------


async def _refused(location: Location, shards: Shards | None) -> str:
    """Return the sentence that a process gets which cannot have what it asks for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.storage.cluster.server_lock.PATIENCE_SECONDS", 0)
        with pytest.raises((HeldError, RefusedDatabaseError)) as refused:
            async with locked(location, shards):
                pytest.fail("it should not run")
    return str(refused.value)


@pytest.mark.parametrize("shards", [HIGH, Shards(1, 2, COUNT), Shards(3, 3, COUNT)])
async def test_the_same_shards_twice(server: Server, shards: Shards) -> None:
    """A shard is run once: the second process is told which it is, and who has it since when."""
    database = await open_database(server)
    async with locked(server, HIGH):
        await note_holder(database.notes, "", 1_800_000_000, HIGH)
        told = await _refused(server, shards)
        assert f"runs shard {max(2, shards.first)} " in told
        assert "with 2-3/4: process " in told
        assert "since 2027" in told
    async with locked(server, shards):
        pass
    await database.close()


async def test_another_count(server: Server) -> None:
    """All processes have to mean the same by a shard."""
    async with locked(server, LOW):
        assert "share 4 shards, not 8" in await _refused(server, Shards(2, 3, 8))


async def test_a_bot_alone_among_them(server: Server) -> None:
    """A bot that runs all shards does not start beside those that run some, nor they beside it."""
    async with locked(server, LOW), locked(server, HIGH):
        told = await _refused(server, None)
        assert "0-1/4, " in told
        assert "2-3/4, " in told
    async with locked(server):
        assert "without RIBIT_SHARDS" in await _refused(server, LOW)


async def test_a_file_is_not_shared(tmp_path: Path) -> None:
    """Shards are for PostgreSQL: with a file the sentence says what to set."""
    told = await _refused(tmp_path / "ribit.sqlite3", LOW)
    assert "postgresql://" in told
    assert list(tmp_path.iterdir()) == []


async def test_a_restart_is_waited_for(server: Server) -> None:
    """The locks of a process that ends while the next one starts are waited for."""
    first = await _other_process(server)
    asyncio.get_running_loop().call_later(PAUSE, first.kill)
    async with process(server, LOW) as low:
        await low.until(0, 1, 2, 3)
    await first.wait()

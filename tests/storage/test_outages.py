"""A server that is stopped, silent or full: who asks is told, nothing is lost, and on it goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from bot.matches.match import Entry
from bot.matches.preferences import ServerSettings
from bot.storage.database import Database, open_database
from bot.storage.database_address import Server
from bot.storage.writer import UnreachableDatabaseError
from tests.postgres import Postgres, impatience
from tests.storage.kinds import ask, on_postgres
from tests.storage.matches import ADA, FROGS, append, moved, playing

STOPS = 3
MATCHES = 4


@on_postgres
async def test_a_server_that_is_stopped_and_comes_back(stopping: Postgres, database: Database) -> None:
    """While it is away nothing is stored, and each who asks is told so; then all goes on by itself."""
    first = moved(await playing(database), Entry(0, 0, "draw"))
    await database.servers.put(FROGS, ServerSettings(60))
    assert await database.journal.commit(first)
    await asyncio.to_thread(stopping.stop)
    with impatience():
        outcomes = await asyncio.gather(
            database.journal.commit(moved(first.after, Entry(1, 0, "draw"))),
            database.journal.commit(moved(first.after, Entry(1, 0, "end"))),
            database.journal.load("m1"),
            database.players.get(ADA.id),
            database.notes.put("a", "b"),
            return_exceptions=True,
        )
    assert [type(outcome) for outcome in outcomes] == [UnreachableDatabaseError] * len(outcomes)
    assert "can't reach my database" in str(outcomes[0])
    await asyncio.to_thread(stopping.start)
    assert [entry.n for entry in await database.journal.entries("m1")] == [0]
    assert await append(database, "m1", Entry(1, 0, "draw"))
    assert await database.servers.get(FROGS) == ServerSettings(60)


@on_postgres
async def test_what_was_acknowledged_is_there_after_a_crash(
    stopping: Postgres, database: Database
) -> None:
    """Stopped in mid-write, again and again: every move that was acknowledged, once, without gaps."""
    for number in range(MATCHES):
        await playing(database, f"m{number}")
    acknowledged = dict.fromkeys(range(MATCHES), 0)
    enough = asyncio.Event()
    wanted = 0

    async def play(number: int) -> None:
        while True:
            with suppress(UnreachableDatabaseError):  # as somebody who clicks again
                n = len(await database.journal.entries(f"m{number}"))
                while await append(database, f"m{number}", Entry(n, 0, "draw")):
                    n += 1
                    acknowledged[number] = n
                    if sum(acknowledged.values()) >= wanted:
                        enough.set()

    players = [asyncio.create_task(play(number)) for number in range(MATCHES)]
    for _time in range(STOPS):
        wanted = sum(acknowledged.values()) + 40
        enough.clear()
        await enough.wait()
        await asyncio.to_thread(stopping.stop)
        known = dict(acknowledged)
        await asyncio.to_thread(stopping.start)
        for number, moves in known.items():
            stored = [entry.n for entry in await database.journal.entries(f"m{number}")]
            assert stored == list(range(len(stored)))
            assert moves <= len(stored)
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)


@on_postgres
async def test_a_short_restart_is_waited_for(stopping: Postgres, database: Database) -> None:
    """Who can wait until the server is back is not told of it at all."""
    move = moved(await playing(database), Entry(0, 0, "draw"))
    await asyncio.to_thread(stopping.stop)
    moving = asyncio.create_task(database.journal.commit(move))
    reading = asyncio.create_task(database.journal.find("m1"))
    await asyncio.sleep(0)
    await asyncio.to_thread(stopping.start)
    assert await moving
    assert await reading is not None


@on_postgres
async def test_a_server_that_is_asked_too_much_at_once(database: Database) -> None:
    """Many who read wait for each other, and all are answered."""
    await playing(database)
    found = await asyncio.gather(*(database.journal.load("m1") for _one in range(200)))
    assert all(found)


# ---- a server that answers, but not well --------------------------------------------------------------


async def _refuses(database: Database, server: Server, begin: str, end: str) -> None:
    """Have a server refuse every move in between with some error; after it the same move counts."""
    match = await playing(database)
    await ask(server, begin)
    with impatience(), pytest.raises(UnreachableDatabaseError):
        await database.journal.commit(moved(match, Entry(0, 0, "draw")))
    assert await database.journal.find(match.id) == match
    await ask(server, end)
    assert await append(database, match.id, Entry(0, 0, "draw"))


@on_postgres
@pytest.mark.parametrize("code", ["disk_full", "io_error", "out_of_memory", "admin_shutdown"])
async def test_a_server_that_cannot_store(server: Server, database: Database, code: str) -> None:
    """A full disk, or another trouble of the server's, is told; with room again it goes on."""
    await ask(
        server,
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{code}'; END$$",
    )
    await _refuses(
        database,
        server,
        "CREATE TRIGGER refuses BEFORE INSERT ON moves EXECUTE FUNCTION refuse()",
        "DROP TRIGGER refuses ON moves",
    )


@on_postgres
async def test_a_server_that_only_follows_another(
    postgres: Postgres, server: Server, database: Database
) -> None:
    """After a failover the old server takes no writes: the next one that does is found by itself."""
    name = server.address.partition("@/")[2].partition("?")[0]
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    match = await playing(database)
    postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on", cut)
    with impatience(), pytest.raises(UnreachableDatabaseError):
        await database.journal.commit(moved(match, Entry(0, 0, "draw")))
    postgres.sql(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert await append(database, match.id, Entry(0, 0, "draw"))


class Wire:
    """Passes bytes on between who connects and a server, until it is told to swallow them."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self.swallows = asyncio.Event()
        self._tasks = set[asyncio.Task[None]]()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, sink))
            self._tasks.add(task)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            if not self.swallows.is_set():
                sink.write(data)
        sink.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def _wired(server: Server) -> AsyncIterator[tuple[Wire, Server]]:
    folder = server.address.partition("host=")[2]
    wire = Wire(f"{folder}/.s.PGSQL.5432")
    listener = await asyncio.start_server(wire, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    name = server.address.partition("@/")[2].partition("?")[0]
    yield wire, Server(f"postgresql://postgres@127.0.0.1:{port}/{name}?sslmode=disable")
    listener.close()
    await wire.close()


async def test_a_server_that_falls_silent(server: Server) -> None:
    """Nothing is refused, and nothing comes back: nobody waits longer than a click can."""
    async with _wired(server) as (wire, address):
        database = await open_database(address)
        first = moved(await playing(database), Entry(0, 0, "draw"))
        match = first.after
        assert await database.journal.commit(first)
        wire.swallows.set()
        for asked in (
            database.journal.commit(moved(match, Entry(1, 0, "draw"))),
            database.journal.load(match.id),
        ):
            with impatience(), pytest.raises(UnreachableDatabaseError):
                await asked
        wire.swallows.clear()
        assert await append(database, match.id, Entry(1, 0, "draw"))
        assert [entry.n for entry in await database.journal.entries(match.id)] == [0, 1]
        await database.close()

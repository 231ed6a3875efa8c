"""PostgreSQL databases with their addresses, permissions and the lock for one bot."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.matches.shards import Shards
from bot.storage.daily_deals import DayDeal
from bot.storage.database import open_database
from bot.storage.database_address import (
    AbsentDatabaseError,
    AddressError,
    DatabaseInUseError,
    RefusedDatabaseError,
    Server,
    locate,
)
from bot.storage.database_lock import lock_database, note_holder
from bot.storage.database_server import LOCK, processes_on
from bot.storage.migrate import migrate_server, server_migrations
from bot.storage.postgres import connect
from tests.postgres import PASSWORD, Postgres
from tests.storage.boards import day_board_reader
from tests.storage.database_types import query_rows
from tests.storage.matches import store_live_match

ROOT = Path(__file__).parents[2]
SECRET = "s3cr%20t"

FIRST_WITH_DAYS = 21
"""The migration that first stores the deals of days."""


# ---- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_printed_address_has_no_password(scheme: str) -> None:
    """The printed address has no password, in any of its forms."""
    server = locate(f"{scheme}://ribit:{SECRET}@db.example:5433/ponds?sslmode=require&password={SECRET}")
    assert isinstance(server, Server)
    assert str(server) == f"{scheme}://ribit@db.example:5433/ponds?sslmode=require"
    assert "s3cr" not in f"{server} {server!r}"
    assert (
        str(locate(f"{scheme}://ribit@/ponds?host=/run/db")) == f"{scheme}://ribit@/ponds?host=/run/db"
    )


def test_text_without_a_scheme_is_a_file_path() -> None:
    """Text that is not an address is the path of a file."""
    assert locate("ribit.sqlite3") == Path("ribit.sqlite3")
    assert locate("/var/lib/ribit/ribit.sqlite3") == Path("/var/lib/ribit/ribit.sqlite3")


@pytest.mark.parametrize(
    "address",
    [
        f"mysql://ribit:{SECRET}@localhost/ponds",
        f"postgresql://ribit:{SECRET}@localhost",
        f"postgresql://ribit:{SECRET}@localhost/",
        f"postgresql://ribit:{SECRET}/x@localhost/ponds",
        f"postgresql://ribit:{SECRET}@localhost:frog/ponds",
        f"postgresql://[{SECRET}/ponds",
    ],
)
def test_an_invalid_address_error_hides_the_password(address: str) -> None:
    """The error of an invalid address shows the correct form, but not the address with its password."""
    with pytest.raises(AddressError, match="postgresql://") as refusal:
        locate(address)
    assert "s3cr" not in refusal.value.sentence


async def test_invalid_address_parameters_are_reported_without_secrets(server: Server) -> None:
    """An address with invalid parameters is reported without its password."""
    with pytest.raises(RefusedDatabaseError, match="options such as sslmode") as refusal:
        await open_database(Server(f"postgresql://u:{SECRET}@localhost/x?sslmode=frog"))
    assert "s3cr" not in refusal.value.sentence


# ---- opening -------------------------------------------------------------------------------------


def database_name(server: Server) -> str:
    return server.address.partition("@/")[2].partition("?")[0]


async def test_passwords_with_special_characters_work(postgres: Postgres, new_server: Server) -> None:
    """The owner of a database can connect, even with special characters in the password.

    The owner creates the tables.
    """
    address = postgres.address(database_name(new_server), f"ribit:{quote(PASSWORD, safe='')}")
    database = await open_database(locate(address))
    match = await store_live_match(database)
    assert await database.journal.find("m1") == match
    await database.close()


async def test_a_wrong_password_is_not_retried(postgres: Postgres, new_server: Server) -> None:
    """The error of a wrong password says where to look, and retries do not help."""
    with pytest.raises(RefusedDatabaseError, match="does not let Ribit in") as refusal:
        await open_database(Server(postgres.address(database_name(new_server), f"ribit:{SECRET}")))
    assert "RIBIT_DATABASE" in refusal.value.sentence
    assert "s3cr" not in refusal.value.sentence


async def test_a_missing_database_error_explains_how_to_create_it(postgres: Postgres) -> None:
    """The error of a missing database names it and the setting to change."""
    with pytest.raises(RefusedDatabaseError, match=r"no_such_pond.*name of the database"):
        await open_database(Server(postgres.address("no_such_pond")))


async def test_an_unreachable_server_raises_a_retryable_error(tmp_path: Path) -> None:
    """If no server answers, the error is the one on which a start waits."""
    for address in (f"postgresql://ribit@/x?host={tmp_path}", "postgresql://ribit@127.0.0.1:1/x"):
        with pytest.raises(AbsentDatabaseError, match="cannot be reached"):
            await open_database(Server(address))


async def test_an_outdated_server_error_names_both_versions(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error of an old server has its version and the required one."""
    monkeypatch.setattr("bot.storage.postgres.OLDEST_SERVER", 99)
    with pytest.raises(RefusedDatabaseError, match="PostgreSQL 18, but 99 or newer"):
        await open_database(server)


async def test_a_database_without_unicode_is_refused(postgres: Postgres) -> None:
    """A database that cannot store all scripts is refused."""
    postgres.sql("CREATE DATABASE latin TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
    with pytest.raises(RefusedDatabaseError, match="UTF8"):
        await open_database(Server(postgres.address("latin")))
    postgres.drop("latin")


async def test_a_user_without_permissions_is_refused(postgres: Postgres) -> None:
    """A user without permissions in a database is refused with the owner that it should have."""
    postgres.sql("CREATE DATABASE foreign_pond TEMPLATE template0")
    address = postgres.address("foreign_pond", f"ribit:{quote(PASSWORD, safe='')}")
    with pytest.raises(RefusedDatabaseError, match="owner of the database"):
        await open_database(Server(address))
    postgres.drop("foreign_pond")


# ---- migrations ----------------------------------------------------------------------------------


async def test_a_failing_migration_is_rolled_back(new_server: Server) -> None:
    """A migration and its record are one transaction, so an error in its last statement undoes all."""
    steps = [
        (1, "CREATE TABLE first (a BIGINT);"),
        (
            2,
            "CREATE TABLE second (a BIGINT); INSERT INTO nowhere VALUES (1);",
        ),
    ]
    session = await connect(new_server)
    with pytest.raises(Exception, match="nowhere"):
        await migrate_server(session, steps)
    await session.close()
    found = await query_rows(new_server, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {name for (name,) in found} == {"first", "migrations"}
    assert await query_rows(new_server, "SELECT version FROM migrations") == [(1,)]


async def test_an_outdated_database_gets_the_missing_migration_once(new_server: Server) -> None:
    """A database one version behind gets the missing migration once and keeps its content."""
    session = await connect(new_server)
    await migrate_server(session, server_migrations()[:1])
    await session.execute("INSERT INTO notes VALUES ('first', 'kept')")
    newest = server_migrations()[-1][0]
    await migrate_server(
        session, [*server_migrations(), (newest + 1, "CREATE TABLE ponds (id BIGINT);")]
    )
    await session.close()
    assert await query_rows(new_server, "SELECT value FROM notes") == [("kept",)]
    numbers = [number for number, _script in server_migrations()]
    found = await query_rows(new_server, "SELECT version FROM migrations ORDER BY version")
    assert [number for (number,) in found] == [*numbers, newest + 1]


async def test_the_migration_keeps_the_deals_of_days_already_begun(new_server: Server) -> None:
    """Days begun before the migration keep their deals.

    Wins with help rank below those without.
    """
    session = await connect(new_server)
    before = [step for step in server_migrations() if step[0] < FIRST_WITH_DAYS]
    await migrate_server(session, before)
    for n, (moves, said) in enumerate(((43, "peek: all up"), (90, "all up"))):
        await session.execute(
            "INSERT INTO matches (id, place, game, rules_version, channel_id, host_id, seat_limit,"
            " options, stage, opened_at, day) VALUES ($1, $1, 'american_toad', 1, 5, $2, 1,"
            """ '{"deal": 6, "daily": 20261124, "par": 80}', 'finished', 9, 20261124)""",
            f"m{n}",
            n,
        )
        await session.execute("INSERT INTO moves VALUES ($1, 0, 0, $2, 9, NULL)", f"m{n}", said)
        await session.execute(
            "INSERT INTO day_wins (player_id, game, day, match_id, guild_id, name, moves, undos,"
            " seconds, ended_at) VALUES ($1, 'american_toad', 20261124, $2, 100, 'Ada', $3, 0, 9, 9)",
            n,
            f"m{n}",
            moves,
        )
    await session.close()
    database = await open_database(new_server)
    assert await database.days.deal_of_day("american_toad", 20261124) == DayDeal(20261124, 6, 80)
    board = await day_board_reader(database).board(100, "american_toad", 20261124, 0, 10)
    assert [(row.rank, row.player_id, row.figures["helped"]) for row in board] == [(1, 1, 0), (2, 0, 1)]
    await database.close()


async def test_a_newer_database_is_refused(server: Server) -> None:
    """A database of a newer version is not changed, and the error says to update."""
    await query_rows(server, "INSERT INTO migrations VALUES (99)")
    with pytest.raises(RefusedDatabaseError, match="newer Ribit"):
        await open_database(server)


# ---- one bot at a time -----------------------------------------------------------------------------


HOLDS = """
import asyncio, sys
from bot.storage.database_address import locate
from bot.storage.database_lock import lock_database
async def hold():
    async with lock_database(locate(sys.argv[1])):
        print("held", flush=True)
        await asyncio.sleep(60)
asyncio.run(hold())
"""


async def _is_database_locked(server: Server) -> bool:
    session = await connect(server)
    try:
        return bool(await processes_on(session))
    finally:
        await session.close()


async def _wait_for_row(server: Server, sql: str) -> None:
    """Wait until a statement returns a row."""
    while not await query_rows(server, sql):
        pass


async def _fail_if_locked(server: Server) -> None:
    async with lock_database(server):
        pytest.fail("two hold it")


async def test_a_lock_is_released_when_its_process_is_killed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second process gets an error that names the holder, until the holder exits or is killed."""
    database = await open_database(server)
    await note_holder(database.notes, 1_800_000_000)
    await database.close()
    assert not await _is_database_locked(server)
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDS, server.address, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert other.stdout is not None
    assert await other.stdout.readline() == b"held\n"
    assert await _is_database_locked(server)
    with monkeypatch.context() as patch:
        patch.setattr("bot.storage.database_server.PATIENCE_SECONDS", 0)
        with pytest.raises(DatabaseInUseError, match=r"process \d+ on .*, since 2027"):
            await _fail_if_locked(server)
    other.kill()
    await other.wait()
    async with lock_database(server):
        assert await _is_database_locked(server)
    assert not await _is_database_locked(server)


HELD = (
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND {granted}"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


@pytest.mark.parametrize("shards", [None, Shards(0, 1, 4)])
async def test_a_lost_lock_is_acquired_again(
    postgres: Postgres, server: Server, shards: Shards | None
) -> None:
    """If the session that holds the database is cut, the bot takes the lock again."""
    async with lock_database(server, shards) as taken_away:
        await _end_session(postgres, server)
        await _wait_for_row(server, HELD.format(granted="granted"))
        assert not taken_away.done()


@pytest.mark.parametrize("shards", [None, Shards(0, 1, 4)])
async def test_a_bot_is_notified_when_another_bot_takes_its_lock(
    postgres: Postgres, server: Server, monkeypatch: pytest.MonkeyPatch, shards: Shards | None
) -> None:
    """A bot that loses the lock to another bot is notified, so that it ends."""
    monkeypatch.setattr("bot.storage.database_server.PATIENCE_SECONDS", 0)
    other = await connect(server)
    await other.execute("SET lock_timeout = 0")
    async with lock_database(server, shards) as taken_away:
        waiting = asyncio.create_task(other.execute("SELECT pg_advisory_lock($1)", LOCK))
        await _wait_for_row(server, HELD.format(granted="NOT granted"))
        await _end_session(postgres, server)
        await waiting
        with pytest.raises(DatabaseInUseError, match="Another Ribit runs"):
            await taken_away
    await other.close()


async def _end_session(postgres: Postgres, server: Server) -> None:
    """End the session that holds a server's database."""
    postgres.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        f" AND database = (SELECT oid FROM pg_database WHERE datname = '{database_name(server)}')"
    )

"""The program with a PostgreSQL server that stops, and with another bot that takes the database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from simcord.backend.models import Channel, User

from bot.__main__ import UNCONFIGURED, main
from bot.storage import database_server as server_lock
from bot.storage.database_address import Server
from bot.storage.postgres import connect
from tests.postgres import Postgres
from tests.storage.database_types import query_rows
from tests.wire.environment import World, open_world, wait_until
from tests.wire.launcher import connect_to
from tests.wire.logs import unexpected_errors
from tests.wire.simulated_players import Control

AWAY = "reach my database"
HELD = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
WAITED_FOR = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
OF_SHARDS = (
    "SELECT a.application_name FROM pg_locks AS l INNER JOIN pg_stat_activity AS a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory'"
)
TOO_FEW_SHARDS = 4011
HASTE_SECONDS = 0.5
ATTEMPTS = 200


@pytest_asyncio.fixture
async def place(tmp_path: Path, server: Server) -> AsyncIterator[World]:
    """A local Discord and the program connected to it, with its database on the server."""
    async with open_world(tmp_path, seed=9, module="tests.wire.test_postgres") as opened:
        opened.program.location = server.address
        await opened.begin()
        assert await opened.connected()
        yield opened


def move_control(place: World, user: User, channel: Channel) -> Control:
    """Return a control with a move in the last message that has one."""
    return [one for one in place.crowd.seen(user, channel.id, last=50) if one.move and not one.values][
        -1
    ]


def channel_text(place: World, channel: Channel) -> str:
    """Return the texts of a channel's messages."""
    return " ".join(str(one.components) for one in place.server.backend.messages[channel.id].values())


async def test_clicks_are_answered_while_the_server_is_stopped(
    place: World, stopping: Postgres, server: Server
) -> None:
    """The click gets the reason, and no move is shown. After the outage the same click counts once."""
    user, channel = place.server.person("Ann"), place.server.channel("pond")
    place.crowd.set_locale(user, "en-US")
    assert (await place.crowd.slash(user, channel.id, "solitaire start", deal=8)).acknowledged
    await wait_until(lambda: any(one.move for one in place.crowd.seen(user, channel.id)))
    before = move_control(place, user, channel)
    await asyncio.to_thread(stopping.stop)
    assert (await place.crowd.press(user, before)).acknowledged
    await wait_until(lambda: AWAY in channel_text(place, channel))
    assert move_control(place, user, channel).move == before.move, "what is not stored is not shown"
    await asyncio.to_thread(stopping.start)
    for _attempt in range(ATTEMPTS):  # the machine may be slow to start it
        if move_control(place, user, channel).move != before.move:
            break
        await place.crowd.press(user, before)
        await asyncio.sleep(HASTE_SECONDS)
    [(moves, last)] = await query_rows(server, "SELECT count(*), max(n) FROM moves")
    assert moves == last + 1 == 1
    place.program.ask_to_stop()
    assert await place.program.ended() == 0
    log = place.program.log.read_text("utf-8")
    assert unexpected_errors(log, {"away"}, was_killed=False) == []


async def test_the_bot_exits_if_another_bot_takes_the_database(
    place: World, postgres: Postgres, server: Server
) -> None:
    """If another bot takes the database, the program exits with the code for no retry."""
    other = await connect(server)
    await other.execute("SET lock_timeout = 0")
    taking = asyncio.create_task(other.execute("SELECT pg_advisory_lock($1)", server_lock.LOCK))
    while not await query_rows(server, WAITED_FOR):
        pass
    for (session,) in await query_rows(server, HELD):
        postgres.sql(f"SELECT pg_terminate_backend({session})")
    await taking
    assert await place.program.ended() == UNCONFIGURED
    log = place.program.log.read_text("utf-8")
    assert "Another Ribit runs on" in log
    assert "Traceback" not in log
    await other.close()


async def test_the_bot_exits_if_discord_requires_more_shards(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process runs its shards, and exits if Discord requires more shards."""
    monkeypatch.setenv("RIBIT_SHARDS", "0/1")
    async with open_world(tmp_path, seed=9, module="tests.wire.test_postgres") as place:
        place.program.location = server.address
        await place.begin()
        assert await place.connected()
        assert await query_rows(server, OF_SHARDS) == [("ribit 0/1",)]
        for socket in place.server.gateway._sockets:
            await socket.close(TOO_FEW_SHARDS)
        assert await place.program.ended() == UNCONFIGURED
        assert await query_rows(server, OF_SHARDS) == []
        log = place.program.log.read_text("utf-8")
        assert "Discord does not accept the shards 0/1" in log
        assert "Traceback" not in log


if __name__ == "__main__":
    server_lock.PATIENCE_SECONDS = HASTE_SECONDS
    connect_to(*sys.argv[1:])
    sys.exit(main(["run"]))

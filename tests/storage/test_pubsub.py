"""Notifications between processes on one server's database, including missed ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from bot.matches.match import Entry
from bot.matches.match_type import LESSON
from bot.matches.server_settings import ServerSettings
from bot.matches.shards import Shards
from bot.storage.cluster.pubsub import MISSED
from bot.storage.database import Database, open_database
from bot.storage.database_address import Server
from cogs.privacy.forgetting import Forgetting
from tests.postgres import Postgres
from tests.storage.database_types import query_rows
from tests.storage.matches import ADA, BO, FROGS, move_change, new_lobby, store_live_match

LISTENING = (
    "SELECT pid FROM pg_stat_activity WHERE query ~ 'LISTEN|pg_notify'"
    " AND datname = current_database() AND pid <> pg_backend_pid()"
)
PAUSE = 0.01


FAR = 1 << 22
"""A server of the other shard."""


@pytest_asyncio.fixture
async def frogs(server: Server) -> AsyncIterator[Database]:
    """A process with the matches of one server and of DMs."""
    database = await open_database(server, Shards(0, 0, 2))
    yield database
    await database.close()


@pytest_asyncio.fixture
async def toads(server: Server, frogs: Database) -> AsyncIterator[Database]:
    """Another process, with those of another server."""
    database = await open_database(server, Shards(1, 1, 2))
    yield database
    await database.close()


async def wait_until(holds: Callable[[], Any]) -> None:
    while not holds():  # noqa: ASYNC110 — there is no event to wait for
        await asyncio.sleep(PAUSE)


class Tables:
    """A process that has no tables of its own in memory."""

    def __init__(self, database: Database) -> None:
        self.journal = database.journal


async def turn_seconds(database: Database) -> int:
    return (await database.servers.get(FROGS)).turn_seconds


def collect_notifications(database: Database, kind: str) -> list[dict[str, Any]]:
    """Collect a process's notifications from now on."""
    heard = list[dict[str, Any]]()
    database.pubsub.subscribe(kind, lambda about: heard.append(dict(about)))
    return heard


async def notifications_before_last(
    teller: Database, heard: list[dict[str, Any]], kind: str
) -> list[dict[str, Any]]:
    """Return all notifications before a last one that is sent now."""
    last = {"match": "last", "guild": None}
    await teller.pubsub.notify(kind, last)
    await wait_until(lambda: last in heard)
    return [about for about in heard if about != last]


async def test_cached_values_are_current_after_another_process_writes(
    frogs: Database, toads: Database
) -> None:
    """Cached settings and players are current as soon as another process's notification arrives."""
    assert await turn_seconds(frogs) == await turn_seconds(toads) == ServerSettings().turn_seconds
    await toads.players.get(ADA.id)
    servers, players = collect_notifications(toads, "server"), collect_notifications(toads, "player")
    await frogs.servers.change(FROGS, lambda _before: ServerSettings(60))
    await frogs.players.record_locale(ADA.id, "de")
    await wait_until(lambda: servers and players)
    assert await turn_seconds(toads) == 60
    assert (await toads.players.get(ADA.id)).locale == "de"


async def test_deleting_a_server_invalidates_all_process_caches(
    frogs: Database, toads: Database
) -> None:
    """A server's settings and its players' names are read again after a notification."""
    await frogs.servers.change(FROGS, lambda _before: ServerSettings(60))
    await frogs.players.record_names(ADA.id, "Ada", "ada", FROGS, "Ada of the frogs")
    for process in (frogs, toads):
        await process.players.get(ADA.id)
        await turn_seconds(process)
    # a server without players needs no other services
    await Forgetting(frogs, Tables(frogs), *[None] * 5).forget_server(FROGS, is_gone=True)  # type: ignore[arg-type]
    heard = collect_notifications(toads, "click")
    await notifications_before_last(frogs, heard, "click")
    for process in (frogs, toads):
        assert await turn_seconds(process) == ServerSettings().turn_seconds
        assert (await process.players.get(ADA.id)).names.get(FROGS) is None


async def test_caches_are_cleared_after_missed_notifications(
    postgres: Postgres, server: Server, frogs: Database, toads: Database
) -> None:
    """A process that missed notifications is informed when it listens again, and clears its caches."""
    missed = list[bool]()
    toads.pubsub.subscribe(MISSED, lambda _about: missed.append(True))
    await turn_seconds(toads)
    for (pid,) in await query_rows(server, LISTENING):
        postgres.sql(f"SELECT pg_terminate_backend({pid})")
    await wait_until(lambda: not toads.pubsub.is_listening or missed)
    await frogs.servers.change(FROGS, lambda _before: ServerSettings(60))
    await wait_until(lambda: missed and toads.pubsub.is_listening and frogs.pubsub.is_listening)
    assert await turn_seconds(toads) == 60
    heard = collect_notifications(toads, "server")
    await frogs.servers.change(FROGS, lambda _before: ServerSettings(180))
    await wait_until(lambda: heard)
    assert await turn_seconds(toads) == 180


async def test_a_process_is_notified_of_changes_by_other_processes(
    frogs: Database, toads: Database
) -> None:
    """A process is notified of each change of its matches by other processes, and not of its own."""
    heard = collect_notifications(frogs, "match")
    match = await store_live_match(toads, "m1")
    move = move_change(match, Entry(0, 0, "draw"))
    assert await toads.journal.commit(move)
    assert not await toads.journal.commit(move), "too late"
    await store_live_match(toads, "m2", guild_id=FAR)
    told = await notifications_before_last(toads, heard, "match")
    assert told == 2 * [{"match": "m1", "guild": FROGS}], "it was dealt, and moved in"


async def test_a_failed_transaction_sends_no_notification(frogs: Database, toads: Database) -> None:
    """A notification is part of its transaction and is not sent if the transaction fails."""
    heard = collect_notifications(frogs, "match")
    await store_live_match(toads, "m1")
    with pytest.raises(asyncpg.UniqueViolationError):
        await toads.journal.create(new_lobby("m1"), "another place")
    assert len(await notifications_before_last(toads, heard, "match")) == 1, "it was dealt, once"


async def test_every_process_is_notified_of_a_lesson(server: Server, toads: Database) -> None:
    """Every process is notified of a lesson, as its pupil may see it through any process."""
    heard = collect_notifications(toads, "match")
    lessons = await open_database(server, Shards(0, 0, 2))
    try:
        await store_live_match(lessons, "m1", ADA, BO, guild_id=None, options={"lives": 1, LESSON: 1})
        assert await notifications_before_last(lessons, heard, "match") == [
            {"match": "m1", "guild": None}
        ]
    finally:
        await lessons.close()


async def test_notifications_during_an_outage_are_dropped(
    stopping: Postgres, frogs: Database, toads: Database
) -> None:
    """During an outage of the server notifications are dropped without delay, and later ones arrive."""
    missed = list[bool]()
    frogs.pubsub.subscribe(MISSED, lambda _about: missed.append(True))
    await asyncio.to_thread(stopping.stop)
    await wait_until(lambda: not frogs.pubsub.is_listening)
    await frogs.pubsub.notify("click", {"match": "m1"})
    await asyncio.to_thread(stopping.start)
    await wait_until(lambda: missed and toads.pubsub.is_listening)
    heard = collect_notifications(frogs, "click")
    assert await notifications_before_last(toads, heard, "click") == []

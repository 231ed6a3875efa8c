"""Matches with an unreadable journal, which are closed and free their channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.matches.match import Entry, Result, Stage
from bot.storage.database import Database
from tests.sessions.process import ADA, Bot
from tests.storage.matches import find_match, move_change, store_live_match, store_move


@pytest.fixture
async def bots(database: Database, other: Database) -> AsyncIterator[tuple[Bot, Bot]]:
    """Two processes on one database."""
    both = Bot(database), Bot(other)
    yield both
    for bot in both:
        await bot.tables.close()


async def test_an_unreadable_match_is_closed_without_a_result(bots: tuple[Bot, Bot]) -> None:
    """The first reader of an unreadable match closes it as unfinished and without result.

    The journal stays.
    """
    one, two = bots
    match_id = (await one.begun(1)).match.id
    assert await store_move(one.database, match_id, Entry(0, 0, "undo x12345x"))
    one.tables.evict()
    tables = await asyncio.gather(one.tables.read(match_id), two.tables.read(match_id))
    assert all(table.state is None and not table.is_playing for table in tables)
    match = await find_match(one.database, match_id)
    assert (match.stage, match.unfinished, match.wakes_at) == (Stage.STOPPED, True, None)
    assert [entry.text for entry in await two.database.journal.entries(match_id)] == ["undo x12345x"]
    assert len(one.rung) + len(two.rung) == 1, "its messages are brought up to date once"
    again = await two.begun(1, host=ADA)
    assert [each.id for each in await one.database.journal.live()] == [again.match.id]


async def test_an_unreadable_finished_match_keeps_its_end(bots: tuple[Bot, Bot]) -> None:
    """A finished match that is unreadable keeps its end and can be shown without an error."""
    bot = bots[0]
    match = await store_live_match(bot.database)
    results = tuple(Result(seat, seat == 0, {}) for seat in range(len(match.players)))
    assert await bot.database.journal.commit(move_change(match, Entry(0, 0, "xyzzy"), results))
    ended = await find_match(bot.database)
    assert (await bot.tables.read(match.id)).state is None
    assert await find_match(bot.database) == ended
    assert ended.stage is Stage.FINISHED
    assert bot.rung == []

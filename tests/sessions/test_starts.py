"""Live tables at a start, and eviction from memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.matches.match import Player, Stage
from bot.sessions.errors import OutdatedClickError
from bot.sessions.events import Click
from bot.sessions.live_matches import IDLE_SECONDS
from bot.sessions.tables import ENDED_SECONDS
from bot.sessions.turn_clock import REST_SECONDS, SILENT_SECONDS, nudge_at
from bot.storage.database import Database
from tests.sessions.process import ADA, BO, LIMIT, NOW, Bot


@pytest.fixture
async def again(database: Database) -> AsyncIterator[Bot]:
    """The next process on the same file."""
    again = Bot(database)
    yield again
    await again.tables.close()


async def test_a_start_computes_no_game_states(bot: Bot, again: Bot) -> None:
    """A start creates no state of any game, whatever the number of live tables."""
    hosts = [Player(100 + n, "Ada") for n in range(20)]
    tables = [await bot.click(await bot.begun(n, host=host), "draw") for n, host in enumerate(hosts)]
    stopped = await bot.tables.stop(tables[0].match.id)
    bot.tables.record_shown(stopped)
    lobby = await bot.seating.rematch(stopped.match.id, BO)
    live = await again.tables.resume()
    assert again.made == 0
    assert {one.match_id for one in live} == {one.match.id for one in tables[1:]} | {lobby[0].match.id}
    assert {one.channel_id for one in live} == set(range(20))
    wakes = {one.match_id: one.wakes_at for one in live}
    assert wakes[tables[1].match.id] == nudge_at(tables[1])
    assert wakes[lobby[0].match.id] == NOW + REST_SECONDS


async def test_a_start_detects_which_matches_were_shown(bot: Bot, again: Bot) -> None:
    """A match counts as shown if all its messages are right after its last change."""

    async def unshown() -> set[str]:
        return {one.match_id for one in await again.tables.resume() if not one.is_shown}

    one, two = await bot.begun(1), await bot.begun(2)
    ids = {one.match.id, two.match.id}
    assert await unshown() == ids
    bot.tables.record_shown(one)
    bot.tables.record_shown(two)
    await bot.database.notes.store_note("any", "write takes it along")
    assert await unshown() == set()
    after = await bot.click(one, "draw")
    bot.tables.record_shown(one)  # the table before the move, in an edit that came late
    await bot.database.notes.store_note("any", "write takes it along")
    assert await unshown() == {one.match.id}
    bot.tables.record_shown(after)
    bot.now += LIMIT
    await bot.tables.ring(two.match.id)
    assert await unshown() == {two.match.id}


async def test_a_start_detects_which_ended_matches_were_shown(bot: Bot, again: Bot) -> None:
    """An ended match counts as unshown until all its messages show the end, for at most a day."""

    async def unshown() -> set[str]:
        await bot.database.notes.store_note("any", "write takes it along")
        return {one.match_id for one in await again.tables.resume() if not one.is_shown}

    stopped, left, finished = [await bot.begun(n) for n in range(3)]
    for table in (stopped, left, finished):
        bot.tables.record_shown(table)
    assert await unshown() == set()
    ends = [await bot.tables.stop(stopped.match.id), await bot.seating.leave(finished.match.id, ADA.id)]
    bot.now += LIMIT
    while (table := await bot.tables.read(left.match.id)).match.stage.is_live:
        await bot.tables.ring(left.match.id)
        bot.now += REST_SECONDS
    again.now = NOW + ENDED_SECONDS
    assert await unshown() == {stopped.match.id, left.match.id, finished.match.id}
    again.now = NOW + ENDED_SECONDS + 1
    assert await unshown() == {left.match.id}, "the others ended long ago"
    again.now = NOW + ENDED_SECONDS
    bot.tables.record_shown(left)  # the earlier table, in an edit that came late
    for end in ends:
        bot.tables.record_shown(end)
    assert await unshown() == {left.match.id}
    bot.tables.record_shown(table)
    assert await unshown() == set()


async def test_timers_that_expired_before_the_start_fire_at_the_start(bot: Bot, again: Bot) -> None:
    """A clock that rang while no process ran rings at the start, and is then set as usual."""
    table = await bot.begun(1)
    idle = await bot.begun(2, turn_seconds=0)
    await bot.tables.close()
    again.now = NOW + LIMIT
    await again.tables.resume()
    while not again.rung:
        await again.database.notes.store_note("some", "time passes")
    assert again.rung == [table.match.id]
    assert (await again.tables.read(table.match.id)).n == 1
    live = {one.match_id: one.wakes_at for one in await again.tables.resume()}
    after = await again.tables.read(table.match.id)
    assert live == {table.match.id: nudge_at(after), idle.match.id: NOW + SILENT_SECONDS}


async def test_a_nudge_is_not_repeated_after_a_restart(bot: Bot, again: Bot) -> None:
    """After a nudge the next time is the end of the turn, even after a restart."""
    table = await bot.begun(1)
    nudge = nudge_at(table)
    assert nudge is not None
    bot.now = nudge
    await bot.tables.ring(table.match.id)
    assert [one.wakes_at for one in await again.tables.resume()] == [NOW + LIMIT]
    await bot.tables.ring(table.match.id)
    assert (await bot.tables.read(table.match.id)).n == 0, "looked at, and nothing done"
    assert (await bot.click(table, "draw")).n == 1, "a click that was on its way counts"


async def test_a_start_ends_matches_with_unsupported_rules(bot: Bot, again: Bot) -> None:
    """A start ends matches of rules that no longer exist, and loading such a match changes nothing."""
    match = replace((await bot.begun(1)).match, id="old", rules_version=999)
    assert await bot.database.journal.create(match, "elsewhere") is None
    bot.database.journal.record_shown("old", 0)
    for _look in range(2):
        assert (await bot.tables.read("old")).match.stage is Stage.STOPPED
        stored = await bot.database.journal.find("old")
        assert stored is not None
        assert (stored.stage, stored.version) == (Stage.PLAYING, 0)
    assert "old" in {one.match_id for one in await again.tables.resume() if not one.is_shown}
    assert await bot.database.journal.live_at("elsewhere") is None


async def test_an_idle_table_is_evicted_from_memory(bot: Bot) -> None:
    """An idle table is evicted and loaded again on use, and a table in use stays."""
    idle, used = await bot.begun(1), await bot.begun(2)
    idle, used = await bot.click(idle, "draw"), await bot.click(used, "draw")
    for key in ("end", "draw", "end", "draw"):
        bot.now += IDLE_SECONDS // 3
        used = await bot.click(used, key)
    assert bot.tables.matches.in_use() == [used.match.id]
    assert await bot.tables.read(used.match.id) == used
    assert await bot.tables.read(idle.match.id) == idle


async def test_a_duplicate_last_click_changes_nothing_after_a_restart(bot: Bot, again: Bot) -> None:
    """The doubled last click of a match changes nothing after a restart. A stale click is refused."""
    table = await bot.click(await bot.begun(1), "draw")
    await bot.seating.leave(table.match.id, ADA.id)
    double = Click(table.match.id, 0, True, ("draw",))
    mover = table.match.players[table.last_seat or 0]
    for _click in range(2):
        assert (await again.tables.choose(double, mover.id)).n == 2
    with pytest.raises(Exception, match="over"):
        await again.tables.choose(Click(table.match.id, 0, True, ("end",)), mover.id)


async def test_a_move_at_a_table_ended_by_another_process_is_refused(bot: Bot, again: Bot) -> None:
    """A move at a table that another process has ended is refused, and the table is reloaded."""
    table = await bot.click(await bot.begun(1), "draw")
    await again.tables.stop(table.match.id)
    with pytest.raises(Exception, match="was closed") as refusal:
        await bot.click(table, "end")
    assert not isinstance(refusal.value, OutdatedClickError)

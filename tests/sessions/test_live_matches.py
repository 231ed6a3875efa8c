"""Live matches in memory, one object each, and their clocks after eviction."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.sessions import live_matches
from bot.sessions.live_matches import IDLE_SECONDS, LiveMatches
from tests.sessions.process import NOW, Bot


class Messages:
    """The messages of a match, which can be idle or not."""

    is_idle = False


async def test_least_recently_used_idle_matches_are_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used matches are evicted if they are idle and too many or too old."""
    monkeypatch.setattr(live_matches, "MOST_MATCHES", 4)
    now = NOW
    matches, messages = LiveMatches(lambda: now), Messages()
    shown, locked, first = (matches.live_match(each) for each in ("shown", "locked", "first"))
    shown.messages = messages
    async with locked.lock:
        for n in range(20):
            matches.live_match(f"other {n}")
        assert matches.live_match("shown") is shown
        assert matches.live_match("locked") is locked
        assert matches.live_match("first") is not first
        assert len(list(matches)) == 4
    messages.is_idle = True
    now += IDLE_SECONDS + 1
    for _use in range(4):
        matches.live_match("other")
    assert [live.id for live in matches] == ["other"]


async def test_an_evicted_match_keeps_its_timer(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of an evicted match still rings, once."""
    table = await bot.begun(1)
    monkeypatch.setattr(live_matches, "MOST_MATCHES", 1)
    wakes_at = table.match.wakes_at
    assert wakes_at is not None
    bot.now = wakes_at - 1
    bot.tables.take_up(await bot.tables.read(table.match.id))
    bot.tables.live_match("other")
    assert [live.id for live in bot.tables.matches] == ["other"]
    bot.now = wakes_at
    while not bot.rung:
        await bot.database.notes.store_note("some", "time passes")
    assert bot.rung == [table.match.id]


class Counted:
    """A journal that counts the matches that it loads at the same time."""

    def __init__(self, journal: Any) -> None:
        self._journal = journal
        self.reading = self.most = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    async def load(self, match_id: str) -> Any:
        self.reading += 1
        self.most = max(self.most, self.reading)
        try:
            return await self._journal.load(match_id)
        finally:
            self.reading -= 1


async def test_a_users_many_clicks_do_not_delay_other_users(bot: Bot) -> None:
    """Clicks of one user read matches one by one, and clicks of several users read them in parallel."""
    ids = [(await bot.begun(channel_id)).match.id for channel_id in range(3)]

    async def read_at_once(*clicking: int) -> int:
        counted = Counted(bot.database.journal)
        tables = Bot(bot.database).tables
        tables.journal = counted
        seen = [tables.read(match_id, who) for match_id, who in zip(ids, clicking, strict=True)]
        assert [table.match.id for table in await asyncio.gather(*seen)] == ids
        return counted.most

    assert await read_at_once(1, 1, 1) == 1
    assert await read_at_once(1, 2, 2) == 2
    assert await read_at_once(1, 2, 3) == 3


async def test_newcomers_are_read_once_per_match(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """People who have not reached the aim are looked up at the start and after an eviction only."""
    asked, newcomers = [], bot.tables.journal.newcomers

    async def counting(*args: Any) -> frozenset[int]:
        asked.append(args)
        return await newcomers(*args)

    monkeypatch.setattr(bot.tables.journal, "newcomers", counting)
    table = await bot.begun(7)
    assert table.newcomers == {player.id for player in table.match.players}
    for _turn in range(2):
        table = await bot.click(table, "end")
        assert (await bot.tables.read(table.match.id)).newcomers == table.newcomers
    assert len(asked) == 1
    bot.tables.evict()
    assert (await bot.tables.read(table.match.id)).newcomers == table.newcomers
    assert len(asked) == 2

"""The bot on PostgreSQL, with a match across restarts and a server that becomes unavailable."""

from __future__ import annotations

import asyncio
from itertools import cycle

import pytest

from bot.storage.database_address import Server
from tests.discord.bot_harness import bot_harness, ephemeral_reply
from tests.discord.toad_player import SHORT_MATCH, WAYS, is_over, make_next_move, true_state
from tests.postgres import Postgres, shorten_patience
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import query_rows

MOST_MOVES = 60
RESTART_EVERY = 4


async def test_a_match_is_played_to_its_end_across_restarts(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match runs from its start to the leaderboard, with every type of click and regular restarts."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)
    async with bot_harness(server) as place:
        people = await place.started("Ann", "Ben", lives=1)
        for n, way in zip(range(MOST_MOVES), cycle(WAYS), strict=False):
            if is_over(place):
                break
            if n % RESTART_EVERY == RESTART_EVERY - 1:
                before = await true_state(place)
                await place.restart()
                assert await true_state(place) == before
            await make_next_move(place, people, way)
        else:
            pytest.fail("the match should have ended")
        await place.restart()
        [(moves, last)] = await query_rows(server, "SELECT count(*), max(n) FROM moves")
        assert moves == last + 1 > RESTART_EVERY
        board = await leaderboard_reader(place.bot.database).leaderboard(place.guild.id, "toad", 0, 10)
        assert [(row.rank, row.matches, row.wins) for row in board] == [(1, 1, 1), (2, 1, 0)]
        await people[0].press("Rematch")
        assert "— host" in place.table.text


async def test_clicks_work_again_after_a_database_outage(stopping: Postgres, server: Server) -> None:
    """A click during a database outage is refused with a sentence, and works after the outage."""
    async with bot_harness(server) as place:
        ann, ben = await place.started("Ann", "Ben")
        mover = place.reminded_player
        await mover.press_dm("Draw")
        before = await true_state(place)
        await asyncio.to_thread(stopping.stop)
        with shorten_patience():
            result = await mover.actor.user.click(mover.dm.message, label="End turn")
        assert result.acknowledged
        assert "can't reach my database" in ephemeral_reply(result).text
        await asyncio.to_thread(stopping.start)
        assert await true_state(place) == before
        await mover.press_dm("End turn")
        assert await true_state(place) != before
        assert {ann, ben} - {mover} == {place.reminded_player}
        assert [fault["event"] for fault in place.faults()] == ["storage failed, games are paused"]

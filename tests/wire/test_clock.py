"""A wrong clock, or one that is set while the bot runs, does not change the length of turns."""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from simcord.backend.models import Channel, User

from bot.messages.deal_calendar import DAILY
from tests.wire.environment import World, open_world, wait_until
from tests.wire.ledger import Click
from tests.wire.simulated_players import Control
from tests.wire.test_leaving import (
    channel_texts,
    dm_moves,
    make_first_dm_move,
    press_action,
    seat_players,
)

if sys.platform == "win32":
    pytest.skip("there is no signal for it", allow_module_level=True)

TURN_SECONDS = 3600
DAY = 24 * 60 * 60
TWENTY_MINUTES = 20 * 60
NEAR_SECONDS = 60


def query_number(place: World, query: str) -> int:
    """Return the single number that a query gives."""
    with closing(sqlite3.connect(place.program.database)) as connection:
        [(answer,)] = connection.execute(query)
    return int(answer)


def hand_texts(place: World, channel: Channel) -> list[str]:
    """Return the text of the ephemeral messages in a channel."""
    messages = place.server.backend.messages[channel.id].values()
    return [str(message.components) for message in messages if message.is_ephemeral]


async def make_first_move(
    place: World, people: list[User], channel: Channel, *, in_private: bool
) -> Click:
    """Make the first move as its player, in the ephemeral hand or at the table.

    Tables of earlier versions had these buttons, which still work.
    """
    seen = [(user, one) for user in people for one in place.crowd.seen(user, channel.id)]
    mover, own = next((user, one) for user, one in seen if one.move and one.message.is_ephemeral)
    if not in_private:
        table = next(one.message for _user, one in seen if one.action == "hand")
        own = Control(table, own.custom_id.replace(":h:", ":t:"))
    return await place.crowd.press(mover, own)


@pytest.mark.parametrize("seconds", [TWENTY_MINUTES, -TWENTY_MINUTES], ids=["ahead", "behind"])
async def test_hands_and_tables_are_updated_despite_a_wrong_clock(tmp_path: Path, seconds: int) -> None:
    """An open hand is updated with the game, and clicks' tokens edit the tables."""
    async with open_world(tmp_path, seed=13) as place:
        place.program.clock = ("before", seconds)
        await place.begin()
        assert await place.connected()
        channel = place.server.channel("pond")
        people = await seat_players(place, channel)
        await press_action(place, people[0], channel, "start")
        await wait_until(lambda: any(dm_moves(place, user) for user in people))
        for user in people:
            await press_action(place, user, channel, "hand")
        edits = f"asked: PATCH /channels/{channel.id}"
        before, shown = len(place.ledger.told(edits)), channel_texts(place, channel.id)
        assert (await make_first_move(place, people, channel, in_private=True)).acknowledged
        await wait_until(lambda: channel_texts(place, channel.id)[0] != shown[0])
        panels = hand_texts(place, channel)
        assert (await make_first_move(place, people, channel, in_private=False)).acknowledged
        await wait_until(lambda: hand_texts(place, channel) != panels)
        assert len(place.ledger.told(edits)) == before
        place.program.ask_to_stop()
        assert await place.end(0) == []


@pytest.mark.parametrize("seconds", [DAY, -DAY], ids=["forward", "back"])
async def test_the_daily_deal_uses_discords_date(tmp_path: Path, seconds: int) -> None:
    """On a machine whose clock is a day off, the board of the day shows Discord's date."""
    async with open_world(tmp_path, seed=13) as place:
        place.program.clock = ("before", seconds)
        await place.begin()
        assert await place.connected()
        channel, user = place.server.channel("pond"), place.server.person("Ann")
        days = {datetime.now(UTC).date().isoformat()}
        assert (await place.crowd.slash(user, channel.id, "leaderboard", board=DAILY)).acknowledged
        days.add(datetime.now(UTC).date().isoformat())
        await wait_until(
            lambda: any(day in line for day in days for line in channel_texts(place, channel.id))
        )
        place.program.ask_to_stop()
        assert await place.end(0) == []


@pytest.mark.parametrize("seconds", [DAY, -DAY], ids=["forward", "back"])
@pytest.mark.parametrize("when", ["before", "later"])
async def test_turns_end_on_time_after_the_system_clock_is_set(
    tmp_path: Path, when: str, seconds: int
) -> None:
    """Turns end on time if the clock is set by a day, before the start or within a turn."""
    async with open_world(tmp_path, seed=13) as place:
        place.program.clock = (when, seconds)
        await place.begin()
        assert await place.connected()
        channel = place.server.channel("pond")
        people = [place.server.person(name) for name in ("Ann", "Ben")]
        assert (
            await place.crowd.slash(people[0], channel.id, "toad start", turn=TURN_SECONDS)
        ).acknowledged
        await press_action(place, people[1], channel, "join")
        await press_action(place, people[0], channel, "start")
        if when == "later":
            place.program.set_clock()
        await make_first_dm_move(place, people)
        await wait_until(lambda: query_number(place, "SELECT count(*) FROM moves") == 1)
        ends_at = query_number(place, "SELECT turn_ends_at FROM matches")
        assert abs(ends_at - time.time() - TURN_SECONDS) < NEAR_SECONDS
        place.program.ask_to_stop()
        assert await place.end(0) == []
        assert place.audit.moves == 1, "nobody's turn was passed"

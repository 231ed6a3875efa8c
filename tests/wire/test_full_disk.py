"""On a full disk every click is answered and nothing is lost, and play goes on with room again."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest
from simcord.backend.models import Channel, Message, User

from tests.wire.environment import World, deal_solitaire, wait_until
from tests.wire.injected_faults import FULL_DISK
from tests.wire.program import KILLED
from tests.wire.simulated_players import Control

if sys.platform == "win32":
    pytest.skip("there are no limits on files", allow_module_level=True)

import resource

CLICKS = 4


def fill_disk(place: World) -> None:
    """Make every write fail that would grow a file beyond the current size of SQLite's log."""
    log = place.program.database.with_name("ribit.sqlite3-wal")
    place.perils.of_life.add(FULL_DISK)
    _limit_files(place, log.stat().st_size)


def lift_limit(place: World) -> None:
    """Let the files grow again."""
    _limit_files(place, resource.RLIM_INFINITY)


def _limit_files(place: World, size: int) -> None:
    process_id = place.program.process.pid
    resource.prlimit(process_id, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def move_control(place: World, user: User, channel: Channel) -> Control:
    """Return a control with a move in the last message that has one."""
    seen = place.crowd.seen(user, channel.id, last=50)
    return [one for one in seen if one.move and not one.values][-1]


def is_pause_reported(messages: Iterable[Message]) -> bool:
    """Return whether a public message reports that play is paused."""
    return any("⏸️" in str(one.components) for one in messages if not one.is_ephemeral)


async def test_a_click_on_a_full_disk_reports_the_reason(place: World) -> None:
    """Each click is answered with the reason, and the move works once there is room again."""
    user, channel = place.server.person("Ann"), place.server.channel("pond")
    await deal_solitaire(place, user, channel)
    before = move_control(place, user, channel)
    fill_disk(place)
    for _number in range(CLICKS):
        click = await place.crowd.press(user, move_control(place, user, channel))
        assert click.acknowledged
    assert move_control(place, user, channel).move == before.move, "what is not stored is not shown"
    messages = place.server.backend.messages[channel.id]
    await wait_until(lambda: sum(one.is_ephemeral for one in messages.values()) >= CLICKS)
    await wait_until(lambda: is_pause_reported(messages.values()))
    lift_limit(place)
    await place.crowd.press(user, move_control(place, user, channel))
    await wait_until(lambda: move_control(place, user, channel).move != before.move)
    await wait_until(lambda: not is_pause_reported(messages.values()))
    place.program.kill()
    assert await place.end(KILLED) == []
    assert place.audit.moves == 1


async def test_a_start_on_a_full_disk_loses_nothing(place: World) -> None:
    """A bot that starts without room says so or waits with its writes, and loses nothing."""
    user, channel = place.server.person("Ann"), place.server.channel("pond")
    await deal_solitaire(place, user, channel)
    await place.crowd.press(user, move_control(place, user, channel))
    place.program.kill()
    assert await place.end(KILLED) == []
    await place.begin()
    fill_disk(place)
    if await place.connected():
        assert (await place.crowd.press(user, move_control(place, user, channel))).acknowledged
        place.program.ask_to_stop()
    assert await place.end(0, 1) == []
    await place.begin()
    assert await place.connected()
    await place.crowd.press(user, move_control(place, user, channel))
    await place.crowd.press(user, move_control(place, user, channel))
    place.program.kill()
    assert await place.end(KILLED) == []
    assert place.audit.moves >= 2

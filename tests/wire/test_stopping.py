"""A process that is asked to stop, and one whose connections break."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from simcord.backend.models import Channel, User

from tests.wire.environment import World, deal_solitaire, open_world, wait_until
from tests.wire.injected_faults import CALM, Doom, Weather
from tests.wire.simulated_players import Control

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")

BROKEN = Weather(dropping=1.0)


async def deal_solitaires(place: World, number: int) -> list[tuple[User, Channel]]:
    """Deal a solitaire to each of some people, in a channel each."""
    tables = [
        (place.server.person(f"Frog{each}"), place.server.channel(f"pond-{each}"))
        for each in range(number)
    ]
    for user, channel in tables:
        await deal_solitaire(place, user, channel)
    return tables


def move_control(place: World, user: User, channel: Channel) -> Control:
    """Return a control with a move in the last message."""
    return [control for control in place.crowd.seen(user, channel.id) if control.move][-1]


async def test_sigterm_answers_clicks_in_flight(place: World) -> None:
    """After SIGTERM every click that came is answered, no more clicks come, and the exit code is 0."""
    tables = await deal_solitaires(place, 12)
    place.perils.gate = asyncio.Event()
    clicks = [place.crowd.send(user, move_control(place, user, channel)) for user, channel in tables]
    await wait_until(lambda: place.perils.counts["held up"] >= len(clicks))
    place.program.ask_to_stop()
    assert not any(click.acknowledged for click in clicks), "everything is in flight"
    place.perils.gate.set()
    assert await place.end(0) == []
    assert all(click.acknowledged for click in clicks)
    assert not place.server.gateway.has_session
    assert place.audit.moves > 0


@pytest.mark.parametrize(("moment", "count"), [("before", 1), ("after", 2), ("before", 3), ("after", 4)])
async def test_sigterm_during_any_request_of_the_start_exits_cleanly(
    tmp_path: Path, moment: str, count: int
) -> None:
    """SIGTERM at any request of the start (login, commands, gateway) ends the process in order too."""
    async with open_world(tmp_path, seed=8) as place:
        await place.begin(CALM, Doom(moment, count=count, gently=True))
        assert await place.end(0) == []


async def test_sigterm_during_a_reconnect_exits_cleanly(place: World) -> None:
    """SIGTERM during the wait for a lost gateway ends the process in order."""
    gateway = place.server.gateway
    taken = gateway.taken
    gateway.greeting.clear()
    gateway.request_reconnect()
    await wait_until(lambda: gateway.taken != taken)
    place.program.ask_to_stop()
    assert await place.end(0) == []
    gateway.greeting.set()


async def test_broken_connections_do_not_interrupt_play(place: World) -> None:
    """No error escapes while all connections break. Clicks count, and play goes on."""
    [(user, channel)] = await deal_solitaires(place, 1)
    place.perils.weather = BROKEN
    place.perils.of_life.add("dropping")
    control = move_control(place, user, channel)
    await place.crowd.press(user, control)
    await place.crowd.press(place.server.person("Stranger"), control)
    place.perils.weather = CALM
    click = await place.crowd.slash(user, channel.id, "solitaire table")
    assert click.acknowledged
    assert move_control(place, user, channel).move != control.move, "what was clicked counts"
    place.program.ask_to_stop()
    assert await place.end(0) == []
    assert "fault in an event" not in place.program.log.read_text()

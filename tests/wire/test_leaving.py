"""Moderators' actions within a match, and messages sent before the process was killed."""

from __future__ import annotations

import asyncio

import pytest
from simcord.backend.models import Channel, User

from tests.wire.environment import PATIENCE_SECONDS, World, wait_until
from tests.wire.injected_faults import CALM, Doom
from tests.wire.program import KILLED
from tests.wire.rest import Request
from tests.wire.simulated_players import Control

IN_FLIGHT = 2
"""Number of requests that may be in flight while a moderator closes a channel."""


class Silence:
    """Holds all requests that write to a channel until the silence ends."""

    def __init__(self) -> None:
        self.is_over = asyncio.Event()
        self.waiting = 0

    async def before(self, request: Request) -> None:
        if request.kind == "post":
            self.waiting += 1
            await self.is_over.wait()

    async def after(self, request: Request) -> None:
        pass


async def press_action(place: World, user: User, channel: Channel, action: str) -> None:
    """Click a button of the channel that is not a move."""
    seen = place.crowd.seen(user, channel.id)
    assert (
        await place.crowd.press(user, [one for one in seen if one.action == action][-1])
    ).acknowledged


async def seat_players(place: World, channel: Channel) -> list[User]:
    """Seat two people at a table of Toad that can start."""
    people = [place.server.person(name) for name in ("Ann", "Ben")]
    assert (await place.crowd.slash(people[0], channel.id, "toad start")).acknowledged
    await press_action(place, people[1], channel, "join")
    return people


def dm_moves(place: World, user: User) -> list[Control]:
    """Return the moves that a player is offered in DMs."""
    return [one for one in place.crowd.dm_controls(user) if one.move]


async def make_first_dm_move(place: World, people: list[User]) -> None:
    """Make the first move in the player's DMs as soon as the move is offered."""
    await wait_until(lambda: any(dm_moves(place, user) for user in people))
    for user in people:
        if seen := dm_moves(place, user):
            assert (await place.crowd.press(user, seen[0])).acknowledged
            return


def channel_texts(place: World, channel_id: int) -> list[str]:
    """Return the texts of a channel, one message a line."""
    return [
        f"{message.content} {message.components}"
        for message in place.server.backend.messages[channel_id].values()
        if not message.is_ephemeral
    ]


async def test_changing_channels_during_play_causes_no_errors(place: World) -> None:
    """Deleting, closing and opening channels causes no error and hardly a refused request."""
    gone, closed = place.server.channel("gone"), place.server.channel("closed")
    left, stayed = await seat_players(place, gone), await seat_players(place, closed)
    await press_action(place, left[0], gone, "start")
    await press_action(place, stayed[0], closed, "start")
    await wait_until(lambda: any(place.crowd.dm_controls(user) for user in left))
    place.server.withdraw(closed.id, "view_channel")
    before = channel_texts(place, closed.id)
    for _move in range(3):
        await make_first_dm_move(place, stayed)
    place.server.backend.delete_channel(gone.id)
    await wait_until(lambda: not any(place.crowd.dm_controls(user) for user in left))
    assert channel_texts(place, closed.id) == before
    place.server.restore_permissions(closed.id)
    await wait_until(lambda: channel_texts(place, closed.id)[0] != before[0])
    place.program.ask_to_stop()
    assert await place.end(0) == []
    assert place.ledger.refused.total() <= IN_FLIGHT


@pytest.mark.parametrize("count", [1, 2])
async def test_a_hand_is_not_sent_again_after_a_kill(place: World, count: int) -> None:
    """A hand sent when the process was killed is recognised as the one that the next start sends."""
    channel = place.server.channel("pond")
    people = await seat_players(place, channel)
    place.perils.begin(CALM, Doom("after", "post", count))
    start = [one for one in place.crowd.seen(people[0], channel.id) if one.action == "start"][-1]
    place.crowd.send(people[0], start)
    await place.program.ended()
    assert await place.end(KILLED) == []
    await place.begin()
    assert await place.connected()
    dms = place.server.backend.dm_channels
    await wait_until(
        lambda: all(user.id in dms and channel_texts(place, dms[user.id]) for user in people)
    )
    await wait_until(lambda: len(channel_texts(place, channel.id)) > 1)
    await make_first_dm_move(place, people)
    place.program.ask_to_stop()
    assert await place.end(0) == []
    assert [len(channel_texts(place, dms[user.id])) for user in people] == [1, 1]
    assert len(channel_texts(place, channel.id)) <= 2, "the table, and whose turn it is"


async def test_a_mention_is_not_sent_again_after_a_kill(place: World) -> None:
    """A mention of the mover that was sent before the process was killed is not sent again.

    After a start no player counts as present, so the mover is mentioned at once.
    """
    channel = place.server.channel("pond")
    people = await seat_players(place, channel)
    await press_action(place, people[0], channel, "start")
    await wait_until(lambda: any(dm_moves(place, user) for user in people))
    [mover] = [user for user in people if dm_moves(place, user)]
    place.program.ask_to_stop()
    assert await place.end(0) == []
    await place.begin(doom=Doom("after", "post", 1))
    assert await place.connected()
    async with asyncio.timeout(PATIENCE_SECONDS):  # the other one never clicks, and so is called
        while place.program.is_alive:
            if seen := dm_moves(place, mover):
                await place.crowd.press(mover, place.random.choice(seen))
            await asyncio.sleep(0.02)
    assert await place.end(KILLED) == []
    assert len(channel_texts(place, channel.id)) == 2, "the table, and whose turn it is"
    asked = f"POST /channels/{channel.id}/messages"
    before = len(place.ledger.told(asked))
    await place.begin()
    await wait_until(lambda: len(place.ledger.told(asked)) > before)
    place.program.ask_to_stop()
    assert await place.end(0) == []
    assert len(channel_texts(place, channel.id)) == 2


async def test_stopping_cancels_hands_before_closing_the_database(place: World) -> None:
    """Hands that Discord delays too long are cancelled before the database is closed."""
    channel = place.server.channel("pond")
    people = await seat_players(place, channel)
    place.server.rest.watch = silence = Silence()
    await press_action(place, people[0], channel, "start")
    await wait_until(lambda: silence.waiting >= len(people))
    place.program.ask_to_stop()
    await place.program.ended()
    silence.is_over.set()
    assert await place.end(0) == []
    assert "refused" not in place.program.log.read_text("utf-8"), "nobody has asked for longer"

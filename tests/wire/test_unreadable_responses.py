"""Unreadable answers from a proxy before Discord, and incomplete ones, cause no errors in the bot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from simcord.backend.models import Channel, User

from tests.wire.environment import World, open_world, wait_until
from tests.wire.fast_launcher import HASTY
from tests.wire.ledger import Click, Ledger
from tests.wire.rest import GarbledError, Request
from tests.wire.test_leaving import (
    channel_texts,
    dm_moves,
    make_first_dm_move,
    press_action,
    seat_players,
)

JSON, HTML = "application/json", "text/html; charset=UTF-8"
PAGE = "<!DOCTYPE html>\n<html><title>Just a moment...</title></html>"
HALF = '{"id": "12'
BY_GOOGLE = {"Via": "1.1 google"}
CLICKS = 6
REFUSED, FAILED = ("403", "429"), "Discord failed to accept an answer"

WAYS: dict[str, Callable[[], GarbledError]] = {
    "page": lambda: GarbledError(200, HTML, PAGE),
    "half": lambda: GarbledError(200, JSON, HALF),
    "cut": lambda: GarbledError(200, JSON, HALF, is_cut=True),
    "nothing": lambda: GarbledError(200, JSON, ""),
    "no object": lambda: GarbledError(200, JSON, '"later"'),
    "403 page": lambda: GarbledError(403, HTML, PAGE),
    "404 page": lambda: GarbledError(404, HTML, PAGE),
    "429 page": lambda: GarbledError(429, HTML, PAGE),
    "429 page by Google": lambda: GarbledError(429, HTML, PAGE, BY_GOOGLE),
    "429 without a number": lambda: GarbledError(429, JSON, "{}", BY_GOOGLE),
    "502 half": lambda: GarbledError(502, JSON, HALF),
}


@dataclass
class Garbler:
    """Garbles the first answer to each type of request, before or after Discord handles it."""

    ledger: Ledger
    garbled: Callable[[], GarbledError]
    times: int = 1
    is_done: bool = False
    only: str = ""
    """The garbled type of requests, or None for all."""
    seen: Counter[str] = field(default_factory=Counter)

    async def before(self, request: Request) -> None:
        if not self.is_done:
            self._garble_response(request)

    async def after(self, request: Request) -> None:
        if self.is_done:
            self._garble_response(request)

    def _garble_response(self, request: Request) -> None:
        if self.only not in ("", request.kind):
            return
        key = request.path if request.kind == "other" else request.kind
        self.seen[key] += 1
        if self.seen[key] > self.times:
            return
        if request.interaction_id is not None:
            self.ledger.excuse_click(request.interaction_id, "its answer was garbled")
        raise self.garbled()


def warning_lines(place: World) -> list[str]:
    """Return the log lines of level warning and above."""
    lines = place.program.log.read_text("utf-8").splitlines()
    return [line for line in lines if "[info " not in line]


def warning_count(place: World, event: str) -> int:
    """Return the number of log lines with an event."""
    return sum(event in line for line in warning_lines(place))


async def make_unanswered_move(place: World, people: list[User]) -> None:
    """Make the first move as its player. The move is shown although its answer is refused."""
    await wait_until(lambda: sum(bool(dm_moves(place, user)) for user in people) == 1)
    [(user, first)] = [(user, seen[0]) for user in people if (seen := dm_moves(place, user))]
    place.crowd.send(user, first)
    await wait_until(lambda: first not in dm_moves(place, user))


async def start_match(place: World) -> tuple[Channel, list[User]]:
    """Let two people play."""
    channel = place.server.channel("pond")
    people = await seat_players(place, channel)
    await press_action(place, people[0], channel, "start")
    await wait_until(lambda: any(dm_moves(place, user) for user in people))
    return channel, people


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
async def test_an_unreadable_response_causes_no_error(place: World, *, is_done: bool) -> None:
    """One unreadable answer of each type for each request causes no error and at most one line.

    Play goes on.
    """
    _channel, people = await start_match(place)
    asked = 0
    for way, garbled in WAYS.items():
        garbler = Garbler(place.ledger, garbled, is_done=is_done)
        place.server.rest.watch = garbler
        if not is_done and way.startswith(REFUSED):  # then there is no second answer
            await make_unanswered_move(place, people)
        else:
            await make_first_dm_move(place, people)
        await wait_until(lambda: any(dm_moves(place, user) for user in people))
        place.server.rest.watch = place.perils
        said, asked = warning_lines(place), asked + garbler.seen.total()
        assert len(said) <= asked, (way, said)
        assert not any("fault" in line or "Traceback" in line for line in said), (way, said)
    await make_first_dm_move(place, people)
    place.program.ask_to_stop()
    assert await place.end(0) == []


async def test_a_cloudflare_page_costs_a_click_one_request(place: World) -> None:
    """During Cloudflare's answers in place of Discord's, a click is answered once and its move shown."""
    _channel, people = await start_match(place)
    garbler = Garbler(place.ledger, WAYS["403 page"], times=1_000, only="answer")
    place.server.rest.watch = garbler
    await make_unanswered_move(place, people)
    await wait_until(lambda: warning_count(place, FAILED) == 1)
    await asyncio.sleep(0.5)  # so long the answer could be tried again
    assert garbler.seen["answer"] == 1
    place.server.rest.watch = place.perils
    place.program.ask_to_stop()
    assert await place.end(0) == []


@pytest.mark.parametrize("way", ["page", "half", "429 page by Google"])
async def test_a_start_retries_unreadable_responses(tmp_path: Path, way: str) -> None:
    """The bot logs in, finds the gateway and syncs its commands as soon as answers are readable."""
    async with open_world(tmp_path, seed=9) as place:
        place.server.rest.watch = Garbler(place.ledger, WAYS[way])
        await place.begin()
        assert await place.connected()
        place.server.rest.watch = place.perils
        await wait_until(lambda: bool(place.crowd.starts()))
        await start_match(place)
        assert not any("Traceback" in line for line in warning_lines(place))
        place.program.ask_to_stop()
        assert await place.end(0) == []


async def test_hands_blocked_by_cloudflare_are_sent_later(tmp_path: Path) -> None:
    """Cloudflare's 403 does not mark a player's DMs as closed, and the hands are sent later."""
    async with open_world(tmp_path, seed=7, module=HASTY) as place:
        await place.begin()
        assert await place.connected()
        channel = place.server.channel("pond")
        people = await seat_players(place, channel)
        place.server.rest.watch = Garbler(place.ledger, WAYS["403 page"], times=2, only="post")
        await press_action(place, people[0], channel, "start")
        dms = place.server.backend.dm_channels
        await wait_until(
            lambda: all(user.id in dms and channel_texts(place, dms[user.id]) for user in people)
        )
        place.program.ask_to_stop()
        assert await place.end(0) == []


async def test_a_hand_resent_after_a_failure_exists_once(tmp_path: Path) -> None:
    """A message sent again under the same nonce exists once, and shows the newest state."""
    async with open_world(tmp_path, seed=7, module=HASTY) as place:
        await place.begin()
        assert await place.connected()
        people = await seat_players(place, channel := place.server.channel("pond"))
        garbler = Garbler(place.ledger, WAYS["half"], times=1_000, is_done=True, only="post")
        place.server.rest.watch = garbler
        await press_action(place, people[0], channel, "start")
        await wait_until(lambda: garbler.seen["post"] >= len(people))
        [first] = [user for user in people if dm_moves(place, user)]
        while seen := dm_moves(place, first):
            assert (await place.crowd.press(first, seen[0])).acknowledged
        await asyncio.sleep(0.5)  # the other one's hand has been tried, and is again after a second
        place.server.rest.watch = place.perils
        async with asyncio.timeout(
            30
        ):  # a player without a move for a minute is reminded and shown the table
            await wait_until(lambda: any(dm_moves(place, user) for user in people))
        place.program.ask_to_stop()
        assert await place.end(0) == []


async def test_clicks_during_unreadable_responses_cause_no_errors(place: World) -> None:
    """Six clicks during unreadable answers cause no error.

    Afterwards clicks are answered and the table is right.
    """
    channel, people = await start_match(place)
    place.server.rest.watch = Garbler(place.ledger, WAYS["429 page by Google"], times=1_000)
    clicks = list[Click]()
    for number in range(CLICKS):
        user = people[number % 2]
        hand = [one for one in place.crowd.seen(user, channel.id) if one.action == "hand"][-1]
        clicks.append(place.crowd.send(user, hand))
    await wait_until(lambda: warning_count(place, FAILED) == CLICKS)
    place.server.rest.watch = place.perils
    said = warning_lines(place)
    assert not any("fault" in line or "Traceback" in line for line in said), said
    await press_action(place, people[0], channel, "hand")
    await make_first_dm_move(place, people)
    place.program.ask_to_stop()
    assert await place.end(0) == []

"""Tests of users that act at the same time: one state results, and all messages show it."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.backend import Backend
from simcord.http import router
from simcord.results import InteractionResult

from tests.discord.bot_harness import (
    BotHarness,
    Clicking,
    Person,
    Seen,
    Stored,
    bot_harness,
    response_of,
)
from tests.examples import few_or_all

BURSTS = few_or_all(6, 10)
NAMES = ("Ann", "Ben", "Cleo")
MINUTE = 60


def pressable_buttons(
    place: BotHarness, person: Person, match_id: str, since: int = 0
) -> Iterator[tuple[Seen, str]]:
    """Yield the buttons that a user can press in a match, with their message.

    Those that were opened before a restart are kept up to date no more.
    """
    for message in [*place.channel.history(viewer=person.actor), *person.dms]:
        seen = Seen(message)
        for custom_id in map(seen.custom_id, seen.labels):
            is_old = message.flags.ephemeral and message.id <= since
            if f":{match_id}:" in f"{custom_id}:" and not is_old:
                yield seen, custom_id


@contextmanager
def check_stored_before_shown(folder: Path) -> Iterator[None]:
    """Compare each request inside the block with the stored state at its arrival (law 6)."""
    dispatch, early = router.dispatch, list[str]()

    def dispatched(backend: Backend, method: str, path: str, **request: Any) -> Any:
        with closing(sqlite3.connect(folder / "ribit.sqlite3")) as raw:
            for match_id, n in set(re.findall(r"m:(\w+):(\d+):", str(request.get("json")))):
                [[stored]] = raw.execute("SELECT count(*) FROM moves WHERE match_id = ?", [match_id])
                if stored < int(n):
                    early.append(f"{method} {path} shows move {n} of {match_id}, of {stored} stored")
        return dispatch(backend, method, path, **request)

    router.dispatch = dispatched
    try:
        yield
    finally:
        router.dispatch = dispatch
    assert not early, early


def press_concurrently(
    place: BotHarness, random: Random, people: list[Person], match_id: str
) -> list[Clicking]:
    """Press visible buttons as several users at the same time, twice each."""
    clicks = list[Clicking]()
    for person in random.sample(people, random.randint(1, len(people))):
        offered = list(pressable_buttons(place, person, match_id))
        moves = [one for one in offered if one[1].startswith("m:")] or offered
        for seen, custom_id in random.sample(moves, min(len(moves), 2)):
            clicks.append(person.sends(seen, custom_id))
    return clicks


async def wait_for_clicks(place: BotHarness, clicks: list[Awaitable[InteractionResult]]) -> None:
    """Wait until all that follows from clicks is done."""
    assert all(result.acknowledged for result in await asyncio.gather(*clicks))
    await place.env.settle()


async def check_all_current(
    place: BotHarness, people: list[Person], match_id: str, since: int
) -> Stored:
    """Compare all offered choices with the stored state, and return that state."""
    await place.check()
    stored = await place.stored(match_id)
    for person in people:
        kept_up = [
            one for one in pressable_buttons(place, person, match_id, since) if one[1].startswith("m:")
        ]
        late = [one for one in kept_up if not one[1].startswith(f"m:{match_id}:{stored.n}:")]
        assert not late, [(person.name, seen.message, custom_id) for seen, custom_id in late]
        offered = {custom_id for _seen, custom_id in pressable_buttons(place, person, match_id)}
        if stored.is_playing and stored.to_move == stored.match.seat_of(person.id):
            is_offered = any(one.startswith(f"m:{match_id}:{stored.n}:") for one in offered)
            assert is_offered, f"{person.name} is to move, and is offered nothing"
    return stored


async def seat_and_start(place: BotHarness, game: str) -> tuple[list[Person], str]:
    """Seat users at the same time, and start as the host as soon as the button is enabled."""
    people = [place.person(name) for name in NAMES]
    host, *others = people
    opened = asyncio.create_task(host.slash(f"{game} start", turn=MINUTE))
    while not place.messages or "Join" not in place.table.labels:  # noqa: ASYNC110 — there is no event to wait for
        await asyncio.sleep(0.01)
    joined = [one.sends(place.table, place.table.custom_id("Join")) for one in others]
    joining = [asyncio.create_task(one) for one in joined]
    while "Start" not in place.table.labels:  # noqa: ASYNC110 — there is no event to wait for
        await asyncio.sleep(0.01)
    match_id = place.table.match_id
    started = asyncio.create_task(host.sends(place.table, place.table.custom_id("Start")))
    while not (stored := await place.stored(match_id)).is_playing:
        assert not started.done() or (await place.stored(match_id)).is_playing, "it has not started"
    await wait_for_clicks(
        place, [opened, *joining, started, *press_concurrently(place, Random(0), people, match_id)]
    )
    return [one for one in people if stored.match.seat_of(one.id) is not None], match_id


@pytest.mark.parametrize("game", ["toad", "frogger"])
async def test_simultaneous_actions_and_restarts_keep_a_match_correct(tmp_path: Path, game: str) -> None:
    """Players join, move and time out at the same time, and all messages show the stored state."""
    random, since = Random(game), 0
    with check_stored_before_shown(tmp_path):
        async with bot_harness(tmp_path) as place:
            people, match_id = await seat_and_start(place, game)
            for turn in range(BURSTS):
                stored = await check_all_current(place, people, match_id, since)
                if not stored.is_playing:
                    break
                meanwhile: list[Callable[[], Awaitable[Any]]] = [
                    partial(place.wait, MINUTE),
                    partial(people[0].slash, f"{game} table"),
                    partial(asyncio.sleep, 0),
                ]
                await asyncio.gather(
                    random.choice(meanwhile)(), *press_concurrently(place, random, people, match_id)
                )
                await wait_for_clicks(place, [])
                if turn % 4 == 3:
                    since = max(message.id for message in place.channel.history())
                    await place.restart()
            assert (await place.stored(match_id)).n > 0


async def test_simultaneous_clicks_after_a_restart_keep_the_open_hand(tmp_path: Path) -> None:
    """The hand that was opened before is the one that is played from, and stays."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        hand = response_of(await mover.press("My hand"))
        await place.restart()
        await asyncio.gather(*(mover.sends(hand, hand.custom_id(one)) for one in ("Draw", "End turn")))
        await place.env.settle()
        [kept] = [one for one in place.channel.history(viewer=mover.actor) if one.id == hand.id]
        stored = await place.stored(place.table.match_id)
        is_awaited = stored.to_move == stored.match.seat_of(mover.id)
        assert ("You drew" in Seen(kept).text) == is_awaited

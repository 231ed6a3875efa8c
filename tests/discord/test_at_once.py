"""People who do not wait for each other: what they all do at once comes to one truth, which all see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from pathlib import Path
from random import Random

import pytest
from simcord.results import InteractionResult

from tests.discord.pond import Person, Pond, Seen, Stored, pond

BURSTS = 10
NAMES = ("Ann", "Ben", "Cleo")
MINUTE = 60


def seen_by(place: Pond, person: Person) -> list[Seen]:
    """Return the messages that a person sees at the table and in the DMs, oldest first."""
    messages = [*place.channel.history(viewer=person.actor), *person.dms]
    return [Seen(message) for message in sorted(messages, key=lambda message: message.id)]


def choices(place: Pond, person: Person, match_id: str) -> Iterator[tuple[Seen, str]]:
    """Yield the buttons of a match that a person can press, and where."""
    for seen in seen_by(place, person):
        for custom_id in map(seen.custom_id, seen.labels):
            if f":{match_id}:" in f"{custom_id}:":
                yield seen, custom_id


def pressed(
    place: Pond, random: Random, people: list[Person], match_id: str
) -> list[Awaitable[InteractionResult]]:
    """Have some press at once what they see, twice each."""
    clicks = []
    for person in random.sample(people, random.randint(1, len(people))):
        offered = list(choices(place, person, match_id))
        moves = [one for one in offered if one[1].startswith("m:")] or offered
        for seen, custom_id in random.sample(moves, min(len(moves), 2)):
            clicks.append(person.sends(seen, custom_id))
    return clicks


async def ended(place: Pond, clicks: list[Awaitable[InteractionResult]]) -> None:
    """Wait until all that follows from clicks is done."""
    assert all(result.acknowledged for result in await asyncio.gather(*clicks))
    await place.env.settle()


async def all_see_the_truth(place: Pond, people: list[Person], match_id: str) -> Stored:
    """Hold what everybody is offered against what is stored; return that."""
    await place.check()
    stored = await place.stored(match_id)
    for person in people:
        offered = [one for one in choices(place, person, match_id) if one[1].startswith("m:")]
        late = [one for one in offered if not one[1].startswith(f"m:{match_id}:{stored.n}:")]
        assert not late, [(person.name, seen.message, custom_id) for seen, custom_id in late]
        if stored.is_playing and stored.to_move == stored.match.seat_of(person.id):
            assert offered, f"{person.name} is to move, and is offered nothing"
    return stored


async def sit_down(place: Pond, game: str) -> tuple[list[Person], str]:
    """Have people sit down at once, and the host start as soon as that can be pressed."""
    people = [place.person(name) for name in NAMES]
    host, *others = people
    opened = asyncio.create_task(host.slash(f"{game} start", turn=MINUTE))
    while not place.messages or "Join" not in place.table.labels:  # noqa: ASYNC110 — no event
        await asyncio.sleep(0)
    joined = [
        asyncio.create_task(one.sends(place.table, place.table.custom_id("Join"))) for one in others
    ]
    while "Start" not in place.table.labels:  # noqa: ASYNC110 — what is shown is no event
        await asyncio.sleep(0)
    match_id = place.table.match_id
    started = asyncio.create_task(host.sends(place.table, place.table.custom_id("Start")))
    while not (stored := await place.stored(match_id)).is_playing:
        if started.done() and not stored.is_playing:
            raise AssertionError("the match has not started")
    await ended(place, [opened, *joined, started, *pressed(place, Random(0), people, match_id)])
    return [one for one in people if stored.match.seat_of(one.id) is not None], match_id


@pytest.mark.parametrize("game", ["toad", "frogger"])
async def test_a_match_of_people_who_press_at_once(tmp_path: Path, game: str) -> None:
    """They sit down, move and let the time run out at once, and the bot restarts: all see the truth."""
    random = Random(game)
    async with pond(tmp_path) as place:
        people, match_id = await sit_down(place, game)
        for turn in range(BURSTS):
            stored = await all_see_the_truth(place, people, match_id)
            if not stored.is_playing:
                break
            rings = place.wait(MINUTE) if random.random() < 0.3 else asyncio.sleep(0)
            await asyncio.gather(rings, *pressed(place, random, people, match_id))
            await ended(place, [])
            if turn % 4 == 3:
                await place.restart()
        assert stored.n > 0

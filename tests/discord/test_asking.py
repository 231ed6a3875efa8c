"""Asking for what takes thinking: again and again, and while others wait."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from simcord.results import InteractionResult

from bot.engine.task import Lane, Task
from bot.sessions.lobby import place_of
from bot.sessions.tasks import Advise, Answer
from tests.discord.patience import told_at
from tests.discord.pond import Pond, Thinkers, pond, shown, told


class Pondering(Thinkers):
    """Think about each question until the test says that it is done, one at a time for a person."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[str] = []
        self.done = asyncio.Event()

    async def _attempt(
        self, lane: Lane, who: int, longest: float, task: Task[Any], *given: Any
    ) -> bytes | None:
        """Return the answer of a worker process, late, and the hint of one, and count them."""
        if isinstance(task, Advise):
            self.thoughts.append("advice")
        if isinstance(task, Answer):
            self.thoughts.append(task.question)
            await self.done.wait()
        return await super()._attempt(lane, who, longest, task, *given)


async def settled() -> None:
    """Let all go on that can."""
    for _turn in range(20):
        await asyncio.sleep(0.01)


async def test_who_asks_again_before_the_answer_is_there(tmp_path: Path) -> None:
    """The same question gets the same answer, counted once; another one a sentence, at once."""
    thinkers = Pondering()
    async with pond(tmp_path, opponents=thinkers) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=8)
        table = place.table
        peek, hint = table.custom_id("Peek"), table.custom_id("Hint")
        peeks = [asyncio.create_task(ann.send(table, peek)) for _click in range(5)]
        await settled()
        other = asyncio.create_task(ann.send(table, hint))
        await settled()
        thinkers.done.set()
        await asyncio.gather(*peeks, other)
        assert "still working on what you asked for" in told(other.result()).text
        assert thinkers.thoughts == ["peek"]
        assert told_at(place).startswith("Peek: ")
        await ann.press("Give up", shown(await ann.press("Give up")))
        assert "1 peek" in place.table.text


async def test_an_answer_is_kept_with_the_position(tmp_path: Path) -> None:
    """What was thought out about a position is not thought out again, and another position is."""
    thinkers = Pondering()
    thinkers.done.set()
    async with pond(tmp_path, opponents=thinkers) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=8)
        for label in ("Peek", "Peek", "Hint", "Hint", "Peek", "Hint"):
            await ann.press(label)
            assert told_at(place).startswith(f"{label}: ")
        assert thinkers.thoughts == ["peek", "hint"]
        assert await moves(place, ann.id) == 4, "what was told already is not told again"
        await ann.press(place.table.labels[0])
        await ann.press("Peek")
        assert thinkers.thoughts == ["peek", "hint", "peek"]
        lost = shown(await ann.press("Give up"))
        await ann.press("Give up", lost)
        for _time in range(3):
            said = told(await ann.press("Where was it lost?")).text
            assert "can still be won" in said
        assert thinkers.thoughts == ["peek", "hint", "peek", "rescue"]


async def test_a_hint_is_kept_with_the_table(tmp_path: Path) -> None:
    """Who presses Hint again and again at a table of Toad has a toad think about it once."""
    thinkers = Pondering()
    async with pond(tmp_path, opponents=thinkers) as place:
        mover, _waiting = await place.two(hints=1)
        for _click in range(3):
            await mover.send(mover.dm, f"a:{place.table.match_id}:hint")
        assert thinkers.thoughts == ["advice"]


async def moves(place: Pond, player_id: int) -> int:
    """Return how many moves of a player's deal are stored."""
    journal = place.bot.database.journal
    match = await journal.live_at(place_of(place.channel.id, player_id))
    assert match is not None
    return len(await journal.entries(match.id))


class Working(Thinkers):
    """Do no work until the test lets it go on; what is asked for is noted, and for whom."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, int]] = []
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def _attempt(
        self, lane: Lane, who: int, longest: float, task: Task[Any], *given: Any
    ) -> bytes | None:
        self.asked.append((type(task).__name__, who))
        await self.goes_on.wait()
        return await super()._attempt(lane, who, longest, task, *given)

    async def held(self, *clicks: Coroutine[Any, Any, InteractionResult]) -> list[InteractionResult]:
        """Have all this asked while nothing is worked on; returns the answers once it is."""
        self.asked.clear()
        self.goes_on.clear()
        asking = []
        for click in clicks:
            asking.append(asyncio.create_task(click))
            await settled()
        assert all(busy(one.result()) for one in asking if one.done()), "nothing is made here"
        self.goes_on.set()
        return await asyncio.gather(*asking)


def busy(result: InteractionResult) -> bool:
    """Return whether somebody was told that they ask for too much at once."""
    return "still working on what you asked for" in told(result).text


async def test_what_is_made_of_a_whole_match_is_made_once_and_elsewhere(tmp_path: Path) -> None:
    """However often, and by however many, its verification and file are asked for.

    A worker makes it, one thing at a time for a person, and it is kept.
    """
    workers = Working()
    async with pond(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        match_id = place.table.match_id
        seen = {one: told(await one.slash("toad rules")) for one in (ann, ben)}
        ask, story = f"a:{match_id}:dealt", f"a:{match_id}:story"
        asking = ((ann, ask), (ann, ask), (ben, ask), (ann, story))
        said = await workers.held(*(one.send(seen[one], what) for one, what in asking))
        assert workers.asked == [("Recorded", ann.id), ("Verified", ann.id)]
        assert [busy(one) for one in said] == [False, False, False, True]
        for one, dealt in ((ann, told(said[0])), (ben, told(said[2]))):
            assert "✅" in dealt.text
            await one.press("Download", dealt)
            await one.slash("verify", match=match_id)
        assert len(workers.asked) == 2, "it is kept"
        await workers.held(*(one.send(seen[one], story) for one in (ann, ben, ann)))
        assert workers.asked == [("Happened", ann.id)]

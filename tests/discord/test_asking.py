"""Asking for what takes thinking: again and again, and while others wait."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from bot.opponents import SingleFlight
from bot.sessions.opening import place_of
from tests.discord.patience import told_at
from tests.discord.pond import Pond, Thinkers, pond, shown, told


class Pondering(Thinkers):
    """Think about each question until the test says that it is done, one at a time for a person."""

    def __init__(self) -> None:
        self.thoughts: list[str] = []
        self.done = asyncio.Event()
        self._asking = SingleFlight()

    async def answer(self, game: str, question: str, state: Any, *, who: int) -> str | None:
        """Return the answer of a worker process, late."""
        think = partial(self._ponder, game, question, state, who)
        return await self._asking.ask(who, (game, question, state), think)  # type: ignore[no-any-return]

    async def advise(self, game: str, memory: Any, lot: bytes, *, who: int) -> tuple[str, ...]:
        """Return the hint of a worker process, and count it."""
        self.thoughts.append("advice")
        return await super().advise(game, memory, lot, who=who)

    async def _ponder(self, game: str, question: str, state: Any, who: int) -> str | None:
        self.thoughts.append(question)
        await self.done.wait()
        return await super().answer(game, question, state, who=who)


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

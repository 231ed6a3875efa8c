"""What a move of the whole bot asks of the database: counted in hops to its threads."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path

from tests.discord.pond import Pond, pond

MOST = 3


async def hops(place: Pond, action: Awaitable[object]) -> int:
    """Have something happen, with all that comes of it; returns how often the database was asked."""
    await place.env.settle()
    before = place.bot.database.hops
    await action
    await place.env.settle()
    return place.bot.database.hops - before


async def test_a_move_is_at_most_three_hops(tmp_path: Path) -> None:
    """With all that is shown of it, whether the turn goes on to another player or not."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.awaited
        await hops(place, mover.press("Draw"))
        looks = await hops(place, mover.press("My hand"))  # the pond's own, after each action
        await hops(place, mover.press_dm("Keep all, end turn"))
        for _turn in range(3):
            mover = place.awaited
            assert 0 < await hops(place, mover.press_dm("Draw")) - looks <= MOST
            assert 0 < await hops(place, mover.press_dm("Keep all, end turn")) - looks <= MOST


async def test_so_is_one_after_an_hour(tmp_path: Path) -> None:
    """The table moves down, the one before points to it, and the next player is called by a new line."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", "Dan")
        looks = await hops(place, people[0].press("My hand"))
        for one in people:
            await place.bot.database.players.get(one.id)  # each is read once
        for _turn in range(3):
            mover, before = place.awaited, place.table.id
            await place.wait(3600)
            assert 0 < await hops(place, mover.press_dm("End turn", mover.dm)) - looks <= MOST
            assert place.table.id != before
            assert place.awaited is not mover

"""Forgetting somebody for a host whom they have asked, while no bot runs."""

from __future__ import annotations

from pathlib import Path

from bot.engine.errors import RibitError
from bot.engine.forgotten import new_placeholder
from bot.engine.values import frozen
from bot.storage.address import Location
from bot.storage.forgetting import forget_again, forget_person, list_beside
from bot.storage.hold import stopped


class ForgetError(RibitError):
    """Nobody can be forgotten in a database; the sentence says why."""


@frozen
class Known:
    """What is kept of somebody: at how many matches they sat, and what they were called."""

    matches: int
    names: tuple[str, ...]


async def forget_by_id(location: Location, player_id: int, *, is_applied: bool) -> Known:
    """Forget a person, if that is to be ``applied``; returns what was known of them.

    The next start gives up the seats that they have at live tables. No bot can run on the database
    meanwhile. Raises ForgetError, HeldError or DatabaseError; nothing has changed then.
    """
    async with stopped(location, "forget anybody in", ForgetError) as end:
        sql = end.sql
        player = await sql.own_player(player_id=player_id)
        names = [row["name"] async for row in sql.own_names(player_id=player_id)]
        if player is not None:
            names += [player["name"], player["user_name"]]
        listed = list_beside(location) if is_applied and isinstance(location, Path) else None
        if listed is not None:
            await forget_again(sql, listed)
        matches = await forget_person(sql, player_id, new_placeholder(), listed)
        await end.execute("COMMIT" if is_applied else "ROLLBACK")
    return Known(matches, tuple(sorted({name for name in names if name})))

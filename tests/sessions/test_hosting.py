"""How many tables and deals one person may have at a time, and which are in the way of another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.lesson import SEATS
from bot.engine.match import LESSON, Match
from bot.engine.server import ServerSettings
from bot.games import games
from bot.sessions.errors import TooManyError
from bot.sessions.hosting import MOST_DEALS, MOST_TABLES, deals_in_the_way, tables_in_the_way
from bot.sessions.opening import Opening, new_match
from tests.sessions.process import ADA, BO, NOW, Bot

HERE, THERE = 1, 2
TABLE = Opening("toad", 4, {"lives": 5}, 0)


def hosted(game: str, guild_id: int | None, number: int = 1, **options: int) -> list[Match]:
    """Return some matches that Ada hosts in a server."""
    info = games()[game].info
    return [new_match(info, guild_id, each, ADA, SEATS, options, NOW) for each in range(number)]


def test_three_tables_in_a_server() -> None:
    """A third table in a server is opened, a fourth is not, and all three there are in its way."""
    elsewhere = [*hosted("frogger", THERE, 3), *hosted("american_toad", HERE, 4)]
    here = hosted("toad", HERE, 3)
    assert tables_in_the_way([*elsewhere, *here[:2]], games(), HERE, 3) == ()
    assert tables_in_the_way([*elsewhere, *here], games(), HERE, 3) == tuple(here)
    assert tables_in_the_way([*elsewhere, *here], games(), HERE, 5) == (), "the server allows five"


def test_ten_tables_in_all() -> None:
    """However many servers somebody is in, it is ten tables together."""
    tables = [one for guild_id in range(MOST_TABLES) for one in hosted("toad", guild_id)]
    assert tables_in_the_way(tables[1:], games(), 99, 3) == ()
    assert tables_in_the_way(tables, games(), 99, 3) == tuple(tables)


def test_five_deals_in_all() -> None:
    """Tables do not stand in the way of a deal, and deals not in the way of a table."""
    deals = [one for guild_id in (None, HERE) for one in hosted("american_toad", guild_id, 3)]
    tables = hosted("toad", HERE, MOST_TABLES)
    assert deals_in_the_way([*tables, *deals[: MOST_DEALS - 1]], games()) == ()
    assert deals_in_the_way([*tables, *deals[:MOST_DEALS]], games()) == tuple(deals[:MOST_DEALS])


def test_lessons_do_not_count() -> None:
    """A lesson is seen by its pupil alone, and there is one of a game: it is no table."""
    lessons = hosted("toad", None, MOST_TABLES, **{LESSON: 1})
    assert tables_in_the_way(lessons, games(), None, 1) == ()


async def test_the_server_says_how_many(bot: Bot) -> None:
    """What the server's admins set holds at once, and what is over counts no more."""
    await bot.database.servers.put(HERE, ServerSettings(tables_each=1))
    first = await bot.seating.open(TABLE, HERE, 1, ADA)
    with pytest.raises(TooManyError, match="already host 1 table") as refused:
        await bot.seating.open(TABLE, HERE, 2, ADA)
    assert [match.id for match in refused.value.matches] == [first.match.id]
    await bot.seating.open(TABLE, HERE, 2, BO)
    await bot.seating.open(TABLE, THERE, 3, ADA)
    await bot.database.servers.change(HERE, lambda before: replace(before, tables_each=2))
    second = await bot.seating.open(TABLE, HERE, 4, ADA)
    await bot.tables.stop(second.match.id)
    await bot.seating.rematch(second.match.id, ADA)
    with pytest.raises(TooManyError, match="already host 2 tables"):
        await bot.seating.open(TABLE, HERE, 5, ADA)

"""Limits on one person's tables and deals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.engine.lesson import SEATS
from bot.games import games
from bot.matches.match import Match, Player, Stage
from bot.matches.match_type import LESSON
from bot.matches.server_settings import ServerSettings
from bot.sessions.errors import TooManyError
from bot.sessions.match_creation import Opening, new_match
from bot.sessions.seating import MOST_DEALS, MOST_TABLES, deals_in_the_way, tables_in_the_way
from bot.storage.database import open_database
from tests.sessions.process import ADA, BO, NOW, Bot
from tests.storage.database_types import BOTH

CY = Player(30, "Cy")
HERE, THERE = 1, 2
TABLE = Opening("toad", 4, {"lives": 5}, 0)


def hosted_matches(game: str, guild_id: int | None, number: int = 1, **options: int) -> list[Match]:
    """Return this many matches that Ada hosts in a server."""
    info = games()[game].info
    matches = [new_match(info, guild_id, each, ADA, SEATS, options) for each in range(number)]
    return [replace(match, opened_at=NOW) for match in matches]


def test_a_host_can_have_three_tables_in_a_server() -> None:
    """A host may open a third table in a server but not a fourth, for which all three are in the way."""
    elsewhere = [*hosted_matches("frogger", THERE, 3), *hosted_matches("american_toad", HERE, 4)]
    here = hosted_matches("toad", HERE, 3)
    assert tables_in_the_way([*elsewhere, *here[:2]], games(), HERE, 3) == ()
    assert tables_in_the_way([*elsewhere, *here], games(), HERE, 3) == tuple(here)
    assert tables_in_the_way([*elsewhere, *here], games(), HERE, 5) == (), "the server allows five"


def test_a_host_can_have_ten_tables_in_all_servers() -> None:
    """A host may have ten tables in all servers together."""
    tables = [one for guild_id in range(MOST_TABLES) for one in hosted_matches("toad", guild_id)]
    assert tables_in_the_way(tables[1:], games(), 99, 3) == ()
    assert tables_in_the_way(tables, games(), 99, 3) == tuple(tables)


def test_a_user_can_have_five_deals() -> None:
    """A person may have five deals, counted separately from tables."""
    deals = [one for guild_id in (None, HERE) for one in hosted_matches("american_toad", guild_id, 3)]
    tables = hosted_matches("toad", HERE, MOST_TABLES)
    assert deals_in_the_way([*tables, *deals[: MOST_DEALS - 1]], games()) == ()
    assert deals_in_the_way([*tables, *deals[:MOST_DEALS]], games()) == tuple(deals[:MOST_DEALS])


def test_lessons_count_neither_as_tables_nor_as_deals() -> None:
    """A lesson counts neither as a table nor as a deal, since only its pupil sees it."""
    lessons = hosted_matches("toad", None, MOST_TABLES, **{LESSON: 1})
    assert tables_in_the_way(lessons, games(), None, 1) == ()
    assert (
        deals_in_the_way(hosted_matches("american_toad", None, MOST_DEALS, **{LESSON: 1}), games()) == ()
    )


async def test_the_server_setting_limits_tables_per_host(bot: Bot) -> None:
    """The server's setting applies at once, and matches that are finished do not count."""
    await bot.database.servers.change(HERE, lambda _before: ServerSettings(tables_each=1))
    first = await bot.seating.open(TABLE, HERE, 1, ADA)
    with pytest.raises(TooManyError, match="You can't host more tables") as refused:
        await bot.seating.open(TABLE, HERE, 2, ADA)
    assert [match.id for match in refused.value.matches] == [first.match.id]
    await bot.seating.open(TABLE, HERE, 2, BO)
    await bot.seating.open(TABLE, THERE, 3, ADA)
    await bot.database.servers.change(HERE, lambda before: replace(before, tables_each=2))
    second = await bot.seating.open(TABLE, HERE, 4, ADA)
    await bot.tables.stop(second.match.id)
    await bot.seating.rematch(second.match.id, ADA)
    with pytest.raises(TooManyError, match="You can't host more tables"):
        await bot.seating.open(TABLE, HERE, 5, ADA)


# ---- tables that are handed over -------------------------------------------------------------------


@pytest.fixture(params=BOTH)
async def either(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bot]:
    """A process with its database, in a file and on a server."""
    is_file = request.param == "sqlite"
    location = tmp_path / "ribit" if is_file else request.getfixturevalue("server")
    database = await open_database(location)
    bot = Bot(database)
    yield bot
    await bot.tables.close()
    await database.close()


async def open_lobby(bot: Bot, host: Player, *others: Player, channel_id: int) -> str:
    """Open a lobby, seat others in it, and return the match's ID."""
    match_id = (await bot.seating.open(TABLE, HERE, channel_id, host)).match.id
    for other in others:
        await bot.seating.join(match_id, other)
    return match_id


async def test_a_table_handed_over_to_a_host_at_the_limit_closes(bot: Bot) -> None:
    """A table handed over to a host without room for it closes.

    Two hosts therefore cannot exceed the limit together.
    """
    first = [await open_lobby(bot, ADA, BO, channel_id=n) for n in range(3)]
    for match_id in first:
        assert (await bot.seating.leave(match_id, ADA.id)).match.host_id == BO.id
    with pytest.raises(TooManyError):
        await bot.seating.open(TABLE, HERE, 9, BO)
    second = [await open_lobby(bot, ADA, BO, channel_id=n) for n in range(3, 6)]
    left = await asyncio.gather(*(bot.seating.leave(match_id, ADA.id) for match_id in second))
    assert {table.match.stage for table in left} == {Stage.STOPPED}
    hosted = await bot.database.journal.hosted_matches(BO.id)
    assert {match.id for match in hosted} == set(first)
    assert await bot.database.journal.hosted_matches(ADA.id) == []
    await open_lobby(bot, ADA, BO, channel_id=5)  # the place of a table that closed is free


async def test_a_player_hosting_three_tables_cannot_become_host(bot: Bot) -> None:
    """A player who already hosts three tables does not become host, but keeps the seat."""
    for n in range(3):
        await open_lobby(bot, BO, channel_id=n)
    match_id = await open_lobby(bot, ADA, BO, CY, channel_id=3)
    table = await bot.seating.leave(match_id, ADA.id)
    assert (table.match.players, table.match.host_id) == ((BO, CY), CY.id)
    assert (await bot.seating.start(match_id, CY.id)).is_playing


async def test_concurrent_handovers_respect_the_host_limit(either: Bot) -> None:
    """A host gets at most three lobbies even if all are handed over at the same moment."""
    hosts = [Player(100 + n, f"P{n}") for n in range(8)]
    lobbies = [await open_lobby(either, host, BO, channel_id=n) for n, host in enumerate(hosts)]
    await asyncio.gather(
        *(either.seating.leave(match_id, host.id) for match_id, host in zip(lobbies, hosts, strict=True))
    )
    assert len(await either.database.journal.hosted_matches(BO.id)) == 3
    assert len(await either.database.journal.live()) == 3

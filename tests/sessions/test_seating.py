"""Concurrent joins and departures, and the lifetime of a lobby."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.match import Match, Player, Stage
from bot.sessions.errors import TableError
from bot.sessions.events import ComputerAdded, ComputerRemoved
from bot.sessions.match_creation import Opening, new_match_id
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from bot.sessions.turn_clock import REST_SECONDS
from bot.storage.database import Database
from tests.sessions.process import ADA, BO, Bot

CY = Player(30, "Cy")
BEGUN = "This match has already begun, but you're welcome to watch."
FROG = Strength.TADPOLE.value


class Interrupted:
    """A journal that stores something else just before a seat is taken or left."""

    def __init__(self, journal: Any) -> None:
        self._journal = journal
        self.first: Callable[[], Awaitable[object]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    async def create(self, *what: Any) -> Match | None:
        await self._run_interruption()
        taken: Match | None = await self._journal.create(*what)
        return taken

    async def commit(self, *what: Any) -> bool:
        await self._run_interruption()
        return bool(await self._journal.commit(*what))

    async def _run_interruption(self) -> None:
        first, self.first = self.first, None
        if first is not None:
            await first()


@pytest.fixture
def journal(database: Database) -> Any:
    """A journal that can be interrupted."""
    return Interrupted(database.journal)


@pytest.fixture
def tables(bot: Bot, journal: Any) -> Tables:
    """The bot's tables with a journal that can be interrupted."""
    return Tables(games=games(), journal=journal, clock=lambda: bot.now)


@pytest.fixture
def late(bot: Bot, tables: Tables) -> Seating:
    """Seating of players at the tables on which another event comes first."""
    return Seating(tables, bot.database.servers)


async def open_lobby(bot: Bot) -> Table:
    """Open a lobby of Toad with its host, Bo and a computer player."""
    table = await bot.seating.open(Opening("toad", 4, {"lives": 5}, 0), 1, 2, ADA)
    await bot.seating.join(table.match.id, BO)
    return await bot.tables.happens(table.match.id, ComputerAdded(ADA.id, FROG))


async def error_of(act: Awaitable[object]) -> str:
    """Return the error of an action."""
    with pytest.raises(TableError) as caught:
        await act
    return str(caught.value)


@pytest.mark.parametrize("who", ["a player", "a frog"])
async def test_a_player_joining_during_the_start_is_refused(
    bot: Bot, late: Seating, tables: Tables, journal: Any, who: str
) -> None:
    """A lobby that starts at the same moment refuses a player with the reason."""
    match_id = (await open_lobby(bot)).match.id
    journal.first = lambda: bot.seating.start(match_id, ADA.id)
    sits = (
        late.join(match_id, CY)
        if who == "a player"
        else tables.happens(match_id, ComputerAdded(ADA.id, FROG))
    )
    assert await error_of(sits) == BEGUN


async def test_a_player_leaving_during_the_start_stays_in_the_match(
    bot: Bot, late: Seating, journal: Any
) -> None:
    """A player who tries to leave a lobby while it starts is in the match and has not given up."""
    match = (await open_lobby(bot)).match
    journal.first = lambda: bot.seating.start(match.id, ADA.id)
    after = await late.leave(match.id, BO.id)
    assert after.match.players == match.players
    assert after.to_move is not None
    assert (await bot.tables.read(match.id)).to_move == after.to_move


async def test_a_computer_player_removed_during_the_start_still_plays(
    bot: Bot, tables: Tables, journal: Any
) -> None:
    """A computer player removed while the match starts plays, and the host gets the reason."""
    match = (await open_lobby(bot)).match
    journal.first = lambda: bot.seating.start(match.id, ADA.id)
    assert (
        await error_of(tables.happens(match.id, ComputerRemoved(ADA.id, match.players[2].id))) == BEGUN
    )
    assert (await bot.tables.read(match.id)).match.players == match.players


@pytest.mark.parametrize(
    ("who", "said"),
    [("a player", "All seats are taken. You can watch"), ("a frog", "no room for a frog")],
)
async def test_two_players_cannot_take_the_same_last_seat(
    bot: Bot, late: Seating, tables: Tables, journal: Any, who: str, said: str
) -> None:
    """The later of two players gets an error, and so does a host who adds a computer player."""
    match_id = (await open_lobby(bot)).match.id
    journal.first = lambda: bot.seating.join(match_id, Player(40, "Di"))
    sits = (
        late.join(match_id, CY)
        if who == "a player"
        else tables.happens(match_id, ComputerAdded(ADA.id, FROG))
    )
    assert said in await error_of(sits)


async def test_a_player_leaving_during_the_close_sees_the_closed_table(
    bot: Bot, late: Seating, tables: Tables, journal: Any
) -> None:
    """A player who leaves while the table is closed sees the closed table.

    A host who removes a computer player gets an error.
    """
    match = (await open_lobby(bot)).match
    journal.first = lambda: bot.tables.stop(match.id)
    after = await late.leave(match.id, BO.id)
    assert after.match.stage is Stage.STOPPED
    computer_player = match.players[2]
    assert (
        await error_of(tables.happens(match.id, ComputerRemoved(ADA.id, computer_player.id)))
        == "This table was closed."
    )


async def test_two_concurrent_rematch_requests_share_one_lobby(
    bot: Bot, late: Seating, journal: Any
) -> None:
    """One of two players opens the lobby, and the other joins it."""
    match_id = (await bot.begun(2)).match.id
    await bot.seating.leave(match_id, BO.id)
    journal.first = lambda: bot.seating.rematch(match_id, BO)
    table, is_new = await late.rematch(match_id, ADA)
    assert not is_new
    assert [player.id for player in table.match.players] == [BO.id, ADA.id]
    assert table.match.host_id == BO.id


async def test_only_actions_of_the_host_extend_a_lobby(bot: Bot) -> None:
    """A lobby's week restarts with its host's actions, and not when others join or leave."""
    opened = await bot.seating.open(Opening("toad", 4, {"lives": 5}, 0), 1, 2, ADA)
    match_id = opened.match.id

    async def check(ago: int = 0) -> Table:
        match = await bot.database.journal.find(match_id)
        assert match is not None
        assert (match.rests_since, match.wakes_at) == (bot.now - ago, bot.now - ago + REST_SECONDS)
        bot.now += 60
        return Table(match, opened.game)

    await check()
    await bot.seating.join(match_id, BO)
    await check(60)
    await bot.tables.happens(match_id, ComputerAdded(ADA.id, FROG))
    computer_player = (await check()).match.players[2]
    await bot.tables.happens(match_id, ComputerRemoved(ADA.id, computer_player.id))
    await check()
    await bot.seating.leave(match_id, BO.id)
    await check(60)


async def test_a_table_is_opened_under_its_reserved_id(bot: Bot) -> None:
    """A table is opened under the ID in the messages that were sent before it was stored."""
    match_id = new_match_id()
    opening = Opening("toad", 4, {"lives": 5}, 0)
    table = await bot.seating.open(opening, 1, 2, ADA, match_id)
    assert table.match.id == match_id
    assert (await bot.tables.read(match_id)).match.host_id == ADA.id

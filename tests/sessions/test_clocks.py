"""Races between clicks, clocks and processes, without Discord, with simulated time."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.engine.game import AnyGame
from bot.games import games
from bot.games.toad import GAME
from bot.games.toad.state import EndTurn, Move, Phase, State, TakeNothing
from bot.matches.match import Entry, Player
from bot.sessions.errors import OutdatedClickError, TableError
from bot.sessions.events import FIRST_STEP, Click, PlayerReturned
from bot.sessions.match_creation import Opening
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from bot.sessions.table_timers import Timers
from bot.sessions.tables import Tables
from bot.storage.database import Database, open_database

ADA, BO, CY = Player(10, "Ada"), Player(20, "Bo"), Player(30, "Cy")
NOW, LIMIT = 1_800_000_000, 60
TRIES = 8
MANY_BYTES = 200_000
"""A tenth of the memory that 20,000 times take, in bytes."""


@dataclass
class Time:
    """A clock that changes only when it is set."""

    now: int = NOW

    def __call__(self) -> int:
        return self.now


@dataclass
class Process:
    """A process that serves tables."""

    database: Database
    time: Time
    games: Mapping[str, AnyGame] = field(default_factory=games)

    def __post_init__(self) -> None:
        self.tables = Tables(games=self.games, journal=self.database.journal, clock=self.time)
        self.seating = Seating(self.tables, self.database.servers)

    async def begun(self, channel_id: int, *players: Player) -> Table:
        """Seat people at Toad and start."""
        opening = Opening("toad", 6, {"lives": 5}, LIMIT)
        table = await self.seating.open(opening, 1, channel_id, players[0])
        for player in players[1:]:
            await self.seating.join(table.match.id, player)
        table = await self.seating.start(table.match.id, players[0].id)
        await asyncio.sleep(0)  # its timer reads the clock before it is set again
        return table

    async def click(self, table: Table, key: str) -> Table:
        """Click a button of this table as the player to move."""
        assert table.to_move is not None
        click = Click(table.match.id, table.n, True, (key,))
        return await self.tables.choose(click, table.match.players[table.to_move].id)

    async def ring(self, table: Table) -> None:
        """Ring the clock of this table."""
        await self.tables.ring(table.match.id)

    async def move_texts(self, table: Table) -> list[str]:
        return [entry.text for entry in await self.database.journal.entries(table.match.id)]


@pytest.fixture
async def time() -> Time:
    return Time()


@pytest.fixture
async def one(request: pytest.FixtureRequest, tmp_path: Path, time: Time) -> AsyncIterator[Process]:
    """A process with the games given as a parameter, or all games."""
    known = getattr(request, "param", games())
    process = Process(await open_database(tmp_path / "ribit.sqlite3"), time, known)
    yield process
    await process.tables.close()
    await process.database.close()


@pytest.fixture
async def two(tmp_path: Path, time: Time, one: Process) -> AsyncIterator[Process]:
    """Another process on the same file."""
    process = Process(await open_database(tmp_path / "ribit.sqlite3"), time)
    yield process
    await process.tables.close()
    await process.database.close()


@pytest.mark.parametrize("is_other_process", [False, True])
async def test_a_click_and_a_timeout_at_the_deadline_make_one_move(
    one: Process, two: Process, time: Time, is_other_process: bool
) -> None:
    """At the deadline a turn is either played or passed. A click that comes second gets an error."""
    outcomes = set[str]()
    clicks = two if is_other_process else one
    for channel_id in range(TRIES):
        time.now = NOW
        table = await one.begun(channel_id, ADA, BO)
        time.now = NOW + LIMIT
        click, ring = clicks.click(table, "draw"), one.ring(table)
        if channel_id % 2:
            clicked, _rung = await asyncio.gather(click, ring, return_exceptions=True)
        else:
            _rung, clicked = await asyncio.gather(ring, click, return_exceptions=True)
        after = await one.move_texts(table)
        if isinstance(clicked, OutdatedClickError):
            assert after == ["pass"]
        else:
            assert isinstance(clicked, Table)
            assert after in (["draw"], ["draw", "pass"]), "the turn's time is over all the same"
        outcomes.add(after[0])
        await one.tables.stop(table.match.id)
    assert outcomes == {"draw", "pass"} or is_other_process


async def test_an_end_turn_click_after_a_timeout_passes_no_other_turn(one: Process, time: Time) -> None:
    """A click on End turn after the clock's pass gets an error and passes no other player's turn."""
    table = await one.begun(1, ADA, BO)
    time.now += LIMIT
    await one.ring(table)
    with pytest.raises(OutdatedClickError):
        await one.click(table, "end")
    assert await one.move_texts(table) == ["pass"]


async def test_two_processes_pass_a_turn_once(one: Process, two: Process, time: Time) -> None:
    """Two processes with the same deadline pass a turn once."""
    for channel_id in range(TRIES):
        table = await one.begun(channel_id, ADA, BO)
        time.now += LIMIT
        await asyncio.gather(one.ring(table), two.ring(table))
        assert await one.move_texts(table) == ["pass"]
        after = await two.tables.read(table.match.id)
        assert sorted(player.missed for player in after.match.players) == [0, 1]
        assert after.match.turn_ends_at == time.now + LIMIT
        await one.tables.stop(table.match.id)


async def test_a_late_timer_respects_a_move_by_another_process(
    one: Process, two: Process, time: Time
) -> None:
    """A clock that rings late respects another process's move and its deadline."""
    table = await one.begun(1, ADA, BO)
    time.now += LIMIT - 1
    await two.click(table, "end")
    time.now += 1
    await one.ring(table)
    assert await one.move_texts(table) == ["end"]
    assert (await one.tables.read(table.match.id)).match.turn_ends_at == time.now - 1 + LIMIT


async def table_with_inactive_seat(process: Process, time: Time) -> tuple[Table, int]:
    """Return a table at the other player's turn and a seat that has missed three turns."""
    table = await process.begun(1, ADA, BO)
    lazy = table.to_move
    assert lazy is not None
    while not table.inactive_seats:
        if table.to_move == lazy:
            time.now += LIMIT
            await process.ring(table)
        else:
            await process.click(await process.click(table, "draw"), "end")
        table = await process.tables.read(table.match.id)
    assert table.inactive_seats == (lazy,)
    assert table.to_move != lazy
    return table, lazy


async def test_a_player_returning_before_the_pass_gets_a_full_turn(one: Process, time: Time) -> None:
    """A player who returns before the table has passed the turn at once has the whole turn."""
    table, lazy = await table_with_inactive_seat(one, time)
    time.now += 10
    table = await one.click(await one.click(table, "draw"), "end")
    assert (table.to_move, table.match.turn_ends_at) == (lazy, time.now), "it is about to be passed"
    table = await one.tables.happens(table.match.id, PlayerReturned(table.match.players[lazy].id))
    assert (table.to_move, table.match.turn_ends_at) == (lazy, time.now + LIMIT)
    await one.ring(table)
    assert (await one.move_texts(table))[-1] == "end"
    assert (await one.tables.read(table.match.id)).to_move == lazy


async def test_a_process_unaware_of_a_return_can_store_a_move(
    one: Process, two: Process, time: Time
) -> None:
    """A move by a process that did not know of the return is stored.

    The player who returned gets a whole turn.
    """
    table, lazy = await table_with_inactive_seat(one, time)
    await two.tables.happens(table.match.id, PlayerReturned(table.match.players[lazy].id))
    table = await one.click(await one.click(table, "draw"), "end")
    assert table.to_move == lazy
    assert table.inactive_seats == ()
    assert table.match.turn_ends_at == time.now + LIMIT
    seen = (await two.tables.read(table.match.id)).match
    assert (seen.turn_ends_at, seen.rests_since) == (table.match.turn_ends_at, None)


async def test_a_timer_that_wakes_early_sleeps_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer that wakes early by the match's clock sleeps again."""
    time, slept, rung, done = Time(), list[float](), list[int](), asyncio.Event()

    def sleep(seconds: float, then: Callable[..., None], *arguments: object) -> asyncio.Handle:
        slept.append(seconds)
        time.now += int(seconds) - (100 if len(slept) == 1 else 0)
        return call_soon(then, *arguments)

    async def ring(_match_id: str) -> None:
        rung.append(time.now)
        done.set()

    timers, call_soon = Timers(time, ring), asyncio.get_running_loop().call_soon
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.get_running_loop(), "call_later", sleep)
        timers.set("m1", NOW + 500)
        await done.wait()
        await timers.close()
    assert slept == [500, 100]
    assert rung == [NOW + 500]


async def run_pending_tasks() -> None:
    """Let every task run that does not wait for a time, however slow the machine is."""
    for _turn in range(100):
        await asyncio.sleep(0)


async def test_a_new_timer_replaces_the_previous_one() -> None:
    """A new time replaces the old one of its match, and a time in the past is due at once."""
    time, rung = Time(), list[str]()

    async def ring(match_id: str) -> None:
        rung.append(f"{match_id} {len(rung)}")

    timers = Timers(time, ring)
    timers.set("m1", NOW)
    timers.set("m1", NOW + 3600)
    timers.set("m1", NOW - 5)
    await run_pending_tasks()
    assert rung == ["m1 0"]
    timers.set("m1", NOW)
    timers.set("m1", None)
    await run_pending_tasks()
    assert rung == ["m1 0"]
    timers.set("m2", NOW + 3600)
    await run_pending_tasks()
    timers.set("m1", NOW)
    await run_pending_tasks()
    assert rung == ["m1 0", "m1 1"], "what is due sooner is not kept waiting by what was set before"
    await timers.close()


async def test_each_move_replaces_the_timer_of_its_table() -> None:
    """Setting one table's timer 20,000 times keeps only the last one in memory."""
    timers = Timers(Time(), _ignore_due_time)
    tracemalloc.start()
    try:
        for n in range(20_000):
            timers.set("m1", NOW + 10_000 + n)
        await asyncio.sleep(0)
        assert tracemalloc.get_traced_memory()[0] < MANY_BYTES
    finally:
        tracemalloc.stop()
    await timers.close()


async def _ignore_due_time(_match_id: str) -> None:
    """Ignore a due time."""


def _pass_in_two_moves(state: State) -> Move | None:
    """Pass a turn of Toad in two moves."""
    return TakeNothing() if state.phase is Phase.TAKE else EndTurn()


@pytest.mark.parametrize("one", [{"toad": replace(GAME, passing=_pass_in_two_moves)}], indirect=True)
async def test_a_timed_out_turn_of_several_moves_is_missed_once(one: Process, time: Time) -> None:
    """The clock moves until the turn ends, even over a restart, and counts it as one missed turn."""
    table = await one.begun(1, ADA, BO, CY)
    seat = table.to_move
    assert seat is not None
    time.now += LIMIT
    await one.ring(table)
    await one.tables.close()
    half = await one.tables.read(table.match.id)
    assert await one.move_texts(table) == ["take nothing"]
    assert half.match.players[seat].missed == 0
    assert half.match.turn_ends_at == time.now, "there is no new time for the rest of it"
    await Process(one.database, time, one.games).ring(half)
    assert await one.move_texts(table) == ["take nothing", "end"]
    match = await one.database.journal.find(table.match.id)
    assert match is not None
    assert match.players[seat].missed == 1
    assert match.turn_ends_at == time.now + LIMIT


async def test_only_an_inactive_player_of_a_match_can_return(one: Process, time: Time) -> None:
    """A bystander cannot come back, and no player can in a lobby or at a closed table."""
    table = await one.begun(1, ADA, BO)
    with pytest.raises(TableError, match="welcome to watch"):
        await one.tables.happens(table.match.id, PlayerReturned(CY.id))
    with pytest.raises(TableError, match="not away"):
        await one.tables.happens(table.match.id, PlayerReturned(ADA.id))
    await one.tables.stop(table.match.id)
    with pytest.raises(TableError, match="was closed"):
        await one.tables.happens(table.match.id, PlayerReturned(ADA.id))


async def test_a_click_on_a_newer_state_reloads_the_match(one: Process, two: Process) -> None:
    """A process with an older state in memory reloads the match and plays the click (law 7)."""
    table = await one.begun(1, ADA, BO)
    await one.click(table, "draw")
    later = await two.click(await two.tables.read(table.match.id), "end")
    assert (await one.tables.read(table.match.id)).n == 1, "that is what is remembered here"
    after = await one.click(later, "end")
    assert after.n == later.n + 1
    assert await one.move_texts(table) == ["draw", "end", "end"]
    with pytest.raises(OutdatedClickError):
        await one.click(replace(after, n=after.n + 9), "end")


async def test_a_duplicate_click_costs_the_same_at_any_match_length(
    one: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A doubled or stale click costs the same at any length of the match, even after a restart."""
    table = await one.begun(1, ADA, BO)
    first = table
    for _turn in range(6):
        table = await one.click(table, "end")
        while table.pauses:
            table = await one.click(table, "deal")
    restarted = Process(one.database, one.time)
    await restarted.tables.choose(
        Click(table.match.id, table.n, True, (FIRST_STEP,)), seat_to_move(table)
    )
    folded, read = list[str](), list[int]()
    entry = one.database.journal.entry

    async def counted(match_id: str, n: int) -> Entry | None:
        read.append(n)
        return await entry(match_id, n)

    monkeypatch.setattr("bot.sessions.table_state.Table.deal", folded.append)
    monkeypatch.setattr("bot.sessions.table_state.Table.after_move", folded.append)
    monkeypatch.setattr(one.database.journal, "entry", counted)
    for process in (one, restarted):
        assert (await process.click(first, "end")).n == table.n, "a double, however late"
        with pytest.raises(OutdatedClickError):
            await process.click(first, "draw")
    assert folded == []
    assert read == [0, 0, 0, 0]


def seat_to_move(table: Table) -> int:
    """Return the player to move."""
    assert table.to_move is not None
    return table.match.players[table.to_move].id

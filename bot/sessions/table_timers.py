"""Timers that trigger a table's automatic actions.

Automatic actions are the end of a turn whose time has run out, computer players' moves, and the next
round after a pause.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace

import structlog

from bot.background import BackgroundTasks
from bot.engine.errors import UnavailableError
from bot.engine.opponent import Strength
from bot.engine.worker_task import NoAnswerError
from bot.matches.match import Change
from bot.matches.shards import Shards
from bot.sessions.events import ComputerMoveChosen, TimerFired
from bot.sessions.live_matches import LiveMatch, LiveMatches
from bot.sessions.ports import Opponents
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import next_event_at, thinks
from bot.sessions.worker_tasks import ChooseMove

log = structlog.get_logger(__name__)

TOLERANCE_SECONDS = 30  # smaller deviations are ignored, because the true time arrives with a delay


class DiscordClock:
    """A clock that returns Unix time and ignores changes to the system clock.

    It reads the system clock only once, because a machine may start with a wrong clock or be suspended.
    Callers report the true time, with which the clock corrects itself.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic
    ) -> None:
        """Create a clock that starts at the system's time.

        Args:
            wall: Returns the Unix time of the system clock.
            passed: Returns a monotonic time in seconds.
        """
        self._passed = passed
        self._began = wall() - passed()

    def __call__(self) -> int:
        return int(self._began + self._passed())

    def correct(self, true: float) -> None:
        """Set the clock to the true time if it differs by more than TOLERANCE_SECONDS.

        Args:
            true: The true Unix time.
        """
        off = self._began + self._passed() - true
        if abs(off) > TOLERANCE_SECONDS:
            self._began -= off
            log.warning("the machine's clock is wrong, using Discord's clock", seconds_ahead=round(off))


@dataclass(eq=False)
class Timers:
    """Timers for matches, at most one per match. The matches need not be in memory.

    When a timer fires, it calls ``_ring`` with the match ID. ``_ring`` runs inside the context manager
    ``_idle`` and handles its own errors.
    """

    _clock: Callable[[], int]
    _ring: Callable[[str], Awaitable[None]]
    _idle: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
    _handles: dict[str, asyncio.Handle] = field(default_factory=dict, init=False)
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks, init=False)

    def set(self, match_id: str, wake: float | None) -> None:
        """Set the timer of a match. It replaces the match's earlier timer.

        Args:
            match_id: The match.
            wake: The Unix time at which the timer fires, or None to cancel the timer.
        """
        if match_id in self._handles:
            self._handles.pop(match_id).cancel()
        if wake is not None:
            loop, left, due = asyncio.get_running_loop(), wake - self._clock(), (match_id, wake)
            self._handles[match_id] = (
                loop.call_later(left, self._fire, *due) if left > 0 else loop.call_soon(self._fire, *due)
            )

    def cancel(self) -> None:
        for match_id in list(self._handles):
            self.set(match_id, None)

    async def close(self) -> None:
        self.cancel()
        await self._tasks.close()

    def _fire(self, match_id: str, wake: float) -> None:
        del self._handles[match_id]
        self._tasks.start(self._look(match_id, wake))

    async def _look(self, match_id: str, wake: float) -> None:
        """Handle a timer that has fired, unless the match has a new timer now.

        If the clock was set back, restart the timer.
        """
        async with self._idle():
            if match_id in self._handles:
                return
            if wake > self._clock():
                self.set(match_id, wake)
            else:
                await self._ring(match_id)


RETRY_SECONDS = 60  # the delay before a failed automatic action is retried


@dataclass(eq=False)
class Upkeep:
    """Scheduler of the automatic actions of tables on this process's shards.

    A computer player's move depends only on the match. If the process stops before it stores the move,
    the next process chooses the same move. Timed events run inside the context manager ``_idle``.
    ``_happens`` is ``Tables.happens``.
    """

    _matches: LiveMatches
    _clock: Callable[[], int]
    _shards: Shards
    _happens: Callable[[str, TimerFired | ComputerMoveChosen], Awaitable[Table]]
    _idle: Callable[[], AbstractAsyncContextManager[None]]
    _opponents: Opponents | None
    moved_by_itself: Callable[[str], object] = lambda _match_id: None

    def __post_init__(self) -> None:
        self._tasks = BackgroundTasks()
        self.timers = Timers(self._clock, self.fire_timer, self._idle)

    def take_up(self, table: Table) -> None:
        """Schedule the next automatic action of a table.

        This is called after each change of the table.
        """
        is_own = self._shards.has(table.match.guild_id)
        self.timers.set(table.match.id, next_event_at(table, self._clock()) if is_own else None)

    def check_in(self, match_id: str, seconds: int = RETRY_SECONDS) -> None:
        self.timers.set(match_id, self._clock() + seconds)

    async def fire_timer(self, match_id: str) -> None:
        live = self._matches.live_match(match_id)
        try:
            table = live.table
            if table is None or not thinks(table, self._clock()):
                table = await self._happens(match_id, TimerFired())  # another process may have moved
            if not self._shards.has(table.match.guild_id):
                return
            if self._opponents is not None and thinks(table, self._clock()):
                if not live.is_thinking:  # no caller waits, and a late answer is ignored
                    live.is_thinking = True
                    self._tasks.start(self._move_computer_player(live, table, self._opponents))
                return
            self.take_up(table)
        except UnavailableError:
            self.check_in(match_id)
        except Exception:
            log.exception("automatic action at a table failed", match=match_id)
            self.check_in(match_id)
        self.moved_by_itself(match_id)

    async def _move_computer_player(self, live: LiveMatch, table: Table, opponents: Opponents) -> None:
        """Choose a computer player's move in a worker process, and make it.

        The table's messages are updated only at the end of the computer player's turn.
        """
        match, seat, strength = table.match, table.to_move, table.computer
        assert seat is not None, "a frog is to move"
        assert strength is not None, "a frog is to move"
        try:
            versions = match.rules_version, match.thinking_version
            choose = ChooseMove(match.game, strength, table.memories[seat], table.lot, *versions)
            try:
                text, is_simple = await opponents.ask(choose, who=match.host_id), False
            except NoAnswerError:
                if match.type.is_duel:  # each player of a board meets the same moves
                    self.check_in(match.id)
                    return
                text, is_simple = replace(choose, strength=Strength.FROGLET).compute(), True
            live.is_thinking = False
            table = await self._happens(match.id, ComputerMoveChosen(table.n, seat, text, is_simple))
        except UnavailableError:
            self.check_in(match.id)
        except Exception:
            log.exception("computer player could not move", match=match.id, n=table.n)
            self.check_in(match.id)
        else:
            self.take_up(table)
            if not table.is_playing or (
                table.n == table.began and not table.is_left_to_computer_players
            ):
                self.moved_by_itself(match.id)
        finally:
            live.is_thinking = False

    async def close(self) -> None:
        await self.timers.close()
        await self._tasks.close()


def log_change(table: Table, change: Change) -> None:
    """Log a stored change of a match: the move, and the match's stage if it is new."""
    match, entry = change.after, change.entry
    if entry is not None and entry.mover is not None:
        player, mover = match.players[entry.seat].id, entry.mover.value
        log.debug("move", match=match.id, n=entry.n, seat=entry.seat, player=player, mover=mover)
    if match.stage is not change.before.stage:
        players = [player.id for player in match.players]
        log.info("match", match=match.id, stage=match.stage.value, players=players, n=table.n)

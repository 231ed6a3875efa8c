"""What tables do by themselves: their clocks, their frogs, and the pauses between rounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import structlog

from bot.background import BackgroundTasks
from bot.engine.errors import AwayError
from bot.engine.match import Change, Stage
from bot.engine.shards import Shards
from bot.sessions.events import Rang, Thought
from bot.sessions.live_match import LiveMatch, LiveMatches
from bot.sessions.ports import Opponents
from bot.sessions.table import Table
from bot.sessions.tasks import Choose
from bot.sessions.timers import Timers
from bot.sessions.turn_clock import looked_at, thinks

log = structlog.get_logger(__name__)

RETRY_SECONDS = 60
"""When a table tries again to do by itself what went wrong."""


class Upkeep:
    """Has tables go on, if they are of this process's shards.

    What a frog thinks depends on nothing but the match: where the process ends before the move is
    stored, the next one comes to the same.
    """

    def __init__(
        self,
        matches: LiveMatches,
        clock: Callable[[], int],
        shards: Shards,
        happens: Callable[[str, Rang | Thought], Awaitable[Table]],
        idle: Callable[[], AbstractAsyncContextManager[None]],
        opponents: Opponents | None,
    ) -> None:
        """What is due is done inside ``idle``; ``happens`` is that of the tables."""
        self._matches = matches
        self._clock = clock
        self._shards = shards
        self._happens = happens
        self._opponents = opponents
        self._tasks = BackgroundTasks()
        self.timers = Timers(matches, clock, self.ring, idle)
        self.moved_by_itself: Callable[[str], object] = lambda _match_id: None

    def take_up(self, table: Table) -> None:
        """Have the table do in time what it does by itself; called after each change of it."""
        is_own = self._shards.has(table.match.guild_id)
        self.timers.set(table.match.id, looked_at(table, self._clock()) if is_own else None)

    def look_in(self, match_id: str, seconds: int = RETRY_SECONDS) -> None:
        self.timers.set(match_id, self._clock() + seconds)

    async def ring(self, match_id: str) -> None:
        live = self._matches.of(match_id)
        try:
            table = live.table
            if table is None or not thinks(table, self._clock()):
                table = await self._happens(match_id, Rang())  # another process may have moved
            if not self._shards.has(table.match.guild_id):
                return
            if self._opponents is not None and thinks(table, self._clock()):
                if not live.is_thinking:  # nobody waits for it; what came too late changes nothing
                    live.is_thinking = True
                    self._tasks.start(self._move_frog(live, table, self._opponents))
                return
            self.take_up(table)
        except AwayError:
            self.look_in(match_id)
        except Exception:
            log.exception("the table could not go on by itself", match=match_id)
            self.look_in(match_id)
        self.moved_by_itself(match_id)

    async def _move_frog(self, live: LiveMatch, table: Table, opponents: Opponents) -> None:
        """Have a frog make the move that it thinks of; its whole turn is shown at once."""
        match, seat, strength = table.match, table.to_move, table.computer
        assert seat is not None, "a frog is to move"
        assert strength is not None, "a frog is to move"
        try:
            choose = Choose(match.game, strength, table.memories[seat], table.lot)
            text = await opponents.ask(choose, who=match.host_id)
            live.is_thinking = False
            table = await self._happens(match.id, Thought(table.n, seat, text))
        except AwayError:
            self.look_in(match.id)
        except Exception:
            log.exception("a frog could not move", match=match.id, n=table.n)
            self.look_in(match.id)
        else:
            self.take_up(table)
            if not table.is_playing or (table.n == table.began and not table.is_left_to_frogs):
                self.moved_by_itself(match.id)
        finally:
            live.is_thinking = False

    async def close(self) -> None:
        await self.timers.close()
        await self._tasks.close()


def note(table: Table, change: Change) -> None:
    """Log a change that was stored, and the table as it stands by it."""
    match, before, entry = change.after, change.before, change.entry
    if entry is not None and entry.mover is not None:
        player, mover = match.players[entry.seat].id, entry.mover.value
        log.debug("move", match=match.id, n=entry.n, seat=entry.seat, player=player, mover=mover)
    if table.outcome is not None:
        winners = [match.players[seat].id for seat in table.outcome.winners]
        log.info("match finished", match=match.id, winners=winners)
    elif match.stage is Stage.STOPPED:
        log.info("table left unfinished" if match.unfinished else "table ended", match=match.id)
    elif match.stage is not before.stage:
        log.info("match started", match=match.id, players=[player.id for player in match.players])
    elif table.is_lobby:
        log.info("lobby changed", match=match.id, players=[player.id for player in match.players])
    elif table.rests and entry is None:
        log.info("table rests", match=match.id, n=table.n)

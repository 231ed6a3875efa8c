"""Who runs which of Discord's shards on a server's database, and who cares for the matches of each.

All of it is locks of PostgreSQL's, which a process's session holds and the server takes back when that
ends. A process that runs some shards shares the database's own lock with the others, so that no bot
without ``RIBIT_SHARDS`` comes between. Each of its shards it *runs*, from its start to its end: nobody
else does. It *serves* them while a bot of its is connected to Discord, and *cares* for them then: rings
the clocks of their matches, thinks for their frogs, keeps their messages right. Where nobody cares for a
shard for some seconds, any process that serves does, until the one that serves the shard is back.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import asyncpg
import structlog

from bot.engine.shards import Shards, shard_of
from bot.storage.cluster.rate_share import RateShare
from bot.storage.cluster.server_lock import LOCK, NAME, alone, holding, noted_holder, patient
from bot.storage.cluster.shard_locks import Kind, begin, end, held_shards, leave, take
from bot.storage.location import Location, Server
from bot.storage.open_errors import RefusedDatabaseError
from bot.storage.postgres import AWAY, CONFLICTS
from bot.storage.writer import Session

log = structlog.get_logger(__name__)

POLL_SECONDS = 2.0
"""How often a process looks who cares for what; its session, too, is asked by that whether it lives."""

ANSWER_SECONDS = 10.0
"""For how long the server may keep silent before the session is given up."""

FREE_SECONDS = 8.0
"""For how long nobody cares for a shard before another process does: a restart takes less."""

LEAVE_SECONDS = 2.0
"""For how long a process that ends waits until it can let go in order."""

WAIT_SECONDS = 0.5
"""How often a process looks whether another has let go of its shards."""

_MEETING = 0x72696269_74000003
"""The lock of who takes shards: so nobody takes some while another looks whether they are free."""

_Told: TypeAlias = Callable[[frozenset[int]], object]


class Fleet:
    """What this process does among those that share a database. Fits the sessions' ``Care``."""

    def __init__(self, shards: Shards) -> None:
        self.shards = shards
        self._session: Session = None
        self._rate_share = RateShare(shards)
        self._has_bot = False
        self._is_serving = False
        self._owned: frozenset[int] = frozenset()
        self._free_since: dict[int, float] = {}
        self._watchers: list[tuple[_Told, _Told]] = []
        self._turn = asyncio.Lock()
        self._stir = asyncio.Event()
        self._exclusive: dict[str, asyncio.Lock] = {}

    # ---- what a bot asks -----------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Over how many shards the matches are spread."""
        return self.shards.count

    def has(self, guild_id: int | None) -> bool:
        """Return whether this process cares for the matches of a server, or of none."""
        return shard_of(guild_id, self.count) in self._owned

    def watch(self, gained: _Told, lost: _Told) -> None:
        """Have this called with the shards that are cared for from now on, and those no longer."""
        self._watchers.append((gained, lost))

    def serve(self) -> None:
        """Take note that the bot is connected to Discord: its shards are served, and cared for."""
        self._is_serving = True
        self._stir.set()

    def share(self, changed: Callable[[float], object]) -> None:
        """Have this called with this process's part of the bot's requests, now and when it changes."""
        self._rate_share.watch(changed)

    @asynccontextmanager
    async def with_bot(self) -> AsyncIterator[None]:
        """Have a bot inside the block; after it nothing is served, and others care for what it did."""
        self._has_bot = True
        self._stir.set()
        try:
            yield
        finally:
            self._has_bot = self._is_serving = False
            self._watchers.clear()
            self._rate_share.end()
            try:
                async with asyncio.timeout(LEAVE_SECONDS), self._turn:
                    await self._leave_all(self._session)
            except (asyncpg.PostgresError, *AWAY):
                self._session.terminate()  # by that the server takes all of it back

    async def _leave_all(self, session: Session) -> None:
        """Let go of all that follows from having a bot."""
        self._owned = frozenset()
        own = [held for held in await held_shards(session) if held.is_own]
        for kind in (Kind.OWNS, Kind.SERVES):
            shards = [held.shard for held in own if held.kind is kind]
            await leave(session, kind, shards, self.count)

    @asynccontextmanager
    async def once(self, what: str) -> AsyncIterator[None]:
        """Have something to oneself inside the block, among all processes; it is waited for.

        It is for what does no harm when done twice: where the session is lost meanwhile, so is that, and
        where the server is away for long nobody waits for it.
        """
        clock = asyncio.get_running_loop().time
        async with self._exclusive.setdefault(what, asyncio.Lock()):  # a session may take a lock twice
            heard_at = clock()
            while not (is_begun := await self._asked(begin, what)):
                heard_at = heard_at if is_begun is None else clock()
                if clock() - heard_at > ANSWER_SECONDS:
                    break
                await asyncio.sleep(WAIT_SECONDS)
            try:
                yield
            finally:
                await self._asked(end, what)

    async def _asked(
        self, question: Callable[[Session, str], Awaitable[bool]], what: str
    ) -> bool | None:
        """Ask the session something; None where that is away."""
        with suppress(asyncpg.PostgresError, *AWAY):
            async with self._turn, asyncio.timeout(ANSWER_SECONDS):
                return await question(self._session, what)
        return None

    # ---- its session ---------------------------------------------------------------------------

    async def take(self, server: Server, session: Session) -> None:
        """Take the shards on a session; raises HeldError where they are another's."""
        await session.fetchval(
            "SELECT set_config('application_name', $1, false)", f"{NAME} {self.shards}"
        )
        await patient(server, session, self._try)
        self._session = session

    async def keep(self, session: Session) -> None:
        """Care for what this process has to, until the session is lost."""
        session.add_termination_listener(lambda _session: self._stir.set())
        try:
            while not session.is_closed():
                async with self._turn, asyncio.timeout(ANSWER_SECONDS):
                    await self._look(session)
                    if self._has_bot:
                        with suppress(*CONFLICTS):  # in time it is had anew
                            await self._rate_share.renew(session)
                await self._until_next()
        except (asyncpg.PostgresError, *AWAY):
            session.terminate()
        finally:
            self._free_since.clear()
            self._lose(self._owned)

    async def _try(self, server: Server, session: Session) -> str | None:
        """Take the shards; returns a sentence, and takes none, where others have them."""
        async with session.transaction():
            if not await session.fetchval("SELECT pg_try_advisory_xact_lock($1)", _MEETING):
                return f"Other Ribits start on {server} just now. Start this one again."
            others = [held for held in await held_shards(session) if held.kind is Kind.RUNS]
            for held in others:
                if held.count != self.count:
                    return (
                        f"The Ribits on {server} share {held.count} shards, not {self.count}: give all "
                        f"the same count in RIBIT_SHARDS. With {held.by} runs "
                        f"{await noted_holder(session, held.by)}."
                    )
                if held.shard in self.shards.ids:
                    return (
                        f"Another Ribit runs shard {held.shard} on {server}, with {held.by}: "
                        f"{await noted_holder(session, held.by)}. Stop it first, or give this one other "
                        "shards in RIBIT_SHARDS."
                    )
            if not await session.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
                who = await noted_holder(session)
                return (
                    f"Another Ribit runs on {server}, without RIBIT_SHARDS: {who}. Stop it first, or "
                    "set RIBIT_DATABASE to another one."
                )
            await take(session, Kind.RUNS, self.shards.ids, self.count)
        return None

    async def _look(self, session: Session) -> None:
        """Look who does what, and let go or take what follows from that."""
        all_held = await held_shards(session)
        owned = {held.shard for held in all_held if held.kind is Kind.OWNS}
        served = {held.shard for held in all_held if held.kind is Kind.SERVES}
        own = {held.shard for held in all_held if held.kind is Kind.SERVES and held.is_own}
        let_go = self._owned & (served - own)  # they are served again by their own process
        self._lose(let_go)  # first: from here on it may be another's
        await leave(session, Kind.OWNS, let_go, self.count)
        if not self._is_serving:
            return
        if not own:  # by this who cares for them lets go
            await take(session, Kind.SERVES, self.shards.ids, self.count)
        free = self._free(set(range(self.count)) - owned - served)
        wanted = (free | set(self.shards.ids)) - owned
        taken = await take(session, Kind.OWNS, wanted, self.count)
        self._gain(taken)

    def _free(self, shards: set[int]) -> set[int]:
        """Return those of the shards that nobody cares for, for some seconds now."""
        now = asyncio.get_running_loop().time()
        self._free_since = {shard: self._free_since.get(shard, now) for shard in shards}
        return {shard for shard, since in self._free_since.items() if now - since >= FREE_SECONDS}

    async def _until_next(self) -> None:
        """Wait until there may be something to do."""
        is_waiting = self._is_serving and not self._owned.issuperset(self.shards.ids)
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_SECONDS if is_waiting else POLL_SECONDS):
                await self._stir.wait()
        self._stir.clear()

    def _gain(self, shards: frozenset[int]) -> None:
        if shards:
            log.info("shards are cared for here", shards=sorted(shards), of=self.count)
            self._owned |= shards
            self._tell([gained for gained, _lost in self._watchers], shards)

    def _lose(self, shards: frozenset[int]) -> None:
        if shards:
            log.info("shards are no longer cared for here", shards=sorted(shards), of=self.count)
            self._owned -= shards
            self._tell([lost for _gained, lost in self._watchers], shards)

    @staticmethod
    def _tell(watchers: list[_Told], shards: frozenset[int]) -> None:
        for watcher in watchers:
            try:
                watcher(shards)
            except Exception:  # the locks have to be kept all the same
                log.exception("what follows from the care for shards went wrong")


@asynccontextmanager
async def locked(
    location: Location, shards: Shards | None = None
) -> AsyncIterator[tuple[asyncio.Future[None], Fleet | None]]:
    """Have a database, or with shards its part of it; yields what ends where another took that.

    Raises HeldError where another has it, DatabaseError where that cannot be found out, and
    RefusedDatabaseError for shards on what cannot be shared.
    """
    require_shareable(location, shards)
    if shards is None or not isinstance(location, Server):
        async with alone(location) as taken_away:
            yield taken_away, None
        return
    fleet = Fleet(shards)
    async with holding(location, fleet.take, fleet.keep) as taken_away:
        yield taken_away, fleet


def require_shareable(location: Location, shards: Shards | None) -> None:
    """Raise RefusedDatabaseError for a file that processes with shards each would have to share."""
    if shards is not None and not isinstance(location, Server):
        raise RefusedDatabaseError(
            f"RIBIT_SHARDS is for processes that share a database, and {location} is a file, for one "
            "process. Set RIBIT_DATABASE to postgresql://…, or do not set RIBIT_SHARDS."
        )

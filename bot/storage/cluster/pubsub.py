"""What the processes of one bot tell each other, by PostgreSQL's LISTEN and NOTIFY.

A note names what has changed and holds no more than ids and numbers. What is stored is told of in the
transaction that stores it: it is heard when that is committed, or not at all. The rest is told at once,
and may be lost. Who listens has a connection for that alone; while it is away nothing is heard, and when
it is back all is looked at anew. What is stored meanwhile is fenced by its version.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import asyncpg
import structlog

from bot.background import BackgroundTasks, pauses
from bot.storage.database_address import Server
from bot.storage.postgres import AWAY, connect, disconnect, until_lost
from bot.storage.sql import Sql
from bot.storage.writer import Session

log = structlog.get_logger(__name__)

About: TypeAlias = Mapping[str, Any]
"""What a note says: ids and numbers by name."""

CHANNEL = "ribit"

MATCH = "match"
"""The kind of note that a match was changed by a process that does not own it."""

PLAYER = "player"
"""The kind of note that what is kept of a player was changed."""

SERVER_GONE = "server gone"
"""The kind of note that a server was forgotten, with what its players are called there."""

PULSE_SECONDS = 10.0
"""How often the connection is asked whether it lives: so long, at most, nobody knows that it is deaf."""

TELL_SECONDS = 1.0
"""How long something is being told at most; then whoever tells it goes on."""

FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 10.0
"""How long is waited, longer and longer, before the server is tried again."""

_NAME_BYTES = 6
_NOTE = "SELECT pg_notify($1, $2)"


class PubSub:
    """The other processes of the bot: told and heard on one connection, made anew where it is lost.

    A bot that is alone has none, and nothing is told.
    """

    def __init__(self, server: Server | None = None) -> None:
        self._server = server
        self._name = secrets.token_hex(_NAME_BYTES)
        self._heard: dict[str, list[Callable[[About], object]]] = {}
        self._missed: list[Callable[[], object]] = []
        self._session: Session = None
        self._telling = asyncio.Lock()
        self._tasks = BackgroundTasks()

    @property
    def is_listening(self) -> bool:
        return self._session is not None

    def hear(self, kind: str, heard: Callable[[About], object]) -> None:
        self._heard.setdefault(kind, []).append(heard)

    def missed(self, called: Callable[[], object]) -> None:
        """Call this when others are heard again: what they told meanwhile was missed."""
        self._missed.append(called)

    def miss(self) -> None:
        """Forget what was kept: another process may have changed it unheard."""
        for called in self._missed:
            called()

    def dispatch(self, kind: str, about: About) -> None:
        """Call what was registered for a kind of note, in this process."""
        for heard in self._heard.get(kind, ()):
            heard(about)

    async def open(self) -> None:
        """Begin to listen; raises what asyncpg does where the server cannot be reached."""
        await self._listen()
        self._tasks.start(self._keep_listening())

    async def note(self, sql: Sql, kind: str, about: About) -> None:
        """Tell something when the transaction of a session is committed."""
        if self._server is not None:
            await sql.session.execute(_NOTE, CHANNEL, self._written(kind, about))

    async def tell(self, kind: str, about: About) -> None:
        """Tell something now, where that is possible; it may be lost."""
        with suppress(TimeoutError, asyncpg.PostgresError, *AWAY):
            async with asyncio.timeout(TELL_SECONDS), self._telling:
                if self._session is not None:
                    await self._session.execute(_NOTE, CHANNEL, self._written(kind, about))

    async def close(self) -> None:
        await self._tasks.close()
        session, self._session = self._session, None
        if session is not None:
            await disconnect(session)

    def _written(self, kind: str, about: About) -> str:
        return json.dumps({"by": self._name, "kind": kind, **about})

    async def _listen(self) -> None:
        assert self._server is not None, "who is alone does not listen"
        session = await connect(self._server)
        try:
            await session.add_listener(CHANNEL, self._hear)
        except BaseException:
            session.terminate()
            raise
        self._session = session

    async def _keep_listening(self) -> None:
        while True:
            await until_lost(self._session, PULSE_SECONDS, self._telling)
            self._session = None
            log.warning("other processes cannot be heard just now")
            waits = pauses(FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
            while self._session is None:
                await asyncio.sleep(next(waits))
                try:
                    await self._listen()
                except (asyncpg.PostgresError, *AWAY):
                    continue
                except Exception:
                    log.exception("other processes cannot be heard")
            log.info("other processes are heard again")
            self.miss()

    def _hear(self, _session: Session, _pid: int, _channel: str, written: str) -> None:
        try:
            about = json.loads(written)
            if about.pop("by") != self._name:
                self.dispatch(about.pop("kind"), about)
        except Exception:  # of a version of Ribit that says it otherwise, perhaps
            log.exception("what another process told makes no sense here")

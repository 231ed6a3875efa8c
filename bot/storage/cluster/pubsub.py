"""Notifications between the processes of one bot, sent with PostgreSQL's LISTEN and NOTIFY.

A notification says that something has changed. Its payload contains only IDs and numbers. ``note`` sends
it as part of the transaction that makes the change, so it is delivered only after the commit. ``notify``
sends it immediately, and it may be lost.

Each process listens on a separate connection. If that connection is lost, the process misses
notifications, so it clears all its caches after it has reconnected. If a process changes an outdated
copy of a match, the match's version number reveals this, and the change is not stored.
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
from bot.storage.named_queries import Sql
from bot.storage.postgres import AWAY, connect, disconnect, until_lost
from bot.storage.writer import Session

log = structlog.get_logger(__name__)

About: TypeAlias = Mapping[str, Any]
"""A notification's payload: IDs and numbers by name."""

CHANNEL = "ribit"

MATCH = "match"
"""Type of the notification that a match has changed. Another process may have to update its messages."""

PLAYER = "player"
"""Type of the notification that a player's stored data has changed."""

SERVER_GONE = "server gone"
"""Type of the notification that a server's data was deleted, including its players' names there."""

MISSED = "missed"
"""Type of the local notification that other processes' notifications may have been missed."""

PULSE_SECONDS = 10.0
"""Interval in seconds at which the listening connection is checked."""

TELL_SECONDS = 1.0
"""Timeout in seconds for ``notify``."""

FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 10.0
"""The longest pause in seconds between attempts to reconnect.

Pauses start at FIRST_PAUSE_SECONDS and grow with each attempt.
"""

_NAME_BYTES = 6
_NOTE = "SELECT pg_notify($1, $2)"


class PubSub:
    """Publish/subscribe channel between the bot's processes. It reconnects automatically.

    If no server is given, the bot runs in a single process, and nothing is sent.
    """

    def __init__(self, server: Server | None = None) -> None:
        self._server = server
        self._name = secrets.token_hex(_NAME_BYTES)
        self._heard: dict[str, list[Callable[[About], object]]] = {}
        self._session: Session = None
        self._telling = asyncio.Lock()
        self._tasks = BackgroundTasks()

    @property
    def is_listening(self) -> bool:
        return self._session is not None

    def subscribe(self, kind: str, heard: Callable[[About], object]) -> None:
        """Register a callback for a type of notification.

        The callback receives notifications from other processes, and those that this process passes to
        ``dispatch``.
        """
        self._heard.setdefault(kind, []).append(heard)

    def dispatch(self, kind: str, about: About) -> None:
        """Pass a notification to this process's own callbacks. Other processes do not receive it."""
        for callback in self._heard.get(kind, ()):
            callback(about)

    async def open(self) -> None:
        """Connect to the server and start listening for notifications.

        Errors from asyncpg are propagated.
        """
        await self._listen()
        self._tasks.start(self._keep_listening())

    async def note(self, sql: Sql, kind: str, about: About) -> None:
        """Send a notification to the other processes as soon as the current transaction is committed.

        Args:
            sql: The statements, in a transaction.
            kind: The type of notification.
            about: The payload.
        """
        if self._server is not None:
            await sql.session.execute(_NOTE, CHANNEL, self._payload(kind, about))

    async def notify(self, kind: str, about: About) -> None:
        """Send a notification to the other processes immediately.

        It is lost if the server is unavailable.
        """
        with suppress(TimeoutError, asyncpg.PostgresError, *AWAY):
            async with asyncio.timeout(TELL_SECONDS), self._telling:
                if self._session is not None:
                    await self._session.execute(_NOTE, CHANNEL, self._payload(kind, about))

    async def close(self) -> None:
        await self._tasks.close()
        session, self._session = self._session, None
        if session is not None:
            await disconnect(session)

    def _payload(self, kind: str, about: About) -> str:
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
            log.warning("notifications from other processes interrupted")
            waits = pauses(FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
            while self._session is None:
                await asyncio.sleep(next(waits))
                try:
                    await self._listen()
                except (asyncpg.PostgresError, *AWAY):
                    continue
                except Exception:
                    log.exception("listening to other processes failed")
            log.info("notifications from other processes resumed")
            self.dispatch(MISSED, {})

    def _hear(self, _session: Session, _pid: int, _channel: str, written: str) -> None:
        try:
            about = json.loads(written)
            if about.pop("by") != self._name:
                self.dispatch(about.pop("kind"), about)
        except Exception:  # another version of Ribit may use another format
            log.exception("invalid notification from another process")

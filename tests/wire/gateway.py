"""Discord's gateway on a real websocket, with sessions that can be cut, resumed and invalidated.

SimCord decides which events each session receives, with intents and censored content. This module does
the transport.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import IntEnum
from functools import partial
from typing import Any

import discord
from aiohttp import WSMsgType, web
from simcord.backend import Backend, serializers
from simcord.backend.models import Guild
from simcord.gateway import FakeGateway

HEARTBEAT_MILLISECONDS = 41_250
REPLAYED_AT_MOST = 500

ONLY = (0,)
"""The shards of a bot without sharding."""

Compress = Callable[[str], bytes]


class Op(IntEnum):
    """Opcodes of gateway messages."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Socket:
    """A connection and its queue of messages to send, in order."""

    def __init__(self, request: web.Request, ws: web.WebSocketResponse) -> None:
        self._request = request
        self._ws = ws
        self._compress = _new_compressor(request.query.get("compress"))
        self._waiting: asyncio.Queue[tuple[str, Callable[[], None] | None]] = asyncio.Queue()

    def send(self, op: Op, data: Any = None) -> None:
        """Send a message that is not an event."""
        self.send_text(json.dumps({"op": op, "d": data, "t": None, "s": None}))

    def send_text(self, text: str, gone: Callable[[], None] | None = None) -> None:
        """Queue a message. ``gone`` is called when it is sent."""
        self._waiting.put_nowait((text, gone))

    async def send_queue(self) -> None:
        """Send the queued messages without end."""
        while True:
            text, gone = await self._waiting.get()
            if gone is not None:
                gone()
            if self._compress is None:
                await self._ws.send_str(text)
            else:
                await self._ws.send_bytes(self._compress(text))

    async def close(self, code: int) -> None:
        """Close the connection with a code."""
        await self._ws.close(code=code)

    def abort(self) -> None:
        """Break the connection."""
        if self._request.transport is not None:
            self._request.transport.abort()


class Session:
    """A session that an IDENTIFY began, which outlives its connection."""

    def __init__(self, backend: Backend, intents: discord.Intents, sent: Callable[[int], None]) -> None:
        self.id = secrets.token_hex(8)
        self.intents = intents
        self.parsers = _Parsers(self.dispatch)
        self.socket: Socket | None = None
        self._gate = FakeGateway(backend, self)
        self._note_sent = sent
        self._number = 0
        self._kept: deque[tuple[int, str, int | None]] = deque(maxlen=REPLAYED_AT_MOST)

    def feed(self, event: str, payload: Mapping[str, Any]) -> None:
        """Pass an event to this session if SimCord decides so, in SimCord's form."""
        self._gate.feed(event, payload)

    def dispatch(self, event: str, payload: Mapping[str, Any]) -> None:
        """Send an event, and keep it for a resume."""
        self._number += 1
        text = json.dumps({"op": Op.DISPATCH, "t": event, "s": self._number, "d": payload})
        interaction_id = int(payload["id"]) if event == "INTERACTION_CREATE" else None
        self._kept.append((self._number, text, interaction_id))
        self._send(text, interaction_id)

    def replay(self, after: int) -> None:
        """Send the events after a sequence number again."""
        for number, text, interaction_id in tuple(self._kept):
            if number > after:
                self._send(text, interaction_id)

    def _send(self, text: str, interaction_id: int | None) -> None:
        if self.socket is not None:
            gone = None if interaction_id is None else partial(self._note_sent, interaction_id)
            self.socket.send_text(text, gone)


class Gateway:
    """One process's end of the gateway, for some of the shards or the only one.

    ``sent`` is called with each interaction that is sent.
    """

    def __init__(
        self,
        backend: Backend,
        sent: Callable[[int], None],
        shards: Sequence[int] = ONLY,
        count: int = len(ONLY),
    ) -> None:
        self.address = ""
        self.identified = 0
        """How often the bot has introduced itself."""
        self.resumed = 0
        self.connected = asyncio.Event()
        """Set while all its shards are connected."""
        self.greeting = asyncio.Event()
        """Cleared, new connections are taken and told nothing."""
        self.greeting.set()
        self.taken = 0
        self.refusal: int | None = None
        """The code with which it closes where the bot introduces itself, if it does."""
        self._backend = backend
        self._sent = sent
        self._watchers: list[Callable[[], None]] = []
        self._shards = shards
        self._count = count
        self._sessions: dict[int, Session] = {}
        self._sockets: set[Socket] = set()
        backend.subscribers.append(self._distribute_event)

    def watch(self, clicked: Callable[[], None]) -> None:
        """Register a callback for each interaction that was sent."""
        self._watchers.append(clicked)

    def _mark_sent(self, interaction_id: int) -> None:
        self._sent(interaction_id)
        for watcher in self._watchers:
            watcher()

    @property
    def has_session(self) -> bool:
        """True if the bot has identified itself and can receive events now or after a resume."""
        return bool(self._sessions)

    def hears(self, guild_id: int | None) -> bool:
        """Return whether this gateway receives events of a server, or of DMs (None).

        An event after a resume counts.
        """
        return self._shard_of(guild_id) in self._sessions

    def serves(self, guild_id: int | None) -> bool:
        """Return whether a server, or DMs (None), belong to the shards of this gateway."""
        return self._shard_of(guild_id) in self._shards

    def _shard_of(self, guild_id: int | None) -> int:
        return 0 if guild_id is None else (guild_id >> 22) % self._count

    def _distribute_event(self, event: str, payload: Mapping[str, Any]) -> None:
        guild_id = payload.get("id") if event.startswith("GUILD_") else None
        guild_id = payload.get("guild_id", guild_id)
        session = self._sessions.get(self._shard_of(None if guild_id is None else int(guild_id)))
        if session is not None:
            session.feed(event, payload)

    # ---- what can go wrong ---------------------------------------------------------------------

    def forget(self) -> None:
        """Remove the sessions of a process that has exited."""
        self._detach_sockets()
        self._sessions.clear()

    def break_connections(self) -> None:
        """Cut the connections. The sessions can be resumed."""
        for socket in tuple(self._sockets):
            socket.abort()
        self._detach_sockets()

    def request_reconnect(self) -> None:
        """Ask the bot to reconnect and resume, as Discord does many times a day."""
        for socket in tuple(self._sockets):
            socket.send(Op.RECONNECT)
        self._detach_sockets()

    def invalidate(self) -> None:
        """Invalidate the sessions, so that the bot has to identify itself again."""
        for socket in tuple(self._sockets):
            socket.send(Op.INVALID_SESSION, data=False)
        self.forget()

    def _detach_sockets(self) -> None:
        self.connected.clear()
        for session in self._sessions.values():
            session.socket = None

    # ---- the wire ------------------------------------------------------------------------------

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a connection until it closes."""
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        socket = Socket(request, ws)
        self._sockets.add(socket)
        self.taken += 1
        await self.greeting.wait()
        pump = asyncio.create_task(socket.send_queue())
        try:
            socket.send(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MILLISECONDS})
            async for message in ws:
                if message.type is WSMsgType.TEXT:
                    heard = json.loads(message.data)
                    if self.refusal is not None and heard["op"] == Op.IDENTIFY:
                        await socket.close(self.refusal)
                        break
                    self._hear(socket, heard)
        finally:
            pump.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await pump
            self._sockets.discard(socket)
            for session in self._sessions.values():
                if session.socket is socket:
                    session.socket = None
                    self.connected.clear()
        return ws

    def _hear(self, socket: Socket, message: Mapping[str, Any]) -> None:
        data = message["d"]
        match message["op"]:
            case Op.HEARTBEAT:
                socket.send(Op.HEARTBEAT_ACK)
            case Op.IDENTIFY:
                self._handle_identify(socket, data)
            case Op.RESUME:
                self._handle_resume(socket, data)

    def _handle_identify(self, socket: Socket, data: Mapping[str, Any]) -> None:
        intents = discord.Intents._from_value(data["intents"])
        shard, count = data.get("shard", [0, 1])
        if count != self._count or shard not in self._shards:
            socket.abort()
            return
        session = self._sessions[shard] = Session(self._backend, intents, self._mark_sent)
        session.socket = socket
        guilds = [guild for guild in self._backend.guilds.values() if self._shard_of(guild.id) == shard]
        session.dispatch("READY", self._ready(session.id, [shard, count], guilds))
        for guild in guilds:
            session.feed("GUILD_CREATE", serializers.guild_create_payload(self._backend, guild))
        self.identified += 1
        self._update_connected()

    def _handle_resume(self, socket: Socket, data: Mapping[str, Any]) -> None:
        found = [one for one in self._sessions.values() if one.id == data["session_id"]]
        if not found:
            socket.send(Op.INVALID_SESSION, data=False)
            return
        [session] = found
        session.socket = socket
        session.replay(int(data["seq"]))
        session.dispatch("RESUMED", {})
        self.resumed += 1
        self._update_connected()

    def _update_connected(self) -> None:
        if sum(session.socket is not None for session in self._sessions.values()) == len(self._shards):
            self.connected.set()

    def _ready(self, session_id: str, shard: list[int], guilds: Iterable[Guild]) -> dict[str, Any]:
        return {
            "v": 10,
            "user": dict(serializers.user_payload(self._backend.bot_user)),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session_id,
            "resume_gateway_url": f"ws://{self.address}/gateway",
            "shard": shard,
            "application": {"id": str(self._backend.application_id), "flags": 0},
        }


class _Parsers:
    """Replaces discord.py's parsers of events, and sends each event instead."""

    def __init__(self, dispatch: Callable[[str, Mapping[str, Any]], None]) -> None:
        self._dispatch = dispatch

    def __getitem__(self, event: str) -> Callable[[Mapping[str, Any]], None]:
        return partial(self._dispatch, event)


def _new_compressor(kind: str | None) -> Compress | None:
    """Return the compressor of a connection in the format that the bot asked for."""
    if kind == "zstd-stream":
        if sys.version_info >= (3, 14):  # discord.py takes the standard library's there
            from compression.zstd import ZstdCompressor  # noqa: PLC0415

            packer = ZstdCompressor()
            return lambda text: packer.compress(text.encode(), ZstdCompressor.FLUSH_BLOCK)
        import zstandard  # noqa: PLC0415 — it is there exactly when discord.py asks for it

        zstd = zstandard.ZstdCompressor().compressobj()
        return lambda text: zstd.compress(text.encode()) + zstd.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    if kind == "zlib-stream":
        stream = zlib.compressobj()
        return lambda text: stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
    return None

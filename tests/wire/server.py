"""A local Discord with SimCord's model behind a real socket, in real time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from aiohttp import web
from simcord._clock import Clock
from simcord.backend import Backend
from simcord.backend.models import Channel, Guild, Overwrite, User
from simcord.backend.permissions import flag
from simcord.enums import OverwriteType

from tests.wire.gateway import Gateway
from tests.wire.ledger import Ledger
from tests.wire.limits import Limits
from tests.wire.rest import PREFIX, Nonce, Rest, Watch

LARGEST_BODY_BYTES = 30_000_000


class RealClock(Clock):
    """A clock with the real time."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Line:
    """The connections to one process, which are its shards' gateway and HTTP."""

    def __init__(
        self, server: Server, process: int, watch: Watch, shards: Sequence[int], count: int
    ) -> None:
        sent = partial(server.ledger.sent, process=process)
        self.gateway = Gateway(server.backend, sent, shards, count)
        self.rest = Rest(server.backend, server.ledger, watch, server.by_nonce)

    @property
    def address(self) -> str:
        """The address of this Discord for the process."""
        return self.rest.address


class Server:
    """A server of Discord's with channels and people, and the connections to it.

    With several processes there is a connection for each process and a server for each shard.
    """

    def __init__(self, ledger: Ledger, watches: Sequence[Watch], shards: int = 1) -> None:
        """Create a server. Each of the ``watches`` is for one process, and ``shards`` is their total."""
        self.ledger = ledger
        self.backend = Backend(clock=RealClock())
        self.guilds: list[Guild] = [
            self.backend.create_guild("The Frog Pond", shard_id=shard, shard_count=shards)
            for shard in range(shards)
        ]
        self.by_nonce: dict[Nonce, dict[str, Any]] = {}
        self.lines = [
            Line(self, process, watch, shards_of_process(process, len(watches), shards), shards)
            for process, watch in enumerate(watches)
        ]
        self.closed_dms: set[int] = set()
        """Who takes no direct messages."""

    @property
    def guild(self) -> Guild:
        """The first server."""
        return self.guilds[0]

    @property
    def gateway(self) -> Gateway:
        """The gateway of the first process."""
        return self.lines[0].gateway

    @property
    def rest(self) -> Rest:
        """The handler of the first process's requests."""
        return self.lines[0].rest

    @property
    def address(self) -> str:
        """The address of this Discord for the first process."""
        return self.lines[0].address

    def line(self, guild_id: int | None) -> Line:
        """Return the connection that receives events of a server, or of DMs (None)."""
        return next(line for line in self.lines if line.gateway.serves(guild_id))

    def person(self, name: str) -> User:
        """Add a person to the server, and to all servers if there are several."""
        user = self.backend.make_user(name.lower(), global_name=name)
        for guild in self.guilds:
            self.backend.add_member(guild.id, user.id)
        return user

    def channel(self, name: str, shard: int = 0) -> Channel:
        """Add a channel to the server of a shard."""
        return self.backend.create_channel(self.guilds[shard].id, name)

    def withdraw(self, channel_id: int, *permissions: str) -> None:
        """Remove permissions of the bot in a channel."""
        deny = sum(flag(name) for name in permissions)
        bot_id = self.backend.bot_user.id
        self.backend.set_overwrite(channel_id, Overwrite(bot_id, OverwriteType.MEMBER, deny=deny))

    def restore_permissions(self, channel_id: int) -> None:
        """Restore the bot's permissions in a channel."""
        self.backend.delete_overwrite(channel_id, self.backend.bot_user.id)


def shards_of_process(process: int, processes: int, shards: int) -> range:
    """Return the shards of one of several processes."""
    each = shards // processes
    return range(process * each, (process + 1) * each)


@asynccontextmanager
async def open_server(
    ledger: Ledger, watches: Sequence[Watch], shards: int = 1, limits: Limits | None = None
) -> AsyncIterator[Server]:
    """Open the server, with or without Discord's limits, on a free local port for each process."""
    server = Server(ledger, watches, shards)
    middlewares = [] if limits is None else [limits.middleware]
    async with AsyncExitStack() as opened:
        for line in server.lines:
            app = web.Application(client_max_size=LARGEST_BODY_BYTES, middlewares=middlewares)
            app.router.add_get("/gateway", line.gateway.connect)
            app.router.add_route("*", f"{PREFIX}/{{path:.*}}", line.rest.answer)
            runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
            await runner.setup()
            opened.push_async_callback(runner.cleanup)
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            host, port = runner.addresses[0][:2]
            line.rest.address = line.gateway.address = f"{host}:{port}"
        yield server

"""Discord on loopback: SimCord's model of it behind a real socket, at the time of the real clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from aiohttp import web
from simcord._clock import Clock
from simcord.backend import Backend
from simcord.backend.models import Channel, Guild, Overwrite, User
from simcord.backend.permissions import flag
from simcord.enums import OverwriteType

from tests.wire.gateway import Gateway
from tests.wire.ledger import Ledger
from tests.wire.limits import Limits
from tests.wire.rest import PREFIX, Rest, Watch

LARGEST_BODY_BYTES = 30_000_000


class RealClock(Clock):
    """Tells the time that it is."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Server:
    """One server of Discord's with channels and people, and the wires to it."""

    def __init__(self, ledger: Ledger, watch: Watch) -> None:
        self.ledger = ledger
        self.backend = Backend(clock=RealClock())
        self.guild: Guild = self.backend.create_guild("The Frog Pond")
        self.gateway = Gateway(self.backend, ledger.sent)
        self.rest = Rest(self.backend, ledger, watch)
        self.closed_dms: set[int] = set()
        """Who takes no direct messages."""

    @property
    def address(self) -> str:
        """Where the bot finds this Discord."""
        return self.rest.address

    def person(self, name: str) -> User:
        """Add somebody to the server."""
        user = self.backend.make_user(name.lower(), global_name=name)
        self.backend.add_member(self.guild.id, user.id)
        return user

    def channel(self, name: str) -> Channel:
        """Add a channel to the server."""
        return self.backend.create_channel(self.guild.id, name)

    def withdraw(self, channel_id: int, *permissions: str) -> None:
        """Take permissions from the bot in a channel."""
        deny = sum(flag(name) for name in permissions)
        bot_id = self.backend.bot_user.id
        self.backend.set_overwrite(channel_id, Overwrite(bot_id, OverwriteType.MEMBER, deny=deny))

    def give_back(self, channel_id: int) -> None:
        """Let the bot do in a channel what it may elsewhere."""
        self.backend.delete_overwrite(channel_id, self.backend.bot_user.id)


@asynccontextmanager
async def serving(ledger: Ledger, watch: Watch, limits: Limits | None = None) -> AsyncIterator[Server]:
    """Open the server on a free port of the loopback, without limits or with Discord's."""
    server = Server(ledger, watch)
    middlewares = [] if limits is None else [limits.middleware]
    app = web.Application(client_max_size=LARGEST_BODY_BYTES, middlewares=middlewares)
    app.router.add_get("/gateway", server.gateway.connect)
    app.router.add_route("*", f"{PREFIX}/{{path:.*}}", server.rest.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        server.rest.address = server.gateway.address = f"{host}:{port}"
        yield server
    finally:
        await runner.cleanup()

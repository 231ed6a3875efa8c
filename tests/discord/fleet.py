"""Bot harness with two processes of the bot, one for the DMs and one for the server.

Both processes use the same database and the same simulated Discord, which sends each process the events
of its shards. Events in DMs go to shard 0.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import simcord
from simcord import _dpy_internals
from simcord.backend import serializers
from simcord.gateway import ShardRouter
from simcord.http import FakeHTTPClient

from bot.app import Ribit
from bot.games import games
from bot.matches.shards import Shards
from bot.storage.cluster.pubsub import PubSub
from bot.storage.database import open_database
from bot.storage.database_address import Server
from tests.discord.bot_harness import BotHarness, LogLine, Seen, Thinkers, capture_logs
from tests.discord.settling import PATIENCE_SECONDS
from tests.storage.database_types import query_rows

COUNT = 2
DMS, POND = 0, 1
"""The shard that gets the events of DMs, and the shard that gets the events of the server."""

PAUSE = 0.02


class FleetHarness(BotHarness):
    """A bot harness in which one process gets the server's events and another gets the DMs."""

    def __init__(self, env: simcord.Env, server: Server, logs: list[LogLine], shard: int) -> None:
        super().__init__(env, server, logs)
        self.guild = env.create_guild("The Frog Pond", shard_id=shard)
        self.channel = self.guild.create_text_channel("lily-pad")
        self._other: Ribit | None = None

    @property
    def processes(self) -> list[Ribit]:
        return [self.bot] if self._other is None else [self.bot, self._other]

    @property
    def server_process(self) -> Ribit:
        """The process that receives the server's events."""
        assert self._other is not None
        return self._other

    async def shows(self, seen: Callable[[], Seen]) -> None:
        """Wait until a hand or table shows the state after the last stored move.

        ``seen`` returns the message. A hand is recognized by its buttons, a table by its text.
        """
        await self.until(lambda: seen().custom_ids)
        match_id = seen().match_id
        [(moves,)] = await query_rows(
            self._path, f"SELECT count(*) FROM moves WHERE match_id = '{match_id}'"
        )
        lines = await self.expected_lines()

        def is_shown() -> bool:
            has_buttons = f":{moves}:" in "".join(seen().custom_ids)
            return has_buttons or all(line in seen().text for line in lines)

        await self.until(is_shown)

    async def join(self, bot: Ribit) -> None:
        """Connect a second process, which gets the events of the server's shard."""
        env, state = self.env, _dpy_internals.get_state(bot)
        loop = asyncio.get_running_loop()
        _dpy_internals.install_http(bot, FakeHTTPClient(env.backend, loop, message_content_access=True))
        _dpy_internals.set_guild_ready_timeout(bot, 0.0)
        state.shard_count, state.shard_ids = COUNT, [POND]
        router = ShardRouter(env.backend, state, bot.dispatch, COUNT, (POND,))

        def feed(event: str, payload: Mapping[str, Any]) -> None:
            with env._bot_scope():
                router.feed(event, payload)

        env.backend.subscribers.append(feed)
        self._other = bot
        for process in self.processes:
            self._count_as_work(process)
        with env._bot_scope():
            await bot.login("simcord.fake.token")
            bot.shard_count = COUNT
            _dpy_internals.install_shards(bot, router.shards)
            router.identify(POND)
            for guild in list(env.backend.guilds.values()):
                router.feed("GUILD_CREATE", serializers.guild_create_payload(env.backend, guild))
        await env.settle()

    def _count_as_work(self, process: Ribit) -> None:
        """Make SimCord wait until the process has handled notifications from other processes."""

        def scoped(heard: Callable[..., object]) -> Callable[..., object]:
            def hear(*about: object) -> object:
                with self.env._bot_scope():
                    return heard(*about)

            return hear

        pubsub = process.database.pubsub
        for kind, heard in pubsub._heard.items():
            pubsub._heard[kind] = [scoped(one) for one in heard]

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until a condition holds that depends on notifications between the processes."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not holds():
                await asyncio.sleep(PAUSE)
                await self.env.settle()
        await self.quiet()

    async def cut_off_listeners(self, terminate: Callable[[], object], *pubsubs: PubSub) -> None:
        """Terminate the database sessions of some listeners, and wait until all of them are lost.

        A listener that already has a new session also counts, because on a busy machine it may reconnect
        before this method checks it.
        """
        before = [pubsub._session for pubsub in pubsubs]
        terminate()
        await self.until(
            lambda: all(pubsub._session is not old for pubsub, old in zip(pubsubs, before, strict=True))
        )

    async def quiet(self) -> None:
        """Wait until both processes are idle and have handled each other's notifications."""
        for process in self.processes:
            await process.database.pubsub.notify("quiet", {})
        await self.env.settle(idle=10 * PAUSE)
        await self.check()

    def request_types(self, since: int = 0) -> list[str]:
        """Return the type of each request to Discord after the first ``since`` requests, sorted.

        The types are ``answer``, ``send``, ``edit``, ``delete`` and ``look``.
        """
        return sorted(
            _KINDS[one.method, "callback" in one.path or "webhooks" in one.path]
            for one in self.env.http_requests[since:]
        )


_KINDS = {
    ("POST", True): "answer",
    ("POST", False): "send",
    ("PATCH", True): "edit",
    ("PATCH", False): "edit",
    ("DELETE", False): "delete",
    ("DELETE", True): "delete",
    ("GET", False): "look",
    ("GET", True): "look",
}


async def _new_process(server: Server, shard: int, recent_seconds: float) -> Ribit:
    shards = Shards(shard, shard, COUNT)
    return Ribit(
        database=await open_database(server, shards),
        games=games(),
        requests_per_second=None,
        opponents=Thinkers(),
        recent_seconds=recent_seconds,
        shards=shards,
    )


@asynccontextmanager
async def fleet_harness(
    server: Server, recent_seconds: float = 0, shard: int = POND
) -> AsyncIterator[FleetHarness]:
    """Return a context manager that runs a bot harness with two processes of one shard each.

    ``shard`` is the shard of the harness's server.
    """
    with capture_logs() as logs:
        low = await _new_process(server, DMS, recent_seconds)
        high = await _new_process(server, POND, recent_seconds)
        async with simcord.run(low, shard_count=COUNT, settle_timeout=PATIENCE_SECONDS) as env:
            place = FleetHarness(env, server, logs, shard)
            try:
                await place.join(high)
                yield place
                await place.check()
            finally:
                for process in place.processes:
                    await process.close()
        place.check_records()

"""The only wiring: storage → tables → messages → bot → cogs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypedDict

import aiohttp
import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.delivery.answers import answering, finish_answers
from bot.delivery.appearance import Appearances
from bot.delivery.bodies import require_readable
from bot.delivery.budget import LIMIT, Budget, Priority, listen
from bot.delivery.channel_permissions import ChannelPermissions
from bot.delivery.cooldown import Cooldown
from bot.delivery.display import Display
from bot.delivery.emojis import Emojis
from bot.delivery.handover import Handover
from bot.delivery.handover_listener import HandoverListener
from bot.delivery.identify_queue import IdentifyQueue
from bot.delivery.messenger import Messenger
from bot.delivery.ports import Once, Share, by_itself
from bot.delivery.quarantine import Quarantine
from bot.delivery.recent_activity import RECENT_SECONDS, RecentActivity
from bot.delivery.recovery import Recovery
from bot.delivery.requests import Requests
from bot.delivery.services import Services
from bot.delivery.threads import Threads
from bot.engine.game import AnyGame
from bot.engine.shards import Shards
from bot.engine.words import _
from bot.languages import learn_languages
from bot.messages.commands import know_commands
from bot.opponents import Opponents as Workers
from bot.rendering import drawing
from bot.sessions.errors import TableError
from bot.sessions.hints import Hints
from bot.sessions.ports import Opponents, Ownership, OwnsAll
from bot.sessions.seating import Seating
from bot.sessions.solo_matches import SoloMatches
from bot.sessions.tables import Tables
from bot.sessions.winning_lines import Lines
from bot.storage import Database
from cogs.admin import Admin
from cogs.channel_events import Leaving
from cogs.clicks import Clicks
from cogs.command_sync import sync_if_changed
from cogs.heartbeat import Heartbeat
from cogs.leaderboards import leaderboard_command, profile_command
from cogs.solitaire import SolitaireCommands
from cogs.tables import TableCommands

if TYPE_CHECKING:
    from bot.metrics import Metrics

log = structlog.get_logger(__name__)

INTENTS = discord.Intents(guilds=True)
"""Servers, channels and threads; none of it privileged."""

LEAVE_SECONDS = 0.5
ANSWERS_SECONDS = 2.0
"""How long a stopping bot finishes its answers; with the display's messages that makes under 5 s."""


def _now() -> int:
    return int(discord.utils.utcnow().timestamp())


class _Sharding(TypedDict, total=False):
    shard_ids: list[int]
    shard_count: int


def _sharding(shards: Shards | None) -> _Sharding:
    """Return how Discord is told of some shards; without any it says itself how many there are."""
    return {} if shards is None else {"shard_ids": list(shards.ids), "shard_count": shards.count}


class _Tree(app_commands.CommandTree["Ribit"]):
    """Answers also the commands that never reached a cog."""

    async def on_error(
        self, interaction: discord.Interaction[Ribit], error: app_commands.AppCommandError, /
    ) -> None:
        async with answering(interaction):
            if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                raise TableError(_("That command has changed. Reload Discord, and pick it again."))
            if isinstance(error, app_commands.NoPrivateMessage):
                raise TableError(_("That command only works in servers. Use it in a channel there."))
            raise error


class Ribit(commands.AutoShardedBot):
    """The bot. Everything it works with is handed to it; it opens and reads nothing by itself."""

    def __init__(
        self,
        *,
        database: Database,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int] = _now,
        http_trace: aiohttp.TraceConfig | None = None,
        requests_per_second: int | None = LIMIT,
        recent_seconds: float = RECENT_SECONDS,
        opponents: Opponents | None = None,
        emojis: bool = False,
        shards: Shards | None = None,
        ownership: Ownership | None = None,
        once: Once = by_itself,
        share: Share | None = None,
        figures: Metrics | None = None,
    ) -> None:
        """``clock`` returns the seconds since 1970; ``http_trace`` tells of requests.

        Discord takes ``requests_per_second`` of the whole bot, any number where that is None. For
        ``present_seconds`` after a click a player is not called to a turn. ``opponents`` think for
        frogs, here instead of in worker processes. With ``emojis`` cards, suits and frogs are
        uploaded as emojis of the application, and stand in texts and on buttons. ``shards`` are those
        that this process runs, and ``care`` knows whose matches it cares for: None for all. ``once`` has
        something to itself among all processes, and ``share`` knows which part of the requests are its.
        ``figures`` count what happens.
        """
        ownership = ownership or OwnsAll()
        self.budget = budget = Budget(requests_per_second)
        if share is not None:
            share(budget.take_share)
        http_trace = http_trace or aiohttp.TraceConfig()
        listen(budget, http_trace)
        if figures is not None:
            figures.listen(http_trace)
        require_readable(http_trace)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=_Tree,
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **_sharding(shards),
            http_trace=http_trace,
        )
        self.database = database
        self._shards = shards
        self._once = once
        self._identify_queue = IdentifyQueue(self, once)
        self._catching_up: asyncio.Task[None] | None = None
        self._workers = Workers()
        thinkers = opponents or self._workers
        if figures is not None:
            thinkers = figures.timing(thinkers)
        self._emojis = Emojis(
            self,
            store=database.emojis,
            notes=database.notes,
            budget=budget,
            clock=clock,
            draw=drawing if emojis else None,
            once=once,
        )
        tables = Tables(
            games=games,
            journal=database.journal,
            clock=clock,
            idle=budget.idle,
            opponents=thinkers,
            ownership=ownership,
            hears=lambda: database.pubsub.is_listening,
        )
        if figures is not None:
            figures.follow(self, database=database, tables=tables, budget=budget, ownership=ownership)
        permissions = ChannelPermissions(
            self, clock, lambda guild_id: shards is None or shards.has(guild_id)
        )
        requests = Requests(self, budget=budget, permissions=permissions, clock=clock)
        messenger = Messenger(
            requests,
            posts=database.posts,
            players=database.players,
            permissions=permissions,
            quarantine=Quarantine(database.notes, clock),
        )
        display = Display(
            self,
            tables=tables,
            posts=database.posts,
            players=database.players,
            servers=database.servers,
            standings=database.standings,
            messenger=messenger,
            requests=requests,
            budget=budget,
            permissions=permissions,
            recent_activity=RecentActivity(clock, recent_seconds),
            appearances=Appearances(
                emojis=self._emojis, players=database.players, servers=database.servers
            ),
            handover=Handover(ownership=ownership, pubsub=database.pubsub, posts=database.posts),
            clock=clock,
        )
        self._handover_listener = HandoverListener(
            ownership=ownership,
            pubsub=database.pubsub,
            tables=tables,
            posts=database.posts,
            display=display,
        )
        self._recovery = Recovery(tables, display)
        ownership.watch(lambda _shards: database.doubt(), lambda _shards: None)
        ownership.watch(self._recovery.gained, self._recovery.lost)
        database.pubsub.missed(self._recovery.missed)
        database.halt.watch(display.halted)
        tables.watch(lambda match_id: display.refresh(match_id, Priority.TURN))
        tables.watch_reads(display.found)
        self._services = Services(
            games=games,
            tables=tables,
            seating=Seating(
                games=games,
                journal=database.journal,
                tables=tables,
                servers=database.servers,
                clock=clock,
            ),
            dealing=SoloMatches(
                games=games,
                journal=database.journal,
                tables=tables,
                servers=database.servers,
                clock=clock,
            ),
            hints=Hints(tables=tables, journal=database.journal, opponents=thinkers),
            display=display,
            messenger=messenger,
            threads=Threads(requests, tables),
            budget=budget,
            cooldown=Cooldown(clock),
            players=database.players,
            servers=database.servers,
            standings=database.standings,
            notes=database.notes,
            thinkers=thinkers,
            lines=Lines(thinkers),
        )

    async def setup_hook(self) -> None:
        """Learn languages, add the cogs, sync changed commands; the live tables are taken up later."""
        learn_languages()
        services = self._services
        await services.messenger.quarantine.load()
        for cog in (Clicks, Admin, Leaving):
            await self.add_cog(cog(services))
        for game in services.games.values():
            group = SolitaireCommands if game.info.is_solo else TableCommands
            self.tree.add_command(group(services, game))
        for command in (leaderboard_command(services), profile_command(services)):
            self.tree.add_command(command)
        heartbeat = Heartbeat(self, notes=self.database.notes, clock=_now, shards=self._shards)
        await self.add_cog(heartbeat)
        async with self._once("commands"):
            await sync_if_changed(self.tree, self.database.notes)
        await self._emojis.start()
        self._catching_up = asyncio.create_task(self._catch_up())

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord takes the next shard; by discord.py's own measure in one process."""
        if self._shards is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._identify_queue.turn(shard_id)

    async def on_ready(self) -> None:
        """Say so."""
        log.info("ready", user=str(self.user), servers=len(self.guilds))

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        """Log a fault in an event once, with its traceback."""
        log.exception("fault in an event", event_name=event_method)  # noqa: LOG004 — called from one

    async def on_answer_refused(self, error: Exception) -> None:
        """Look for an emoji that is gone, where Discord did not take the answer to a click."""
        await self._emojis.doubt(error)

    async def close(self) -> None:
        """Take nothing new, finish what is under way, leave Discord and close the database."""
        try:
            if self._catching_up is not None:
                self._catching_up.cancel()
            self._emojis.close()
            self._identify_queue.close()
            await self._stop_listening()
            await finish_answers(ANSWERS_SECONDS)
            self.database.halt.watch(lambda _is_halted: None)  # nothing is shown any more
            await self._recovery.close()
            await self._handover_listener.close()
            await self._services.tables.close()
            await self._workers.close()
            await self._services.display.close()
            await super().close()
        finally:  # its thread outlives the loop, and the process with it
            await self.database.close()
            know_commands({})

    async def _stop_listening(self) -> None:
        """Leave the gateway, so that nothing new comes; what was asked can still be answered."""
        for shard in self.shards.values():
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_SECONDS):
                    await shard.disconnect()

    async def _catch_up(self) -> None:
        """Take up the live tables, and show what was stored but perhaps not shown before the last end.

        In a process of several those that it cares for, and others when it comes to care for them.

        Not before Discord is there: a turn whose time ran out meanwhile is passed for all to see.
        """
        await self.wait_until_ready()
        if self._shards is None:
            await self._recovery.all()
        else:
            self._recovery.begin()

"""The bot: what it is given, its cogs and commands, its start and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.delivery.channel_events import ChannelEvents
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import Clicks, asked_by
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.places import Channels
from bot.delivery.plans import Plans
from bot.delivery.player_names import PlayerNames
from bot.delivery.recovery import Recovery
from bot.delivery.table_opening import TableOpening
from bot.delivery.turn_pings import RECENT_SECONDS, RecentActivity
from bot.engine.game import AnyGame
from bot.engine.words import _
from bot.features import Feature, RowInRules
from bot.languages import learn_languages
from bot.matches.shards import ALL_SHARDS, Shards
from bot.messages.button_rows import know_offers
from bot.messages.mentions import know_commands
from bot.opponents import Opponents as Workers
from bot.rendering import drawing
from bot.requests.answers import COMPONENTS, UnderWay, answering
from bot.requests.budget import LIMIT, Budget, Priority, listen
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.command_sync import sync_if_changed
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.requests.emojis import Emojis
from bot.requests.gateway_sessions import GatewayBot
from bot.requests.http_transport import proxied, require_readable
from bot.requests.membership import Membership
from bot.requests.message_requests import Requests
from bot.requests.viewer_appearance import Appearances
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.seating import Seating
from bot.sessions.tables import Tables
from bot.storage.database import Database
from bot.storage.players import FORGOTTEN

if TYPE_CHECKING:
    from bot.metrics import Metrics

log = structlog.get_logger(__name__)

INTENTS = discord.Intents(guilds=True)
"""Servers, channels and threads; none of it privileged."""

LEARNS = "learns"
"""The key of whether a command learns what who gives it is called; without it, it does."""

LEAVE_SECONDS = 0.5
ANSWERS_SECONDS = 3.0
"""How long a stopping bot finishes its answers, which is as long as Discord waits for them; with the
display's messages that makes under 6 s."""


def _now() -> int:
    return int(discord.utils.utcnow().timestamp())


def _sharded(shards: Shards | None) -> dict[str, Any]:
    """Return how Discord is told of some shards; without any it says itself how many there are."""
    return {} if shards is None else {"shard_ids": list(shards.ids), "shard_count": shards.count}


class _Tree(app_commands.CommandTree["Ribit"]):
    """Answers also the commands that never reached a cog."""

    async def interaction_check(self, interaction: discord.Interaction[Ribit], /) -> bool:
        """Learn what the user is called before a command is carried out, which may show it."""
        if interaction.command is None or interaction.command.extras.get(LEARNS, True):
            await interaction.client.names.learn(interaction)
        return True

    async def on_error(
        self, interaction: discord.Interaction[Ribit], error: app_commands.AppCommandError, /
    ) -> None:
        async with answering(interaction):
            if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                raise TableError(_("That command has changed. Reload Discord, and pick it again."))
            raise error


class Ribit(GatewayBot):
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
        figures: Metrics | None = None,
        privacy_policy: str | None = None,
        proxy: str | None = None,
    ) -> None:
        """``clock`` returns the seconds since 1970.

        Discord takes ``requests_per_second`` of the whole bot, any number where that is None. For
        ``recent_seconds`` after a click a player is not called to a turn. ``opponents`` think for
        frogs, here instead of in worker processes. With ``emojis`` cards, suits and frogs are
        uploaded as emojis of the application. ``shards`` are those of this process; None for all.
        ``privacy_policy`` is the host's address of it, and ``proxy`` one through which Discord is asked.
        """
        self.owned = owned = shards or ALL_SHARDS
        self.under_way = UnderWay()
        self.budget = Budget(requests_per_second, len(owned.ids) / owned.count)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=_Tree,
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **(proxied(proxy) | _sharded(shards)),
            http_trace=self._traced(http_trace or aiohttp.TraceConfig(), figures),
        )
        self.database = database
        self._clock = clock
        self.privacy_policy = privacy_policy
        self.clicks = Clicks()
        self._features: list[Feature] = []
        self.in_rules: list[RowInRules] = []
        self._workers = Workers()
        thinkers = opponents or self._workers
        if figures is not None:
            thinkers = figures.timing(thinkers)
        tables = Tables(
            games=games,
            journal=database.journal,
            clock=clock,
            idle=self.budget.idle,
            opponents=thinkers,
            shards=owned,
        )
        if figures is not None:
            figures.follow(
                self, clicks=self.clicks, database=database, tables=tables, budget=self.budget
            )
        self._has_emojis = emojis
        self._emojis = Emojis(self, database.emojis, self.budget, drawing, owned.has(None))
        display = self._display(tables, owned, RecentActivity(clock, recent_seconds))
        self._recovery = Recovery(tables, display, database, clock, shards, self, self.is_connected)
        self.games, self.tables, self.display, self.thinkers = games, tables, display, thinkers
        self.membership = Membership(self, clock)
        self.names = PlayerNames(database.players, database.journal, tables, display.refresh)
        self.access = MatchAccess(tables, database.servers, database.days, self.membership)
        self.seating = Seating(tables, database.servers)
        self.opening = TableOpening(display, self.seating, thinkers, self.access)

    def _display(self, tables: Tables, owned: Shards, recent_activity: RecentActivity) -> Display:
        database, clock = self.database, self._clock
        permissions = ChannelPermissions(self, clock, owned.has)
        appearances = Appearances(self, self._emojis, database.players, database.servers)
        display = Display(
            tables,
            database,
            Plans(self, database, permissions, appearances, owned, clock),
            Channels(Requests(self, self.budget), database, permissions, self.under_way, clock),
            recent_activity,
        )
        database.pubsub.hear(FORGOTTEN, lambda about: tables.let_go(about["id"]))
        database.halt.watch(display.halted)
        tables.watch(partial(display.changed, priority=Priority.TURN))
        tables.unplayable_since = display.unplayable_since
        return display

    def _traced(self, trace: aiohttp.TraceConfig, figures: Metrics | None) -> aiohttp.TraceConfig:
        listen(self.budget, trace)
        if figures is not None:
            figures.listen(trace)
        require_readable(trace)
        return trace

    async def setup_hook(self) -> None:
        """Learn languages, add the cogs, sync changed commands; the live tables are taken up later."""
        learn_languages()
        await self.display.channels.quarantine.load()
        await self._recovery.begins()
        await self.load_features()
        await self.add_cog(self._recovery)
        await self.add_cog(ChannelEvents(self.display, self.membership))
        await sync_if_changed(self.tree, self.database.notes)
        if self._has_emojis:
            await self._emojis.start()
        self._recovery.begin()

    async def load_features(self) -> None:
        for folder in iter_modules(import_module("cogs").__path__):
            if not folder.name.startswith("_"):
                # An extension, but not loaded as one: at the end of a bot that would unload its modules
                # under those who have imported them, as the next bot of the same process. A cog stands
                # apart where workers import its folder: it takes most of their memory.
                name = f"cogs.{folder.name}"
                apart = f"{name}.cog"
                await import_module(apart if find_spec(apart) else name).setup(self)
        for game in self.games.values():
            self.tree.add_command(self._commands_of(game))
        boards = [board for feature in self._features for board in feature.boards]
        for feature in self._features:
            for command in feature.of_boards(boards):
                self.tree.add_command(command)

    async def add_feature(self, feature: Feature) -> None:
        self._features.append(feature)
        if feature.cog is not None:
            await self.add_cog(feature.cog)
            self.clicks.add(feature.cog)
        for command in feature.commands:
            self.tree.add_command(command)
        know_offers(feature.offers)
        if feature.in_rules is not None:
            self.in_rules.append(feature.in_rules)
        if feature.hand is not None:
            self.display.plans.hands.append(feature.hand)
        if feature.notice is not None:
            self.display.plans.notice = feature.notice
        told = (*self.display.plans.told_at_end, *feature.told_at_end)
        self.display.plans.told_at_end = sorted(told, key=lambda each: each.order)

    def _commands_of(self, game: AnyGame) -> app_commands.Group:
        info, alone = game.info, game.info.is_solo
        contexts = app_commands.AppCommandContext(guild=True, dm_channel=alone, private_channel=alone)
        group = app_commands.Group(
            name=info.command,
            description=info.about,
            allowed_contexts=contexts,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=alone),
        )
        made = [each for feature in self._features for each in feature.of_game(game)]
        for command in sorted(made, key=lambda each: (each.name != "start", each.name)):
            group.add_command(command)
        return group

    async def on_interaction(self, interaction: discord.Interaction[Ribit]) -> None:
        """Answer a click on a button or a menu, whatever it is; commands have their own way."""
        if interaction.type not in COMPONENTS:
            return
        self.display.recent_activity.note(interaction.user.id)
        try:
            async with answering(interaction) as answer:
                asked = asked_by(interaction)
                handler = self.clicks.handler_of(asked)
                if handler is None or handler.learns:
                    await self.names.learn(interaction)
                clicked = ClickContext(self.display, self.membership, answer, interaction)
                await self.clicks.carry_out(clicked, asked)
        finally:
            interaction.message = None  # what is kept of it for a quarter of an hour is its token

    def is_connected(self) -> bool:
        is_cut_off = any(shard.is_closed() for shard in self.shards.values())
        return self.is_ready() and not self.is_closed() and not is_cut_off

    async def on_ready(self) -> None:
        log.info("ready", user=str(self.user), servers=len(self.guilds))

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        log.exception("fault in an event", event_name=event_method)  # noqa: LOG004 — called from one

    async def on_answer_refused(self, asked: discord.Interaction, error: Exception) -> None:
        """Look for an emoji that is gone; log that words are refused, once and not for each click."""
        await self._emojis.doubt(error)
        is_blocked = error_kind(error) is ErrorKind.BLOCKED
        if is_blocked and self.display.channels.permissions.blocks(asked.channel_id or 0):
            log.warning("a filter refuses an answer", channel=asked.channel_id, error=str(error))

    async def close(self) -> None:
        """Take nothing new, finish what is under way, leave Discord and close the database."""
        async with AsyncExitStack() as closing:  # from the last to the first, whatever fails
            closing.callback(know_commands, {})
            closing.push_async_callback(self.database.close)  # its thread outlives the loop
            closing.push_async_callback(super().close)
            closing.push_async_callback(self.display.close)
            closing.push_async_callback(self._workers.close)
            closing.push_async_callback(self.tables.close)
            closing.push_async_callback(self._recovery.close)
            closing.callback(self.database.halt.watch, lambda _is_halted: None)  # nothing is shown now
            closing.push_async_callback(self.under_way.finish, ANSWERS_SECONDS)
            closing.push_async_callback(self._stop_listening)
            closing.callback(self._emojis.close)

    async def _stop_listening(self) -> None:
        """Leave the gateway, so that nothing new comes; what was asked can still be answered."""
        for shard in self.shards.values():
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_SECONDS):
                    await shard.disconnect()

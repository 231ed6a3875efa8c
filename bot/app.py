"""The bot class. It connects all parts, and manages startup and shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.delivery.appearances import Appearances
from bot.delivery.channel_events import ChannelEvents
from bot.delivery.channels import Channels
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import Clicks, parse_click
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.message_plans import Plans
from bot.delivery.name_updates import PlayerNames
from bot.delivery.recovery import Recovery
from bot.delivery.regular_posts import PostSchedule
from bot.delivery.table_opening import TableOpening
from bot.delivery.turn_pings import RECENT_SECONDS, RecentActivity
from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.features import DayStreak, Feature, ProfileLines, RowInRules, StartButton
from bot.languages import load_languages
from bot.matches.shards import ALL_SHARDS, Shards
from bot.messages.button_rows import register_offers
from bot.messages.components import Button
from bot.messages.mentions import register_commands
from bot.opponents import Opponents as Workers
from bot.rendering import drawing
from bot.requests.answers import COMPONENTS, InFlightAnswers, answering
from bot.requests.budget import LIMIT, Budget, Priority, listen
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.command_sync import sync_if_changed
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.requests.emojis import Emojis
from bot.requests.gateway_sessions import GatewayBot
from bot.requests.http_transport import proxy_arguments, require_readable
from bot.requests.invitation import invitation
from bot.requests.membership import Membership
from bot.requests.message_requests import Requests
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
"""Servers, channels and threads. None of these intents is privileged."""

LEARNS = "learns"
"""Key in a command's extras. If its value is False, the command does not record its user's names."""

LEAVE_SECONDS = 0.5
ANSWERS_SECONDS = 3.0
"""Seconds that pending answers get to finish when the bot stops. Discord waits as long for an answer.

Including pending message updates, the bot stops in less than 6 s.
"""


def _current_time() -> int:
    return int(discord.utils.utcnow().timestamp())


def _shard_arguments(shards: Shards | None) -> dict[str, Any]:
    """Return discord.py's keyword arguments for a process's shards.

    If ``shards`` is None, Discord decides the number of shards.
    """
    return {} if shards is None else {"shard_ids": list(shards.ids), "shard_count": shards.count}


class _Tree(app_commands.CommandTree["Ribit"]):
    """A command tree that also answers outdated commands, which no longer exist or have changed."""

    async def interaction_check(self, interaction: discord.Interaction[Ribit], /) -> bool:
        """Record the user's names before a command runs, because the command may show them."""
        if interaction.command is None or interaction.command.extras.get(LEARNS, True):
            await interaction.client.names.record(interaction)
        return True

    async def on_error(
        self, interaction: discord.Interaction[Ribit], error: app_commands.AppCommandError, /
    ) -> None:
        async with answering(interaction):
            if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                raise TableError(_("That command has changed. Reload Discord, and pick it again."))
            raise error


class Ribit(GatewayBot):
    """The bot. It gets its dependencies as arguments, and opens no files or databases itself."""

    def __init__(
        self,
        *,
        database: Database,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int] = _current_time,
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
        """Create the bot.

        Args:
            database: The open database.
            games: The games by name.
            clock: Returns the Unix time.
            http_trace: Observes the requests to Discord.
            requests_per_second: Discord's limit for the whole bot, or None for no limit.
            recent_seconds: Seconds after a click during which the player gets no turn reminder.
            opponents: The runner of computer players and long tasks, or None to start own worker
                processes.
            emojis: True to upload icons of cards, suits and seats as application emoji.
            shards: The shards of this process, or None for all.
            figures: Metrics that the bot updates.
            privacy_policy: The address of the host's privacy policy.
            proxy: The address of an HTTP proxy for requests to Discord.
        """
        self.owned = owned = shards or ALL_SHARDS
        self.under_way = InFlightAnswers()
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
            **(proxy_arguments(proxy) | _shard_arguments(shards)),
            http_trace=self._trace_requests(http_trace or aiohttp.TraceConfig(), figures),
        )
        self.database = database
        self._clock = clock
        self.privacy_policy = privacy_policy
        self.clicks = Clicks()
        self._features: list[Feature] = []
        self.in_rules: list[RowInRules] = []
        self.starts: list[StartButton] = []
        self.in_settings: list[Callable[[], Sequence[Button]]] = []
        self.streaks: list[DayStreak] = []
        self.in_profile: list[ProfileLines] = []
        self.in_own_settings: list[Callable[[], Sequence[Button]]] = []
        self.before_forgetting: list[Callable[[int], Awaitable[None]]] = []
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
        self.post_schedule = PostSchedule(
            self, database.regular_posts, display.channels, display.plans, database.pubsub, owned
        )
        database.journal.ended = self.post_schedule.record_match_end
        self._recovery = Recovery(tables, display, database, clock, shards, self, self.is_connected)
        self.games, self.tables, self.display, self.thinkers = games, tables, display, thinkers
        self.membership = Membership(self, clock)
        self.names = PlayerNames(database.players, tables, display.refresh)
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
        database.pubsub.subscribe(FORGOTTEN, lambda about: tables.evict(about["id"]))
        database.halt.watch(display.announce_storage_failure)
        tables.watch(partial(display.schedule_update, priority=Priority.TURN))
        tables.unplayable_since = display.unplayable_since
        return display

    def _trace_requests(
        self, trace: aiohttp.TraceConfig, figures: Metrics | None
    ) -> aiohttp.TraceConfig:
        listen(self.budget, trace)
        if figures is not None:
            figures.listen(trace)
        require_readable(trace)
        return trace

    async def setup_hook(self) -> None:
        """Load languages, add the cogs and sync changed slash commands.

        Live matches are resumed later.
        """
        load_languages()
        await self.display.channels.quarantine.load()
        await self._recovery.begins()
        await self.load_features()
        await self.add_cog(self._recovery)
        await self.add_cog(ChannelEvents(self.display, self.membership))
        await sync_if_changed(self.tree, self.database.notes)
        if self._has_emojis:
            await self._emojis.start()
        self._recovery.begin()
        self.post_schedule.start()

    async def load_features(self) -> None:
        for folder in iter_modules(import_module("cogs").__path__):
            if not folder.name.startswith("_"):
                # The module is an extension, but it is not loaded as one. Otherwise discord.py would
                # unload it at the end of a bot, while other modules and the next bot of the same process
                # still use it. Workers import a feature's other modules, because its cog takes most of
                # the memory.
                await import_module(f"cogs.{folder.name}.cog").setup(self)
        for game in self.games.values():
            self.tree.add_command(self._commands_of(game))
        boards = [board for feature in self._features for board in feature.boards]
        for feature in self._features:
            for command in feature.of_boards(boards):
                self.tree.add_command(command)

    async def add_feature(self, feature: Feature) -> None:
        """Register a feature's cog, commands, buttons and content.

        Each feature's ``setup`` calls this.
        """
        self._features.append(feature)
        if feature.cog is not None:
            await self.add_cog(feature.cog)
            self.clicks.add(feature.cog)
        for command in feature.commands:
            self.tree.add_command(command)
        register_offers(feature.offers)
        self.starts.extend(feature.starts)
        if feature.in_rules is not None:
            self.in_rules.append(feature.in_rules)
        if feature.hand is not None:
            self.display.plans.hand_contents.append(feature.hand)
        if feature.notice is not None:
            self.display.plans.notice = feature.notice
        self.post_schedule.items.extend(feature.daily_items)
        self.post_schedule.types.update({post_type.key: post_type for post_type in feature.posts})
        if feature.in_settings is not None:
            self.in_settings.append(feature.in_settings)
        if feature.status is not None:
            self.post_schedule.more_status.append(feature.status)
        if feature.in_own_settings is not None:
            self.in_own_settings.append(feature.in_own_settings)
        if feature.in_daily_post is not None:
            self.post_schedule.buttons.append(feature.in_daily_post)
        self.streaks.extend(feature.streaks)
        if feature.in_profile is not None:
            self.in_profile.append(feature.in_profile)
        if feature.at_lobby is not None:
            self.display.calls.at_lobby.append(feature.at_lobby)
        if feature.before_forgetting is not None:
            self.before_forgetting.append(feature.before_forgetting)
        if feature.at_end is not None:
            self.database.journal.end_recorders.append(feature.at_end)
        end_lines = (*self.display.plans.match_end_lines, *feature.match_end_lines)
        self.display.plans.match_end_lines = sorted(end_lines, key=lambda lines: lines.order)

    def _commands_of(self, game: AnyGame) -> app_commands.Group:
        info, alone = game.info, game.info.is_solo
        contexts = app_commands.AppCommandContext(guild=True, dm_channel=alone, private_channel=alone)
        group = app_commands.Group(
            name=info.command,
            description=info.about,
            allowed_contexts=contexts,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=alone),
        )
        subcommands = [subcommand for feature in self._features for subcommand in feature.of_game(game)]
        for command in sorted(subcommands, key=lambda each: (each.name != "start", each.name)):
            group.add_command(command)
        return group

    async def on_interaction(self, interaction: discord.Interaction[Ribit]) -> None:
        """Answer a click on any button or menu. The command tree answers commands."""
        if interaction.type not in COMPONENTS:
            return
        self.display.recent_activity.note(interaction.user.id)
        try:
            async with answering(interaction) as answer:
                control = parse_click(interaction)
                handler = self.clicks.handler_of(control)
                if handler is None or handler.learns:
                    await self.names.record(interaction)
                clicked = ClickContext(self.display, self.membership, answer, interaction)
                await self.clicks.handle_click(clicked, control)
        finally:
            # The interaction is kept for 15 minutes because of its token, but without its message.
            interaction.message = None

    def is_connected(self) -> bool:
        is_cut_off = any(shard.is_closed() for shard in self.shards.values())
        return self.is_ready() and not self.is_closed() and not is_cut_off

    async def on_ready(self) -> None:
        log.info("ready", user=str(self.user), servers=len(self.guilds))
        # If the bot runs in several processes, each receives only the servers of its shards.
        if not self.guilds and self.owned == ALL_SHARDS and self.application_id is not None:
            log.info(invitation(self.application_id))

    async def on_error(self, event_method: str, /, *_args: object, **_kwargs: object) -> None:
        log.exception("fault in an event", event_name=event_method)  # noqa: LOG004 — called in a handler

    async def on_answer_refused(self, interaction: discord.Interaction, error: Exception) -> None:
        """Log an answer that AutoMod has blocked, and check whether a custom emoji was deleted."""
        await self._emojis.invalidate(error)
        if error_kind(error) is ErrorKind.BLOCKED:
            log.info("AutoMod refused an answer", channel=interaction.channel_id, error=str(error))

    async def close(self) -> None:
        """Reject new interactions, finish those in progress, disconnect, and close the database."""
        async with AsyncExitStack() as closing:  # runs from the last to the first, even if some fail
            closing.callback(register_commands, {})
            closing.push_async_callback(self.database.close)  # its thread outlives the loop
            closing.push_async_callback(super().close)
            closing.push_async_callback(self.display.close)
            closing.push_async_callback(self._workers.close)
            closing.push_async_callback(self.tables.close)
            closing.push_async_callback(self._recovery.close)
            closing.push_async_callback(self.post_schedule.close)
            # Nothing is shown from now on.
            closing.callback(self.database.halt.watch, lambda _is_halted: None)
            closing.push_async_callback(self.under_way.finish, ANSWERS_SECONDS)
            closing.push_async_callback(self._stop_listening)
            closing.callback(self._emojis.close)

    async def _stop_listening(self) -> None:
        """Disconnect from the gateway, so that no new interactions arrive.

        The bot can still answer earlier interactions.
        """
        for shard in self.shards.values():
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVE_SECONDS):
                    await shard.disconnect()

"""The wiring of a bot: what its cogs work with, and what goes on besides, from what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discord.ext import commands

from bot.delivery.plans import Plans
from bot.delivery.queues import Display
from bot.delivery.recent_activity import RecentActivity
from bot.delivery.routes import Routes
from bot.engine.game import AnyGame
from bot.engine.shards import ALL_SHARDS, Shards
from bot.opponents import Opponents as Workers
from bot.rendering import drawing
from bot.requests.answers import under_way_in
from bot.requests.appearance import Appearances
from bot.requests.budget import Budget
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.emojis import Emojis
from bot.requests.membership import Membership
from bot.requests.message_requests import Requests
from bot.requests.threads import Threads
from bot.services import Services
from bot.services.cooldown import Cooldown
from bot.services.player_names import PlayerNames
from bot.services.recovery import Recovery
from bot.services.sharing import SHARING_SECONDS
from bot.sessions.hints import Hints, Histories
from bot.sessions.hosting import Hosting
from bot.sessions.ports import Opponents
from bot.sessions.replays import Replays
from bot.sessions.reviews import Reviews
from bot.sessions.seating import Seating
from bot.sessions.solo_matches import SoloMatches
from bot.sessions.tables import Tables
from bot.storage import FORGOTTEN, Database

if TYPE_CHECKING:
    from bot.metrics import Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a bot is made from; ``Ribit`` says what each is."""

    database: Database
    games: Mapping[str, AnyGame]
    clock: Callable[[], int]
    budget: Budget
    recent_seconds: float
    opponents: Opponents | None
    emojis: bool
    shards: Shards | None
    metrics: Metrics | None

    @property
    def owned(self) -> Shards:
        """The shards whose matches are this process's."""
        return self.shards or ALL_SHARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wired:
    """What the cogs work with, and what has to be begun and closed."""

    services: Services
    emojis: Emojis
    recovery: Recovery
    workers: Workers


def wire(client: commands.AutoShardedBot, given: Given) -> Wired:
    """Return the parts of a bot, which know each other; nothing of them has begun yet."""
    database = given.database
    workers = Workers()
    thinkers = given.opponents or workers
    if given.metrics is not None:
        thinkers = given.metrics.timing(thinkers)
    tables = Tables(
        games=given.games,
        journal=database.journal,
        clock=given.clock,
        idle=given.budget.idle,
        opponents=thinkers,
        shards=given.owned,
    )
    if given.metrics is not None:
        given.metrics.follow(client, database=database, tables=tables, budget=given.budget)
    emojis = _emojis(client, given)
    display = _messages(client, given, tables, emojis)
    recovery = Recovery(tables, display, database, given.clock, given.shards, client.wait_until_ready)
    database.pubsub.hear(FORGOTTEN, lambda about: tables.forget_player(about["id"]))
    database.halt.watch(display.halted)
    tables.watch(display.changed_by_itself)
    tables.unplayable_since = display.unplayable_since
    tables.watch_reads(display.found)
    services = _services(client, given, tables, thinkers, display)
    return Wired(
        services=services,
        emojis=emojis,
        recovery=recovery,
        workers=workers,
    )


def _emojis(client: commands.AutoShardedBot, given: Given) -> Emojis:
    """Return the application's emojis, which are uploaded where that is wanted."""
    return Emojis(
        client,
        store=given.database.emojis,
        notes=given.database.notes,
        budget=given.budget,
        clock=given.clock,
        draw=drawing if given.emojis else None,
        uploads=given.owned.has(None),
    )


def _messages(client: commands.AutoShardedBot, given: Given, tables: Tables, emojis: Emojis) -> Display:
    """Return what keeps the messages of matches right."""
    database, clock, shards = given.database, given.clock, given.owned
    permissions = ChannelPermissions(client, clock, shards.has)
    requests = Requests(client, given.budget)
    appearances = Appearances(client, emojis=emojis, players=database.players, servers=database.servers)
    return Display(
        tables,
        database,
        Plans(client, database, permissions, appearances, shards, clock),
        Routes(requests, database, permissions, under_way_in(client), clock),
        RecentActivity(clock, given.recent_seconds),
    )


def _services(
    client: commands.AutoShardedBot,
    given: Given,
    tables: Tables,
    thinkers: Opponents,
    display: Display,
) -> Services:
    database, games, clock = given.database, given.games, given.clock
    journal, servers = database.journal, database.servers
    histories = Histories(tables, thinkers)
    return Services(
        games=games,
        tables=tables,
        seating=Seating(tables, servers),
        dealing=SoloMatches(tables, servers),
        hints=Hints(tables, thinkers, histories),
        histories=histories,
        display=display,
        names=PlayerNames(
            players=database.players, journal=journal, tables=tables, refresh=display.refresh
        ),
        threads=Threads(display.routes.requests, tables),
        membership=Membership(client, clock),
        budget=given.budget,
        cooldown=Cooldown(clock),
        sharing=Cooldown(clock, SHARING_SECONDS),
        players=database.players,
        servers=servers,
        standings=database.standings,
        removals=database.removals,
        location=database.location,
        retention=database.retention,
        days=database.days,
        thinkers=thinkers,
        reviews=Reviews(tables, Hosting(tables, servers), thinkers),
        replays=Replays(tables, servers, thinkers),
    )

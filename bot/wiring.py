"""The wiring of a bot: what its cogs work with, and what goes on besides, from what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discord.ext import commands

from bot.delivery.display import Display
from bot.delivery.messenger import Messenger
from bot.delivery.recent_activity import RecentActivity
from bot.engine.game import AnyGame
from bot.engine.shards import ALL_SHARDS, Shards
from bot.opponents import Opponents as Workers
from bot.rendering import drawing
from bot.requests.appearance import Appearances
from bot.requests.budget import Budget
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.emojis import Emojis
from bot.requests.membership import Membership
from bot.requests.message_requests import Requests
from bot.requests.quarantine import Quarantine
from bot.requests.threads import Threads
from bot.services import Services
from bot.services.cooldown import Cooldown
from bot.services.player_names import PlayerNames
from bot.services.recovery import Recovery
from bot.services.sharing import SHARING_SECONDS
from bot.sessions.hints import Hints
from bot.sessions.histories import Histories
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
    requests, messenger, display = _messages(client, given, tables, emojis)
    recovery = Recovery(tables, display, database, given.clock, given.shards, client.wait_until_ready)
    database.pubsub.hear(FORGOTTEN, lambda about: tables.forget_player(about["id"]))
    database.halt.watch(display.halted)
    tables.watch(display.refresh_turn)
    tables.unplayable_since = display.unplayable_since
    tables.watch_reads(display.found)
    services = _services(client, given, tables, thinkers, display, messenger, Threads(requests, tables))
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


def _messages(
    client: commands.AutoShardedBot, given: Given, tables: Tables, emojis: Emojis
) -> tuple[Requests, Messenger, Display]:
    """Return what keeps the messages of matches right."""
    database, clock, shards = given.database, given.clock, given.owned
    permissions = ChannelPermissions(client, clock, shards.has)
    requests = Requests(client, budget=given.budget, permissions=permissions, clock=clock)
    messenger = Messenger(
        requests,
        posts=database.posts,
        players=database.players,
        permissions=permissions,
        quarantine=Quarantine(database.notes, clock),
    )
    display = Display(
        client,
        tables=tables,
        posts=database.posts,
        players=database.players,
        servers=database.servers,
        standings=database.standings,
        messenger=messenger,
        requests=requests,
        budget=given.budget,
        permissions=permissions,
        recent_activity=RecentActivity(clock, given.recent_seconds),
        appearances=Appearances(
            client, emojis=emojis, players=database.players, servers=database.servers
        ),
        pubsub=database.pubsub,
        shards=shards,
        clock=clock,
    )
    return requests, messenger, display


def _services(
    client: commands.AutoShardedBot,
    given: Given,
    tables: Tables,
    thinkers: Opponents,
    display: Display,
    messenger: Messenger,
    threads: Threads,
) -> Services:
    database, games, clock = given.database, given.games, given.clock
    journal, servers = database.journal, database.servers
    histories, hosting = (
        Histories(journal, thinkers),
        Hosting(games=games, journal=journal, servers=servers),
    )
    return Services(
        games=games,
        tables=tables,
        seating=Seating(games=games, journal=journal, tables=tables, servers=servers, clock=clock),
        dealing=SoloMatches(games=games, journal=journal, tables=tables, servers=servers, clock=clock),
        hints=Hints(tables=tables, journal=journal, opponents=thinkers, histories=histories),
        histories=histories,
        display=display,
        messenger=messenger,
        names=PlayerNames(
            players=database.players, journal=journal, tables=tables, refresh=display.refresh
        ),
        threads=threads,
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
        reviews=Reviews(
            tables=tables, journal=journal, opponents=thinkers, hosting=hosting, clock=clock
        ),
        replays=Replays(games=games, journal=journal, servers=servers, opponents=thinkers),
    )

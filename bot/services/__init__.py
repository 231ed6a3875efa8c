"""What commands, clicks and starts do, a module each; here what they all work with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.delivery.queues import Display
from bot.delivery.turn_pings import RecentActivity
from bot.engine.game import AnyGame
from bot.requests.budget import Budget
from bot.requests.membership import Membership
from bot.services.match_access import MatchAccess
from bot.services.player_names import PlayerNames
from bot.services.table_opening import TableOpening
from bot.sessions.hints import Hints, Histories
from bot.sessions.ports import Opponents
from bot.sessions.seating import Seating
from bot.sessions.solo_matches import SoloMatches
from bot.sessions.tables import Tables
from bot.storage import Days, Location, Players, Retention, Servers, Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The games, the live tables, their messages, what is known of players and servers, who thinks."""

    games: Mapping[str, AnyGame]
    tables: Tables
    seating: Seating
    dealing: SoloMatches
    hints: Hints
    display: Display
    names: PlayerNames
    membership: Membership
    budget: Budget
    cooldown: RecentActivity
    access: MatchAccess
    opening: TableOpening
    players: Players
    servers: Servers
    standings: Standings
    location: Location
    retention: Retention
    days: Days
    thinkers: Opponents
    histories: Histories

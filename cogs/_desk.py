"""What the cogs work with, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.engine.game import AnyGame
from bot.sessions.seating import Seating
from bot.sessions.tables import Tables
from cogs._display import Display
from cogs._messenger import Messenger
from cogs._ports import Players, Servers, Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The games, the live tables, their messages, and what is known of players and servers."""

    games: Mapping[str, AnyGame]
    tables: Tables
    seating: Seating
    display: Display
    messenger: Messenger
    players: Players
    servers: Servers
    standings: Standings

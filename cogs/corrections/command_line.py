"""The host's command ``ribit remove KIND ID``, which corrects the leaderboards of all servers."""

from __future__ import annotations

import argparse
import asyncio
import time

from bot.console import Add, say
from bot.games import games
from bot.logs import configure_logs
from bot.matches.leaderboard_rules import EVERYWHERE, Removal, RemovalTarget
from bot.sessions.errors import TableError
from bot.settings import read_settings
from bot.storage.database_address import locate
from bot.storage.named_queries import Sql
from bot.storage.recount import recount
from cogs.corrections.cog import store

_DIGITS = 20
"""Upper limit for the length of a Discord ID. All IDs have fewer digits."""


def add(add: Add) -> None:
    removed = add(remove, "take something off all leaderboards, or put it back; the bot stopped")
    removed.add_argument("kind", choices=[kind.value for kind in RemovalTarget], help="what it is")
    removed.add_argument("id", metavar="ID", help="of the match, or of the Discord user")
    removed.add_argument("--back", action="store_true", help="put back what was taken off")


def remove(given: argparse.Namespace) -> int:
    configure_logs("WARNING")
    removal = Removal(EVERYWHERE, RemovalTarget(given.kind), given.id)
    is_match = removal.kind is RemovalTarget.MATCH
    is_user = not is_match and given.id.isdecimal() and len(given.id) < _DIGITS
    sought = {"match_id": given.id if is_match else "", "player_id": int(given.id) if is_user else 0}

    async def first(sql: Sql) -> None:
        if not await sql.is_known(**sought):
            raise TableError(f"Nothing is known of the {given.kind} {given.id}. Give the whole ID.")
        await store(sql, removal, 0, int(time.time()), is_back=given.back)

    database = locate(read_settings(is_offline=True).database)
    counted = asyncio.run(recount(database, games(), is_applied=True, first=first))
    for sentence in counted.report_lines(is_applied=True):
        say(sentence)
    return 0

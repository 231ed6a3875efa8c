"""The file with a user's data that ``/privacy`` offers as a download.

docs/privacy.md describes the file. Each feature selects its data with SQL statements whose names begin
with ``own_data_``, and this module combines the rows. The file contains no data of other users and
reveals no hidden cards. This module runs in a worker process, so code that needs Discord is in ``cog``.
"""

from __future__ import annotations

import gzip
import json
from typing import Any, TypeAlias

from bot.engine.frozen import frozen
from bot.engine.game import UNTOLD
from bot.engine.name_sanitizing import ids_as_text
from bot.engine.worker_task import Task
from bot.matches.match import Stage
from bot.matches.match_type import DEAL, MatchType
from bot.storage.daily_deals import day_at
from bot.storage.database_address import DatabaseError, Location
from bot.storage.database_lock import reading
from bot.storage.forgetting import own_data
from bot.storage.named_queries import Sql

Row: TypeAlias = dict[str, Any]

FORM = 3
"""Version of the file format. Increase it when the meaning of an existing field changes."""

MOST_BYTES = 1_000_000
"""Maximum size of an uncompressed file in bytes, enough for 10,000 moves. Larger files are gzipped."""


@frozen
class OwnData(Task[tuple[bytes, bool]]):
    """A worker task that writes all of a user's data to a JSON file, compressed if it is large.

    The worker process reads the database directly.

    Attributes:
        location: The location of the database.
        player_id: The user's Discord ID.
        now: The Unix time of the click.
        click: The ID of the click's interaction. It makes the tasks of two clicks unequal.
    """

    location: Location
    player_id: int
    now: int
    click: int

    async def compute(self) -> tuple[bytes, bool] | None:
        """Return the file and whether it is compressed, or None if the database cannot be read."""
        try:
            async with reading(self.location) as end:
                data = await _player_row(end.sql, self.player_id, self.now)
        except DatabaseError:
            return None
        file = json.dumps(ids_as_text(data), ensure_ascii=False, indent=1).encode()
        return (gzip.compress(file), True) if len(file) > MOST_BYTES else (file, False)


async def _player_row(sql: Sql, player_id: int, now: int) -> Row:
    own = {**await own_data(sql, player_id), **await own_data(sql, player_id, "own_details_")}
    _hide_unfinished(own, now)
    return {
        "form": FORM,
        "made_at": now,
        "id": player_id,
        **own,
        "player": next(iter(own["player"]), None),
        "at_tables": await _lists(sql, player_id),
    }


def _hide_unfinished(own: dict[str, list[Row]], now: int) -> None:
    """Remove what a user may not know yet from the user's data.

    While a match is active, this is the number of its deal and the hidden part of its moves. The number
    of a daily deal is removed until its day is over.
    """
    live = {match["id"] for match in own["matches"] if Stage(match["stage"]).is_live}
    for match in own["matches"]:
        match["options"] = options = json.loads(match["options"])
        if match["id"] in live or MatchType.parse(options).any_day >= day_at(now):
            options.pop(DEAL, None)
    for move in own["moves"]:
        if move["match_id"] in live:
            move["text"] = move["text"].partition(UNTOLD)[0]


async def _lists(sql: Sql, player_id: int) -> list[Row]:
    return [
        {"match_id": row["id"], "list": name}
        async for row in sql.rosters_with(pattern=f"%{player_id}%")
        for name, ids in json.loads(row["roster"]).items()
        if player_id in ids
    ]

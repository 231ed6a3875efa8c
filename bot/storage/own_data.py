"""What is kept of a person, for that person: all of it, but nothing of others and no cards to come.

docs/privacy.md describes the form.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.engine.errors import RibitError
from bot.engine.forgotten import new_placeholder
from bot.engine.match import DAY, DEAL, REPLAY, Stage
from bot.engine.names import ids_as_text
from bot.engine.questions import UNTOLD
from bot.engine.task import Task
from bot.engine.values import frozen
from bot.storage.address import DatabaseError, Location
from bot.storage.days import day_at
from bot.storage.forgetting import forget_again, forget_person, list_beside
from bot.storage.hold import reading, stopped
from bot.storage.sql import Record, Sql

FORM = 2
"""The version of the form; it goes up when what is there means something else."""

MOST_BYTES = 1_000_000
"""How large a file is handed out as it is, some 10,000 moves; a larger one is packed."""


@frozen
class OwnData(Task[tuple[bytes, bool]]):
    """The file with what is kept of a person, and whether it is packed; each click asks for its own.

    ``now`` is in seconds since 1970. A worker process reads for itself.
    """

    location: Location
    player_id: int
    now: int
    click: int

    async def made(self) -> tuple[bytes, bool] | None:
        """Read and pack it; None where the database cannot be read."""
        try:
            async with reading(self.location) as end:
                told = await _told(end.sql, self.player_id, self.now)
        except DatabaseError:
            return None
        file = json.dumps(ids_as_text(told), ensure_ascii=False, indent=1).encode()
        return (gzip.compress(file), True) if len(file) > MOST_BYTES else (file, False)


class ForgetError(RibitError):
    """Nobody can be forgotten in a database; the sentence says why."""


@frozen
class Known:
    """What is kept of somebody: at how many matches they sat, and what they were called."""

    matches: int
    names: tuple[str, ...]


async def forget_by_id(location: Location, player_id: int, *, is_applied: bool) -> Known:
    """Forget a person, if that is to be ``applied``; returns what was known of them.

    The next start gives up the seats that they have at live tables. Raises ForgetError, HeldError or
    DatabaseError; nothing has changed then.
    """
    async with stopped(location, "forget anybody in", ForgetError) as end:
        sql = end.sql
        player = await sql.own_player(player_id=player_id)
        names = [row["name"] async for row in sql.own_names(player_id=player_id)]
        if player is not None:
            names += [player["name"], player["user_name"]]
        listed = list_beside(location) if is_applied and isinstance(location, Path) else None
        if listed is not None:
            await forget_again(sql, listed)
        matches = await forget_person(sql, player_id, new_placeholder(), listed)
        await end.execute("COMMIT" if is_applied else "ROLLBACK")
    return Known(matches, tuple(sorted({name for name in names if name})))


async def _told(sql: Sql, player_id: int, now: int) -> dict[str, Any]:
    """Return all that one person may have of what is kept of them, by name."""
    whose = {"player_id": player_id}
    player = await sql.own_player(**whose)
    boards = [row async for row in sql.boards_of_player(**whose)]
    return {
        "form": FORM,
        "made_at": now,
        "id": player_id,
        "player": None if player is None else dict(player),
        "names": await _rows(sql.own_names(**whose)),
        "lessons": await _rows(sql.own_lessons(**whose)),
        "day_boards": [row["guild_id"] for row in boards],
        "puzzle_answers": await _rows(sql.own_puzzle_answers(**whose)),
        "matches": [await _match(sql, row, now) for row in await _rows(sql.own_matches(**whose))],
        "at_tables": await _lists(sql, player_id),
        "messages": await _rows(sql.own_messages(**whose)),
        "totals": await _totals(sql, player_id),
        "with_computer_players": await _rows(sql.own_frog_totals(**whose)),
        "day_wins": await _rows(sql.own_day_wins(**whose)),
        "meetings": await _meetings(sql, player_id),
        "corrections": await _rows(sql.own_removals(subject=str(player_id))),
        "corrections_made": await _rows(sql.removals_made(**whose)),
        "barred_in": await _barred_in(sql, player_id),
    }


async def _match(sql: Sql, row: Record, now: int) -> dict[str, Any]:
    """Return a match, with the moves its player made, as that player may know it.

    While it is live, or its day is, that is not which deal it is, and nothing that was only thought out.
    """
    options, is_live = json.loads(row["options"]), Stage(row["stage"]).is_live
    day = options.get(DAY) or options.get(REPLAY) or 0
    if is_live or day >= day_at(now):
        options.pop(DEAL, None)
    seat = {"match_id": row["id"], "seat": row["seat"]}
    moves = await _rows(sql.own_moves(**seat))
    for move in moves if is_live else ():
        move["text"] = move["text"].partition(UNTOLD)[0]
    figures = {each["key"]: each["value"] for each in await _rows(sql.own_figures(**seat))}
    return {**row, "options": options, "figures": figures, "moves": moves}


async def _totals(sql: Sql, player_id: int) -> list[dict[str, Any]]:
    """Return what is counted of the person on each board, 0 for that of all servers and DMs."""
    totals = await _rows(sql.own_totals(player_id=player_id))
    for board in totals:
        where = {key: board[key] for key in ("guild_id", "game")} | {"player_id": player_id}
        figures = await _rows(sql.own_total_figures(**where))
        board["figures"] = {row["key"]: row["value"] for row in figures}
        board["pars"] = await _rows(sql.own_pars(**where))
    return totals


async def _lists(sql: Sql, player_id: int) -> list[dict[str, str]]:
    found = sql.rosters_with(pattern=f"%{player_id}%")
    rows = [(row["id"], json.loads(row["roster"])) async for row in found]
    return [
        {"match_id": match_id, "list": name}
        for match_id, roster in rows
        for name, ids in roster.items()
        if player_id in ids
    ]


async def _meetings(sql: Sql, player_id: int) -> list[dict[str, int]]:
    """Return how many matches with the same people count on a day, without who they are."""
    found = sql.meetings_with(pattern=f"%{player_id}%")
    rows = [(row["people"].split(), row["day"], row["matches"]) async for row in found]
    return [
        {"people": len(people), "day": day, "matches": matches}
        for people, day, matches in rows
        if str(player_id) in people
    ]


async def _barred_in(sql: Sql, player_id: int) -> list[int]:
    found = sql.barring_servers(player_id=player_id)
    return [row["guild_id"] async for row in found if player_id in json.loads(row["barred"])]


async def _rows(found: AsyncIterator[Record]) -> list[dict[str, Any]]:
    return [dict(row) async for row in found]

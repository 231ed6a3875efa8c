"""What is kept of a person, for that person: all of it, but nothing of others and no cards to come.

docs/privacy.md describes the form.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from typing import Any

from bot.engine.match import DAY, DEAL, REPLAY, Stage
from bot.engine.names import ids_as_text
from bot.engine.questions import UNTOLD
from bot.storage.days import day_at
from bot.storage.sql import Queries, Record
from bot.storage.writer import Reader, Session

FORM = 2
"""The version of the form; it goes up when what is there means something else."""


class OwnData:
    """What each may have of what is kept of them."""

    def __init__(self, queries: Queries, reader: Reader) -> None:
        self._sql = queries
        self._reader = reader

    async def of(self, player_id: int, now: int) -> dict[str, Any]:
        """Return what is kept of a person at this moment, in seconds since 1970."""
        told = {"form": FORM, "made_at": now, "id": player_id}
        return told | await self._reader.look(lambda session: self._of(session, player_id, now))

    async def _of(self, session: Session, player_id: int, now: int) -> dict[str, Any]:
        sql, whose = self._sql, {"player_id": player_id}
        player = await sql.own_player(session, **whose)
        boards = [row async for row in sql.boards_of_player(session, **whose)]
        return {
            "player": None if player is None else dict(player),
            "names": await _rows(sql.own_names(session, **whose)),
            "lessons": await _rows(sql.own_lessons(session, **whose)),
            "day_boards": [row["guild_id"] for row in boards],
            "puzzle_answers": await _rows(sql.own_puzzle_answers(session, **whose)),
            "matches": await self._matches(session, player_id, now),
            "at_tables": await self._lists(session, player_id),
            "messages": await _rows(sql.own_messages(session, **whose)),
            "totals": await self._totals(session, player_id),
            "with_computer_players": await _rows(sql.own_frog_totals(session, **whose)),
            "day_wins": await _rows(sql.own_day_wins(session, **whose)),
            "meetings": await self._meetings(session, player_id),
            "corrections": await _rows(sql.own_removals(session, subject=str(player_id))),
            "corrections_made": await _rows(sql.removals_made(session, **whose)),
            "barred_in": await self._barred_in(session, player_id),
        }

    async def _matches(self, session: Session, player_id: int, now: int) -> list[dict[str, Any]]:
        """Return the matches that the person sat at, each with the moves that they made."""
        moves, figures = defaultdict[str, list[Any]](list), defaultdict[str, dict[str, int]](dict)
        for row in await _rows(self._sql.own_moves(session, player_id=player_id)):
            moves[row.pop("match_id")].append(row)
        for row in await _rows(self._sql.own_figures(session, player_id=player_id)):
            figures[row["match_id"]][row["key"]] = row["value"]
        found = await _rows(self._sql.own_matches(session, player_id=player_id))
        live = (row["id"] for row in found if Stage(row["stage"]).is_live)
        for move in (move for match_id in live for move in moves[match_id]):
            move["text"] = move["text"].partition(UNTOLD)[0]
        return [
            _match(row, now) | {"figures": figures[row["id"]], "moves": moves[row["id"]]}
            for row in found
        ]

    async def _totals(self, session: Session, player_id: int) -> list[dict[str, Any]]:
        """Return what is counted of the person on each board, 0 for that of all servers and DMs."""
        totals = await _rows(self._sql.own_totals(session, player_id=player_id))
        for board in totals:
            where = {key: board[key] for key in ("guild_id", "game")} | {"player_id": player_id}
            figures = await _rows(self._sql.own_total_figures(session, **where))
            board["figures"] = {row["key"]: row["value"] for row in figures}
            board["pars"] = await _rows(self._sql.own_pars(session, **where))
        return totals

    async def _lists(self, session: Session, player_id: int) -> list[dict[str, str]]:
        """Return on which lists of live tables the person is."""
        found = self._sql.rosters_with(session, pattern=f"%{player_id}%")
        rows = [(row["id"], json.loads(row["roster"])) async for row in found]
        return [
            {"match_id": match_id, "list": name}
            for match_id, roster in rows
            for name, ids in roster.items()
            if player_id in ids
        ]

    async def _meetings(self, session: Session, player_id: int) -> list[dict[str, int]]:
        """Return how many matches with the same people count on a day, without who they are."""
        found = self._sql.meetings_with(session, pattern=f"%{player_id}%")
        rows = [(row["people"].split(), row["day"], row["matches"]) async for row in found]
        return [
            {"people": len(people), "day": day, "matches": matches}
            for people, day, matches in rows
            if str(player_id) in people
        ]

    async def _barred_in(self, session: Session, player_id: int) -> list[int]:
        found = self._sql.barring_servers(session, player_id=player_id)
        rows = [(row["guild_id"], json.loads(row["barred"])) async for row in found]
        return [guild_id for guild_id, barred in rows if player_id in barred]


async def _rows(found: AsyncIterator[Record]) -> list[dict[str, Any]]:
    return [dict(row) async for row in found]


def _match(row: Record, now: int) -> dict[str, Any]:
    """Return a match as its player may know it: not which deal it is, while it is live or its day is."""
    options = json.loads(row["options"])
    day = options.get(DAY) or options.get(REPLAY) or 0
    if Stage(row["stage"]).is_live or day >= day_at(now):
        options.pop(DEAL, None)
    return dict(row) | {"options": options}


def written(data: dict[str, Any]) -> bytes:
    """Return the file that is handed out."""
    return "".join(_lines(data)).encode()


def _lines(data: dict[str, Any]) -> Iterator[str]:
    """Yield the file in lines: one for each thing, so that people can read it too."""
    yield "{"
    for place, (key, value) in enumerate(data.items()):
        yield f'{"," if place else ""}\n  "{key}": '
        if isinstance(value, list) and value:
            yield ("[\n    " + ",\n    ".join(_json(each, key) for each in value) + "\n  ]")
        else:
            yield _json(value, key)
    yield "\n}\n"


def _json(value: Any, key: str) -> str:
    return json.dumps(ids_as_text(value, key), ensure_ascii=False)

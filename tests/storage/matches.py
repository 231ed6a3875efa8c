"""Matches to store, and changes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.matches.match import Change, Entry, Match, Player, Result, Stage
from bot.storage.database import Database

ADA, BO, CY = Player(2**63 - 10, "Ada"), Player(20, "Bo"), Player(30, "Cy")
SEED = bytes(range(32))
FROGS, TOADS = 100, 200
"""Two servers."""

NOW = 1_800_000_000


def new_lobby(match_id: str = "m1", *players: Player, **changes: Any) -> Match:
    """Return a lobby with its first player as the host."""
    seated = players or (ADA,)
    facts: dict[str, Any] = {
        "id": match_id,
        "game": "toad",
        "rules_version": 1,
        "guild_id": FROGS,
        "channel_id": 5,
        "host_id": seated[0].id,
        "players": seated,
        "limit": 3,
        "options": {"lives": 3},
        "opened_at": NOW,
    }
    return Match(**facts | changes)


def new_change(before: Match, **changes: Any) -> Change:
    """Return a change of a match without a move."""
    return Change(before, replace(before, **changes, version=before.version + 1))


def move_change(before: Match, entry: Entry, results: tuple[Result, ...] = (), **changes: Any) -> Change:
    """Return the change of a move, which is the last one if it has results."""
    end = {"stage": Stage.FINISHED, "ended_at": NOW, "turn_ends_at": None} if results else {}
    entry = replace(entry, at=NOW if entry.at is None else entry.at)
    return replace(new_change(before, **end | changes), entry=entry, results=results)


async def find_match(database: Database, match_id: str = "m1") -> Match:
    """Return a match as stored."""
    match = await database.journal.find(match_id)
    assert match is not None
    return match


async def store_move(
    database: Database, match_id: str, entry: Entry, results: tuple[Result, ...] = (), **changes: Any
) -> bool:
    """Store a move of the current match, and return whether it was the next one."""
    loaded = await database.journal.load(match_id)
    assert loaded is not None
    before, entries = loaded
    if entry.n != len(entries) or before.stage is not Stage.PLAYING:
        return False
    return await database.journal.commit(move_change(before, entry, results, **changes))


async def end_match(database: Database, match_id: str, **changes: Any) -> bool:
    """End a match without a result."""
    facts = {"stage": Stage.STOPPED, "ended_at": NOW, "turn_ends_at": None, "wakes_at": None}
    return await database.journal.commit(
        new_change(await find_match(database, match_id), **facts | changes)
    )


async def store_live_match(
    database: Database, match_id: str = "m1", *players: Player, **changes: Any
) -> Match:
    """Store a match in play, in a channel of its own."""
    facts = {"stage": Stage.PLAYING, "seed": SEED}
    match = new_lobby(match_id, *(players or (ADA, BO)), **facts | changes)
    assert await database.journal.create(match, f"place of {match_id}") is None
    return match


async def store_finished_match(
    database: Database,
    match_id: str,
    *players: Player,
    winner: Player | None = None,
    figures: Mapping[str, int] | None = None,
    **changes: Any,
) -> None:
    """Store a match that finished after one move, with the same statistics for each seat."""
    match = await store_live_match(database, match_id, *players, **changes)
    results = tuple(
        Result(seat, player == winner, figures or {}) for seat, player in enumerate(match.players)
    )
    assert await database.journal.commit(move_change(match, Entry(0, 0, "ribit"), results))

"""Matches to store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.match import Entry, Match, Player, Result, Stage
from bot.storage import Database

ADA, BO, CY = Player(2**63 - 10, "Ada"), Player(20, "Bo"), Player(30, "Cy")
SEED = bytes(range(32))
FROGS, TOADS = 100, 200
"""Two servers."""


def lobby(match_id: str = "m1", *players: Player, **changes: Any) -> Match:
    """Return a match that waits for players; the first is its host."""
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
    }
    return Match(**facts | changes)


async def playing(database: Database, match_id: str = "m1", *players: Player, **changes: Any) -> Match:
    """Store a match at a place of its own and start it."""
    match = lobby(match_id, *(players or (ADA, BO)), **changes)
    assert await database.journal.open(match, f"place of {match_id}") is None
    begun = await database.journal.begin(match_id, SEED)
    assert begun is not None
    assert begun.stage is Stage.PLAYING
    return begun


async def finished(
    database: Database,
    match_id: str,
    *players: Player,
    winner: Player | None = None,
    figures: Mapping[str, int] | None = None,
    **changes: Any,
) -> None:
    """Store a match that is over after one move, with the same figures for each seat."""
    match = await playing(database, match_id, *players, **changes)
    results = tuple(
        Result(seat, player == winner, figures or {}) for seat, player in enumerate(match.players)
    )
    assert await database.journal.append(match_id, Entry(0, 0, "ribit"), results)

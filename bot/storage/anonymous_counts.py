"""Counts that stay after a player's data is deleted. Their keys are hashes that name no player."""

from __future__ import annotations

import hmac
import secrets

from bot.storage.named_queries import Sql


def hash_keyed(key: str, what: str) -> str:
    """Return the HMAC-SHA-256 of a text as hexadecimal digits. The text cannot be recovered from it."""
    return hmac.digest(key.encode(), what.encode(), "sha256").hex()


def try_of(player_id: int, game: str, deal: int) -> str:
    """Return the text that identifies the counter of a player's attempts at a deal.

    Only its hash is stored.
    """
    return f"try {player_id} {game} {deal}"


async def keep_counting(sql: Sql, day: int, what: str) -> None:
    """Increase an anonymous counter, which is kept when a player's data is deleted.

    The counter is stored under a hash. Each day has a separate hash key.

    Args:
        sql: The named SQL statements, in a transaction.
        day: The day, counted from 1970-01-01.
        what: The text that identifies the counter, as returned by ``try_of``.
    """
    key = await sql.key_of_day(day=day)
    if key is None:
        key = secrets.token_hex()
        await sql.add_mark(day=day, mark=key, amount=0)
    await sql.add_mark(day=day, mark=hash_keyed(key, what), amount=1)


async def kept_count(sql: Sql, what: str) -> int:
    """Return the total of an anonymous counter over all stored days. See ``keep_counting``.

    Args:
        sql: The named SQL statements, in a transaction.
        what: The text that identifies the counter, as returned by ``try_of``.
    """
    keys = [(row["day"], row["mark"]) async for row in sql.keys_of_days()]
    return sum([await sql.amount_of(day=day, mark=hash_keyed(key, what)) for day, key in keys])

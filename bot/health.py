"""Health check for containers. It tests whether the bot is connected and can store moves.

It runs every minute, so it imports only what it needs. The import of discord.py or Pillow alone would
take more CPU time than the whole check.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.errors import RibitError
from bot.matches.shards import Shards, missing_shards, read_shards
from bot.storage.database_address import Location, Server, require_shareable
from bot.storage.liveness import age_words, is_fresh


class HealthError(RibitError):
    """Raised when a bot is unhealthy. ``sentence`` contains the reason and advice."""


def check_health(database: Location, shards: Shards | None, now: int) -> Iterator[str]:
    """Check the bot's processes, and yield a sentence for each healthy one.

    Args:
        database: The database of the processes.
        shards: The shards of the process to check, or None to check all processes.
        now: The Unix time.

    Raises:
        HealthError: A process is not connected to Discord, or a shard has no process.
        DatabaseError: The database cannot be read or written.
    """
    require_shareable(database, shards)
    alive = _last_alive_by_shards(database)
    for each in [str(shards)] if shards is not None else alive or [""]:
        who = f"bot of the shards {each}" if each else "bot"
        if each not in alive:
            raise HealthError(f"No {who} is running on {database}. Start it: ribit run.")
        alive_at = alive[each]
        if alive_at is None or not is_fresh(alive_at, now):
            state = "not connected" if alive_at is None else f"last connected {age_words(alive_at, now)}"
            raise HealthError(
                f"The {who} on {database} was {state}. "
                "See its log, and restart it if it does not connect again by itself."
            )
        yield f"The {who} is connected: noted {age_words(alive_at, now)}."
    run = [read_shards(shard_range) for shard_range in alive if shard_range]
    if shards is None and run and (missing := missing_shards(run)):
        raise HealthError(
            f"No process runs {len(missing)} shards, from {missing[0]}/{run[0].count} on. "
            "Start one that does."
        )


def _last_alive_by_shards(database: Location) -> dict[str, int | None]:
    if isinstance(database, Server):
        from bot.storage import database_server  # noqa: PLC0415 — asyncpg is slow to import

        return database_server.last_alive_by_shards(database)
    from bot.storage import file_probe  # noqa: PLC0415 — not needed for a server

    return file_probe.last_alive_by_shards(database)

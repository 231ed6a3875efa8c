"""Whether the bot is connected and can store what is played, for the health check of a container.

It is asked every minute, so it imports no more than it needs: discord.py or Pillow alone would take more
CPU time than all of this.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.errors import RibitError
from bot.matches.shards import Shards, missing_shards, read_shards
from bot.storage.database_address import Location, Server, require_shareable
from bot.storage.liveness import ago, is_fresh


class HealthError(RibitError):
    """A bot is not well; the sentence says why and what to do."""


def check_health(database: Location, shards: Shards | None, now: int) -> Iterator[str]:
    """Yield a sentence for each process that is well.

    Args:
        database: The database that the processes run on.
        shards: Those of the one process that is asked about. With None all are, and all shards must run.
        now: The Unix time.

    Raises:
        HealthError: A process is not connected to Discord, or a shard has none.
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
            state = "not connected" if alive_at is None else f"last connected {ago(alive_at, now)}"
            raise HealthError(
                f"The {who} on {database} was {state}. "
                "See its log, and restart it if it does not connect again by itself."
            )
        yield f"The {who} is connected: noted {ago(alive_at, now)}."
    run = [read_shards(each) for each in alive if each]
    if shards is None and run and (missing := missing_shards(run)):
        raise HealthError(
            f"No process runs {len(missing)} shards, from {missing[0]}/{run[0].count} on. "
            "Start one that does."
        )


def _last_alive_by_shards(database: Location) -> dict[str, int | None]:
    if isinstance(database, Server):
        from bot.storage import database_server  # noqa: PLC0415 — asyncpg takes long

        return database_server.last_alive_by_shards(database)
    from bot.storage import file_probe  # noqa: PLC0415 — the other kind needs no SQLite

    return file_probe.last_alive_by_shards(database)

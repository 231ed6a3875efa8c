"""The locks of Discord's shards on a server's database: who does what with which of them.

The number of each says the count of shards, what its holder does with the shard, and which that is.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from hashlib import blake2b

from bot.engine.values import frozen
from bot.storage.cluster.server_lock import NAME, noted_holder
from bot.storage.writer import Session

_CLASS = 0x7368
"""What the numbers of the locks of shards begin with; then the count, the kind and the shard."""

_ERRANDS = 0x7365
"""What the numbers of the locks of errands begin with; then a digest of what is to be done."""


class Kind(IntEnum):
    """What a lock of a shard says of who has it."""

    RUNS = 1
    SERVES = 2
    OWNS = 3


@frozen
class Held:
    """A lock of a shard, of so many, and the shards of the process that has it, in writing."""

    count: int
    kind: Kind
    shard: int
    is_own: bool
    by: str


_HELD = (
    "SELECT l.classid::bigint & 65535, l.objid::bigint >> 24, l.objid::bigint & 16777215,"
    " l.pid = pg_backend_pid(), coalesce(a.application_name, '')"
    " FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.classid::bigint >> 16 = $1"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " ORDER BY 3"
)
_TAKE = "SELECT n FROM unnest($1::bigint[]) AS n WHERE pg_try_advisory_lock(n)"
_LEAVE = "SELECT pg_advisory_unlock(n) FROM unnest($1::bigint[]) AS n"


async def held_shards(session: Session) -> list[Held]:
    """Return every lock of a shard that any process holds on the database of a session."""
    return [
        Held(count, Kind(kind), shard, is_own, name.removeprefix(NAME).strip())
        for count, kind, shard, is_own, name in await session.fetch(_HELD, _CLASS)
    ]


@frozen
class Runner:
    """A process that runs ``shards``, in writing, and who that is, as far as it has noted it.

    ``serves``: its bot is connected to Discord. ``cares_for`` are the shards that it cares for just now,
    and ``ids`` those that it runs, of ``count``.
    """

    shards: str
    who: str
    count: int
    ids: frozenset[int]
    serves: bool
    cares_for: frozenset[int]


async def runners(session: Session) -> list[Runner]:
    """Return every process that runs shards on the database of a session."""
    held = await held_shards(session)
    found = []
    for shards in dict.fromkeys(each.by for each in held if each.kind is Kind.RUNS):
        own = [each for each in held if each.by == shards]
        ids, serves, owns = (frozenset(each.shard for each in own if each.kind is kind) for kind in Kind)
        who = await noted_holder(session, shards)
        found.append(Runner(shards, who, own[0].count, ids, bool(serves), owns))
    return found


async def take(session: Session, kind: Kind, shards: Iterable[int], count: int) -> frozenset[int]:
    """Take those locks of shards that nobody has; returns the shards of those that were taken."""
    numbers = {_number(kind, shard, count): shard for shard in shards}
    return frozenset(numbers[number] for (number,) in await session.fetch(_TAKE, list(numbers)))


async def leave(session: Session, kind: Kind, shards: Iterable[int], count: int) -> None:
    """Let go of locks of shards that the session has."""
    await session.execute(_LEAVE, [_number(kind, shard, count) for shard in shards])


async def begin(session: Session, what: str) -> bool:
    """Take the lock of an errand that one process does; returns whether nobody had it."""
    return bool(await session.fetchval("SELECT pg_try_advisory_lock($1)", _work(what)))


async def end(session: Session, what: str) -> bool:
    """Let go of the lock of an errand; returns whether the session had it."""
    return bool(await session.fetchval("SELECT pg_advisory_unlock($1)", _work(what)))


def _work(what: str) -> int:
    return _ERRANDS << 48 | int.from_bytes(blake2b(what.encode(), digest_size=6).digest())


def _number(kind: Kind, shard: int, count: int) -> int:
    return _CLASS << 48 | count << 32 | kind << 24 | shard

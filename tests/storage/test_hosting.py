"""The limit of a person's matches, checked in the transaction that stores them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.matches.match import Match
from bot.storage.database import Database
from tests.storage.matches import ADA, BO, end_match, new_change, new_lobby

MOST = 3


class FullError(Exception):
    """Raised when the host has too many matches."""


def check_host_limit(hosted: Sequence[Match]) -> None:
    """Refuse another match of a host with three."""
    if len(hosted) >= MOST:
        raise FullError


async def test_a_hosts_live_matches_are_listed_oldest_first(database: Database) -> None:
    """A host's live matches are listed, oldest first, without finished ones."""
    journal = database.journal
    for at, (match_id, host) in enumerate([("m1", ADA), ("m2", BO), ("m3", ADA), ("m4", ADA)]):
        await journal.create(new_lobby(match_id, host, opened_at=100 - at), match_id)
    assert await end_match(database, "m3")
    assert [match.id for match in await journal.hosted_matches(ADA.id)] == ["m4", "m1"]


async def test_a_match_refused_by_the_check_is_not_stored(database: Database) -> None:
    """The check gets the host's matches. If it raises an error, the match is not stored."""
    journal = database.journal
    for number in range(MOST):
        assert (
            await journal.create(new_lobby(f"m{number}"), f"place {number}", (), check_host_limit)
            is None
        )
    taken = await asyncio.gather(
        journal.create(new_lobby("m8"), "another place", (), check_host_limit),
        journal.create(new_lobby("m9", BO), "one more", (), check_host_limit),
        return_exceptions=True,
    )
    assert isinstance(taken[0], FullError)
    assert taken[1] is None, "who is stored together with it is not refused with it"
    assert await journal.find("m8") is None
    assert await journal.newest_at("another place") is None


async def test_concurrently_opened_tables_respect_the_host_limit(
    database: Database, other: Database
) -> None:
    """A host who opens twenty tables at once through two processes gets three."""
    for host in (ADA, BO):
        found = await asyncio.gather(
            *(
                process.journal.create(
                    new_lobby(f"{host.name}{number}", host), f"{host.id} {number}", (), check_host_limit
                )
                for number in range(20)
                for process in [(database, other)[number % 2]]
            ),
            return_exceptions=True,
        )
        assert found.count(None) == MOST
        assert len(await database.journal.hosted_matches(host.id)) == MOST


async def test_concurrent_lobby_handovers_respect_the_host_limit(
    database: Database, other: Database
) -> None:
    """A player gets at most three lobbies that are handed over at the same time by two processes."""
    lobbies = [new_lobby(f"m{n}", ADA, BO) for n in range(10)]
    for match in lobbies:
        assert await database.journal.create(match, match.id) is None
    found = await asyncio.gather(
        *(
            (database, other)[n % 2].journal.commit(
                new_change(match, players=(BO,), host_id=BO.id), check_host_limit
            )
            for n, match in enumerate(lobbies)
        ),
        return_exceptions=True,
    )
    assert [type(each) for each in found].count(FullError) == len(lobbies) - MOST
    assert found.count(True) == MOST
    assert len(await database.journal.hosted_matches(BO.id)) == MOST
    assert len(await database.journal.hosted_matches(ADA.id)) == len(lobbies) - MOST

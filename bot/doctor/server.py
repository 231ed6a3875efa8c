"""A server of PostgreSQL's and the database there; nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.database import running_finding, version_finding
from bot.doctor.finding import Finding, problem, well
from bot.storage import (
    AddressError,
    DatabaseError,
    Server,
    dump_program,
    last_alive,
    newest_version,
    visit,
)


def server_findings(server: Server, now: int) -> Iterator[Finding]:
    """Check that the bot could use a server's database, and what it would do to it."""
    try:
        found = visit(server)
        alive_at = last_alive(server)
    except (AddressError, DatabaseError) as error:
        yield problem(error.sentence)
        return
    yield well(f"PostgreSQL {found.server_version} lets Ribit in at {server}.")
    if not found.is_own:
        yield problem(
            f"The user of {server} cannot make tables there. Make that user the owner of the database."
        )
    if found.holding is None:
        yield well("Its tables are made at the start.")
    elif found.holding.version > newest_version():
        yield problem(
            f"The database was written by a newer Ribit (version {found.holding.version}; this one "
            f"knows up to {newest_version()}). Update Ribit first."
        )
    else:
        yield well(f"The database holds {found.holding}.")
        yield version_finding(found.holding.version)
        yield running_finding(alive_at, now)
    yield _dumping()


def _dumping() -> Finding:
    program = dump_program()
    if program is None:
        return well("pg_dump is not installed here: back the database up on another machine.")
    return well(f"Backups are made by {program}.")

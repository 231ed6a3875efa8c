"""A server of PostgreSQL's and the database there; nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.doctor import Finding, problem, well
from bot.doctor.database import quarantine_findings, running_finding, version_finding
from bot.engine.shards import Shards
from bot.requests.quarantine import NOTE
from bot.storage import Server
from bot.storage.backups import dump_program, dump_version
from bot.storage.hold import is_fresh, last_alive, noted_on
from bot.storage.migrate import newest_version
from bot.storage.server import Runner, runners_on, visit


def server_findings(server: Server, now: int, shards: Shards | None) -> Iterator[Finding]:
    """Check that the bot could use a server's database; raises DatabaseError at one that it could not.

    ``shards`` are those that the process would run, None for all.
    """
    found = visit(server)
    alive_at, flagged_at = last_alive(server), noted_on(server, NOTE)
    runners = {runner: is_fresh(last_alive(server, runner.shards), now) for runner in runners_on(server)}
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
        if runners or shards is not None:
            yield from shard_findings(runners, shards)
        else:
            yield running_finding(server, alive_at, now)
        yield from quarantine_findings(flagged_at)
    yield _dumping(found.server_version)


def shard_findings(runners: Mapping[Runner, bool], shards: Shards | None) -> Iterator[Finding]:
    """Say who runs which shards, and which nobody runs; ``shards`` are those of the process to start."""
    if not runners:
        yield well("No process is running on the database.")
        return
    for runner, is_connected in runners.items():
        state = "connected to Discord" if is_connected else "not connected to Discord"
        yield well(f"The shards {runner.shards} are run by {runner.who}, {state}.")
    run = [runner.shards for runner in runners]
    count, unfit = run[0].count, _unfit(run, shards)
    if unfit is not None:
        yield problem(unfit)
    missing = sorted(set(range(count)).difference(*(each.ids for each in run)))
    if missing:
        first = f"{missing[0]}/{count}"
        yield problem(f"Nobody runs {len(missing)} shards, from {first} on. Start a process that does.")
    else:
        yield well(f"All {count} shards are run.")


def _unfit(run: Sequence[Shards], shards: Shards | None) -> str | None:
    """Return in a sentence why a process cannot run shards beside others, or None."""
    count = run[0].count
    if shards is None:
        return (
            "Processes with RIBIT_SHARDS share the database, but here it is not set: give this process "
            "shards of its own."
        )
    if shards.count != count:
        return f"RIBIT_SHARDS is {shards}, but the others share {count} shards: give all the same count."
    taken = [each for each in run if each != shards and {*each.ids} & {*shards.ids}]
    if taken:
        return f"RIBIT_SHARDS is {shards}, but another process runs {taken[0]}: give each its own."
    return None


def _dumping(server_version: str) -> Finding:
    program = dump_program()
    if program is None:
        return well("pg_dump is not installed here: back the database up on another machine.")
    version = dump_version(program)
    if version is None:
        return problem(f"{program} does not run. Install it anew (Debian: postgresql-client).")
    newest = int(server_version.partition(".")[0])
    if int(version.partition(".")[0]) < newest:
        return problem(
            f"{program} is of PostgreSQL {version}, and cannot back up a server of {newest}. Install "
            f"postgresql-client-{newest}, or back the database up on another machine."
        )
    return well(f"Backups are made by {program} ({version}).")

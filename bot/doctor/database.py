"""Checks of the database, which is an SQLite file or is on a PostgreSQL server.

The checks change nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from bot.doctor import Finding, problem, well
from bot.matches.shards import Shards, missing_shards
from bot.requests.dm_quarantine import NOTE
from bot.storage.backups import DUMP_PROGRAM
from bot.storage.database_address import Server
from bot.storage.database_file import examine, is_private, require_access
from bot.storage.database_lock import convert_database_errors
from bot.storage.database_server import BotProcess, conflict_with, inspect
from bot.storage.file_probe import is_held, lock_file, open_read_only, real_path, side_files
from bot.storage.liveness import age_words, is_fresh, last_alive
from bot.storage.migrate import newest_version

LEAST_FREE_BYTES = 100 * 1024**2  # room for the log beside the file and for some months of matches
_MEGABYTE = 1024**2


def database_findings(path: Path, now: int) -> Iterator[Finding]:
    """Check whether a bot could use an SQLite database file, and yield the results.

    Args:
        path: The path of the file. The file need not exist yet.
        now: The Unix time.

    Raises:
        DatabaseError: A bot could not open the database.
    """
    with convert_database_errors(path):
        require_access(path, is_own=False)  # root may check for another user
    folder = real_path(path).parent
    yield well(f"The folder {folder} can be written.")
    yield _room(path, folder)
    if not path.exists() or not path.stat().st_size:
        yield well(f"There is no database {path} yet: it is made at the start.")
        return
    with open_read_only(path) as connection:
        holding = examine(connection, path)
        notes = dict(connection.execute("SELECT key, value FROM notes"))
    yield well(f"The database {path} is sound: {holding}.")
    yield _privacy(path)
    yield version_finding(holding.version)
    yield running_finding(is_held(path), last_alive(notes), now)
    yield from quarantine_findings(notes)


def _privacy(path: Path) -> Finding:
    files = [path, *side_files(path), lock_file(path), *path.parent.glob(f"{path.name}.before-*")]
    if names := " ".join(str(file) for file in files if file.exists() and not is_private(file)):
        return problem(f"Others than their owner may read or write {names}. Say: chmod 600 {names}")
    return well("Nobody but its owner can read or write the database.")


def _room(path: Path, folder: Path) -> Finding:
    """Check whether the disk has enough free space.

    A backup and a restore each need the database's size.
    """
    free = shutil.disk_usage(folder).free
    size = path.stat().st_size if path.exists() else 0
    needed = max(LEAST_FREE_BYTES, 2 * size)
    sentence = f"{free // _MEGABYTE} MB are free on the disk of {folder}"
    if free < needed:
        return problem(f"Only {sentence}; {needed // _MEGABYTE} MB should be. Make room.")
    return well(f"{sentence}.")


def version_finding(version: int) -> Finding:
    if version == newest_version():
        return well(f"The database is up to date (version {version}).")
    return well(
        f"The database is of version {version}; the start backs it up and brings it to version "
        f"{newest_version()}."
    )


def quarantine_findings(notes: Mapping[str, str]) -> Iterator[Finding]:
    if NOTE in notes:
        since = f"{datetime.fromtimestamp(int(notes[NOTE]), UTC):%Y-%m-%d %H:%M} UTC"
        yield problem(
            f"Discord has flagged the bot as a spammer: since {since} it can write to no new players. "
            "They have My hand; it tries again by itself. Appeal at https://dis.gd/contact."
        )


def running_finding(is_running: bool, alive_at: int | None, now: int) -> Finding:
    if not is_running:
        return well("No bot is running on the database.")
    connected = "not connected" if alive_at is None else f"connected {age_words(alive_at, now)}"
    return well(f"A bot is running on the database: it was {connected}.")


def server_findings(server: Server, now: int, shards: Shards | None) -> Iterator[Finding]:
    """Check whether a bot could use a PostgreSQL database, and yield the results.

    Args:
        server: The location of the database.
        now: The Unix time.
        shards: The shards of the bot's process, or None to report only on running processes.

    Raises:
        DatabaseError: A bot could not use the database.
    """
    report = inspect(server)
    holding, processes = report.holding, report.processes
    yield well(f"PostgreSQL {report.version} lets Ribit in at {server}.")
    if not report.is_own:
        yield problem(
            f"The user of {server} cannot make tables there. Make that user the owner of the database."
        )
    if holding is None:
        yield well("Its tables are made at the start.")
    else:
        yield well(f"The database holds {holding}.")
        yield version_finding(holding.version)
        alive = {each: last_alive(report.notes, each.shards) for each in processes}
        if shards is not None or any(each.shards is not None for each in processes):
            yield from shard_findings({each: is_fresh(at, now) for each, at in alive.items()})
            others = [each for each in processes if each.shards != shards]
            if shards is not None and (sentence := conflict_with(server, shards, others)) is not None:
                yield problem(sentence)
        else:
            yield running_finding(bool(processes), last_alive(report.notes), now)
        yield from quarantine_findings(report.notes)
    program = shutil.which(DUMP_PROGRAM)
    if program is None and holding is not None and holding.version < newest_version():
        yield problem(
            f"{DUMP_PROGRAM} is not installed here: the start cannot back the database up before the "
            "update. Install it, or make a backup in another way and use: ribit run --backed-up"
        )
    elif program is None:
        yield well(f"{DUMP_PROGRAM} is not installed here: back the database up on another machine.")
    else:
        yield well(f"Backups are made by {program}.")


def shard_findings(processes: Mapping[BotProcess, bool]) -> Iterator[Finding]:
    if not processes:
        yield well("No process is running on the database.")
    for process, is_online in processes.items():
        what = "All shards" if process.shards is None else f"The shards {process.shards}"
        state = "connected to Discord" if is_online else "not connected to Discord"
        yield well(f"{what} are run by {process.who}, {state}.")
    run = [process.shards for process in processes if process.shards is not None]
    if not run:
        return
    count, missing = run[0].count, missing_shards(run)
    if missing:
        first = f"{missing[0]}/{count}"
        yield problem(f"Nobody runs {len(missing)} shards, from {first} on. Start a process that does.")
    else:
        yield well(f"All {count} shards are run.")

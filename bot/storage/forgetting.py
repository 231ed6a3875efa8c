"""Deletion of a person's data. Ribit calls this *forgetting* the person.

Data that belongs only to the person is deleted. In data shared with other players, such as matches, a
random placeholder replaces the person's ID. The other players' wins and statistics do not change.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.engine.name_sanitizing import is_forgotten, new_placeholder, placeholder_in
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.storage.anonymous_counts import hash_keyed, keep_counting, try_of
from bot.storage.database_address import Location, RefusedDatabaseError
from bot.storage.database_file import make_private
from bot.storage.database_lock import open_stopped
from bot.storage.file_probe import real_path
from bot.storage.named_queries import Sql

CARRIED_OUT = "forgettings"
"""Key of the note with the number of forgotten-list entries that this database has processed."""


async def own_data(
    sql: Sql, player_id: int, prefix: str = "own_data_"
) -> dict[str, list[dict[str, Any]]]:
    """Return stored rows about a person. Data of other people in the same matches is not included.

    Args:
        sql: The named SQL statements.
        player_id: The person's Discord ID.
        prefix: The beginning of the names of the statements that select the rows.

    Returns:
        The rows, by the name of the statement that selected them, without the prefix.
    """
    statements = sql.beginning(prefix)
    return {
        of: [dict(row) async for row in statement(player_id=player_id)]
        for of, statement in statements.items()
    }


async def forget_person(
    sql: Sql, player_id: int, other: int, listed: ForgottenList | None = None
) -> None:
    """Delete a person's own data, and replace the person's ID with placeholders in shared data.

    Each server gets a different placeholder, so that the person's rows in different servers cannot be
    linked. The function may be called again to cover data that was stored since the first call. If it is
    called with a placeholder ID (see ``is_forgotten``), it deletes data that was kept because a match
    had not ended.

    First, the versions of the person's unfinished matches are incremented. A concurrent change of such a
    match then fails and is retried with the new version. If the seats were changed first, two
    transactions could lock a match and its seats in different orders, which would deadlock on
    PostgreSQL.

    Args:
        sql: The named SQL statements, in a transaction.
        player_id: The person's Discord ID, which is replaced.
        other: The placeholder from which each server's placeholder is derived.
        listed: The list of forgotten people, or None to use no list. If the database contains data of
            the person, the ID is added to the list.

    Raises:
        ForgottenListError: The list cannot be used.
    """
    is_over = is_forgotten(player_id)
    if not is_over:
        if listed is not None and await sql.next_person(player_id=player_id - 1) == player_id:
            count = listed.append(player_id, await _finish_forgetting(sql))
            await sql.put_note(key=CARRIED_OUT, value=str(count))
        await sql.opens(player_id=player_id)  # a concurrent call for this player waits here
        await _touch(sql, player_id)
        await _leave_rosters(sql, player_id)
        await _keep_tries(sql, player_id)
    for place in await _places(sql, player_id):
        there = player_id if is_over else placeholder_in(other, place)
        for forget in sql.beginning("forget_player_").values():
            await forget(player_id=player_id, other=there, guild_id=place)


async def _places(sql: Sql, player_id: int) -> list[int]:
    rows = [row for group in (await own_data(sql, player_id)).values() for row in group]
    rows += [dict(row) async for row in sql.hosted_in(player_id=player_id)]
    return sorted({0} | {row.get("guild_id") or 0 for row in rows})


async def forget_by_id(location: Location, player_id: int, *, is_applied: bool) -> tuple[int, list[str]]:
    """Delete a person's data from a database that no bot is using. See ``forget_person``.

    When the bot next starts, it forfeits the person's unfinished matches. If an error occurs, the
    database does not change.

    Args:
        location: The location of the database.
        player_id: The person's Discord ID.
        is_applied: True to commit the changes. Otherwise this is a dry run.

    Returns:
        The number of the person's matches, and the person's names.

    Raises:
        OldDatabaseError: The database has an older schema.
        DatabaseInUseError: A bot is using the database.
        DatabaseError: The database cannot be used.
    """
    async with open_stopped(location) as end:
        listed = ForgottenList(location) if is_applied and isinstance(location, Path) else None
        if listed is not None:
            await forget_again(end.sql, listed)
        data = await own_data(end.sql, player_id)
        await forget_person(end.sql, player_id, new_placeholder(), listed)
        await end.execute("COMMIT" if is_applied else "ROLLBACK")
    names = [row["name"] for row in (*data["names"], *data["player"])]
    names += [row["user_name"] for row in data["player"]]
    return len(data["matches"]), sorted({name for name in names if name})


async def _touch(sql: Sql, player_id: int) -> None:
    sits = {row["id"] async for row in sql.live_seats_of(player_id=player_id)}
    hosts = {row["id"] async for row in sql.hosted(host_id=player_id)}
    for match_id in sorted(sits | hosts):
        await sql.touch(match_id=match_id)


async def _leave_rosters(sql: Sql, player_id: int) -> None:
    rows = sql.rosters_with(pattern=f"%{player_id}%")
    for row in sorted([(row["id"], row["roster"]) async for row in rows]):
        roster = {
            what: [user_id for user_id in ids if user_id != player_id]
            for what, ids in json.loads(row[1]).items()
        }
        left = json.dumps({what: ids for what, ids in roster.items() if ids})
        await sql.set_roster(match_id=row[0], roster=left)
        await sql.touch(match_id=row[0])


async def _keep_tries(sql: Sql, player_id: int) -> None:
    """Convert a person's recent attempts to anonymous counters.

    If the same account plays again, its earlier attempts still count.
    """
    late = [statement(host_id=player_id) for statement in sql.beginning("late_tries").values()]
    for row in [row for found in late for row in [each async for each in found]]:
        tried = try_of(player_id, row["game"], row["deal"])
        await keep_counting(sql, row["opened_at"] // DAY_SECONDS, tried)


class ForgottenListError(RefusedDatabaseError):
    """Raised when the file with the list of forgotten people cannot be read or written."""


class ForgottenList:
    """The list of people who asked for deletion of their data, in a file beside the database.

    An older backup may still contain these people. With this list, Ribit can delete their data again
    after ``ribit restore``. The first line of the file is a key. Each following line is a keyed hash of
    a player's ID. All lines have the same length, so that Ribit can add a line after reading only the
    key.
    """

    def __init__(self, database: Path) -> None:
        self._file = real_path(database).with_name(f"{real_path(database).name}.forgotten")

    def read(self) -> list[str]:
        """Return the file's lines (the key and the hashes), or an empty list if there is no file.

        Raises:
            ForgottenListError: The file cannot be read.
        """
        with self._usable():
            return self._file.read_text("ascii", "replace").splitlines() if self._file.exists() else []

    def append(self, player_id: int, listed: int) -> int:
        """Add a player to the list of forgotten people. Callers then delete the player's data.

        Args:
            player_id: The player.
            listed: The number of entries already applied to the database. If the file was lost, the new
                list starts with this number of empty entries.

        Returns:
            The new number of entries in the list.

        Raises:
            ForgottenListError: The list cannot be written.
        """
        with self._usable():
            make_private(self._file)
            with self._file.open("r+", encoding="ascii", newline="\n") as lines:
                key = lines.readline().strip()
                lines.seek(0, os.SEEK_END)
                if not key:
                    key = secrets.token_hex()
                    lines.write("\n".join((key, *["0" * len(key)] * listed)))
                lines.write(f"\n{hash_keyed(key, str(player_id))}")
                lines.flush()
                os.fsync(lines.fileno())
                # A list that replaced a lost one may have shorter, empty lines.
                return max(listed + 1, lines.tell() // (len(key) + 1))

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ForgottenListError(
                f"The list of forgotten people {self._file} cannot be read or written: "
                f"{error.strerror}. Make room, or put the list that you copied with your "
                "latest backup in its place."
            ) from error


async def forget_again(sql: Sql, listed: ForgottenList) -> int:
    """After a restore, delete the data of all people on the list of forgotten people.

    Return the number of people whose data the database still contained.

    Raises:
        ForgottenListError: The list cannot be read.
    """
    lines, finished_count, player_ids, player_id = (
        listed.read(),
        await _finish_forgetting(sql),
        list[int](),
        0,
    )
    gone = {
        *lines[1 + (finished_count if finished_count < len(lines) else 0) :]
    }  # all entries if the list was recreated
    while gone and (player_id := await sql.next_person(player_id=player_id)) is not None:
        if hash_keyed(lines[0], str(player_id)) in gone:
            player_ids.append(player_id)
    for player_id in player_ids:
        await forget_person(sql, player_id, new_placeholder())
    if gone:
        await sql.put_note(key=CARRIED_OUT, value=str(len(lines) - 1))
    return len(player_ids)


async def _finish_forgetting(sql: Sql) -> int:
    noted = await sql.note(key=CARRIED_OUT)
    return int(noted["value"]) if noted else 0

"""Forgetting a person: an id that nobody can reverse takes the place of theirs wherever others are met.

What others have played, won and are counted by stays as it was. What is the person's alone goes.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.engine.errors import RibitError
from bot.engine.name_sanitizing import is_forgotten, new_placeholder, placeholder_in
from bot.matches.leaderboard import DAY_SECONDS
from bot.matches.match import Stage
from bot.storage.daily_deals import hashed, keep_counting, try_of, win_key
from bot.storage.database_address import Location, RefusedDatabaseError
from bot.storage.database_file import make_private
from bot.storage.database_lock import stopped
from bot.storage.file_probe import real_path
from bot.storage.leaderboard_totals import wins_over
from bot.storage.match_reader import matches_in
from bot.storage.sql import Sql

CARRIED_OUT = "forgettings"
"""The key of the note of how many of the list a database has carried out."""


async def own_data(sql: Sql, player_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return all that is kept of a person, but for what is in rows of others, too."""
    found = sql.beginning("own_data_")
    return {
        of: [dict(row) async for row in statement(player_id=player_id)]
        for of, statement in found.items()
    }


async def forget_person(
    sql: Sql, player_id: int, other: int, listed: ForgottenList | None = None
) -> None:
    """Put ids made of another in the place of a person's.

    In each server it is an id of its own, so that nobody is followed from one to the next. ``listed``
    gets the ID, if the database has it. A second time it is for what was stored meanwhile, and does no
    harm; with an id that ``is_forgotten`` it is for what a live match has needed. A live match changes
    by it, as by a move: of two who change it at once one is told to read it again. It is touched first,
    since a server would keep two waiting for each other who lock a match and its seats in another order.
    """
    is_over = is_forgotten(player_id)
    touched = frozenset[str]()
    if not is_over:
        if listed is not None and await sql.next_person(player_id=player_id - 1) == player_id:
            count = listed.append(player_id, await _carried_out(sql))
            await sql.put_note(key=CARRIED_OUT, value=str(count))
        await sql.opens(player_id=player_id)  # who does the same at once waits here
        touched = await _touch(sql, player_id, touched)
        await _leave_rosters(sql, player_id)
        await _keep_counted(sql, player_id, other, touched)
    for place in await _places(sql, player_id):
        there = player_id if is_over else placeholder_in(other, place)
        for forget in sql.beginning("forget_player_").values():
            await forget(player_id=player_id, other=there, guild_id=place)
        if not is_over:
            await _touch(sql, there, touched)  # those that the person joined in this moment


async def _places(sql: Sql, player_id: int) -> list[int]:
    rows = [row for found in (await own_data(sql, player_id)).values() for row in found]
    rows += [dict(row) async for row in sql.hosted_in(player_id=player_id)]
    return sorted({0} | {row.get("guild_id") or 0 for row in rows})


class ForgetError(RibitError):
    """Nobody can be forgotten in a database; the sentence says why."""


async def forget_by_id(location: Location, player_id: int, *, is_applied: bool) -> tuple[int, list[str]]:
    """Forget a person, if that is to be ``applied``; returns their number of matches, and their names.

    The next start gives up the seats that they have at live tables. Raises ForgetError, HeldError or
    DatabaseError; nothing has changed then.
    """
    async with stopped(location, "forget anybody in", ForgetError) as end:
        listed = ForgottenList(location) if is_applied and isinstance(location, Path) else None
        if listed is not None:
            await forget_again(end.sql, listed)
        known = await own_data(end.sql, player_id)
        await forget_person(end.sql, player_id, new_placeholder(), listed)
        await end.execute("COMMIT" if is_applied else "ROLLBACK")
    names = [row["name"] for row in (*known["names"], *known["player"])]
    names += [row["user_name"] for row in known["player"]]
    return len(known["matches"]), sorted({name for name in names if name})


async def _touch(sql: Sql, player_id: int, touched: frozenset[str]) -> frozenset[str]:
    sits = {row["id"] async for row in sql.live_seats_of(player_id=player_id)}
    hosts = {row["id"] async for row in sql.hosted(host_id=player_id)}
    for match_id in sorted((sits | hosts) - touched):
        await sql.touch(match_id=match_id)
    return frozenset(sits | hosts)


async def _leave_rosters(sql: Sql, player_id: int) -> None:
    found = sql.rosters_with(pattern=f"%{player_id}%")
    for row in sorted([(row["id"], row["roster"]) async for row in found]):
        roster = {
            what: [each for each in ids if each != player_id] for what, ids in json.loads(row[1]).items()
        }
        left = json.dumps({what: ids for what, ids in roster.items() if ids})
        await sql.set_roster(match_id=row[0], roster=left)
        await sql.touch(match_id=row[0])


async def _keep_counted(sql: Sql, player_id: int, other: int, live: Iterable[str]) -> None:
    """Have the tries and the wins of the last days count on: with the same account they are not new.

    The others' wins at a live match are counted now, and so are those over the player before: at its end
    the player has another ID there.
    """
    for row in [row async for row in sql.late_tries(host_id=player_id)]:
        tried = try_of(player_id, row["game"], row["deal"])
        await keep_counting(sql, row["opened_at"] // DAY_SECONDS, tried)
    for match_id in sorted(live):
        [match] = await matches_in(sql.match_by_id(id=match_id))
        day, seated = (match.opened_at or 0) // DAY_SECONDS, [player.id for player in match.people]
        if match.stage is not Stage.PLAYING or player_id not in seated:
            continue
        there = placeholder_in(other, match.guild_id or 0)
        for rival in sorted({*seated} - {player_id}):
            wins = await wins_over(sql, rival, [player_id], day)
            await sql.add_win_over(winner_id=rival, loser_id=there, day=day, wins=wins[player_id])
            await keep_counting(sql, day, win_key(rival, player_id, day))
    for row in [row async for row in sql.take_wins_over(player_id=player_id)]:
        key_of_win = win_key(row["winner_id"], row["loser_id"], row["day"])
        await keep_counting(sql, row["day"], key_of_win, row["wins"])


MOST_LIST_BYTES = 100 * 1024**2
"""The list of a million and a half people; a larger file is something else."""


class ForgottenListError(RefusedDatabaseError):
    """The list of forgotten people cannot be read or written; the sentence is for the host."""


class ForgottenList:
    """The file beside a database that lists who was forgotten: a key, then a keyed hash of each ID.

    A backup has those who were forgotten later, so they are forgotten again after a ``restore``. All
    lines are of one length, so that nothing but the key is read before a line is added.
    """

    def __init__(self, database: Path) -> None:
        self._file = real_path(database).with_name(f"{real_path(database).name}.forgotten")

    def read(self) -> list[str]:
        """Return the lines of the file, none if there is no file; raises ForgottenListError."""
        with self._usable():
            return self._file.read_text("ascii", "replace").splitlines() if self._file.exists() else []

    def append(self, player_id: int, listed: int) -> int:
        """List a player before the database forgets them.

        Args:
            player_id: The player.
            listed: How many players the list had. A lost list begins as long as it had been.

        Returns:
            How many players the list has.

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
                lines.write(f"\n{hashed(key, str(player_id))}")
                lines.flush()
                os.fsync(lines.fileno())
                return max(listed + 1, lines.tell() // (len(key) + 1))  # a lost list had empty lines

    @contextmanager
    def _usable(self) -> Iterator[None]:
        fault = ""
        if os.path.lexists(self._file):
            if not self._file.is_file():  # reading a device would never end
                fault = "is not a file"
            elif self._file.stat().st_size > MOST_LIST_BYTES:
                fault = "is too large"
        try:
            if not fault:
                yield
                return
        except OSError as error:
            fault = f"cannot be read or written: {error.strerror}"
        raise ForgottenListError(
            f"The list of forgotten people {self._file} {fault}. Make room, or put the list that you "
            "copied with your latest backup in its place."
        )


async def forget_again(sql: Sql, listed: ForgottenList) -> int:
    """Forget who is in a database and was forgotten after it was copied; returns how many they are."""
    lines, done, found, player_id = listed.read(), await _carried_out(sql), list[int](), 0
    gone = {*lines[1 + (done if done < len(lines) else 0) :]}  # all of one begun anew
    while gone and (player_id := await sql.next_person(player_id=player_id)) is not None:
        if hashed(lines[0], str(player_id)) in gone:
            found.append(player_id)
    for player_id in found:
        await forget_person(sql, player_id, new_placeholder())
    if gone:
        await sql.put_note(key=CARRIED_OUT, value=str(len(lines) - 1))
    return len(found)


async def _carried_out(sql: Sql) -> int:
    noted = await sql.note(key=CARRIED_OUT)
    return int(noted["value"]) if noted else 0

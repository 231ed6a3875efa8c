"""Forgetting a person: an id that nobody can reverse takes the place of theirs wherever others are met.

What others have played, won and are counted by stays as it was. What is the person's alone goes.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from bot.engine.forgotten import is_forgotten, new_placeholder, placeholder_in
from bot.engine.leaderboard import DAY_SECONDS, MOST_MEETINGS, Uncounted, company
from bot.engine.match import Stage
from bot.storage.days import hashed, keep_counting, met, try_of
from bot.storage.file import make_private, real_path
from bot.storage.match_reader import matches_in
from bot.storage.sql import Sql
from bot.storage.tallying import meetings

CARRIED_OUT = "forgettings"
"""The key of the note of how many of the list a database has carried out."""


async def forget_person(sql: Sql, player_id: int, other: int, listed: Path | None = None) -> int:
    """Put ids made of another in the place of a person's; returns at how many matches they had sat.

    In each server it is an id of its own, so that nobody is followed from one to the next. ``listed``
    is the list of who was forgotten. A second time it is for what was stored meanwhile, and does no
    harm. A live match changes by it, as by a move: of two who change it at once one is told to read it
    again. It is touched first, since a server would keep two waiting for each other who lock a match
    and its seats in another order.
    """
    if is_forgotten(player_id):  # their seat was given up by now
        await _forget_messages(sql, player_id)
        await _forget_proofs(sql, player_id)
        return 0
    if listed is not None:
        await note_down(sql, listed, player_id)
    await sql.opens(player_id=player_id)  # who does the same at once waits here
    touched = await _touch(sql, player_id, frozenset())
    await _leave_rosters(sql, player_id)
    await _forget_messages(sql, player_id)
    await _keep_counted(sql, player_id, touched)
    seats = 0
    for place in [row["guild_id"] async for row in sql.places_of(player_id=player_id)]:
        there = placeholder_in(other, place)
        seats += await _forget_in(sql, player_id, there, place)
        await _touch(sql, there, touched)  # those that the person joined in this moment
        await _forget_messages(sql, there)
        await _forget_proofs(sql, there)
    await sql.unlearn(player_id=player_id)
    await sql.leave_boards(player_id=player_id)
    await sql.unsolve(player_id=player_id)
    await sql.drop_player(player_id=player_id)
    return seats


async def forget_again(sql: Sql, listed: Path) -> int:
    """Forget whom an older copy of the database has brought back; returns how many they were."""
    again = await back_again(sql, listed)
    for player_id in again:
        await forget_person(sql, player_id, new_placeholder())
    return len(again)


async def _touch(sql: Sql, player_id: int, touched: frozenset[str]) -> frozenset[str]:
    """Have the live matches of a player read anew by all; returns their ids."""
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


async def _forget_messages(sql: Sql, player_id: int) -> None:
    await sql.drop_hands(player_id=player_id)
    await sql.drop_own_posts(player_id=player_id)
    await sql.leave_dm(player_id=player_id)


async def _forget_proofs(sql: Sql, other: int) -> None:
    """Forget what a deal is verified by, and its player found, where nobody else sat at it."""
    await sql.drop_own_interactions(other=other)
    await sql.drop_own_secrets(other=other)


async def _forget_in(sql: Sql, player_id: int, other: int, guild_id: int) -> int:
    """Put another id in the place of a player's in a server, or in none: 0; others' ranks stay."""
    whose = {"player_id": player_id, "other": other, "guild_id": guild_id}
    places = {"own_place": f" player {player_id}", "other_place": f" player {other}"}
    seats = await sql.reseat(**whose)
    await sql.rehost_live(**whose, **places)
    await sql.rehost_ended(**whose, **places)
    found = sql.counted_in(player_id=player_id, guild_id=guild_id)
    for game in [row["game"] async for row in found]:
        await sql.refigure(**whose, game=game)
        await sql.repar(**whose, game=game)
    await sql.reresult(**whose)
    await sql.retotal(**whose)
    await sql.refrog(**whose)
    await sql.redate(**whose)
    await sql.rename_nobody(**whose)
    off = {"subject": str(player_id), "other": str(other), "guild_id": guild_id}
    await sql.keep_off(**off)
    await sql.removed_by(**whose)
    await sql.put_back_by(**whose)
    return int(seats)


async def _keep_counted(sql: Sql, player_id: int, live: Iterable[str]) -> None:
    """Have the tries and the meetings of the last days count on: with the same account they are not new.

    A live match is a meeting now: at its end the company has another id in it.
    """
    for row in [row async for row in sql.late_tries(host_id=player_id)]:
        tried = try_of(player_id, row["game"], row["deal"])
        await keep_counting(sql, row["opened_at"] // DAY_SECONDS, tried)
    for match_id in sorted(live):
        [match] = await matches_in(sql.match_by_id(id=match_id))
        day, people = (match.opened_at or 0) // DAY_SECONDS, company(match)
        if not people or match.stage is not Stage.PLAYING:
            continue
        if await meetings(sql, people, day) >= MOST_MEETINGS:
            await sql.set_uncounted(match_id=match_id, why=Uncounted.OFTEN.value)
        else:
            await keep_counting(sql, day, met(people, day))
    for row in [row async for row in sql.meetings_with(pattern=f"%{player_id}%")]:
        people, day = row["people"], row["day"]
        if str(player_id) in people.split():
            await keep_counting(sql, day, met(people, day), row["matches"])
            await sql.drop_meeting(people=people, day=day)


def list_beside(database: Path) -> Path:
    """Return the list of who was forgotten in a file: a key, and a hash for each."""
    return real_path(database).with_name(f"{real_path(database).name}.forgotten")


async def note_down(sql: Sql, file: Path, player_id: int) -> None:
    """Append somebody to the list, before they are forgotten in the database.

    A list that was lost is begun with as many empty lines as it had had: copies go by their number.
    """
    make_private(file)
    known, noted = _lines(file), await sql.note(key=CARRIED_OUT)
    before = [] if known else [secrets.token_hex(), *[""] * int(noted["value"] if noted else 0)]
    key = (known or before)[0]
    with file.open("a", encoding="ascii") as lines:
        lines.write("\n".join(before) + f"\n{hashed(key, str(player_id))}")
        lines.flush()
        os.fsync(lines.fileno())
    await sql.put_note(key=CARRIED_OUT, value=str(len(known or before)))


async def back_again(sql: Sql, file: Path) -> list[int]:
    """Return who is in a database and was forgotten after it was copied; it is noted as carried out."""
    noted, lines, found, player_id = await sql.note(key=CARRIED_OUT), _lines(file), list[int](), 0
    carried_out = int(noted["value"]) if noted else 0
    gone = {*lines[1 + (carried_out if carried_out < len(lines) else 0) :]}  # all of one begun anew
    while gone and (player_id := await sql.next_person(player_id=player_id)) is not None:
        if hashed(lines[0], str(player_id)) in gone:
            found.append(player_id)
    if gone:
        await sql.put_note(key=CARRIED_OUT, value=str(len(lines) - 1))
    return found


def _lines(file: Path) -> list[str]:
    return file.read_text("ascii", "replace").splitlines() if file.exists() else []

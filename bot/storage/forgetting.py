"""Forgetting a person: an id that nobody can reverse takes the place of theirs wherever others are met.

What others have played, won and are counted by stays as it was. What is the person's alone goes.
"""

from __future__ import annotations

import json

from bot.storage.sql import Queries
from bot.storage.writer import Session


async def forget_person(sql: Queries, connection: Session, player_id: int, other: int) -> int:
    """Put another id in the place of a person's; returns at how many matches they had sat.

    A second time it is for what was stored meanwhile, and does no harm. A live match changes by it, as
    by a move: of two who change it at once one is told to read it again. It is touched first, since a
    server would keep two waiting for each other who lock a match and its seats in another order.
    """
    await sql.opens(connection, player_id=player_id)  # who does the same at once waits here
    touched = await _touch(sql, connection, player_id, frozenset())
    await _leave_rosters(sql, connection, player_id)
    await _forget_messages(sql, connection, player_id)
    whose = {"player_id": player_id, "other": other}
    seats = await sql.reseat(connection, **whose)
    places = {"own_place": f" player {player_id}", "other_place": f" player {other}"}
    await sql.rehost_live(connection, **whose, **places)
    await sql.rehost_ended(connection, **whose, **places)
    await _touch(sql, connection, other, touched)  # those that the person joined in this moment
    await _forget_messages(sql, connection, other)
    await _recount_under(sql, connection, player_id, other)
    await _forget_meetings(sql, connection, player_id, other)
    await sql.remove_as(connection, subject=str(player_id), other=str(other))
    await sql.removed_by(connection, **whose)
    await sql.put_back_by(connection, **whose)
    await sql.unlearn(connection, player_id=player_id)
    await sql.leave_boards(connection, player_id=player_id)
    await sql.unsolve(connection, player_id=player_id)
    await sql.drop_player(connection, player_id=player_id)
    return int(seats)


async def _touch(
    sql: Queries, connection: Session, player_id: int, touched: frozenset[str]
) -> frozenset[str]:
    """Have the live matches of a player read anew by all; returns their ids."""
    sits = {row["id"] async for row in sql.live_seats_of(connection, player_id=player_id)}
    hosts = {row["id"] async for row in sql.hosted(connection, host_id=player_id)}
    for match_id in sorted((sits | hosts) - touched):
        await sql.touch(connection, match_id=match_id)
    return frozenset(sits | hosts)


async def _leave_rosters(sql: Queries, connection: Session, player_id: int) -> None:
    """Take an id off the lists of who may do what at live tables."""
    found = sql.rosters_with(connection, pattern=f"%{player_id}%")
    for row in sorted([(row["id"], row["roster"]) async for row in found]):
        roster = {
            what: [each for each in ids if each != player_id] for what, ids in json.loads(row[1]).items()
        }
        left = json.dumps({what: ids for what, ids in roster.items() if ids})
        await sql.set_roster(connection, match_id=row[0], roster=left)
        await sql.touch(connection, match_id=row[0])


async def _forget_messages(sql: Queries, connection: Session, player_id: int) -> None:
    """Forget the messages in a player's DMs, and that it was there."""
    await sql.drop_hands(connection, player_id=player_id)
    await sql.drop_own_posts(connection, player_id=player_id)
    await sql.leave_dm(connection, player_id=player_id)


async def _recount_under(sql: Queries, connection: Session, player_id: int, other: int) -> None:
    """Put another id in the place of a player's on leaderboards, so that the others' ranks stay."""
    whose = {"player_id": player_id, "other": other}
    boards = [dict(row) async for row in sql.counted_in(connection, player_id=player_id)]
    for board in boards:
        await sql.refigure(connection, **board, **whose)
        await sql.repar(connection, **board, **whose)
    await sql.reresult(connection, **whose)
    await sql.retotal(connection, **whose)
    await sql.refrog(connection, **whose)
    await sql.redate(connection, **whose)
    await sql.rename_nobody(connection, **whose)


async def _forget_meetings(sql: Queries, connection: Session, player_id: int, other: int) -> None:
    """Put another id in the place of a player's where it is counted how often the same people met."""
    found = [row async for row in sql.meetings_with(connection, pattern=f"%{player_id}%")]
    for row in found:
        people = [other if int(each) == player_id else int(each) for each in row["people"].split()]
        if other in people:
            met = " ".join(map(str, sorted(people)))
            await sql.drop_meeting(connection, people=row["people"], day=row["day"])
            await sql.put_meeting(connection, people=met, day=row["day"], matches=row["matches"])

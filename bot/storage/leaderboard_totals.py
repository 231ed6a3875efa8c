"""Leaderboard totals. They are updated when a match ends.

The rules that decide which matches count are in ``matches.leaderboard``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from bot.matches.leaderboard_rules import (
    BEYOND,
    DAY_SECONDS,
    EVERYWHERE,
    FIXED_AT_END,
    HELPED,
    Counted,
    LeaderboardRow,
    Removal,
    RemovalTarget,
    Uncounted,
    beaten_players,
    contribution,
    day_places,
    is_tried,
    is_with_help,
    is_within_limits,
    own_deal,
    places,
    uncounted_reason,
)
from bot.matches.match import Match, Player, Result
from bot.matches.match_type import HINTS
from bot.storage.anonymous_counts import kept_count, try_of
from bot.storage.daily_deals import day_at
from bot.storage.named_queries import Record, Sql

ANYBODY = 0
"""Special loser ID for the number of all of a player's wins on a day."""


async def tally(
    sql: Sql, match: Match, results: Sequence[Result], at: int, *, is_recount: bool = False
) -> None:
    """Add a finished match's results to the totals of its players on all leaderboards.

    Args:
        sql: The named SQL statements, on a connection.
        match: The match.
        results: The results of the match's seats.
        at: The Unix time at which the match ended.
        is_recount: True if the match was already counted when it ended. If its win did not count then,
            because of the daily limit or because of help, it does not count now.
    """
    day, beaten = at // DAY_SECONDS, beaten_players(match, results)
    foreseen = await sql.uncounted_of(match_id=match.id)
    why = uncounted_reason(match, results, is_tried=await _is_tried(sql, match))
    if why is None or (is_recount and why in FIXED_AT_END):
        why = Uncounted(foreseen) if foreseen else None
    if why is None and beaten and not is_recount:
        if any([await is_counted_win(sql, winner, others, day) for winner, others in beaten.items()]):
            for winner, others in beaten.items():
                for loser in (ANYBODY, *sorted(others)):
                    await sql.add_win_over(winner_id=winner, loser_id=loser, day=day, wins=1)
        else:
            why = Uncounted.OFTEN
    if why is not None:
        await sql.set_uncounted(match_id=match.id, why=why.value)
    for result in results:
        await add_result(sql, match, result, why, at)


async def stored_results(sql: Sql, match_id: str) -> tuple[Result, ...]:
    """Return a match's results from the database, as computed when the match ended."""
    figures = [row async for row in sql.figures_of_match(match_id=match_id)]
    return tuple(
        [
            Result(
                row["seat"],
                bool(row["won"]),
                {figure["key"]: figure["value"] for figure in figures if figure["seat"] == row["seat"]},
                bool(row["played"]),
                bool(row["handed_over"]),
            )
            async for row in sql.results_of_match(match_id=match_id)
        ]
    )


async def shown_names(sql: Sql, guild_id: int, rows: Iterable[LeaderboardRow]) -> list[LeaderboardRow]:
    """Return a leaderboard's rows. If a moderator has removed a player's name, the name is empty.

    Args:
        sql: The named SQL statements, on a connection.
        guild_id: The server of the leaderboard.
        rows: The rows.
    """
    off = {row["subject"] async for row in sql.names_off(guild_id=guild_id)}
    return [replace(row, name="", user_name="") if str(row.player_id) in off else row for row in rows]


async def shown_players(sql: Sql, guild_id: int, rows: Iterable[Record]) -> dict[int, Player]:
    """Return the players of some rows, by ID, with the names that a server's leaderboards may show.

    Args:
        sql: The named SQL statements, on a connection.
        guild_id: The server of the leaderboards.
        rows: Rows with the columns ``player_id``, ``name`` and ``user_name``.
    """
    leaderboard_rows = {
        row["player_id"]: LeaderboardRow(
            0, row["player_id"], row["name"], 0, 0, {}, {}, row["user_name"] or ""
        )
        for row in rows
    }
    return {
        leaderboard_row.player_id: leaderboard_row.player
        for leaderboard_row in await shown_names(sql, guild_id, leaderboard_rows.values())
    }


async def add_result(
    sql: Sql, match: Match, result: Result, why: Uncounted | None, at: int, *, only: int | None = None
) -> None:
    """Add one player's result in a match to the totals of all leaderboards, or of only one server.

    Args:
        sql: The named SQL statements, in a transaction.
        match: The match.
        result: The result of the seat.
        why: The reason that the match does not count everywhere, or None.
        at: The Unix time at which the match ended.
        only: The server whose totals change, or None for all.
    """
    player, count = match.players[result.seat], contribution(match.players, result, why)
    if count is None:
        return
    rows = sql.removals_of(match_id=match.id, player_id=str(player.id))
    removals = [
        Removal(row["guild_id"], RemovalTarget(row["kind"]), row["subject"]) async for row in rows
    ]
    boards = places(match, player, why, removals)
    wanted = [place for place in boards if only in (None, place)]
    await _add_to(sql, match, wanted, player, count)
    if match.day and (count.won or why is Uncounted.HELPED) and EVERYWHERE in boards:
        chosen = [row["guild_id"] async for row in sql.boards_of_player(player_id=player.id)]
        days = day_places(match, player, boards, chosen, removals)
        if only not in (None, match.guild_id):
            days = day_places(match, player, boards, [only], removals) & {only}
        await _add_day(sql, match, player, result, at, days)


async def is_counted_win(sql: Sql, winner: int, beaten: Iterable[int], day: int) -> bool:
    """Return whether another win on a day would be within the daily limits of the global leaderboard.

    Args:
        sql: The named SQL statements, on a connection.
        winner: The ID of the winner.
        beaten: The IDs of the losers.
        day: The day of the win, counted from 1970-01-01.
    """
    found = {row["loser_id"]: row["wins"] async for row in sql.wins_over(winner_id=winner, day=day)}
    return is_within_limits(found.get(ANYBODY, 0), [found.get(loser, 0) for loser in beaten])


async def _is_tried(sql: Sql, match: Match) -> bool:
    deal = own_deal(match)
    tries = sql.tries_of(host_id=match.host_id, game=match.game, deal=deal)
    if is_tried(match, [(row["opened_at"], row["id"]) async for row in tries]):
        return True
    return await kept_count(sql, try_of(match.host_id, match.game, deal)) > 0


async def _add_to(sql: Sql, match: Match, boards: Sequence[int], player: Player, count: Counted) -> None:
    won = int(count.won)
    for guild_id in boards:
        whose = {"guild_id": guild_id, "player_id": player.id, "game": match.game}
        await sql.put_name(**whose, name=player.name)
        if player.hints:
            await sql.add_to_figure(**whose, key=HINTS, value=player.hints)
        if count.against is not None:
            await sql.add_frog_total(**whose, strength=count.against.value, won=won)
            continue
        await sql.add_total(**whose, won=won)
        for key, value in count.figures.items():
            await sql.add_to_figure(**whose, key=key, value=value)
        if match.par and won and not count.figures.get(HELPED, 0):
            difference = count.figures.get("moves", 0) - match.par
            await sql.add_par(**whose, difference=difference)


async def _add_day(
    sql: Sql, match: Match, player: Player, result: Result, at: int, boards: Collection[int]
) -> None:
    for guild_id in boards:
        await sql.add_day_win(
            guild_id=guild_id,
            game=match.game,
            day=match.day,
            late=int(day_at(at) > match.day),
            helped=BEYOND if is_with_help(result) else 0,
            moves=result.figures.get("moves", 0),
            match_id=match.id,
            player_id=player.id,
            name=player.name,
            undos=result.figures.get("undos", 0),
            seconds=at - (match.opened_at or at),
            ended_at=at,
        )

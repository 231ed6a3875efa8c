"""Leaderboards and profiles, read from the figures that ``tallying`` adds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.engine.leaderboard import EVERYWHERE, HELPED, LATE, Ending, Row, Uncounted, places, strongest
from bot.engine.match import Match
from bot.engine.thinking import Strength
from bot.storage.sql import Record, Sql
from bot.storage.writer import Asker


class Standings(Asker):
    """Who has done how well where: most wins first, then fewest matches; equals share a rank."""

    async def live(self) -> dict[str, int]:
        """Return how many live matches each game has, by its key; a game without any is not in it."""
        return {row["game"]: row["number"] for row in await self._list("live_by_game")}

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Row]:
        """Return some rows of a server's leaderboard, best first."""
        where = {"guild_id": guild_id, "game": game}

        async def work(sql: Sql) -> list[Row]:
            found = sql.page_of(**where, offset=offset, limit=limit)
            rows = [await self._row(sql, where, row) async for row in found]
            return await self._named(sql, guild_id, rows)

        return await self._reader.run(work)

    async def place_of(self, guild_id: int, game: str, player_id: int) -> Row | None:
        """Return a player's own row; one of rank 0 for who has played with frogs only."""

        async def work(sql: Sql) -> Row | None:
            found = await self._place_of(sql, guild_id, game, player_id)
            [row] = await self._named(sql, guild_id, [found])
            return row if row.matches or row.against else None

        return await self._reader.run(work)

    async def count(self, guild_id: int, game: str) -> int:
        """Return how many players a leaderboard has."""
        return int(await self._ask("players_of", guild_id=guild_id, game=game))

    async def profile(self, player_id: int, guild_id: int | None) -> dict[str, Row]:
        """Return a player's row for each game played, in one server or everywhere.

        Who has played a game with frogs only has no place in it yet: rank 0.
        """
        where = EVERYWHERE if guild_id is None else guild_id

        async def work(sql: Sql) -> dict[str, Row]:
            played = sql.games_of(player_id=player_id, guild_id=where)
            games = [str(row["game"]) async for row in played]
            return {game: await self._place_of(sql, where, game, player_id) for game in games}

        return await self._reader.run(work)

    async def day_board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> list[Row]:
        """Return a day's winners in a server, or one of them, by moves and then seconds.

        Who was late, and then who was helped, stands below all who were not. The figures are
        ``moves``, ``undos``, ``seconds``, and ``late`` and ``helped``, 1 or 0.
        """
        of_the_day = {"guild_id": guild_id, "game": game, "day": day}

        async def work(sql: Sql) -> list[Row]:
            if player_id is None:
                found = [row async for row in sql.day_page(**of_the_day, offset=offset, limit=limit)]
            else:
                row = await sql.day_win_of(**of_the_day, player_id=player_id)
                found = [] if row is None else [row]
            return await self._named(sql, guild_id, [_day_row(row) for row in found])

        return await self._reader.run(work)

    async def day_count(self, guild_id: int, game: str, day: int) -> int:
        """Return how many players of a server have won a day's deal."""
        return int(await self._ask("day_count", guild_id=guild_id, game=game, day=day))

    async def days_won(self, player_id: int, game: str) -> dict[int, int]:
        """Return the days whose deal a player has won anywhere, such as 20261121, latest first.

        With each comes when that was, in seconds since 1970.
        """
        found = await self._list("days_won", player_id=player_id, game=game)
        return {row["day"]: row["ended_at"] for row in found}

    async def ending(self, match: Match) -> Ending:
        """Return what is stored of a match that is over."""

        async def work(sql: Sql) -> Ending:
            found = sql.hints_of(match_id=match.id)
            hints = {row["seat"]: row["hints"] async for row in found}
            said = await sql.uncounted_of(match_id=match.id)
            why = None if said is None else Uncounted(said)
            return Ending(hints, why, await self._standing(sql, match, why))

        return await self._reader.run(work)

    async def _standing(self, sql: Sql, match: Match, why: Uncounted | None) -> dict[int, Row]:
        """Return where the people of a match stand on the board of its server, if it counts there."""
        guild_id, game, rows = match.guild_id, match.game, dict[int, Row]()
        if guild_id is None or match.guest:
            return rows
        is_among_people = strongest(match.players) is None
        for seat, player in enumerate(match.players):
            if player.is_computer_player or guild_id not in places(match, player, why):
                continue
            if not is_among_people:
                against = await self._against(sql, guild_id, game, player.id)
                rows[seat] = Row(0, player.id, player.name, 0, 0, {}, against)
            elif (place := await self._place_of(sql, guild_id, game, player.id)).rank:
                rows[seat] = place
        return rows

    async def pars(self, player_id: int, guild_id: int | None, game: str) -> dict[int, int]:
        """Return how many deals a player won with how many moves over par, in a server or everywhere."""
        where = EVERYWHERE if guild_id is None else guild_id
        found = await self._list("pars_of", player_id=player_id, guild_id=where, game=game)
        return {row["difference"]: row["deals"] for row in found}

    async def _place_of(self, sql: Sql, guild_id: int, game: str, player_id: int) -> Row:
        """Return a player's row; one of rank 0 for who has played a game at tables with frogs only."""
        where = {"guild_id": guild_id, "game": game}
        row = await sql.total_of(**where, player_id=player_id)
        if row is None:
            name = await sql.name_of(guild_id=guild_id, player_id=player_id)
            nothing = {"matches": 0, "wins": 0, "rank": 0, "user_name": ""}
            row = {"player_id": player_id, "name": name or "", **nothing}
        return await self._row(sql, where, row)

    async def _row(self, sql: Sql, where: Mapping[str, Any], row: Record) -> Row:
        found = sql.figures_of(**where, player_id=row["player_id"])
        figures = {figure["key"]: figure["value"] async for figure in found}
        against = await self._against(sql, where["guild_id"], where["game"], row["player_id"])
        return Row(
            row["rank"],
            row["player_id"],
            row["name"],
            row["matches"],
            row["wins"],
            figures,
            against,
            row["user_name"] or "",
        )

    async def _named(self, sql: Sql, guild_id: int, rows: list[Row]) -> list[Row]:
        """Return rows of a server's board without the names that were taken off it."""
        off = {row["subject"] async for row in sql.names_off(guild_id=guild_id)}
        return [
            replace(row, name="", user_name="") if str(row.player_id) in off else row for row in rows
        ]

    async def _against(
        self, sql: Sql, guild_id: int, game: str, player_id: int
    ) -> dict[Strength, tuple[int, int]]:
        found = sql.frog_totals_of(guild_id=guild_id, game=game, player_id=player_id)
        return {Strength(row["strength"]): (row["matches"], row["wins"]) async for row in found}


def _day_row(row: Record) -> Row:
    figures = {key: row[key] for key in (LATE, HELPED, "moves", "undos", "seconds")}
    return Row(
        row["rank"], row["player_id"], row["name"], 1, 1, figures, user_name=row["user_name"] or ""
    )

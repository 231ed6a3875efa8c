"""Who has done how well, read from the figures that the end of each match adds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.thinking import Strength
from bot.matches.leaderboard import EVERYWHERE, Row, Uncounted, places, strongest
from bot.matches.match import Match
from bot.storage.sql import Record, Sql
from bot.storage.tallying import shown_names
from bot.storage.writer import Asker


class Standings(Asker):
    """Who has done how well where: most wins first, then fewest matches; equals share a rank."""

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Row]:
        """Return some rows of a server's leaderboard, best first."""
        where = {"guild_id": guild_id, "game": game}

        async def work(sql: Sql) -> list[Row]:
            found = sql.page_of(**where, offset=offset, limit=limit)
            rows = [await self._row(sql, where, row) async for row in found]
            return await shown_names(sql, guild_id, rows)

        return await self._reader.run(work)

    async def place_of(self, guild_id: int, game: str, player_id: int) -> Row | None:
        """Return a player's own row; one of rank 0 for who has played with frogs only."""

        async def work(sql: Sql) -> Row | None:
            found = await self._place_of(sql, guild_id, game, player_id)
            [row] = await shown_names(sql, guild_id, [found])
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

    async def of_match(self, match: Match) -> dict[int, Row]:
        """Return where the people of a match stand on the board of its server, by seats.

        That is the place among people, or what was won at tables with computer players. There is none
        where the match counts nothing there.
        """
        guild_id, game = match.guild_id, match.game
        if guild_id is None or match.guest:
            return {}
        is_among_people = strongest(match.players) is None

        async def work(sql: Sql) -> dict[int, Row]:
            said, rows = await sql.uncounted_of(match_id=match.id), dict[int, Row]()
            why = Uncounted(said) if said else None
            for seat, player in enumerate(match.players):
                if player.is_computer_player or guild_id not in places(match, player, why):
                    continue
                if not is_among_people:
                    against = await self._against(sql, guild_id, game, player.id)
                    rows[seat] = Row(0, player.id, player.name, 0, 0, {}, against)
                elif (place := await self._place_of(sql, guild_id, game, player.id)).rank:
                    rows[seat] = place
            return rows

        return await self._reader.run(work)

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

    async def _against(
        self, sql: Sql, guild_id: int, game: str, player_id: int
    ) -> dict[Strength, tuple[int, int]]:
        found = sql.frog_totals_of(guild_id=guild_id, game=game, player_id=player_id)
        return {Strength(row["strength"]): (row["matches"], row["wins"]) async for row in found}

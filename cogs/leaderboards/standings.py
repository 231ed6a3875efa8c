"""Database queries for leaderboards, profiles and the lines at the end of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.opponent import Strength
from bot.matches.leaderboard_rules import (
    BEYOND,
    COMPUTER_PLAYER_ROW,
    EVERYWHERE,
    PUZZLE_BOARD_DAYS,
    Facts,
    LeaderboardRow,
    Uncounted,
    contribution,
    is_with_help,
    places,
    strongest,
)
from bot.matches.match import Match, Player, Result
from bot.matches.match_type import PAR
from bot.messages.deal_calendar import as_date, day_of, ends_at
from bot.messages.leaderboard_pages import PAGE_SIZE, LeaderboardPage
from bot.storage.bot_downtime import off_days
from bot.storage.leaderboard_totals import shown_names
from bot.storage.named_queries import Record, Sql
from bot.storage.ranked_boards import RankedBoards
from bot.storage.writer import Reader, ReadStore
from cogs.leaderboards.badges import Career, Days, Results
from cogs.leaderboards.content import (
    BY_STRENGTH,
    COMPUTER_PLAYER_MATCHES,
    COMPUTER_PLAYER_WINS,
    PLACE,
    WINS,
)

_DAY_SECONDS = 24 * 60 * 60

EVENING_SECONDS = 4 * 60 * 60
"""Maximum time in seconds between the ends of two matches that count as wins in a row.

Only matches against computer players in the same channel are counted.
"""


async def uncounted_why(sql: Sql, match_id: str) -> Uncounted | None:
    why = await sql.uncounted_of(match_id=match_id)
    return Uncounted(why) if why else None


async def _row_before(sql: Sql, match: Match, player: Player) -> int:
    """Return the player's winning streak against computer players before a match.

    Only matches of the same game in the same channel count. Return 0 if the previous match was lost, or
    if it ended more than EVENING_SECONDS earlier.
    """
    where = {"channel_id": match.channel_id, "game": match.game, "match_id": match.id}
    since = (match.ended_at or 0) - EVENING_SECONDS
    return int(await sql.frog_row_before(**where, player_id=player.id, since=since) or 0)


class Standings(ReadStore):
    """Queries for leaderboards and profiles.

    Players with more wins rank higher. If the wins are equal, fewer matches rank higher. Players with
    the same numbers share a rank.
    """

    def __init__(self, reader: Reader, boards: RankedBoards | None = None) -> None:
        super().__init__(reader)
        self._boards = boards or RankedBoards()

    async def leaderboard(
        self, guild_id: int, game: str, offset: int, limit: int
    ) -> list[LeaderboardRow]:
        where = {"guild_id": guild_id, "game": game}

        async def work(sql: Sql) -> list[LeaderboardRow]:
            records = sql.page_of(**where, offset=offset, limit=limit)
            rows = [await self._row(sql, where, row) async for row in records]
            return await shown_names(sql, guild_id, rows)

        return await self._reader.run(work)

    async def position_of(self, guild_id: int, game: str, player_id: int) -> int:
        """Return the number of players above a player on a game's leaderboard.

        The player must be on the leaderboard.
        """
        return int(await self._ask("position_of", guild_id=guild_id, game=game, player_id=player_id))

    async def computer_player_page(self, guild_id: int, player_id: int, number: int) -> LeaderboardPage:

        async def work(sql: Sql) -> LeaderboardPage:
            find = partial(sql.frog_board, guild_id=guild_id)
            found = await self._boards.page(
                sql, guild_id, find, number, PAGE_SIZE, guild_id, player_id, BY_STRENGTH
            )
            return LeaderboardPage(*found)

        return await self._reader.run(work)

    async def place_of(self, guild_id: int, game: str, player_id: int) -> LeaderboardRow | None:
        """Return a player's own row on a game's leaderboard, or None if the player has no matches.

        The rank is 0 if the player has only played against computer players.
        """

        async def work(sql: Sql) -> LeaderboardRow | None:
            board_row = await self._place_of(sql, guild_id, game, player_id)
            [row] = await shown_names(sql, guild_id, [board_row])
            return row if row.matches or row.against else None

        return await self._reader.run(work)

    async def count(self, guild_id: int, game: str) -> int:
        return int(await self._ask("players_of", guild_id=guild_id, game=game))

    async def profile(self, player_id: int, guild_id: int | None) -> dict[str, LeaderboardRow]:
        """Return a player's row for each game that the player has played.

        The rank is 0 if the player has only played against computer players.
        """
        return await self._reader.run(lambda sql: self._profile(sql, player_id, guild_id))

    async def _profile(
        self, sql: Sql, player_id: int, guild_id: int | None
    ) -> dict[str, LeaderboardRow]:
        where = EVERYWHERE if guild_id is None else guild_id
        played = sql.games_of(player_id=player_id, guild_id=where)
        games = [str(row["game"]) async for row in played]
        return {game: await self._place_of(sql, where, game, player_id) for game in games}

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Return the numbers for each player that a match's final message shows, by seat.

        After a match between people, these are the player's place and wins on the server's leaderboard.
        After a match with computer players, they are the player's matches and wins against the strongest
        of them, and the winning streak. Solitaire has them only if it was won without too much help.
        """
        guild_id, game, facts = match.guild_id, match.game, dict[int, dict[str, int]]()
        is_win = any(result.won and not is_with_help(result) for result in results)
        if guild_id is None or match.guest or (len(match.players) == 1 and not is_win):
            return facts
        against = strongest(match.players)
        why = await uncounted_why(sql, match.id)
        for seat, player in enumerate(match.players):
            if player.is_computer_player or guild_id not in places(match, player, why):
                continue
            if against is not None:
                if sums := (await self._against(sql, guild_id, game, player.id)).get(against):
                    facts[seat] = dict(
                        zip((COMPUTER_PLAYER_MATCHES, COMPUTER_PLAYER_WINS), sums, strict=True)
                    )
                result = next(result for result in results if result.seat == seat)
                if (count := contribution(match.players, result, why)) is not None and count.won:
                    wins = 1 + await _row_before(sql, match, player)
                    facts[seat] = {**facts.get(seat, {}), COMPUTER_PLAYER_ROW: wins}
            elif (place := await self._place_of(sql, guild_id, game, player.id)).wins:
                facts[seat] = {PLACE: place.rank, WINS: place.wins}
        return facts

    async def career(self, player_id: int, guild_id: int | None, games: Mapping[str, AnyGame]) -> Career:
        return await self._reader.run(lambda sql: self.career_in(sql, player_id, guild_id, games))

    async def career_in(
        self, sql: Sql, player_id: int, guild_id: int | None, games: Mapping[str, AnyGame]
    ) -> Career:
        """Read a player's totals within an open transaction.

        ``guild_id`` limits the totals to one server. None means all servers.
        """
        all_rows = await self._profile(sql, player_id, guild_id)
        rows = {key: row for key, row in all_rows.items() if key in games}
        solo = frozenset(key for key, game in games.items() if game.info.is_solo)
        pars: dict[int, int] = {}
        for key in rows:
            if any(option.key == PAR for option in games[key].info.options):
                pars |= await self._pars(sql, player_id, guild_id, key)
        return Career(rows, pars, await self._days(sql, player_id), solo, await off_days(sql))

    async def pars(self, player_id: int, guild_id: int | None, game: str) -> dict[int, int]:
        """Return how many deals a player has won, by the number of moves over par.

        ``guild_id`` limits the deals to one server. None means all servers.
        """
        return await self._reader.run(lambda sql: self._pars(sql, player_id, guild_id, game))

    async def _pars(self, sql: Sql, player_id: int, guild_id: int | None, game: str) -> dict[int, int]:
        where = EVERYWHERE if guild_id is None else guild_id
        rows = sql.pars_of(player_id=player_id, guild_id=where, game=game)
        return {row["difference"]: row["deals"] async for row in rows}

    async def name_of(self, player_id: int, guild_id: int) -> Player | None:
        """Return a player with the name under which the server's leaderboards list them.

        Return None if the player is on no leaderboard.
        """

        async def work(sql: Sql) -> Player | None:
            name = await sql.name_of(guild_id=guild_id, player_id=player_id)
            if name is None:
                return None
            [row] = await shown_names(sql, guild_id, [LeaderboardRow(0, player_id, name, 0, 0, {})])
            return row.player

        return await self._reader.run(work)

    async def is_on_boards(self, player_id: int, guild_id: int, at: datetime) -> bool:
        """Return whether at least one leaderboard of the server shows the player at the given time."""
        since = day_of(at - timedelta(days=PUZZLE_BOARD_DAYS))
        whose = {"guild_id": guild_id, "player_id": player_id}

        async def work(sql: Sql) -> bool:
            if await sql.name_on_board(**whose, subject=str(player_id)) is None:
                return False
            return bool(await sql.has_rows_on_boards(**whose, since=since))

        return await self._reader.run(work)

    async def _days(self, sql: Sql, player_id: int) -> dict[str, Days]:
        """Return the days whose puzzle a player answered, by game.

        The value is True if the answer was right. Under the key ``DEALS``, the result also has the days
        whose deal of the day the player won. Late answers, late wins and wins with too much help are
        left out, because they do not count for streaks.
        """
        days = dict[str, Days]()
        async for row in sql.days_of(player_id=player_id, beyond=BEYOND):
            if row["ended_at"] < ends_at(row["day"]) + _DAY_SECONDS:
                days.setdefault(row["game"], {})[as_date(row["day"])] = bool(row["good"])
        return days

    async def results(self, player_id: int, guild_id: int | None) -> Results:
        """Return the profile statistics that are computed from a player's individual matches."""
        where = EVERYWHERE if guild_id is None else guild_id

        async def work(sql: Sql) -> Results:
            rows = [row async for row in sql.results_of(player_id=player_id, guild_id=where)]
            sizes = {
                (row["game"], int(row["number"])): (int(row["matches"]), int(row["wins"]))
                for row in rows
                if row["what"] == "seats"
            }
            quickest = min((int(row["number"]) for row in rows if row["what"] == "quickest"), default=0)
            rivals = [
                LeaderboardRow(0, row["number"], row["name"], int(row["matches"]), int(row["wins"]), {})
                for row in rows
                if row["what"] == "rival"
            ]
            against_computer = {
                row["game"]: int(row["number" if row["game"] == "quickest" else "matches"] or 0)
                for row in rows
                if row["what"] == "frogs"
            }
            return Results(sizes, quickest, await shown_names(sql, where, rivals), against_computer)

        return await self._reader.run(work)

    async def _place_of(self, sql: Sql, guild_id: int, game: str, player_id: int) -> LeaderboardRow:
        where = {"guild_id": guild_id, "game": game}
        row = await sql.total_of(**where, player_id=player_id)
        if row is None:
            name = await sql.name_of(guild_id=guild_id, player_id=player_id)
            nothing = {"matches": 0, "wins": 0, "rank": 0, "user_name": ""}
            row = {"player_id": player_id, "name": name or "", **nothing}
        return await self._row(sql, where, row)

    async def _row(self, sql: Sql, where: Mapping[str, Any], row: Record) -> LeaderboardRow:
        figure_rows = sql.figures_of(**where, player_id=row["player_id"])
        figures = {figure["key"]: figure["value"] async for figure in figure_rows}
        against = await self._against(sql, where["guild_id"], where["game"], row["player_id"])
        counted = (row["rank"], row["player_id"], row["name"], row["matches"], row["wins"])
        return LeaderboardRow(*counted, figures, against, row["user_name"] or "")

    async def _against(
        self, sql: Sql, guild_id: int, game: str, player_id: int
    ) -> dict[Strength, tuple[int, int]]:
        rows = sql.frog_totals_of(guild_id=guild_id, game=game, player_id=player_id)
        return {Strength(row["strength"]): (row["matches"], row["wins"]) async for row in rows}

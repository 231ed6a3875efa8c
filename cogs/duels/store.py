"""Database of daily duels.

A daily duel is a set of short matches, the boards, against a computer player. All players get the same
boards on the same day. A try is one player's run through the boards of a day, and each player has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.matches.duels import LOST, BoardScores, count_in, own_score, percentage, secret_key
from bot.matches.leaderboard_rules import EVERYWHERE, Facts, LeaderboardRow
from bot.matches.match import Match, Player, Result
from bot.messages.deal_calendar import as_date, counts_until, day_before
from bot.messages.streaks import row_lately
from bot.sessions.errors import TableError
from bot.storage.anonymous_counts import kept_count, try_of
from bot.storage.bot_downtime import off_days
from bot.storage.leaderboard_totals import shown_names
from bot.storage.named_queries import Sql
from bot.storage.writer import Reader, Store, Writer


@frozen
class DuelDay:
    """The duels of one game on one day.

    Attributes:
        game: The game, in the versions of its rules and computer players with which the day began.
        day: The day, such as 20261121.
        field: The scores of each computer player. Empty until all of them have been computed.
    """

    game: AnyGame
    day: int
    field: tuple[str, ...] = ()


@frozen
class Try:
    """A player's attempt at one day's duels. Each player has one attempt per day.

    Attributes:
        scores: The scores of the finished boards, one character per board.
        guild_id: The ID of the server in which the try began, or 0 outside servers.
        is_over: True if all boards are finished.
    """

    scores: str
    guild_id: int
    is_over: bool


class DuelTries(Store):
    """Stores each day's duels and the players' attempts at them."""

    def __init__(self, writer: Writer, reader: Reader, games: Mapping[str, AnyGame]) -> None:
        super().__init__(writer, reader)
        self._games = games

    async def begin(self, game: AnyGame, day: int, player: Player, guild_id: int, at: int) -> DuelDay:
        """Begin a player's attempt at a day's duels. If the player already has one, keep it.

        The day keeps the versions of the rules and computer players that are current when it first
        begins.

        Raises:
            TableError: The player had a try on that day and then deleted their data, or the bot no
                longer has the day's versions.
        """
        try_key = try_of(player.id, secret_key(game.info.key), day)
        owner = {"player_id": player.id, "name": player.name, "guild_id": guild_id}

        async def work(sql: Sql) -> bool:
            if await kept_count(sql, try_key):
                return False
            await _begin_day(sql, game, day)
            await sql.begin_duel_try(game=game.info.key, day=day, **owner, at=at)
            return True

        if not await self._writer.write(work):
            raise TableError(_("Your account has played these duels before. New ones come tomorrow."))
        return await self.begin_day(game, day)

    async def begin_day(self, game: AnyGame, day: int) -> DuelDay:
        """Return a day's duels.

        The first call for a day fixes the versions of the rules and computer players.
        """
        await self._writer.write(lambda sql: _begin_day(sql, game, day))
        duels = await self.day(game, day)
        assert duels is not None, "it has begun"
        return duels

    async def day(self, game: AnyGame, day: int) -> DuelDay | None:
        """Return a day's duels, or None if they have not begun yet.

        Raises:
            TableError: The bot no longer has the versions of the rules or computer players with which
                the day began.
        """
        row = await self._ask("duel_day", game=game.info.key, day=day)
        if row is None:
            return None
        as_begun = game.as_of(row["rules"], row["thinking"])
        if as_begun is None:
            raise TableError(_("These duels use rules I no longer know. New ones come tomorrow."))
        return DuelDay(as_begun, day, tuple(row["field"].split()))

    async def fill_field(self, game: str, day: int, field: Sequence[str]) -> None:
        await self._do("fill_duel_field", game=game, day=day, field=" ".join(field))

    async def find_try(self, game: str, day: int, player_id: int) -> Try | None:
        row = await self._ask("duel_try", game=game, day=day, player_id=player_id)
        return None if row is None else Try(row["scores"], row["guild_id"], row["ended_at"] > 0)

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Record the score of a finished duel in the transaction that ends its match."""
        if match.type.is_duel and not match.type.challenge:
            await self._score(sql, match, own_score(match, results), match.ended_at or 0)
        return {}

    async def count_as_lost(self, match: Match, at: int) -> None:
        """Record a duel as lost, because its match was closed without a result."""
        await self._writer.write(lambda sql: self._score(sql, match, LOST, at))

    async def _score(self, sql: Sql, match: Match, score: str, at: int) -> None:
        """Record the score of one of a player's duels.

        Do nothing if the day no longer counts or the duel already has a score.
        """
        day, board = match.type.duel, match.type.board
        of_try = {"game": match.game, "day": day, "player_id": match.host_id}
        is_last = board + 1 == count_in(self._games[match.game], match)
        if at >= counts_until(day):
            return
        if not await sql.score_duel(**of_try, board=board, score=score, ended_at=at if is_last else 0):
            return
        if is_last:
            row = await sql.duel_try(**of_try)
            for guild_id in sorted({EVERYWHERE, row["guild_id"]}):
                await sql.count_duel(game=match.game, day=day, guild_id=guild_id, scores=row["scores"])

    # ---- results ------------------------------------------------------------------------------------

    async def field(self, duels: DuelDay) -> BoardScores:
        return BoardScores(await self.counts(duels, EVERYWHERE), duels.field)

    async def counts(self, duels: DuelDay, guild_id: int) -> dict[str, int]:
        """Return how often each combination of scores occurs among a server's finished attempts.

        Attempts of players who were taken off the server's boards are left out. They still count over
        all servers, where they appear without a name.
        """
        key = {"game": duels.game.info.key, "day": duels.day, "guild_id": guild_id}
        tries = Counter({row["scores"]: row["tries"] for row in await self._list("duel_counts", **key)})
        if guild_id != EVERYWHERE:
            tries -= Counter(
                {row["scores"]: row["tries"] for row in await self._list("duel_counts_off", **key)}
            )
        return dict(tries)

    async def is_removed(self, player_id: int, guild_id: int) -> bool:
        """Return whether a player was taken off a server's boards."""
        rows = await self._list("removals_of", match_id="", player_id=str(player_id))
        return any(row["guild_id"] in {EVERYWHERE, guild_id} for row in rows)

    async def page(
        self, duels: DuelDay, guild_id: int, ranking: Sequence[tuple[int, int, str]], limit: int
    ) -> list[tuple[LeaderboardRow, str]]:
        """Return a server's best players in a day's duels, each with their scores.

        Args:
            duels: The day's duels.
            guild_id: The server.
            ranking: One tuple per combination of scores, best first: the rank, the number of players
                with these scores, and the scores.
            limit: The maximum number of players.
        """
        key = {"game": duels.game.info.key, "day": duels.day, "guild_id": guild_id}

        async def work(sql: Sql) -> list[tuple[LeaderboardRow, str]]:
            rows, row_scores = list[LeaderboardRow](), list[str]()
            for rank, _tries, scores in ranking:
                if len(rows) >= limit:
                    break
                page = sql.duel_page(**key, scores=scores, limit=limit - len(rows), offset=0)
                async for row in page:
                    rows.append(LeaderboardRow(rank, row["player_id"], row["name"], 1, 1, {}))
                    row_scores.append(scores)
            return list(zip(await shown_names(sql, guild_id, rows), row_scores, strict=True))

        return await self._reader.run(work)

    async def best(
        self, duels: DuelDay, guild_id: int, field: BoardScores, counts: Mapping[str, int], limit: int
    ) -> list[tuple[LeaderboardRow, str, int]]:
        """Return a server's best players in a day's duels, with their scores and percentages times 100.

        Args:
            duels: The day's duels.
            guild_id: The server.
            field: The tries of all servers, which decide the percentages.
            counts: The number of the server's tries for each combination of scores.
            limit: The maximum number of players.
        """
        boards, ranking, rank, better = field.points(), list[tuple[int, int, str]](), 1, 0
        points = {scores: percentage(scores, boards) for scores in counts}
        for scores in sorted(counts, key=lambda scores: (-points[scores], scores)):
            if ranking and points[scores] < points[ranking[-1][2]]:
                rank = 1 + better
            ranking.append((rank, counts[scores], scores))
            better += counts[scores]
        page = await self.page(duels, guild_id, ranking, limit)
        return [(row, scores, points[scores]) for row, scores in page]

    async def players(self, game: str, day: int, guild_id: int) -> int:
        """Return the number of players who have finished a day's duels in a server."""
        return int(await self._ask("duel_players", game=game, day=day, guild_id=guild_id))

    async def best_at(self, game: str, day: int, guild_id: int, board: int) -> int | None:
        """Return the ID of a server's best player at one of a day's duels.

        Return None if no player has a result.
        """
        about = {"game": game, "day": day, "guild_id": guild_id, "board": board + 1}
        player_id = await self._ask("best_at_board", **about)
        return None if player_id is None else int(player_id)

    async def recent_players(
        self, game: str, guild_id: int, first: int, last: int, limit: int
    ) -> list[LeaderboardRow]:
        """Return a server's players who finished duels within a range of days, latest first."""
        days = {"game": game, "guild_id": guild_id, "first": first, "last": last, "limit": limit}

        async def work(sql: Sql) -> list[LeaderboardRow]:
            rows = sql.duels_lately(**days)
            players = [LeaderboardRow(0, row["player_id"], row["name"], 0, 0, {}) async for row in rows]
            return await shown_names(sql, guild_id, players)

        return await self._reader.run(work)

    async def streak(self, game: str, player_id: int, today: date) -> int:
        """Return a player's current streak: the days in a row with finished duels."""
        return (await self.days_and_streak(game, player_id, today))[1]

    async def days_and_streak(self, game: str, player_id: int, today: date) -> tuple[int, int]:
        """Return the number of days whose duels a player has finished, and the current streak."""

        async def work(sql: Sql) -> tuple[int, int]:
            rows = sql.duel_days_of(player_id=player_id, game=game)
            days = {as_date(row["day"]) async for row in rows}
            return len(days), row_lately(days, today, await off_days(sql))

        return await self._reader.run(work)

    async def at_stake(self, game: str, player_id: int, day: int) -> int:
        """Return the length of the streak that a player loses at the end of a day by not playing.

        Return 0 if the player has begun the day's duels, which can be finished until the next day ends,
        or has no streak. The end of the day is also the last chance to finish the previous day's duels.
        """
        if await self.find_try(game, day, player_id) is not None:
            return 0
        previous = await self.find_try(game, day_before(day), player_id)
        is_unfinished = previous is not None and not previous.is_over
        return await self.streak(game, player_id, as_date(day_before(day) if is_unfinished else day))


async def _begin_day(sql: Sql, game: AnyGame, day: int) -> None:
    thinking = game.thinking.version if game.thinking else 0
    rules = game.info.rules_version
    await sql.begin_duel_day(game=game.info.key, day=day, rules=rules, thinking=thinking)

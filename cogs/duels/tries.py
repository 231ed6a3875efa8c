"""Storage of a day's duels: the versions of the day, tries, scores and their counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.matches.duels import LOST, Field, count_of, own_score, percentage, secret_key
from bot.matches.leaderboard import Facts, Row
from bot.matches.match import Match, Player, Result
from bot.messages.deal_calendar import as_date, counts_until, row_lately
from bot.sessions.errors import TableError
from bot.storage.daily_deals import kept_count, try_of
from bot.storage.leaderboard_totals import shown_names
from bot.storage.outages import off_days
from bot.storage.sql import Sql
from bot.storage.writer import Store

EVERYWHERE = 0
"""The server ID of counts over all servers."""


@frozen
class DuelDay:
    """A day's duels of a game.

    Attributes:
        game: The game, with the rules and computer players of the day.
        field: The scores of computer players, or none while they are computed.
    """

    game: AnyGame
    day: int
    field: tuple[str, ...] = ()


@frozen
class Try:
    """A player's try.

    Attributes:
        scores: The scores of the finished boards.
        guild_id: The server in which the try began.
        is_over: Whether all boards are finished.
    """

    scores: str
    guild_id: int
    is_over: bool


class Tries(Store):
    """A store of days of duels and of their tries."""

    async def begin(self, game: AnyGame, day: int, player: Player, guild_id: int, at: int) -> DuelDay:
        """Store that a player begins a day's duels, or do nothing if the player has begun them.

        The first player of a day decides the versions of its rules and computer players.

        Raises:
            TableError: The player was forgotten after a try of that day, or the day's rules are unknown.
        """
        key, whose = secret_key(game.info.key), {"player_id": player.id, "guild_id": guild_id}

        async def work(sql: Sql) -> bool:
            if await kept_count(sql, try_of(player.id, key, day)):
                return False
            await _begin_day(sql, game, day)
            await sql.begin_duel_try(game=game.info.key, day=day, **whose, name=player.name, at=at)
            return True

        if not await self._writer.write(work):
            raise TableError(_("Your account has played these duels before. New ones come tomorrow."))
        return await self.begin_day(game, day)

    async def begin_day(self, game: AnyGame, day: int) -> DuelDay:
        """Return a day's duels. The first call decides the versions of rules and computer players."""
        await self._writer.write(lambda sql: _begin_day(sql, game, day))
        found = await self.day(game, day)
        assert found is not None, "it has begun"
        return found

    async def day(self, game: AnyGame, day: int) -> DuelDay | None:
        """Return a day's duels, or None if nobody has begun them.

        Raises:
            TableError: The day began with rules or computer players that are unknown now.
        """
        row = await self._ask("duel_day", game=game.info.key, day=day)
        if row is None:
            return None
        as_begun = game.as_of(row["rules"], row["thinking"])
        if as_begun is None:
            raise TableError(
                _("These duels began by rules that I no longer know. New ones come tomorrow.")
            )
        return DuelDay(as_begun, day, tuple(row["field"].split()))

    async def fill_field(self, game: str, day: int, field: Sequence[str]) -> None:
        await self._do("fill_duel_field", game=game, day=day, field=" ".join(field))

    async def of(self, game: str, day: int, player_id: int) -> Try | None:
        row = await self._ask("duel_try", game=game, day=day, player_id=player_id)
        return None if row is None else Try(row["scores"], row["guild_id"], row["ended_at"] > 0)

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Record the score of a board in the transaction that ends its match."""
        if match.type.is_duel and not match.type.challenge:
            await self._score(sql, match, own_score(match, results), match.ended_at or 0)
        return {}

    async def count_as_lost(self, match: Match, at: int) -> None:
        """Record a board that was closed without a result as lost."""
        await self._writer.write(lambda sql: self._score(sql, match, LOST, at))

    async def _score(self, sql: Sql, match: Match, score: str, at: int) -> None:
        """Record a score, unless the day no longer counts or the board has a score."""
        day, board = match.type.duel, match.type.board
        of_try = {"game": match.game, "day": day, "player_id": match.host_id}
        is_last = board + 1 == self._counts[match.game]
        if at >= counts_until(day):
            return
        if not await sql.score_duel(**of_try, board=board, score=score, ended_at=at if is_last else 0):
            return
        if is_last:
            row = await sql.duel_try(**of_try)
            for guild_id in sorted({EVERYWHERE, row["guild_id"]}):
                await sql.count_duel(game=match.game, day=day, guild_id=guild_id, scores=row["scores"])

    def know(self, games: Mapping[str, AnyGame]) -> None:
        """Load the numbers of boards of the games."""
        self._counts = {key: count_of(game) for key, game in games.items() if game.duel is not None}

    # ---- results ------------------------------------------------------------------------------------

    async def field(self, shown: DuelDay) -> Field:
        return Field(await self.counts(shown, EVERYWHERE), shown.field)

    async def counts(self, shown: DuelDay, guild_id: int) -> dict[str, int]:
        """Return the number of finished tries with the same scores, by scores."""
        of_day = {"game": shown.game.info.key, "day": shown.day, "guild_id": guild_id}
        return {row["scores"]: row["tries"] for row in await self._list("duel_counts", **of_day)}

    async def page(
        self, shown: DuelDay, guild_id: int, ranking: Sequence[tuple[int, int, str]], limit: int
    ) -> list[tuple[Row, str]]:
        """Return the best players of a server with their scores.

        Args:
            shown: The day.
            guild_id: The server.
            ranking: The different scores, best first, each with its place and its number of players.
            limit: Largest number of players.
        """
        of_day = {"game": shown.game.info.key, "day": shown.day, "guild_id": guild_id}

        async def work(sql: Sql) -> list[tuple[Row, str]]:
            rows, scored = list[Row](), list[str]()
            for rank, _tries, scores in ranking:
                if len(rows) >= limit:
                    break
                page = sql.duel_page(**of_day, scores=scores, limit=limit - len(rows), offset=0)
                async for row in page:
                    rows.append(Row(rank, row["player_id"], row["name"], 1, 1, {}))
                    scored.append(scores)
            return list(zip(await shown_names(sql, guild_id, rows), scored, strict=True))

        return await self._reader.run(work)

    async def best(
        self, shown: DuelDay, guild_id: int, whole: Field, among: Mapping[str, int], limit: int
    ) -> list[tuple[Row, str, int]]:
        """Return the best players of a server with their scores and their percentages times 100.

        Args:
            shown: The day.
            guild_id: The server.
            whole: All tries.
            among: The number of the server's tries, by scores.
            limit: Largest number of players.
        """
        boards = whole.points()
        points = {scores: percentage(scores, boards) for scores in among}
        order = sorted(among, key=lambda scores: (-points[scores], scores))
        ranking = [(whole.rank(scores, among)[0], among[scores], scores) for scores in order]
        page = await self.page(shown, guild_id, ranking, limit)
        return [(row, scores, points[scores]) for row, scores in page]

    async def players(self, game: str, day: int, guild_id: int) -> int:
        """Return the number of players who began a day's duels in a server."""
        return int(await self._ask("duel_players", game=game, day=day, guild_id=guild_id))

    async def best_at(self, game: str, day: int, guild_id: int, board: int) -> int | None:
        """Return the player of a server with the best result at a board, or None."""
        about = {"game": game, "day": day, "guild_id": guild_id, "board": board + 1}
        found = await self._ask("best_at_board", **about)
        return None if found is None else int(found)

    async def lately(self, game: str, guild_id: int, first: int, last: int, limit: int) -> list[Row]:
        """Return players of a server who finished duels on some days, the latest first."""
        days = {"game": game, "guild_id": guild_id, "first": first, "last": last, "limit": limit}

        async def work(sql: Sql) -> list[Row]:
            found = sql.duels_lately(**days)
            rows = [Row(0, row["player_id"], row["name"], 0, 0, {}) async for row in found]
            return await shown_names(sql, guild_id, rows)

        return await self._reader.run(work)

    async def streak(self, game: str, player_id: int, today: date) -> int:
        """Return the number of days in a row on which a player finished the duels in time."""

        async def work(sql: Sql) -> int:
            found = [row async for row in sql.duel_days_of(player_id=player_id, game=game)]
            days = {as_date(row["day"]) for row in found if row["ended_at"] < counts_until(row["day"])}
            return row_lately(days, today, await off_days(sql))

        return await self._reader.run(work)


async def _begin_day(sql: Sql, game: AnyGame, day: int) -> None:
    thinking = game.thinking.version if game.thinking else 0
    rules = game.info.rules_version
    await sql.begin_duel_day(game=game.info.key, day=day, rules=rules, thinking=thinking)

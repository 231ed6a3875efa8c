"""Storage of daily deals.

A daily deal is a solitaire deal that is the same for all players on one UTC day. It is derived from a
random secret that the database contains. Once a day's deal is stored, it never changes.
"""

from __future__ import annotations

from datetime import UTC, datetime

from bot.engine.frozen import frozen
from bot.engine.shuffle import new_seed
from bot.matches.commitment import secret_of_day
from bot.storage.named_queries import Sql
from bot.storage.writer import Store

_SECRET = "secret of the days"  # noqa: S105 — the key of the note with the secret


def day_at(seconds: int) -> int:
    """Convert a Unix time to its UTC day, as a number such as 20261121."""
    return int(datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d"))


@frozen
class DayDeal:
    """A day's solitaire deal, which is the same for all players.

    Attributes:
        day: The UTC day as a number such as 20261121.
        number: The deal number.
        par: The number of moves in a good solution, or 0 if none is known.
        is_committed: True if the hash published on the previous day commits to this deal.
    """

    day: int
    number: int
    par: int
    is_committed: bool = False


class Days(Store):
    """Store of the daily solitaire deals. Once a day's deal is stored, it never changes."""

    async def secret(self) -> bytes:
        """Return the secret from which all daily deals are derived.

        The secret is created on first use. It is stored in the database, so that backups and copies
        contain it.
        """

        async def work(sql: Sql) -> str:
            await sql.put_first_note(key=_SECRET, value=new_seed().hex())
            return str((await sql.note(key=_SECRET))["value"])

        noted = await self._ask("note", key=_SECRET)
        return bytes.fromhex(noted["value"] if noted else await self._writer.write(work))

    async def secret_of(self, game: str, day: int) -> bytes:
        """Return the secret from which one day's deal is derived.

        Ribit publishes it when the day is over.
        """
        return secret_of_day(await self.secret(), game, day)

    async def deal_of_day(self, game: str, day: int) -> DayDeal | None:
        """Return the deal of a UTC day, or None if no deal has been chosen for that day yet."""
        return await self._reader.run(lambda sql: self._read_deal(sql, game, day))

    async def choose(self, game: str, deal: DayDeal) -> DayDeal:
        """Store a day's deal, unless that day already has one.

        Return the deal that is now stored for the day.
        """

        async def work(sql: Sql) -> DayDeal:
            await sql.choose_day(
                game=game, day=deal.day, deal=deal.number, par=deal.par, committed=int(deal.is_committed)
            )
            return await self._read_deal(sql, game, deal.day) or deal

        return await self._writer.write(work)

    async def with_deal(self, game: str, number: int) -> DayDeal | None:
        """Return the most recent daily deal that has the given deal number, or None."""
        row = await self._ask("day_of_deal", game=game, deal=number)
        return None if row is None else DayDeal(row["day"], number, row["par"])

    async def is_shown(self, player_id: int, guild_id: int) -> bool:
        """Return whether a player has chosen to appear on a server's daily leaderboards."""
        rows = await self._list("boards_of_player", player_id=player_id)
        return guild_id in [row["guild_id"] for row in rows]

    async def show(self, player_id: int, guild_id: int, *, is_shown: bool) -> None:
        """Store whether a player wants to appear on a server's daily leaderboards."""
        change = "show_on_board" if is_shown else "leave_board"
        await self._do(change, player_id=player_id, guild_id=guild_id)

    async def _read_deal(self, sql: Sql, game: str, day: int) -> DayDeal | None:
        row = await sql.deal_of_day(game=game, day=day)
        return None if row is None else DayDeal(day, row["deal"], row["par"], bool(row["committed"]))

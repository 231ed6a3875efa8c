"""The deal of each day, chosen once from a secret of the installation, and never changed."""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime

from bot.engine.frozen import frozen
from bot.engine.shuffle import new_seed
from bot.matches.commitment import secret_of_day
from bot.storage.sql import Sql
from bot.storage.writer import Store

_SECRET = "secret of the days"  # noqa: S105 — the key that the secret is noted by


def day_at(seconds: int) -> int:
    """Return the UTC day of a Unix time as a number such as 20261121."""
    return int(datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d"))


@frozen
class DayDeal:
    """The deal of a day.

    Attributes:
        day: The UTC day as a number such as 20261121.
        number: The number of the deal.
        par: The number of moves of a good solution, or 0 if none is known.
        is_committed: Whether the commitment of the previous day was to this deal.
    """

    day: int
    number: int
    par: int
    is_committed: bool = False


class Days(Store):
    """A store of the deals of days. The first deal stored for a day is final."""

    async def secret(self) -> bytes:
        """Return the secret that decides the deals of days.

        It is created on first use and stored as a note, so that every copy of the database has it.
        """

        async def work(sql: Sql) -> str:
            await sql.put_first_note(key=_SECRET, value=new_seed().hex())
            return str((await sql.note(key=_SECRET))["value"])

        noted = await self._ask("note", key=_SECRET)
        return bytes.fromhex(noted["value"] if noted else await self._writer.write(work))

    async def secret_of(self, game: str, day: int) -> bytes:
        """Return the secret that decides one day's deal. It is published when the day is over."""
        return secret_of_day(await self.secret(), game, day)

    async def of(self, game: str, day: int) -> DayDeal | None:
        """Return the deal of a day, or None if it has not been chosen yet."""
        return await self._reader.run(lambda sql: self._read_deal(sql, game, day))

    async def choose(self, game: str, deal: DayDeal) -> DayDeal:
        """Store the deal of a day unless the day has one, and return the day's deal."""

        async def work(sql: Sql) -> DayDeal:
            await sql.choose_day(
                game=game, day=deal.day, deal=deal.number, par=deal.par, committed=int(deal.is_committed)
            )
            return await self._read_deal(sql, game, deal.day) or deal

        return await self._writer.write(work)

    async def with_deal(self, game: str, number: int) -> DayDeal | None:
        """Return the latest day's deal with this number, or None if there is none."""
        row = await self._ask("day_of_deal", game=game, deal=number)
        return None if row is None else DayDeal(row["day"], number, row["par"])

    async def is_shown(self, player_id: int, guild_id: int) -> bool:
        """Return whether a player chose to appear on a server's boards of the day."""
        found = await self._list("boards_of_player", player_id=player_id)
        return guild_id in [row["guild_id"] for row in found]

    async def show(self, player_id: int, guild_id: int, *, is_shown: bool) -> None:
        """Store whether a player appears on a server's boards of the day."""
        change = "show_on_board" if is_shown else "leave_board"
        await self._do(change, player_id=player_id, guild_id=guild_id)

    async def _read_deal(self, sql: Sql, game: str, day: int) -> DayDeal | None:
        row = await sql.deal_of_day(game=game, day=day)
        return None if row is None else DayDeal(day, row["deal"], row["par"], bool(row["committed"]))


def hash_keyed(key: str, what: str) -> str:
    """Return a keyed hash. It can be looked up only by a caller that knows the hashed text."""
    return hmac.digest(key.encode(), what.encode(), "sha256").hex()


def try_of(player_id: int, game: str, deal: int) -> str:
    """Return the text that is hashed to count a player's attempts at a deal."""
    return f"try {player_id} {game} {deal}"


def win_key(winner: int, loser: int, day: int) -> str:
    """Return the text that is hashed to count a player's wins over another on a day."""
    return f"beat {day} {winner} {loser}"


async def keep_counting(sql: Sql, day: int, what: str, amount: int = 1) -> None:
    """Add to a count that outlives a forgotten player, as a hash with the day's key.

    Args:
        sql: The statements, in a transaction.
        day: The day, counted from 1970-01-01.
        what: The counted thing, as from ``try_of`` or ``win_key``.
        amount: The number to add.
    """
    key = await sql.key_of_day(day=day)
    if key is None:
        key = secrets.token_hex()
        await sql.add_mark(day=day, mark=key, amount=0)
    await sql.add_mark(day=day, mark=hash_keyed(key, what), amount=amount)


async def kept_count(sql: Sql, what: str) -> int:
    """Return the count that was kept for a forgotten player, over all stored days."""
    keys = [(row["day"], row["mark"]) async for row in sql.keys_of_days()]
    return sum([await sql.amount_of(day=day, mark=hash_keyed(key, what)) for day, key in keys])

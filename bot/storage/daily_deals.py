"""The deal of each day: chosen once, by a secret of the installation, and the same ever after."""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime

from bot.engine.immutable import frozen
from bot.engine.shuffle import new_seed
from bot.matches.commitment import secret_of_day
from bot.storage.sql import Sql
from bot.storage.writer import Store

_SECRET = "secret of the days"  # noqa: S105 — the key that the secret is noted by


def day_at(seconds: int) -> int:
    """Return the UTC day of a moment, in seconds since 1970, as a number such as 20261121."""
    return int(datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d"))


@frozen
class DayDeal:
    """The deal of a day: its number, and the moves of a good line, 0 where none is known.

    ``is_committed``: it is the one that the commitment of the day before was to.
    """

    day: int
    number: int
    par: int
    is_committed: bool = False


class Days(Store):
    """Which deal is whose day's. Of several who choose at once the first counts for all."""

    async def secret(self) -> bytes:
        """Return the bytes that decide the deals of days: noted, so they go with every copy."""

        async def work(sql: Sql) -> str:
            await sql.put_first_note(key=_SECRET, value=new_seed().hex())
            return str((await sql.note(key=_SECRET))["value"])

        noted = await self._ask("note", key=_SECRET)
        return bytes.fromhex(noted["value"] if noted else await self._writer.write(work))

    async def secret_of(self, game: str, day: int) -> bytes:
        """Return what decides the deal of one day: to be known by all when that day is over."""
        return secret_of_day(await self.secret(), game, day)

    async def of(self, game: str, day: int) -> DayDeal | None:
        """Return the deal of a day, or None where nobody has asked for it so far."""
        return await self._reader.run(lambda sql: self._of(sql, game, day))

    async def choose(self, game: str, deal: DayDeal) -> DayDeal:
        """Choose the deal of a day; returns the one that counts: somebody may have chosen it first."""

        async def work(sql: Sql) -> DayDeal:
            await sql.choose_day(
                game=game, day=deal.day, deal=deal.number, par=deal.par, committed=int(deal.is_committed)
            )
            return await self._of(sql, game, deal.day) or deal

        return await self._writer.write(work)

    async def with_deal(self, game: str, number: int) -> DayDeal | None:
        """Return the latest day whose deal has this number, or None where it is no day's."""
        row = await self._ask("day_of_deal", game=game, deal=number)
        return None if row is None else DayDeal(row["day"], number, row["par"])

    async def is_shown(self, player_id: int, guild_id: int) -> bool:
        found = await self._list("boards_of_player", player_id=player_id)
        return guild_id in [row["guild_id"] for row in found]

    async def show(self, player_id: int, guild_id: int, *, is_shown: bool) -> None:
        change = "show_on_board" if is_shown else "leave_board"
        await self._do(change, player_id=player_id, guild_id=guild_id)

    async def _of(self, sql: Sql, game: str, day: int) -> DayDeal | None:
        row = await sql.deal_of_day(game=game, day=day)
        return None if row is None else DayDeal(day, row["deal"], row["par"], bool(row["committed"]))


def hashed(key: str, what: str) -> str:
    """Return a keyed hash, which answers only who has what was hashed, and asks about that."""
    return hmac.digest(key.encode(), what.encode(), "sha256").hex()


def try_of(player_id: int, game: str, deal: int) -> str:
    return f"try {player_id} {game} {deal}"


def win_key(winner: int, loser: int, day: int) -> str:
    return f"beat {day} {winner} {loser}"


async def keep_counting(sql: Sql, day: int, what: str, amount: int = 1) -> None:
    """Keep something of a day, since 1970, counted after it is forgotten who it was."""
    key = await sql.key_of_day(day=day)
    if key is None:
        key = secrets.token_hex()
        await sql.add_mark(day=day, mark=key, amount=0)
    await sql.add_mark(day=day, mark=hashed(key, what), amount=amount)


async def still_counted(sql: Sql, what: str) -> int:
    keys = [(row["day"], row["mark"]) async for row in sql.keys_of_days()]
    return sum([await sql.amount_of(day=day, mark=hashed(key, what)) for day, key in keys])

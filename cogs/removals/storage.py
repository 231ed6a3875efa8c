"""What is taken off a server's boards, and put back: players' places there are counted anew by it."""

from __future__ import annotations

from bot.engine.errors import RibitError
from bot.engine.values import frozen
from bot.engine.words import _
from bot.matches.leaderboard import Kind, Removal, Uncounted
from bot.matches.match import Match
from bot.storage.match_reader import matches_in
from bot.storage.sql import Sql
from bot.storage.tallying import add_result, stored_results
from bot.storage.writer import Store

MOST_MATCHES = 25
"""How many of a player's latest matches are shown to choose from: as many as a menu takes."""


class RemovalError(RibitError):
    """Something cannot be taken off a board, or put back; the sentence says why."""


@frozen
class Removing:
    """A removal, or with ``is_back`` its end, by somebody (0: the operator) at a time."""

    removal: Removal
    by_id: int
    at: int
    is_back: bool = False

    async def store(self, sql: Sql) -> None:
        """Write it down; raises RemovalError where it is so already."""
        what = _columns(self.removal)
        whose = {"at": self.at, "by_id": self.by_id}
        if self.is_back:
            if not await sql.put_back(**what, **whose):
                raise RemovalError(_("That is on the boards already."))
        elif await sql.is_removed(**what):
            raise RemovalError(_("That is off the boards already."))
        else:
            await sql.take_off(**what, **whose)


class Removals(Store):
    """What is off the boards of servers."""

    async def has(self, removal: Removal) -> bool:
        """Return whether something is off the boards of a server."""
        return bool(await self._ask("is_removed", **_columns(removal)))

    async def matches(self, guild_id: int, player_id: int) -> list[Match]:
        """Return a player's latest finished matches in a server, latest first."""

        async def work(sql: Sql) -> list[Match]:
            found = sql.latest_matches_of(guild_id=guild_id, player_id=player_id, limit=MOST_MATCHES)
            ids = [row["match_id"] async for row in found]
            return [
                match for match_id in ids for match in await matches_in(sql.match_by_id(id=match_id))
            ]

        return await self._reader.run(work)

    async def change(self, removing: Removing) -> None:
        """Take something off a server's boards, or put it back; raises RemovalError where it is so."""
        guild_id, subject = removing.removal.guild_id, removing.removal.subject

        async def work(sql: Sql) -> None:
            people = [int(subject)] if removing.removal.kind is Kind.PLAYER else []
            if removing.removal.kind is Kind.MATCH:
                found = await matches_in(sql.match_by_id(id=subject))
                people = [
                    one.id for match in found if match.guild_id == guild_id for one in match.people
                ]
                if not people:
                    raise RemovalError(_("There is no such match in this server."))
            await removing.store(sql)
            is_back = removing.is_back and removing.removal.kind is Kind.PLAYER
            for player_id in people:
                await _count_anew(sql, guild_id, player_id, is_back=is_back)

        await self._writer.write(work)


def _columns(removal: Removal) -> dict[str, int | str]:
    return {"guild_id": removal.guild_id, "kind": removal.kind.value, "subject": removal.subject}


async def _count_anew(sql: Sql, guild_id: int, player_id: int, *, is_back: bool) -> None:
    """Compute a player's places in a server from what is stored of the matches there.

    Days won elsewhere that are on its boards stay there. For a player who ``is_back`` on them nobody
    knows any more which were: it goes by what the player has chosen by now.
    """
    where = {"guild_id": guild_id, "player_id": player_id}
    days = [row["match_id"] async for row in sql.days_elsewhere(**where, back=int(is_back))]
    await sql.forget_totals(**where)
    await sql.forget_figures(**where)
    await sql.forget_frog_totals(**where)
    await sql.forget_pars(**where)
    await sql.forget_day_wins(**where)
    here = [row["match_id"] async for row in sql.matches_of(**where)]
    for match_id in (*here, *days):
        (match,) = await matches_in(sql.match_by_id(id=match_id))
        why = await sql.uncounted_of(match_id=match_id)
        for result in await stored_results(sql, match_id):
            if match.players[result.seat].id == player_id:
                at = match.ended_at or 0
                await add_result(sql, match, result, why and Uncounted(why), at, only=guild_id)

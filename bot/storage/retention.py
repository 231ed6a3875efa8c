"""What is kept no longer than it is needed: servers without the bot, and names that nobody is shown."""

from __future__ import annotations

from bot.engine.leaderboard import DAY_SECONDS
from bot.storage.cluster.pubsub import PLAYER, PubSub
from bot.storage.sql import Record, Sql
from bot.storage.writer import Reader, Store, Writer

KEPT_SECONDS = 90 * DAY_SECONDS
"""How long a server is remembered that took the bot out, and a name that no leaderboard shows."""

AT_ONCE = 200
"""How many matches, names or players are gone through in one transaction."""

_MEETING_DAYS = 2
"""How many days it is kept who met on a day: only that of a match that ends is ever asked for."""


class Retention(Store):
    """Forgets servers and names, some at a time."""

    def __init__(self, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(writer, reader)
        self._pubsub = pubsub
        self._name = (-1, -1)
        self._player = -1
        """After which name, and which player, it goes on."""
        self._rests_until = 0

    async def departed(self, guild_id: int, at: int) -> None:
        """Take note that a server has taken the bot out, in seconds since 1970."""
        await self._do("depart", guild_id=guild_id, at=at)

    async def came_back(self, guild_id: int) -> None:
        """Take note that the bot is in a server again."""
        await self._do("come_back", guild_id=guild_id)

    async def departed_unheard(self, guild_id: int, at: int) -> None:
        """Take note that a server without the bot has taken it out, unless that is noted.

        Nothing where the bot was a guest only: it was never in that server.
        """

        async def work(sql: Sql) -> None:
            row = await sql.may_depart(guild_id=guild_id)
            if row is not None and row["may_depart"]:
                await sql.depart(guild_id=guild_id, at=at)

        await self._writer.write(work)

    async def servers_after(self, guild_id: int) -> list[int]:
        """Return some of the servers that something is kept of, by their ids, from one on."""

        async def work(sql: Sql) -> list[int]:
            found = [guild_id]
            while len(found) <= AT_ONCE:
                row = await sql.next_server(guild_id=found[-1])
                if row is None or row["guild_id"] is None:
                    break
                found.append(row["guild_id"])
            return found[1:]

        return await self._reader.run(work)

    async def due(self, now: int) -> list[int]:
        """Return the servers that are to be forgotten: whose bot was taken out for long."""
        found = await self._list("departed", before=now - KEPT_SECONDS)
        return [row["guild_id"] for row in found]

    async def forget_matches(self, guild_id: int) -> list[str]:
        """Have some of a server's ended matches stand in no server; returns which, none for no more.

        They stay with their players, and so does what is counted of them everywhere.
        """

        async def work(sql: Sql) -> list[str]:
            found = sql.server_matches(guild_id=guild_id, limit=AT_ONCE)
            matches = [row["id"] async for row in found]
            for match_id in matches:
                await sql.detach_match(match_id=match_id)
                await sql.detach_results(match_id=match_id)
                await sql.detach_names(match_id=match_id)
                await sql.drop_posts(match_id=match_id)
            return matches

        return await self._writer.write(work)

    async def forget_server(self, guild_id: int, *, is_gone: bool) -> None:
        """Forget a server's leaderboards and names; its settings too where the bot ``is_gone``."""
        where = {"guild_id": guild_id}

        async def work(sql: Sql) -> None:
            dropped = [sql.drop_double_day_wins, sql.detach_day_wins]
            dropped.append(sql.drop_frog_totals)  # finds its players by their names
            dropped += [sql.drop_totals, sql.drop_figures, sql.drop_pars, sql.drop_names]
            dropped.append(sql.drop_removals)
            if is_gone:
                dropped += [sql.drop_day_boards, sql.drop_server, sql.come_back]
            for statement in dropped:
                await statement(**where, is_gone=int(is_gone))

        await self._writer.write(work)
        self._writer.owes_log = True

    async def empty_log(self) -> None:
        """Have the log emptied of what was forgotten, if it has anything."""
        await self._writer.empty_log()

    async def pass_on(self, now: int) -> list[int]:
        """Go through some more of all names, and of all players, from the first to the last once a day.

        A name is marked when it is first found on no board, and forgotten long after that: nothing has
        to be written while people play. Returns whose names are gone by it.
        """
        if now < self._rests_until:
            return []
        days = {"day": now // DAY_SECONDS - _MEETING_DAYS, "limit": AT_ONCE}

        async def work(sql: Sql) -> tuple[list[Record], list[Record]]:
            found = sql.names_after(guild_id=self._name[0], player_id=self._name[1], limit=AT_ONCE)
            names = [row async for row in found]
            for row in names:
                which = {"guild_id": row["guild_id"], "player_id": row["player_id"]}
                if _is_over(row, now):
                    await sql.drop_name(**which, before=now - KEPT_SECONDS)
                elif (row["unshown_since"] is None) is not bool(row["is_shown"]):
                    await sql.mark_name(**which, since=None if row["is_shown"] else now)
            found = sql.players_after(player_id=self._player, limit=AT_ONCE)
            players = [row async for row in found]
            for row in players:
                who = {"player_id": row["player_id"]}
                if _is_over(row, now):
                    await sql.drop_names_of(**who)
                    await sql.drop_seat_names(**who)
                elif (row["unshown_since"] is None) is not bool(row["is_shown"]):
                    await sql.mark_player(**who, since=None if row["is_shown"] else now)
            await sql.drop_old_meetings(**days)
            await sql.drop_forgotten_days(day=days["day"] + 1)
            for player_id in _gone(names, players, now):
                await self._pubsub.note(sql, PLAYER, {"id": player_id})
            return names, players

        names, players = await self._writer.write(work)
        self._writer.owes_log |= bool(_gone(names, players, now))
        if names:
            self._name = (names[-1]["guild_id"], names[-1]["player_id"])
        if players:
            self._player = players[-1]["player_id"]
        if not names and not players:
            self._name, self._player, self._rests_until = (-1, -1), -1, now + DAY_SECONDS
        return _gone(names, players, now)


def _gone(names: list[Record], players: list[Record], now: int) -> list[int]:
    """Return the players of whose names one is forgotten."""
    return sorted({row["player_id"] for row in (*names, *players) if _is_over(row, now)})


def _is_over(row: Record, now: int) -> bool:
    """Return whether a name was shown nowhere for so long that it is forgotten."""
    since = row["unshown_since"]
    return not row["is_shown"] and since is not None and since <= now - KEPT_SECONDS

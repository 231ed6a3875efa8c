"""What is kept no longer than it is needed: servers without the bot, and names that nobody is shown."""

from __future__ import annotations

from bot.engine.leaderboard import DAY_SECONDS
from bot.storage.cluster.pubsub import PLAYER, PubSub
from bot.storage.sql import Queries, Record
from bot.storage.writer import Reader, Session, Store, Writer

KEPT_SECONDS = 90 * DAY_SECONDS
"""How long a server is remembered that took the bot out, and a name that no leaderboard shows."""

AT_ONCE = 200
"""How many matches, names or players are gone through in one transaction."""

_MEETING_DAYS = 2
"""How many days it is kept who met on a day: only that of a match that ends is ever asked for."""


class Retention(Store):
    """Forgets servers and names, some at a time."""

    def __init__(self, queries: Queries, writer: Writer, reader: Reader, pubsub: PubSub) -> None:
        super().__init__(queries, writer, reader)
        self._pubsub = pubsub
        self._name = (-1, -1)
        self._player = -1
        """After which name, and which player, it goes on."""
        self._rests_until = 0

    # ---- servers -------------------------------------------------------------------------------

    async def departed(self, guild_id: int, at: int) -> None:
        """Take note that a server has taken the bot out, in seconds since 1970."""
        await self._do(self._sql.depart, guild_id=guild_id, at=at)

    async def came_back(self, guild_id: int) -> None:
        """Take note that the bot is in a server again."""
        await self._do(self._sql.come_back, guild_id=guild_id)

    async def departed_unheard(self, guild_id: int, at: int) -> None:
        """Take note that a server without the bot has taken it out, unless that is noted.

        Nothing where the bot was a guest only: it was never in that server.
        """

        async def work(session: Session) -> None:
            row = await self._sql.may_depart(session, guild_id=guild_id)
            if row is not None and row["may_depart"]:
                await self._sql.depart(session, guild_id=guild_id, at=at)

        await self._writer.write(work)

    async def servers_after(self, guild_id: int) -> list[int]:
        """Return some of the servers that something is kept of, by their ids, from one on."""

        async def work(session: Session) -> list[int]:
            found = [guild_id]
            while len(found) <= AT_ONCE:
                row = await self._sql.next_server(session, guild_id=found[-1])
                if row is None or row["guild_id"] is None:
                    break
                found.append(row["guild_id"])
            return found[1:]

        return await self._reader.run(work)

    async def due(self, now: int) -> list[int]:
        """Return the servers that are to be forgotten: whose bot was taken out for long."""
        found = await self._list(self._sql.departed, before=now - KEPT_SECONDS)
        return [row["guild_id"] for row in found]

    async def forget_matches(self, guild_id: int) -> list[str]:
        """Have some of a server's ended matches stand in no server; returns which, none for no more.

        They stay with their players, and so does what is counted of them everywhere.
        """

        async def work(session: Session) -> list[str]:
            found = self._sql.server_matches(session, guild_id=guild_id, limit=AT_ONCE)
            matches = [row["id"] async for row in found]
            for match_id in matches:
                await self._sql.detach_match(session, match_id=match_id)
                await self._sql.detach_results(session, match_id=match_id)
                await self._sql.detach_names(session, match_id=match_id)
                await self._sql.drop_posts(session, match_id=match_id)
            return matches

        return await self._writer.write(work)

    async def forget_server(self, guild_id: int, *, is_gone: bool) -> None:
        """Forget a server's leaderboards and names; its settings too where the bot ``is_gone``."""
        where = {"guild_id": guild_id}

        async def work(session: Session) -> None:
            sql = self._sql
            dropped = [sql.drop_double_day_wins, sql.detach_day_wins, sql.drop_day_ties]
            dropped.append(sql.drop_frog_totals)  # finds its players by their names
            dropped += [sql.drop_totals, sql.drop_figures, sql.drop_pars, sql.drop_ties, sql.drop_names]
            dropped.append(sql.drop_removals)
            if is_gone:
                dropped += [sql.drop_day_boards, sql.drop_server, sql.come_back]
            for statement in dropped:
                await statement(session, **where, is_gone=int(is_gone))

        await self._writer.write(work)
        self._writer.owes_log = True

    async def empty_log(self) -> None:
        """Have the log emptied of what was forgotten, if it has anything."""
        await self._writer.empty_log()

    # ---- names ---------------------------------------------------------------------------------

    async def pass_on(self, now: int) -> list[int]:
        """Go through some more of all names, and of all players, from the first to the last once a day.

        A name is marked when it is first found on no board, and forgotten long after that: nothing has
        to be written while people play. Returns whose names are gone by it.
        """
        if now < self._rests_until:
            return []
        days = {"day": now // DAY_SECONDS - _MEETING_DAYS, "limit": AT_ONCE}

        async def work(session: Session) -> tuple[list[Record], list[Record]]:
            names = await self._next_names(session)
            for row in names:
                await self._judge_name(session, row, now)
            players = await self._next_players(session)
            for row in players:
                await self._judge_player(session, row, now)
            await self._sql.drop_old_meetings(session, **days)
            await self._sql.drop_forgotten_days(session, day=days["day"] + 1)
            for player_id in _gone(names, players, now):
                await self._pubsub.note(session, PLAYER, {"id": player_id})
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

    async def _next_names(self, session: Session) -> list[Record]:
        guild_id, player_id = self._name
        after = {"guild_id": guild_id, "player_id": player_id, "limit": AT_ONCE}
        return [row async for row in self._sql.names_after(session, **after)]

    async def _next_players(self, session: Session) -> list[Record]:
        after = {"player_id": self._player, "limit": AT_ONCE}
        return [row async for row in self._sql.players_after(session, **after)]

    async def _judge_name(self, session: Session, row: Record, now: int) -> None:
        which = {"guild_id": row["guild_id"], "player_id": row["player_id"]}
        if _is_over(row, now):
            await self._sql.drop_name(session, **which, before=now - KEPT_SECONDS)
        elif (row["unshown_since"] is None) is not bool(row["is_shown"]):
            await self._sql.mark_name(session, **which, since=None if row["is_shown"] else now)

    async def _judge_player(self, session: Session, row: Record, now: int) -> None:
        who = {"player_id": row["player_id"]}
        if _is_over(row, now):
            await self._sql.drop_names_of(session, **who)
            await self._sql.drop_seat_names(session, **who)
        elif (row["unshown_since"] is None) is not bool(row["is_shown"]):
            await self._sql.mark_player(session, **who, since=None if row["is_shown"] else now)


def _gone(names: list[Record], players: list[Record], now: int) -> list[int]:
    """Return the players of whose names one is forgotten."""
    return sorted({row["player_id"] for row in (*names, *players) if _is_over(row, now)})


def _is_over(row: Record, now: int) -> bool:
    """Return whether a name was shown nowhere for so long that it is forgotten."""
    since = row["unshown_since"]
    return not row["is_shown"] and since is not None and since <= now - KEPT_SECONDS

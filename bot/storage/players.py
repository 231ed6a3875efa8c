"""Storage of players' DM channels, names, locales and settings.

To *forget* a player means to delete the player's personal data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.name_sanitizing import FORGOTTEN_IDS
from bot.matches.preferences import NotifyMode, OwnSettings
from bot.storage.cluster.pubsub import MATCH, MISSED, PLAYER, SERVER_GONE, PubSub
from bot.storage.forgetting import ForgottenList, forget_person
from bot.storage.named_queries import Sql
from bot.storage.read_cache import ReadCache
from bot.storage.writer import Reader, Store, Work, Writer

FORGOTTEN = "forgotten"
"""Type of the notification that a player's personal data was deleted."""

_FLAGS = ("four_colours", "text_table", "shows_totals")


@frozen
class PlayerRecord:
    """A player's stored data.

    Attributes:
        player_id: The player's Discord ID.
        dm_channel_id: The player's DM channel, or None if unknown.
        dms_closed: True if the player does not accept DMs.
        locale: The player's Discord locale, or None if unknown.
        name: The global display name, or None if unknown.
        user_name: The Discord user name, or None if unknown.
        names: The display name in each server, by server ID.
        own: The player's settings.
    """

    player_id: int
    dm_channel_id: int | None = None
    dms_closed: bool = False
    locale: str | None = None
    name: str | None = None
    user_name: str | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    own: OwnSettings = OwnSettings()


class Players(Store):
    """Store of personal data and settings of players, with a read cache."""

    def __init__(
        self, writer: Writer, reader: Reader, pubsub: PubSub, listed: ForgottenList | None = None
    ) -> None:
        """Create the store and its cache.

        Args:
            writer: The writer of the database.
            reader: The read access to the database.
            pubsub: The channel for notifications between the bot's processes.
            listed: The list of people whose data was deleted. None for PostgreSQL, which has no such
                list.
        """
        super().__init__(writer, reader)
        self._listed = listed
        self._kept: ReadCache[int, PlayerRecord] = ReadCache(reader, self._read)
        self._pubsub = pubsub
        pubsub.subscribe(PLAYER, lambda about: self._kept.record_change(about["id"]))
        pubsub.subscribe(SERVER_GONE, self._kept.clear)
        pubsub.subscribe(MISSED, self._kept.clear)

    async def get(self, player_id: int) -> PlayerRecord:
        return await self._kept.get(player_id)

    async def dms(self, player_id: int, channel_id: int) -> None:
        """Store the ID of a player's DM channel, and record that the player accepts DMs from the bot."""
        await self._set("dms_open", player_id, channel_id=channel_id)

    async def dms_closed(self, player_id: int) -> bool:
        """Record that a player does not accept DMs from the bot.

        Return False if this was already recorded.
        """
        return bool(await self._set("dms_closed", player_id))

    async def record_locale(self, player_id: int, locale: str) -> None:
        """Store the player's Discord locale, unless the same locale is already stored."""
        if (await self.get(player_id)).locale != locale:
            await self._set("speaks", player_id, locale=locale)

    async def choose(self, player_id: int, **chosen: Any) -> None:
        """Change the given personal settings of a player. The player's other settings stay the same.

        Args:
            player_id: The player.
            **chosen: The new values. The names are those of the fields of ``OwnSettings``.
        """

        async def work(sql: Sql) -> int:
            own = replace((await self._read(sql, player_id)).own, **chosen)
            flags = {name: getattr(own, name) for name in _FLAGS}
            columns = {name: None if flag is None else int(flag) for name, flag in flags.items()}
            whose = {"player_id": player_id, "told": own.told.value, "night": own.night}
            return int(await sql.put_own(**whose, zone=own.zone, **columns))

        await self._write(player_id, work)

    async def record_names(
        self, player_id: int, name: str, user_name: str, guild_id: int | None, name_there: str
    ) -> PlayerRecord:
        """Store a player's current names. Leaderboards then show the new names.

        Args:
            player_id: The player.
            name: The global display name.
            user_name: The Discord user name.
            guild_id: The server in which the player used Ribit, or None outside servers.
            name_there: The display name in that server.

        Returns:
            The player's record before the change.
        """
        before = await self.get(player_id)

        async def work(sql: Sql) -> int:
            whose = {"player_id": player_id}
            if before.name is not None and before.name != name:
                await sql.rename(**whose, former=before.name, name=name)
                await sql.rename_day_wins(**whose, former=before.name, name=name)
            if guild_id is not None:
                there = {**whose, "guild_id": guild_id, "name": name_there}
                await sql.put_name(**there)
                await sql.put_day_name(**there)
            return int(await sql.is_called(**whose, name=name, user_name=user_name))

        await self._write(player_id, work)
        return before

    async def forget(self, player_id: int, other: int) -> None:
        """Delete a player's personal data, and notify all of the bot's processes. See ``forget_person``.

        Args:
            player_id: The player.
            other: The placeholder ID from which a separate placeholder is derived for each server.

        Raises:
            ForgottenListError: The list of forgotten people cannot be used.
        """

        async def work(sql: Sql) -> int:
            rows = sql.live_seats_of(player_id=player_id)
            live = [{"match": row["id"], "guild": row["guild_id"]} async for row in rows]
            await forget_person(sql, player_id, other, self._listed)
            await self._pubsub.note(sql, FORGOTTEN, {"id": player_id})
            for match in live:
                await self._pubsub.note(sql, MATCH, match)
            return 1

        await self._write(player_id, work)
        self._pubsub.dispatch(FORGOTTEN, {"id": player_id})
        self._writer.owes_log = True

    async def seats_left(self) -> list[tuple[str, int]]:
        """Return the seats in unfinished matches whose players' personal data was deleted.

        Callers make these seats give up their matches.

        Returns:
            Pairs of a match ID and the player's placeholder ID.
        """
        rows = await self._list("seats_left", **FORGOTTEN_IDS)
        return [(row["id"], row["player_id"]) for row in rows]

    async def has_learned(self, player_id: int, game: str) -> bool:
        return bool(await self._ask("has_learned", player_id=player_id, game=game))

    async def _set(self, statement: str, player_id: int, **values: Any) -> int:
        whose = {"player_id": player_id, **values}
        return await self._write(player_id, lambda sql: getattr(sql, statement)(**whose))

    async def _write(self, player_id: int, change: Work[int]) -> int:

        async def work(sql: Sql) -> int:
            changed = await change(sql)
            await self._pubsub.note(sql, PLAYER, {"id": player_id})
            return changed

        changed = await self._writer.write(work)
        self._pubsub.dispatch(PLAYER, {"id": player_id})
        return changed

    async def _read(self, sql: Sql, player_id: int) -> PlayerRecord:
        row, name_rows = await sql.player(player_id=player_id), sql.names_of(player_id=player_id)
        names = {name["guild_id"]: name["name"] async for name in name_rows}
        if row is None:
            return PlayerRecord(player_id, names=names)
        flags: dict[str, Any] = {name: None if row[name] is None else bool(row[name]) for name in _FLAGS}
        own = OwnSettings(told=NotifyMode(row["told"]), night=row["night"], zone=row["zone"], **flags)
        how = {name: row[name] for name in ("dm_channel_id", "locale", "name", "user_name")}
        return PlayerRecord(player_id, dms_closed=bool(row["dms_closed"]), **how, names=names, own=own)

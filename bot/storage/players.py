"""Players: how they can be written to, what they are called, and what they like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from bot.engine.forgotten import FORGOTTEN_IDS
from bot.engine.own_settings import OwnSettings, Told
from bot.engine.values import frozen
from bot.storage.cluster.pubsub import MATCH, PubSub
from bot.storage.forgetting import forget_person
from bot.storage.players_and_servers import Store
from bot.storage.read_cache import ReadCache
from bot.storage.sql import Queries, Record
from bot.storage.writer import Reader, Session, Work, Writer

PLAYER = "player"
"""The kind of notes by which other processes hear of what was changed."""

FORGOTTEN = "forgotten"
"""The kind of notes that a player was forgotten: tables in memory with them are read anew."""


@frozen
class PlayerRecord:
    """How a player can be written to, and is called: everywhere, in each server, and by the user name.

    ``four_colours``, ``told``, ``night``, ``zone`` and ``text_table`` are what they have chosen.
    """

    player_id: int
    dm_channel_id: int | None = None
    dms_closed: bool = False
    locale: str | None = None
    four_colours: bool | None = None
    name: str | None = None
    user_name: str | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    told: Told = Told.AWAY
    night: int | None = None
    text_table: bool | None = None
    zone: str | None = None

    @property
    def own(self) -> OwnSettings:
        """What the player has chosen alone."""
        return OwnSettings(
            self.four_colours, self.told, self.night, self.zone, text_table=self.text_table
        )


class Players(Store):
    """Who can be written to, and how. What is known of a player is read once."""

    def __init__(
        self,
        queries: Queries,
        writer: Writer,
        reader: Reader,
        pubsub: PubSub,
        listed: Path | None = None,
    ) -> None:
        """``listed`` is the list of who was forgotten, None for a server's database."""
        super().__init__(queries, writer, reader)
        self._listed = listed
        self._kept: ReadCache[int, PlayerRecord] = ReadCache(self._read)
        self._pubsub = pubsub
        pubsub.hear(PLAYER, lambda about: self._kept.changed(about["id"]))
        pubsub.missed(self._kept.clear)

    async def get(self, player_id: int) -> PlayerRecord:
        """Return what is known of a player, also of one never seen."""
        return await self._kept.get(player_id)

    async def dms(self, player_id: int, channel_id: int) -> None:
        """Remember that DMs arrive, and in which channel."""
        await self._write(
            player_id,
            lambda connection: self._sql.dms_open(
                connection, player_id=player_id, channel_id=channel_id
            ),
        )

    async def dms_closed(self, player_id: int) -> bool:
        """Remember that DMs are refused; returns whether that is news."""
        changed = await self._write(
            player_id, lambda connection: self._sql.dms_closed(connection, player_id=player_id)
        )
        return bool(changed)

    async def speaks(self, player_id: int, locale: str) -> None:
        """Remember the player's locale; who has spoken it all along costs nothing."""
        if (await self.get(player_id)).locale == locale:
            return
        await self._write(
            player_id,
            lambda connection: self._sql.speaks(connection, player_id=player_id, locale=locale),
        )

    async def likes(self, player_id: int, *, four_colours: bool | None) -> None:
        """Remember in how many colours a player likes the suits; None for as the server has it."""
        await self._write(
            player_id,
            lambda connection: self._sql.likes(
                connection,
                player_id=player_id,
                four_colours=None if four_colours is None else int(four_colours),
            ),
        )

    async def reads(self, player_id: int, *, text_table: bool | None) -> None:
        """Remember whether a player plays without pictures; None for as the place has it."""
        await self._write(
            player_id,
            lambda connection: self._sql.reads(
                connection,
                player_id=player_id,
                text_table=None if text_table is None else int(text_table),
            ),
        )

    async def is_told(self, player_id: int, told: Told) -> None:
        """Remember how a player wants to be told of the turn."""
        await self._write(
            player_id,
            lambda connection: self._sql.is_told(connection, player_id=player_id, told=told.value),
        )

    async def sleeps(self, player_id: int, night: int | None) -> None:
        """Remember at which hour a player's night begins; None for no night."""
        await self._write(
            player_id,
            lambda connection: self._sql.sleeps(connection, player_id=player_id, night=night),
        )

    async def lives_in(self, player_id: int, zone: str) -> None:
        """Remember in which time zone a player's night is meant."""
        await self._write(
            player_id,
            lambda connection: self._sql.lives_in(connection, player_id=player_id, zone=zone),
        )

    async def is_called(
        self, player_id: int, name: str, user_name: str, guild_id: int | None, name_there: str
    ) -> PlayerRecord:
        """Remember what a player is called by now, on boards too; returns what was known before.

        Where a server had called them by the name that they have had, it follows.
        """
        before = await self.get(player_id)

        async def work(connection: Session) -> int:
            whose = {"player_id": player_id}
            if before.name is not None and before.name != name:
                await self._sql.rename(connection, **whose, former=before.name, name=name)
                await self._sql.rename_day_wins(connection, **whose, former=before.name, name=name)
            if guild_id is not None:
                there = {**whose, "guild_id": guild_id, "name": name_there}
                await self._sql.put_name(connection, **there)
                await self._sql.put_day_name(connection, **there)
            return int(await self._sql.is_called(connection, **whose, name=name, user_name=user_name))

        await self._write(player_id, work)
        return before

    async def forget(self, player_id: int, other: int) -> int:
        """Put ids made of another in the place of a player's, and forget the rest of them.

        Returns at how many matches they had sat; none where they were forgotten before.
        """

        async def work(connection: Session) -> int:
            found = self._sql.live_seats_of(connection, player_id=player_id)
            live = [{"match": row["id"], "guild": row["guild_id"]} async for row in found]
            seats = await forget_person(self._sql, connection, player_id, other, self._listed)
            await self._pubsub.note(connection, FORGOTTEN, {"id": player_id})
            for match in live:
                await self._pubsub.note(connection, MATCH, match)
            return seats

        seats = await self._write(player_id, work)
        self._writer.owes_log = True
        return seats

    def forget_read(self, player_id: int | None = None) -> None:
        """Have what is known of a player, or of all, read anew: it was stored from elsewhere."""
        if player_id is None:
            self._kept.clear()
        else:
            self._kept.changed(player_id)

    async def seats_left(self) -> list[tuple[str, int]]:
        """Return the live matches at which somebody still sits who was forgotten, and by which id."""

        async def work(connection: Session) -> list[tuple[str, int]]:
            found = self._sql.seats_left(connection, **FORGOTTEN_IDS)
            return [(row["id"], row["player_id"]) async for row in found]

        return await self._reader.run(work)

    async def has_learned(self, player_id: int, game: str) -> bool:
        """Return whether a player has learned a game in a lesson."""
        return bool(
            await self._reader.run(
                lambda connection: self._sql.has_learned(connection, player_id=player_id, game=game)
            )
        )

    async def _write(self, player_id: int, change: Work[int]) -> int:
        """Change what is stored of a player, and have others told; returns how many rows changed."""

        async def work(connection: Session) -> int:
            changed = await change(connection)
            await self._pubsub.note(connection, PLAYER, {"id": player_id})
            return changed

        changed = await self._writer.write(work)
        self._kept.changed(player_id)
        return changed

    async def _read(self, player_id: int) -> PlayerRecord:
        async def work(connection: Session) -> tuple[Record | None, dict[int, str]]:
            names = self._sql.names_of(connection, player_id=player_id)
            return await self._sql.player(connection, player_id=player_id), {
                found["guild_id"]: found["name"] async for found in names
            }

        row, names = await self._reader.run(work)
        if row is None:
            return PlayerRecord(player_id, names=names)
        liked, text_table = row["four_colours"], row["text_table"]
        return PlayerRecord(
            player_id,
            row["dm_channel_id"],
            bool(row["dms_closed"]),
            row["locale"],
            None if liked is None else bool(liked),
            row["name"],
            row["user_name"],
            names,
            Told(row["told"]),
            row["night"],
            None if text_table is None else bool(text_table),
            row["zone"],
        )

"""Replays of matches that are over: read from the journal when somebody asks, and kept for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from cachetools import LRUCache

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.match import Entry, Match
from bot.engine.names import inert
from bot.engine.replay import Past, Replay
from bot.engine.words import _
from bot.sessions.errors import TableError
from bot.sessions.ports import Journal, Servers

MOST_REPLAYS = 50
"""What is over does not change, so that a page of one that is kept needs no journal."""

_READ_AT_ONCE = 20
"""After so many moves, which take some 3 ms, others have the event loop."""


class Replays:
    """Reads matches that are over; of one that lives nothing is shown."""

    def __init__(self, *, games: Mapping[str, AnyGame], journal: Journal, servers: Servers) -> None:
        self._games = games
        self._journal = journal
        self._servers = servers
        self._kept: LRUCache[str, Replay] = LRUCache(MOST_REPLAYS)

    async def of(self, match_id: str, check: Callable[[Match], Awaitable[None]]) -> Replay:
        """Return the replay of a match; ``check`` raises where who asks may not look into it.

        Raises TableError for a match that is not there, lives, was never begun, or cannot be read.
        """
        replay = self._kept.get(match_id)
        match = await self._journal.find(match_id) if replay is None else replay.match
        if match is None or match.game not in self._games:
            raise TableError(
                _("I don't know the match {id}. `/replay` alone shows your last one here.").format(
                    id=inert(match_id)
                )
            )
        await check(match)
        if replay is None:
            record = await self._journal.load(match_id)
            assert record is not None, "it was found"
            replay = self._kept[match_id] = await read_replay(self._games, *record)
        return replay

    def forget_player(self, player_id: int) -> None:
        """Keep no match any more at which somebody sat who is forgotten: it has the name."""
        for match_id, replay in tuple(self._kept.items()):
            if replay.match.seat_of(player_id) is not None:
                del self._kept[match_id]

    def forget(self, match_id: str) -> None:
        """Drop the replay of a match whose server was forgotten."""
        self._kept.pop(match_id, None)

    async def played(self, player_id: int, guild_id: int | None, most: int = 1) -> list[Past]:
        """Return a player's finished matches, latest first: in a server, or with None anywhere."""
        return await self._journal.played(player_id, guild_id, most)

    async def may_be_shown_in(self, match: Match, guild_id: int | None, player_id: int) -> bool:
        """Return whether a match may be shown to all who are where somebody is: its names are told."""
        if [player.id for player in match.people] == [player_id]:
            return True
        return match.guild_id is not None and (
            match.guild_id == guild_id or (await self._servers.get(match.guild_id)).watched_elsewhere
        )


async def read_replay(games: Mapping[str, AnyGame], match: Match, entries: Sequence[Entry]) -> Replay:
    """Return the replay of a match, as far as it can be read.

    Raises TableError for one that lives, that was never dealt, or of which nothing can be read.
    """
    if match.stage.is_live:
        raise TableError(_("This match is still being played. You can watch it when it's over."))
    if match.seed is None:
        raise TableError(_("This match was never dealt, so there is nothing to watch."))
    game = games[match.game].by_rules(match.rules_version) if match.game in games else None
    try:
        replay = None if game is None else Replay.dealt(match, game)
    except (LookupError, ValueError):  # options of another time
        replay = None
    if replay is None:
        raise TableError(_("I no longer know the rules that this match was played by."))
    for entry in entries:
        try:
            replay = replay.after(entry)
        except (UnreadableMoveError, IllegalMoveError):
            return replay.cut()
        if replay.last % _READ_AT_ONCE == 0:
            await asyncio.sleep(0)
    return replay

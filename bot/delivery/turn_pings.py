"""The lines that call players to the table: whose turn it is, and to whom the hand could not be sent."""

from __future__ import annotations

from collections.abc import Callable

from bot.delivery.content import Contents
from bot.delivery.match_messages import MatchMessages
from bot.delivery.messenger import Messenger
from bot.delivery.recent_activity import RecentActivity
from bot.engine.own_settings import Told, night_seconds_left
from bot.engine.words import speaking
from bot.messages.mentions import call_words
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.turn_clock import Call
from bot.storage import PlayerRecord, Players, Posts

_TURN_SLOT = "turn "
_NUDGE_SLOT = "nudge "
_DMS_SLOT = "dms "
REMATCH_SLOT = f"{_TURN_SLOT}rematch"
"""The line that calls the players of the last match; it stays until the new one starts."""


class TurnPings:
    """Has a line at the table for each player who has to know something, for as long as that is so."""

    def __init__(
        self,
        *,
        tables: Tables,
        posts: Posts,
        messenger: Messenger,
        recent_activity: RecentActivity,
        contents: Contents,
        players: Players,
        clock: Callable[[], int],
    ) -> None:
        """``clock`` returns the seconds since 1970."""
        self._tables = tables
        self._posts = posts
        self._messenger = messenger
        self._recent_activity = recent_activity
        self._contents = contents
        self._players = players
        self._clock = clock

    async def told_of_hand(self, table: Table, seat: int) -> None:
        """Take note that a player has found My hand, and need not be told of it any more."""
        if self._contents.handover.owns(table.match):
            await self._messenger.clear(table, f"{_DMS_SLOT}{seat}")

    async def say_no_dm(self, table: Table, seat: int, why: Callable[[int], str]) -> None:
        """Tell a player, once and at the table, that the hand cannot be sent (and where it is)."""
        player_id = table.match.players[seat].id
        with speaking(await self._contents.language(table)):
            words = why(player_id)
        await self._messenger.remind(
            table,
            f"{_DMS_SLOT}{seat}",
            [player_id],
            words,
            notifies=await self._contents.notifies(table),
        )

    async def remind(self, table: Table, messages: MatchMessages) -> None:
        """Have a line that mentions the player to move, from the turn's beginning to its first move.

        A player who is there is called only after a minute without a click, unless they have chosen it
        otherwise. When the time of the turn runs short, another line takes the first one's place. It is
        a new message each time, and the old one goes: an edit would notify nobody.
        """
        if not self._contents.handover.owns(table.match):  # as of just now
            return
        match, seat, call = table.match, table.to_move, self._tables.call(table)
        player = None if seat is None else await self._players.get(match.players[seat].id)
        if player is not None and player.told is Told.NEVER:
            call = None
        turn = f"{_NUDGE_SLOT if call is Call.NUDGE else _TURN_SLOT}{table.began}"
        wanted = {turn} if call is not None else set()
        if table.is_lobby:
            wanted.add(REMATCH_SLOT)
        if table.is_playing:
            waiting = set(range(len(match.players))) - {table.last_seat}
            wanted |= {f"{_DMS_SLOT}{other}" for other in waiting}
        for slot in await self._posts.all(match.id):
            if slot.startswith((_TURN_SLOT, _NUDGE_SLOT, _DMS_SLOT)) and slot not in wanted:
                messages.failed |= not await self._messenger.clear(table, slot)
        if seat is None or call is None or player is None or await self._posts.get(match.id, turn):
            return
        link = await self._contents.link(table)
        if link is None:
            return
        if waits := self._seconds_to_wait(player, call):
            messages.call_waits = True
            messages.look_in(waits)
            return
        if player.told is Told.DM:
            with speaking(player.locale):
                words = call_words(table, seat, call, link)
            if await self._messenger.remind_in_dm(table, turn, player, words):
                return
        with speaking(await self._contents.language(table)):
            words = call_words(table, seat, call, link)
        notifies = await self._contents.notifies(table)
        await self._messenger.remind(table, turn, [player.player_id], words, notifies=notifies)

    def _seconds_to_wait(self, player: PlayerRecord, call: Call) -> float:
        """Return for how long a player is not to be called yet: by night, or while they are there."""
        night = night_seconds_left(player.night, self._clock())
        if night or call is not Call.TURN or player.told is Told.ALWAYS:
            return night
        return self._recent_activity.seconds_left(player.player_id)

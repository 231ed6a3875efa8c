"""The lines that call players to the table: whose turn it is, and to whom the hand could not be sent."""

from __future__ import annotations

from collections.abc import Callable

from bot.delivery.content import Contents
from bot.delivery.match_messages import MatchMessages
from bot.delivery.messenger import Messenger
from bot.delivery.recent_activity import RecentActivity
from bot.engine.words import speaking
from bot.messages.mentions import call_words
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.turn_clock import Call
from bot.storage import Posts

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
    ) -> None:
        self._tables = tables
        self._posts = posts
        self._messenger = messenger
        self._recent_activity = recent_activity
        self._contents = contents

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

        A player who is there is called only after a minute without a click. When the time of the turn
        runs short, another line takes the first one's place. It is a new message each time, and the old
        one goes: an edit would notify nobody.
        """
        if not self._contents.handover.owns(table.match):  # as of just now
            return
        match, seat, call = table.match, table.to_move, self._tables.call(table)
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
        if seat is None or call is None:
            return
        link = await self._contents.link(table)
        if link is None:
            return
        if call is Call.TURN and await self._posts.get(match.id, turn) is None:
            recent_seconds = self._recent_activity.seconds_left(match.players[seat].id)
            if recent_seconds:
                messages.call_waits = True
                messages.look_in(recent_seconds)
                return
        with speaking(await self._contents.language(table)):
            words = call_words(table, seat, call, link)
        notifies = await self._contents.notifies(table)
        await self._messenger.remind(table, turn, [match.players[seat].id], words, notifies=notifies)

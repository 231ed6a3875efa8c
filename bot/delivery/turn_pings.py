"""Turn pings: short messages that mention the player to move.

A player who has just clicked is not pinged. The code calls these messages lines. Each line is stored
under a slot, which is its key within the match.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import discord
import structlog
from cachetools import TTLCache

from bot.delivery.channels import Channels
from bot.delivery.message_plans import Plans
from bot.delivery.message_routes import nonce_of
from bot.delivery.quiet_hours import night_seconds_left
from bot.engine.translation import speaking
from bot.matches.preferences import NotifyMode
from bot.messages.mentions import call_words, next_words, over_words
from bot.requests.discord_errors import NOT_SENT
from bot.requests.dm_quarantine import QuarantinedError
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import Call, call, next_seat
from bot.storage.players import PlayerRecord

log = structlog.get_logger(__name__)

_TURN_SLOT = "turn "
_NUDGE_SLOT = "nudge "
_NEXT_SLOT = "next "
_DMS_SLOT = "dms "
_OVER_SLOT = "over"
"""Slot of the latest outdated line, which was edited instead of deleted. The next line replaces it."""

REMATCH_SLOT = f"{_TURN_SLOT}rematch"
"""Slot of the line that calls players to a rematch. It stays until the new match starts."""

LOBBY_SLOT = f"{_TURN_SLOT}lobby"
"""Slot of the line with which a feature announces a lobby. It stays until the lobby ends."""

RECENT_SECONDS = 60
"""Seconds after a click during which Ribit assumes that the player is still looking at the table."""

_LOBBY_SLOTS = frozenset({REMATCH_SLOT, LOBBY_SLOT})

COOLDOWN_SECONDS = 5 * 60
"""Seconds for which a refused request is not repeated for the same player."""

_MOST_PLAYERS = 10_000


@dataclass(eq=False)
class RecentActivity:
    """A record of recently active players. It is kept in memory only and is empty after a restart.

    Attributes:
        _seconds: Number of seconds after which an activity is no longer recent.
    """

    _clock: Callable[[], int]
    _seconds: float

    def __post_init__(self) -> None:
        self._until: TTLCache[int, int] = TTLCache(_MOST_PLAYERS, self._seconds, timer=self._clock)

    def note(self, player_id: int) -> None:
        """Record that a player is active now."""
        self._until[player_id] = self._clock() + int(self._seconds)

    def seconds_left(self, player_id: int) -> int:
        """Return the seconds for which a player still counts as recently active, or 0."""
        return max(0, self._until.get(player_id, 0) - self._clock())

    def until(self, player_id: int) -> int | None:
        """Return the Unix time until which a player counts as recently active, or None."""
        return self._until.get(player_id)


@dataclass(eq=False)
class TurnPings:
    """Sends short messages that ping players at tables, and removes them when they are outdated.

    Attributes:
        at_lobby: Callbacks with which features announce an open lobby.
    """

    _plans: Plans
    _channels: Channels
    _recent_activity: RecentActivity
    at_lobby: list[Callable[[Table], Awaitable[None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        channels = self._channels
        self._requests, self._posts, self._players = channels.requests, channels.posts, channels.players

    async def delete_hand_line(self, table: Table, seat: int) -> None:
        """Delete the message that directed a player to the *My hand* button.

        Called after the player has used the button.
        """
        if self._plans.owns(table.match):
            await self._channels.clear(table, f"{_DMS_SLOT}{seat}")

    async def say_no_dm(self, table: Table, seat: int, why: Callable[[int], str]) -> None:
        """Notify a player in the table's channel that Ribit cannot send the player's cards by DM.

        The player is notified only once.

        Args:
            table: The table.
            seat: The player's seat.
            why: Takes the player's ID and returns the text.
        """
        player_id = table.match.players[seat].id
        await self.remind_at_table(table, f"{_DMS_SLOT}{seat}", [player_id], lambda: why(player_id))

    async def remind(self, table: Table) -> tuple[int, bool]:
        """Send the message that mentions the player to move, and remove outdated ones.

        The message stays until the first move of the turn. A player who is active is pinged only after a
        minute without a click, but players can change this in their settings. When the turn's time runs
        short, a second message replaces the first. It is not an edit of the first, because an edit would
        not notify the player.

        Returns:
            The number of seconds after which to call this again to ping the player, or 0. The second
            value is False if an outdated message could not be removed.
        """
        match, seat, due = table.match, table.to_move, call(table, self._plans.clock())
        player = None if seat is None else await self._players.get(match.players[seat].id)
        link = await self._plans.link(table.match)
        is_called = due is not None and player is not None and player.own.told is not NotifyMode.NEVER
        waits = 0
        if seat is None or player is None or due is None or link is None or not is_called:
            is_clear = await self._clear_over(table, None, calls_now=False)
        else:
            turn = f"{_NUDGE_SLOT if due is Call.NUDGE else _TURN_SLOT}{table.began}"
            is_said = await self._posts.get(match.id, turn) is not None
            waits = 0 if is_said else self._seconds_to_wait(player, due)
            calls_now = not is_said and not waits
            is_clear = await self._clear_over(table, turn, calls_now=calls_now)
            if calls_now:
                await self._call(table, turn, player, lambda: call_words(table, seat, due, link))
        if link is not None:
            await self._notify_next(table, link)
            for announce in self.at_lobby if table.is_lobby else ():
                await announce(table)
        return waits, is_clear

    async def _notify_next(self, table: Table, link: str) -> None:
        """Notify the player whose turn comes next, if that player's settings ask for an early notice."""
        players = [await self._players.get(player.id) for player in table.match.people]
        if not any(player.own.told_when is NotifyMode.SOON for player in players):
            return
        seat, slot = next_seat(table), f"{_NEXT_SLOT}{table.began}"
        if (
            seat is None
            or seat in table.inactive_seats
            or await self._posts.get(table.match.id, slot) is not None
        ):
            return
        player = await self._players.get(table.match.players[seat].id)
        if player.own.told_when is NotifyMode.SOON and not night_seconds_left(
            player.own, self._plans.clock()
        ):
            await self._call(table, slot, player, lambda: next_words(player.player_id, link))

    async def _clear_over(self, table: Table, turn: str | None, *, calls_now: bool) -> bool:
        """Remove a match's outdated ping messages. Return False if a request failed.

        If no new message follows, the last one is edited instead of deleted. A player who was notified
        but has not read it would otherwise look for it in vain.

        Args:
            table: The table.
            turn: The slot of the current turn's message, or None if no player is pinged.
            calls_now: True if a new message follows. Then all outdated ones are deleted.
        """
        wanted, is_clear = {turn}, True
        if table.is_lobby:
            wanted |= _LOBBY_SLOTS
        if table.is_playing:
            waiting = set(range(len(table.match.players))) - {table.last_seat}
            wanted |= {f"{_NEXT_SLOT}{table.began}", *(f"{_DMS_SLOT}{other}" for other in waiting)}
        for slot in await self._posts.all(table.match.id):
            if slot in wanted or not slot.startswith((_TURN_SLOT, _NUDGE_SLOT, _NEXT_SLOT, _DMS_SLOT)):
                continue
            if slot.startswith((_DMS_SLOT, _NEXT_SLOT)) or slot in _LOBBY_SLOTS or calls_now:
                is_clear &= await self._channels.clear(table, slot)
                continue
            with speaking(await self._plans.language(table.match)):
                words = over_words(await self._plans.link(table.match))
            is_clear &= await self._close_line(table, slot, words)
        if calls_now:
            is_clear &= await self._channels.clear(table, _OVER_SLOT)
        return is_clear

    async def _call(
        self, table: Table, turn: str, player: PlayerRecord, words: Callable[[], str]
    ) -> None:
        if player.own.told_by_dm and not player.dms_closed:
            with speaking(player.locale):
                text = words()
            try:
                async with self._channels.dms_of(player) as channel_id:
                    nonce = nonce_of(table.match.id, turn, table.began)
                    message_id = await self._requests.send(channel_id, nonce, content=text)
            except (QuarantinedError, discord.HTTPException) as error:
                await self._channels.record_refused_dm(player, error, table.match)
            else:
                await self._posts.store_message(table.match.id, turn, channel_id, message_id)
                await self._players.dms(player.player_id, channel_id)
                return
        await self.remind_at_table(table, turn, [player.player_id], words)

    def _seconds_to_wait(self, player: PlayerRecord, due: Call) -> int:
        """Return the seconds until a player may be pinged, or 0 if a ping is allowed now.

        The result depends on the player's quiet hours and latest click.
        """
        night = night_seconds_left(player.own, self._plans.clock())
        if night or due is not Call.TURN or player.own.told_when is NotifyMode.ALWAYS:
            return night
        return self._recent_activity.seconds_left(player.player_id)

    # ---- the lines themselves ---

    async def remind_at_table(
        self, table: Table, slot: str, player_ids: Sequence[int], words: Callable[[], str]
    ) -> None:
        """Send a short message that mentions players to the table's channel.

        If the slot already has a message, do nothing.

        Args:
            table: The table.
            slot: The key under which the message is stored.
            player_ids: The players to notify. They are not notified if the server's settings forbid it.
            words: Returns the text in the table's language.
        """
        match = table.match
        access = self._channels.permissions.match_access(match)
        if not access.sends or await self._posts.get(match.id, slot) is not None:
            return
        notifies = await self._plans.notifies(table)
        players = [await self._players.get(player_id) for player_id in player_ids if notifies]
        users = [
            discord.Object(player.player_id)
            for player in players
            if player.own.told is not NotifyMode.NEVER
        ]
        only = discord.AllowedMentions(users=users, everyone=False, roles=False)
        with speaking(await self._plans.language(table.match)):
            text = words()
        nonce = nonce_of(table.match.id, slot, table.began)
        message_id = await self._requests.send(match.channel_id, nonce, only, content=text)
        await self._posts.store_message(match.id, slot, match.channel_id, message_id)

    async def _close_line(self, table: Table, slot: str, words: str) -> bool:
        """Edit an outdated ping message if it is its channel's last message. Otherwise, delete it.

        If the last message were deleted, Discord would still show the channel as unread. Return False if
        a deletion failed.
        """
        match_id, access = table.match.id, self._channels.permissions.match_access(table.match)
        post = await self._posts.get(match_id, slot)
        if post is None or not access.shows or post.channel_id != access.channel_id:
            return await self._channels.clear(table, slot)
        try:
            if is_last := await self._requests.is_last(post):
                await self._requests.edit_line(post, words)
        except NOT_SENT as error:
            log.info("turn ping not deleted", match=match_id, message=post.message_id, error=str(error))
            is_last = False
        if not is_last:
            return await self._channels.clear(table, slot)
        if not await self._channels.clear(table, _OVER_SLOT):
            return False
        await self._posts.move(match_id, slot, _OVER_SLOT)
        return True

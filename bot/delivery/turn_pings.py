"""Turn pings, which mention the player to move unless that player has just clicked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import discord
import structlog
from cachetools import TTLCache

from bot.delivery.places import Channels
from bot.delivery.plans import Plans
from bot.delivery.routes import nonce_of
from bot.engine.translation import speaking
from bot.matches.preferences import NIGHT_HOURS, OwnSettings, Told
from bot.messages.mentions import call_words, next_words, over_words
from bot.requests.discord_errors import NOT_SENT
from bot.requests.dm_quarantine import QuarantinedError
from bot.sessions.table import Table
from bot.sessions.tables import Tables
from bot.sessions.turn_clock import Call, next_seat
from bot.storage.players import PlayerRecord

log = structlog.get_logger(__name__)

_TURN_SLOT = "turn "
_NUDGE_SLOT = "nudge "
_NEXT_SLOT = "next "
_DMS_SLOT = "dms "
_OVER_SLOT = "over"
"""The last line of a finished turn, kept until the next line."""

REMATCH_SLOT = f"{_TURN_SLOT}rematch"
"""The line that pings the players of the last match. It is kept until the new match starts."""

LOBBY_SLOT = f"{_TURN_SLOT}lobby"
"""The line of a feature that announces a lobby. It stays until the lobby ends."""

RECENT_SECONDS = 60
"""Seconds after a click during which a player is assumed to be looking."""

_LOBBY_SLOTS = frozenset({REMATCH_SLOT, LOBBY_SLOT})

COOLDOWN_SECONDS = 5 * 60
"""Seconds after a refusal during which the same request is not made again for the same player."""

_MOST_PLAYERS = 10_000


@dataclass(eq=False)
class RecentActivity:
    """The players who recently did something. It is in memory only, so a restart forgets them.

    Attributes:
        _seconds: Seconds for which an activity is recent.
    """

    _clock: Callable[[], int]
    _seconds: float

    def __post_init__(self) -> None:
        self._until: TTLCache[int, int] = TTLCache(_MOST_PLAYERS, self._seconds, timer=self._clock)

    def note(self, player_id: int) -> None:
        """Record an activity of a player."""
        self._until[player_id] = self._clock() + int(self._seconds)

    def seconds_left(self, player_id: int) -> int:
        """Return the seconds for which a player's activity is still recent, or 0 if it is not."""
        return max(0, self._until.get(player_id, 0) - self._clock())

    def until(self, player_id: int) -> int | None:
        """Return the Unix time at which a player's activity stops being recent, or None if it is not."""
        return self._until.get(player_id)


@dataclass(eq=False)
class TurnPings:
    """The lines at tables that notify players. A line is deleted when it no longer applies.

    Attributes:
        at_lobby: Callbacks of features that announce a lobby.
    """

    _tables: Tables
    _plans: Plans
    _channels: Channels
    _recent_activity: RecentActivity
    at_lobby: list[Callable[[Table], Awaitable[None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        channels = self._channels
        self._requests, self._posts, self._players = channels.requests, channels.posts, channels.players

    async def told_of_hand(self, table: Table, seat: int) -> None:
        """Delete the line that shows a player the button *My hand*, because the player has used it."""
        if self._plans.owns(table.match):
            await self._channels.clear(table, f"{_DMS_SLOT}{seat}")

    async def say_no_dm(self, table: Table, seat: int, why: Callable[[int], str]) -> None:
        """Notify a player once, at the table, that the hand cannot be sent by DM.

        Args:
            table: The table.
            seat: The player's seat.
            why: Returns the sentence for a player's ID.
        """
        player_id = table.match.players[seat].id
        await self.remind_at_table(table, f"{_DMS_SLOT}{seat}", [player_id], lambda: why(player_id))

    async def remind(self, table: Table) -> tuple[int, bool]:
        """Keep a line that mentions the player to move, from a turn's beginning to its first move.

        An active player is pinged only after a minute without a click, unless the player's settings say
        otherwise. When the time of the turn runs short, another line replaces the first one. It is a new
        message each time, because an edit would not notify the player. The old line is then deleted.

        Returns:
            The seconds until a player should be pinged, or 0 for none, and False if an outdated line
            could not be deleted.
        """
        match, seat, call = table.match, table.to_move, self._tables.call(table)
        player = None if seat is None else await self._players.get(match.players[seat].id)
        link = await self._plans.link(table.match)
        is_called = call is not None and player is not None and player.own.told is not Told.NEVER
        waits = 0
        if seat is None or player is None or call is None or link is None or not is_called:
            is_clear = await self._clear_over(table, None, calls_now=False)
        else:
            turn = f"{_NUDGE_SLOT if call is Call.NUDGE else _TURN_SLOT}{table.began}"
            is_said = await self._posts.get(match.id, turn) is not None
            waits = 0 if is_said else self._seconds_to_wait(player, call)
            calls_now = not is_said and not waits
            is_clear = await self._clear_over(table, turn, calls_now=calls_now)
            if calls_now:
                await self._call(table, turn, player, lambda: call_words(table, seat, call, link))
        if link is not None:
            await self._tell_next(table, link)
            for announce in self.at_lobby if table.is_lobby else ():
                await announce(table)
        return waits, is_clear

    async def _tell_next(self, table: Table, link: str) -> None:
        """Notify the next player that the turn before has begun, if the player's settings say so."""
        players = [await self._players.get(player.id) for player in table.match.people]
        if not any(player.own.told_when is Told.SOON for player in players):
            return
        seat, slot = next_seat(table), f"{_NEXT_SLOT}{table.began}"
        if seat is None or seat in table.away or await self._posts.get(table.match.id, slot) is not None:
            return
        player = await self._players.get(table.match.players[seat].id)
        if player.own.told_when is Told.SOON and not night_seconds_left(player.own, self._plans.clock()):
            await self._call(table, slot, player, lambda: next_words(player.player_id, link))

    async def _clear_over(self, table: Table, turn: str | None, *, calls_now: bool) -> bool:
        """Remove outdated lines, and return False if a request failed.

        If no other line follows, the last one is edited instead of deleted, because a player who has not
        read it would look for it.

        Args:
            table: The table.
            turn: The slot of the current turn's line, or None if no player is pinged.
            calls_now: True if a new line follows, so that all outdated lines are deleted.
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
                said = words()
            try:
                async with self._channels.dms_of(player) as channel_id:
                    nonce = nonce_of(table.match.id, turn, table.n)
                    message_id = await self._requests.send(channel_id, nonce, content=said)
            except (QuarantinedError, discord.HTTPException) as error:
                await self._channels.refused_dm(table, player, error)
            else:
                await self._posts.put(table.match.id, turn, channel_id, message_id)
                return
        await self.remind_at_table(table, turn, [player.player_id], words)

    def _seconds_to_wait(self, player: PlayerRecord, call: Call) -> int:
        """Return the seconds until a player may be pinged, by quiet hours and recent clicks."""
        night = night_seconds_left(player.own, self._plans.clock())
        if night or call is not Call.TURN or player.own.told_when is Told.ALWAYS:
            return night
        return self._recent_activity.seconds_left(player.player_id)

    # ---- the lines themselves ---

    async def remind_at_table(
        self, table: Table, slot: str, player_ids: Sequence[int], words: Callable[[], str]
    ) -> None:
        """Send a line that mentions players, unless its slot already has one.

        Args:
            table: The table.
            slot: The key under which the line is stored.
            player_ids: The players to notify, if the server's settings allow that.
            words: Returns the text of the line, in the language of the table.
        """
        match = table.match
        access = self._channels.permissions.of(match)
        if not access.sends or await self._posts.get(match.id, slot) is not None:
            return
        notifies = await self._plans.notifies(table)
        players = [await self._players.get(player_id) for player_id in player_ids if notifies]
        users = [discord.Object(each.player_id) for each in players if each.own.told is not Told.NEVER]
        only = discord.AllowedMentions(users=users, everyone=False, roles=False)
        with speaking(await self._plans.language(table.match)):
            said = words()
        nonce = nonce_of(table.match.id, slot, table.n)
        message_id = await self._requests.send(match.channel_id, nonce, only, content=said)
        await self._posts.put(match.id, slot, match.channel_id, message_id)

    async def _close_line(self, table: Table, slot: str, words: str) -> bool:
        """Edit a line that is the last message of its channel, or delete any other.

        A deleted last message would leave the channel unread without a message to read. Returns False if
        a deletion failed.
        """
        match_id, access = table.match.id, self._channels.permissions.of(table.match)
        post = await self._posts.get(match_id, slot)
        if post is None or not access.shows or post.channel_id != access.channel_id:
            return await self._channels.clear(table, slot)
        try:
            if is_last := await self._requests.is_last(post):
                await self._requests.edit_line(post, words)
        except NOT_SENT as error:
            log.info("line goes", match=match_id, message=post.message_id, error=str(error))
            is_last = False
        if not is_last:
            return await self._channels.clear(table, slot)
        if not await self._channels.clear(table, _OVER_SLOT):
            return False
        await self._posts.move(match_id, slot, _OVER_SLOT)
        return True


def night_seconds_left(own: OwnSettings, now: int) -> int:
    """Return the seconds until a player's quiet hours end, or 0 outside of them."""
    return 0 if own.night is None else max(0, night_at(own.night, own.zone, now)[1] - now)


def night_at(hour: int, zone: str | None, now: int) -> tuple[int, int]:
    """Return the Unix times of the begin and the end of the last night that has begun.

    A night in which the clocks change is longer or shorter.

    Args:
        hour: The local hour at which the night begins.
        zone: The time zone, or None for UTC.
        now: The current Unix time.
    """
    begins = local_time(zone, now).replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if begins.timestamp() > now:
        begins -= timedelta(days=1)
    return int(begins.timestamp()), int((begins + timedelta(hours=NIGHT_HOURS)).timestamp())


def local_time(zone: str | None, now: int) -> datetime:
    """Return the time in a time zone, or in UTC if this system does not know the zone."""
    try:
        there = UTC if zone is None else ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        there = UTC
    return datetime.fromtimestamp(now, there)

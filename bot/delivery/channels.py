"""Requests to channels and DMs, within the rate limits and the permissions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog

from bot.delivery.message_writer import Delivery
from bot.engine.translation import speaking
from bot.matches.match import Match
from bot.messages.channel_access import ChannelAccess, NoAccess, without_files
from bot.messages.components import Content
from bot.requests.answers import InFlightAnswers
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.dm_quarantine import Quarantine, QuarantinedError
from bot.requests.message_requests import Requests
from bot.sessions.table_state import Table
from bot.storage.database import Database
from bot.storage.players import PlayerRecord

log = structlog.get_logger(__name__)


_CLOSED_DM_KINDS = (ErrorKind.NO_DMS, ErrorKind.SHUT, ErrorKind.PLACE_GONE)


@dataclass(eq=False)
class Channels:
    """The channels and DMs to which the bot sends requests, with its known access to them.

    Attributes:
        under_way: The interactions that are being answered. They have priority over other requests.
        clock: Returns the Unix time.
        deleting: The IDs of private messages that are being deleted.
    """

    requests: Requests
    _database: Database
    permissions: ChannelPermissions
    under_way: InFlightAnswers
    clock: Callable[[], int]

    def __post_init__(self) -> None:
        self.posts, self.players = self._database.posts, self._database.players
        self.deleting = set[int]()
        self.quarantine = Quarantine(self._database.notes, self.clock)

    @asynccontextmanager
    async def turn(self, channel_id: int, *, is_urgent: bool) -> AsyncIterator[None]:
        """Wait until the rate limiter allows a request to a channel. The block then sends the request.

        Args:
            channel_id: The request's channel.
            is_urgent: True if a user's click waits for the request. If False, also wait until the
                pending interactions are answered.
        """
        async with self.requests.budget.turn(channel_id):
            if not is_urgent:
                await self.under_way.give_way()
            yield

    async def clear(self, table: Table, key: str) -> bool:
        """Delete one of the match's messages in the table's channel.

        Returns:
            False if the deletion failed and should be retried, otherwise True. If there is no such
            message or the bot cannot access it, the result is True as well.
        """
        post = await self.posts.get(table.match.id, key)
        if post is None or not self.permissions.match_access(table.match).shows:
            return True
        if not await self.requests.delete(post):
            return False
        await self.posts.remove(table.match.id, key)
        return True

    def record_refused_picture(
        self, access: ChannelAccess, error: Exception, content: Content
    ) -> Delivery:
        """Record that a channel accepts no files, if its picture may be why content was refused.

        Returns:
            ``AGAIN``, so that the content is rebuilt without a picture and sent by the same route.

        Raises:
            Exception: The same error, if the picture cannot be the cause.
        """
        may_be_files = error_kind(error) in {ErrorKind.SHUT, ErrorKind.NO_FILES}
        has_files = content.picture is not None and access.attaches and access.guild_id is not None
        if not (may_be_files and has_files):
            raise error
        self.permissions.mark(without_files(access))
        return Delivery.AGAIN

    @asynccontextmanager
    async def dms_of(self, player: PlayerRecord) -> AsyncIterator[int]:
        """Yield the ID of a player's DM channel. If the bot has no such channel yet, open one.

        Raises:
            QuarantinedError: Discord currently does not let the bot open new DM channels.
        """
        if player.dm_channel_id is not None:
            yield player.dm_channel_id
        else:
            self.quarantine.require_none()  # before the wait for the rate limit
            yield await self.requests.dm_channel(player.player_id, self.quarantine)
            await self.quarantine.record_success()

    async def send_dm(self, player_id: int, nonce: str, words: Callable[[], str]) -> bool:
        """Send a player a DM in their language. If Discord refuses it, record the reason.

        Returns:
            False if the player's DMs are closed, otherwise True. If another error prevented the DM, the
            result is True as well.
        """
        player = await self.players.get(player_id)
        if player.dms_closed:
            return False
        with speaking(player.locale):
            text = words()
        try:
            async with self.dms_of(player) as channel_id:
                await self.requests.send(channel_id, nonce, content=text)
        except (QuarantinedError, *NOT_SENT) as error:
            log.info("DM not sent", player=player_id, error=str(error))
            with suppress(*NOT_SENT):  # its cause is not the player's DMs
                return await self.record_refused_dm(player, error) is not Delivery.REFUSED
        return True

    async def record_refused_dm(
        self, player: PlayerRecord, error: Exception, match: Match | None = None
    ) -> Delivery:
        """Record why Discord refused a DM to a player.

        Args:
            player: The player.
            error: The refusal, or any other error.
            match: The match that the DM is about, or None. If the bot was removed from its server, the
                refusal of an existing DM channel does not mean that the DMs are closed.

        Returns:
            ``REFUSED`` if the player's DMs are closed and the bot did not know this. ``FLAGGED`` if
            Discord does not let the bot send DMs to new players. Otherwise ``HELD``.

        Raises:
            Exception: The same error, if its cause is not the player's DMs.
        """
        if isinstance(error, QuarantinedError):
            return Delivery.FLAGGED
        kind, player_id, channel_id = error_kind(error), player.player_id, player.dm_channel_id
        server = None if match is None else self.permissions.match_access(match).no_access
        if kind is ErrorKind.FLAGGED:
            await self.quarantine.record_refusal(error)
            outcome = Delivery.FLAGGED
        elif kind not in _CLOSED_DM_KINDS:
            raise error
        elif server is NoAccess.REMOVED and channel_id is not None:  # that may be the cause
            outcome = Delivery.HELD
        else:
            log.info("player does not accept DMs", player=player_id, error=str(error))
            is_news = await self.players.dms_closed(player_id)
            return Delivery.REFUSED if is_news else Delivery.HELD
        if channel_id is not None:
            self.permissions.record_refusal(ChannelAccess(None, channel_id))
        return outcome

"""Messages of a match: sent, edited or deleted by what they show, and remembered.

Nothing is asked of Discord that is known to be refused. A message that is sent carries a nonce made
from its slot and the message that it replaces: where the process ends between sending a message and
remembering it, Discord takes what the next process sends for the same one, and answers with that.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import partial
from hashlib import blake2b

import discord
import structlog

from bot.delivery.slot import POINTER_SLOT, TABLE_SLOT
from bot.engine.words import speaking
from bot.messages.channel_access import ChannelAccess, NoAccess
from bot.messages.components import Content
from bot.requests.channel_permissions import ChannelPermissions
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.message_requests import MakeContent, Requests
from bot.requests.quarantine import Quarantine, QuarantinedError
from bot.sessions.table import Table
from bot.storage import PlayerRecord, Players, Post, Posts

log = structlog.get_logger(__name__)

_NONCE_BYTES = 12
"""A nonce may have 25 characters."""

_TAKES_NO_DM = (ErrorKind.NO_DMS, ErrorKind.SHUT, ErrorKind.PLACE_GONE)


class Delivery(Enum):
    """What became of a DM.

    It was sent, it was refused just now, it was refused before and not tried, it is not possible
    just now, or Discord lets the bot write to nobody new.
    """

    SENT = "sent"
    REFUSED = "refused"
    CLOSED = "closed"
    HELD = "held"
    FLAGGED = "flagged"


class Messenger:
    """Writes to channels and DMs. What shows a match is remembered by its slot."""

    def __init__(
        self,
        requests: Requests,
        *,
        posts: Posts,
        players: Players,
        permissions: ChannelPermissions,
        quarantine: Quarantine,
    ) -> None:
        self._requests = requests
        self._posts = posts
        self._players = players
        self._permissions = permissions
        self.quarantine = quarantine

    # ---- in a channel --------------------------------------------------------------------------

    async def show(
        self, table: Table, make: MakeContent, pointer: MakeContent, *, anew: bool = False
    ) -> bool:
        """Have the table shown in its channel; returns whether that was possible just now.

        That is an edit, or a new message where there is none to edit; with ``anew`` always a new one.
        """
        access = self._permissions.of(table.match)
        if not access.shows:
            return await self._show_in_answer(table, TABLE_SLOT, make, access)
        post, is_shown = await self._posts.get(table.match.id, TABLE_SLOT), False
        while post is not None:
            if not anew:
                still = partial(self._unless_replaced, table, post, make)
                said = await self._requests.edit(post, still, access)
                is_shown = said is None
                if said is ErrorKind.LIMITED and not access.sends:  # the hands say so, then
                    self._permissions.refused(access)
            before, post = post, await self._posts.get(table.match.id, TABLE_SLOT)
            if _id(post) == before.message_id:
                break
            anew = False  # another has been adopted in the meantime
        if not is_shown and access.sends:
            message_id = await self._requests.send(access, make, _nonce(table, TABLE_SLOT, _id(post)))
            if message_id is not None:
                await self.adopt(table, message_id, pointer)
                is_shown = True
        return is_shown

    async def _unless_replaced(self, table: Table, post: Post, make: MakeContent) -> Content | None:
        """Make what the table's message shows, unless another has taken its place, also meanwhile."""
        content = None if await self._is_replaced(table, post) else await make()
        return None if content is None or await self._is_replaced(table, post) else content

    async def _is_replaced(self, table: Table, post: Post) -> bool:
        return _id(await self._posts.get(table.match.id, TABLE_SLOT)) != post.message_id

    async def _show_in_answer(
        self, table: Table, slot: str, make: MakeContent, access: ChannelAccess
    ) -> bool:
        """Show a slot where Ribit is a guest: in the answer to a click, while its token edits it."""
        post = await self._posts.get(table.match.id, slot) if table.match.guest else None
        return post is not None and await self._requests.edit_by_token(post, make, access)

    async def adopt(self, table: Table, message_id: int, pointer: MakeContent) -> None:
        """Take a message as the table's; the one before it points there now, and an older one goes.

        Where Discord refuses that, the message stays as it was: its buttons still say where to look.
        """
        match = table.match
        before, older = [await self._posts.get(match.id, slot) for slot in (TABLE_SLOT, POINTER_SLOT)]
        await self._posts.put(match.id, TABLE_SLOT, match.channel_id, message_id, former=POINTER_SLOT)
        if before is None or before.message_id == message_id:
            return
        access = self._permissions.of(match)
        if older is not None and access.shows:
            await self._requests.delete(older)
        try:
            if not access.shows:
                await self._show_in_answer(table, POINTER_SLOT, pointer, access)
            elif await self._requests.edit(before, pointer, access) is not None:
                await self.clear(table, POINTER_SLOT)
        except NOT_SENT as error:
            log.info("old table stays", match=match.id, message=before.message_id, error=str(error))

    async def leave(self, match_id: str) -> None:
        """Know no more of a match's messages where the bot was a guest: it cannot reach them."""
        for slot in (TABLE_SLOT, POINTER_SLOT):
            await self._posts.remove(match_id, slot)

    async def remind(
        self, table: Table, slot: str, player_ids: Sequence[int], words: str, *, notifies: bool
    ) -> None:
        """Send a line that names these players and notifies them or not, unless it is there already."""
        match = table.match
        access = self._permissions.of(match)
        if not access.sends or await self._posts.get(match.id, slot) is not None:
            return
        users = [discord.Object(player_id) for player_id in player_ids if notifies]
        only = discord.AllowedMentions(users=users, everyone=False, roles=False)
        nonce = _nonce(table, slot, table.n)
        message_id = await self._requests.send_line(match.channel_id, words, only, nonce)
        await self._posts.put(match.id, slot, match.channel_id, message_id)

    async def remind_in_dm(self, table: Table, slot: str, player: PlayerRecord, words: str) -> bool:
        """Send a line to a player's DMs; returns False where those do not take it."""
        if player.dms_closed:
            return False
        try:
            channel_id = player.dm_channel_id
            if channel_id is None:
                async with self.quarantine.tried():
                    channel_id = await self._requests.dm_channel(player.player_id, self.quarantine)
            nonce = _nonce(table, slot, table.n)
            message_id = await self._requests.send_line(
                channel_id, words, discord.AllowedMentions.none(), nonce
            )
        except QuarantinedError:
            return False
        except discord.HTTPException as error:
            if error_kind(error) is ErrorKind.FLAGGED:
                await self.quarantine.refused(error)
            elif error_kind(error) in _TAKES_NO_DM:
                await self._players.dms_closed(player.player_id)
            else:
                raise
            return False
        await self._posts.put(table.match.id, slot, channel_id, message_id)
        return True

    async def close_line(self, table: Table, slot: str, over: str, words: str) -> bool:
        """Say something else in a line that nothing has come after, in the slot ``over``; delete others.

        A line that is gone leaves its channel unread with nothing to read. Returns False where Discord
        failed that.
        """
        match_id, access = table.match.id, self._permissions.of(table.match)
        post = await self._posts.get(match_id, slot)
        if post is None or not access.shows or post.channel_id != access.channel_id:
            return await self.clear(table, slot)
        try:
            is_closed = await self._requests.is_last(post) and await self._requests.edit_line(
                post, words
            )
        except NOT_SENT as error:
            log.info("line goes", match=match_id, message=post.message_id, error=str(error))
            is_closed = False
        if not is_closed:
            return await self.clear(table, slot)
        if not await self.clear(table, over):
            return False
        await self._posts.move(match_id, slot, over)
        return True

    async def clear(self, table: Table, slot: str) -> bool:
        """Delete a message in the table's channel, if there; returns False where Discord failed that."""
        post = await self._posts.get(table.match.id, slot)
        if post is None or not self._permissions.of(table.match).shows:
            return True
        if not await self._requests.delete(post):
            return False
        await self._posts.remove(table.match.id, slot)
        return True

    # ---- in DMs --------------------------------------------------------------------------------

    async def show_in_dm(
        self, table: Table, slot: str, player_id: int, make: MakeContent, *, asked_for: bool = False
    ) -> Delivery:
        """Have a slot shown in a player's DMs, by an edit or a new message.

        A refusal is remembered and not tried again, until the player has asked for it. When the match
        is over nobody gets a new message because of it.
        """
        record = await self._players.get(player_id)
        post = await self._posts.get(table.match.id, slot)
        if not asked_for and (record.dms_closed or (post is None and not table.is_playing)):
            return Delivery.CLOSED if record.dms_closed else Delivery.HELD
        dm = None if record.dm_channel_id is None else self._permissions.at(None, record.dm_channel_id)
        if dm is not None and not dm.shows and not asked_for:
            return Delivery.HELD
        try:
            with speaking(record.locale):
                await self._show_in_dm(table, slot, player_id, dm, make, post)
        except QuarantinedError:
            return Delivery.FLAGGED
        except discord.HTTPException as error:
            if error_kind(error) is ErrorKind.FLAGGED:
                await self.quarantine.refused(error)
                if dm is not None:
                    self._permissions.refused(dm)
                return Delivery.FLAGGED
            if error_kind(error) not in _TAKES_NO_DM:
                raise
            log.info("player takes no DMs", match=table.match.id, player=player_id, code=error.code)
            if dm is not None and self._is_removed(table):  # the player may be as open as ever
                self._permissions.refused(dm)
                return Delivery.HELD
            is_news = await self._players.dms_closed(player_id)
            return Delivery.REFUSED if is_news else Delivery.CLOSED
        return Delivery.SENT

    def _is_removed(self, table: Table) -> bool:
        """Return whether the bot was taken out of the table's server."""
        return self._permissions.of(table.match).no_access is NoAccess.REMOVED

    async def _show_in_dm(
        self,
        table: Table,
        slot: str,
        player_id: int,
        dm: ChannelAccess | None,
        make: MakeContent,
        post: Post | None,
    ) -> None:
        old = (
            None
            if post is None
            else await self._requests.edit(post, make, ChannelAccess(None, post.channel_id))
        )
        if post is not None and old is None:
            return
        nonce = _nonce(table, slot, _id(post))
        if dm is None:
            async with self.quarantine.tried():
                dm = ChannelAccess(None, await self._requests.dm_channel(player_id, self.quarantine))
                message_id = await self._requests.send(dm, make, nonce)
        else:
            message_id = await self._requests.send(dm, make, nonce)
        if message_id is None:
            return
        await self._players.dms(player_id, dm.channel_id)
        await self._posts.put(table.match.id, slot, dm.channel_id, message_id)
        if post is not None and old is ErrorKind.TOO_OLD:
            await self._requests.delete(post)


def _id(post: Post | None) -> int | None:
    return None if post is None else post.message_id


def _nonce(table: Table, slot: str, follows: object) -> str:
    """Return what tells a message from any other that the bot means to send."""
    whole = repr((table.match.id, slot, follows))
    return blake2b(whole.encode(), digest_size=_NONCE_BYTES).hexdigest()

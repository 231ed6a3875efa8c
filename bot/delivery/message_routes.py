"""Routes, the ways to send content to a match's messages.

A route is a response to an interaction, an edit by an interaction token, a normal edit or a new message.
If the bot knows that Discord would refuse a route's request, the route is closed.

A new message's nonce depends only on the match, the message key and the ID of the message that it
replaces. If the process ends before it stores a new message's ID, the next process sends the message
again with the same nonce, and Discord returns the existing message.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import discord

from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.message_places import MessagePlace, Token
from bot.delivery.message_writer import Delivery, Route
from bot.messages.components import Content
from bot.messages.text_mode import fitting
from bot.requests.answers import SILENT, Answer, attachment_ids, takes_no_edit
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.requests.layout_views import message
from bot.storage.match_posts import Post

_OLDER_SECONDS = 2
"""If a message is older than its request by this number of seconds, an earlier process has sent it."""


class RemovedMessageError(Exception):
    """Raised when a message was removed from the database while its edit waited."""


@dataclass(slots=True, eq=False)
class TokenEdit(Route):
    """A route that edits a message with an interaction token. The rate limit does not apply to it."""

    place: MessagePlace

    async def is_open(self) -> bool:
        place, token = self.place, self.place.token
        if token is None or not place.token_seconds or token.message_id == place.lost_id:
            return False
        post = await place.post()
        is_there = place.is_panel if post is None else post.message_id == token.message_id
        return is_there and await place.takes_edits(by_token=True)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        await self.place.shared.under_way.give_way()
        yield

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        token = self.place.token
        assert token is not None, "the route was open"
        return attachment_ids(await token.edit(message(fitting(content, self.place.access))))

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        is_late = isinstance(error, TimeoutError) and not self.place.is_panel
        is_refused = isinstance(error, discord.HTTPException) and error_kind(error) != ErrorKind.TROUBLE
        if not (is_late or is_refused):
            raise error
        self.place.token = None
        return None


@dataclass(slots=True, eq=False)
class MessageEdit(Route):
    """A route that edits a message in its channel or DM with the bot's own permissions."""

    place: MessagePlace

    async def is_open(self) -> bool:
        post = await self.place.post()
        is_there = post is not None and post.message_id != self.place.lost_id
        return is_there and self.place.is_kept_here and await self.place.takes_edits(by_token=False)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        place, channel_id = self.place, (await self._post()).channel_id
        async with place.shared.turn(channel_id, is_urgent=place.is_asked_for):
            yield

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        post = await self._post()
        partial_message = self.place.shared.requests.channel(post.channel_id).get_partial_message(
            post.message_id
        )
        payload = message(fitting(content, self.place.access))
        edited = await partial_message.edit(
            view=payload.view, attachments=payload.files(), allowed_mentions=SILENT
        )
        return attachment_ids(edited)

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        place = self.place
        if isinstance(error, RemovedMessageError):
            return None
        if not takes_no_edit(error):
            return await place.handle_error(error, content)
        # if no new message can replace this one, a later update tries to edit it again
        if error_kind(error) is ErrorKind.MESSAGE_GONE or await place.takes_new():
            place.lost_id = (await self._post()).message_id
        is_limited = isinstance(error, TimeoutError) or error_kind(error) is ErrorKind.LIMITED
        if is_limited and not place.access.sends:  # the hand messages then explain it
            place.shared.permissions.record_refusal(place.access)
        return None

    async def _post(self) -> Post:
        if (post := await self.place.post()) is None:
            raise RemovedMessageError
        return post


@dataclass(slots=True, eq=False)
class NewMessage(Route):
    """A route that sends a new message to a channel or DM.

    Attributes:
        channel_id: The current request's channel.
        is_unsure: True if Discord may have sent the message although the request failed.
    """

    creates = True

    place: MessagePlace
    channel_id: int = 0
    is_unsure: bool = False

    async def is_open(self) -> bool:
        return self.place.is_kept_here and await self.place.takes_new()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        place = self.place
        async with (
            place.opened_channel() as self.channel_id,
            place.shared.turn(self.channel_id, is_urgent=place.is_asked_for),
        ):
            yield

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        place, post, was_unsure = self.place, await self.place.post(), self.is_unsure
        payload, asked_at = message(fitting(content, place.access)), place.shared.clock()
        follows = None if post is None else post.message_id
        nonce = nonce_of(place.find_table().match.id, place.key, follows)
        channel, self.is_unsure = place.shared.requests.channel(self.channel_id), True
        sent_message = await channel.send(
            view=payload.view, files=payload.files(), allowed_mentions=SILENT, nonce=nonce
        )
        former, place.token, self.is_unsure = place.token, None, False
        await place.adopt(self.channel_id, sent_message.id, former)
        is_older = sent_message.created_at.timestamp() < asked_at - _OLDER_SECONDS
        if was_unsure or is_older:  # it may show older content
            await sent_message.edit(
                view=payload.view, attachments=payload.files(), allowed_mentions=SILENT
            )
        return None

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        self.is_unsure &= error_kind(error) is ErrorKind.TROUBLE
        return await self.place.handle_error(error, content)


# ---- routes of clicks and commands ---------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _AnswerRoute(Route):
    place: MessagePlace
    answer: Answer

    @property
    def interaction(self) -> discord.Interaction:  # type: ignore[override]
        return self.answer.interaction


@dataclass(slots=True, eq=False)
class AnswerEdit(_AnswerRoute):
    """A route that answers an interaction by editing the clicked message."""

    clicked: discord.Message

    async def is_open(self) -> bool:
        return await self.place.claim(self.clicked)

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        attached = await self.answer.edit(content, attached)
        self.place.take_token(Token(self.interaction, self.clicked.id))
        return attached

    async def handle_error(self, error: Exception, content: Content) -> Delivery | None:
        if not takes_no_edit(error):
            raise error
        return None


@dataclass(slots=True, eq=False)
class NewAnswer(_AnswerRoute):
    """A route that answers a click or a command by sending a new message.

    Only a table is sent publicly. Other messages are ephemeral.
    """

    creates = True

    async def send(self, content: Content, attached: frozenset[int] | None) -> frozenset[int] | None:
        is_public = self.place.key == TABLE_KEY
        send = self.answer.post if is_public else self.answer.send_ephemeral
        message_id, former = await send(content), self.place.token
        self.place.take_token(Token(self.interaction, message_id, self.answer.is_followed))
        await self.place.adopt(self.interaction.channel_id or 0, message_id, former)
        return None


@dataclass(slots=True, eq=False)
class MessageRoutes:
    """The routes by which the message at a place can be updated, in order of preference.

    The place decides which of them are open. A pointer (a former table message) is not sent again, and a
    private panel can only be edited by token.
    """

    place: MessagePlace
    routes: tuple[Route, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.routes = TokenEdit(self.place), MessageEdit(self.place), NewMessage(self.place)

    def __iter__(self) -> Iterator[Route]:
        return iter(self.routes)


def routes_to_dms(place: MessagePlace) -> tuple[Route, ...]:
    """Return the routes that send a player's hand by DM at the player's request.

    They are tried even if the player's DMs were closed before.
    """
    requested = replace(place, lost_id=None, is_asked_for=True)
    return MessageEdit(requested), NewMessage(requested)


def nonce_of(match_id: str, key: str, follows: object) -> str:
    """Return a message's nonce, which prevents Discord from creating the same message twice.

    Args:
        match_id: The match.
        key: The message key.
        follows: A value that distinguishes messages with the same key, such as the ID of the replaced
            message.
    """
    whole = repr((match_id, key, follows))
    return blake2b(whole.encode(), digest_size=12).hexdigest()  # of at most 25 characters

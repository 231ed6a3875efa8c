"""Answers to Discord interactions.

Every interaction is answered exactly once and before it expires. If handling an interaction fails, the
user gets an ephemeral message.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, TypeVar

import aiohttp
import discord
import structlog

from bot.background import BackgroundTasks
from bot.engine.errors import RibitError
from bot.engine.translation import _, speaking
from bot.messages.channel_access import ChannelAccess, blocked_words
from bot.messages.components import Content, notice_content
from bot.messages.text_mode import fitting
from bot.requests.channel_permissions import is_guest, limit_access
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.requests.http_transport import BlockedHostError
from bot.requests.layout_views import Message, message, spell_emojis

T = TypeVar("T")

log = structlog.get_logger(__name__)

DEFER_AFTER_SECONDS = 1.0
"""Seconds after which an unanswered interaction is deferred.

An interaction expires after 3 s. On a busy machine, the deferral itself may take more than a second."""

TAKES_NO_EDIT = (ErrorKind.MESSAGE_GONE, ErrorKind.TOO_OLD, ErrorKind.ASLEEP, ErrorKind.LIMITED)

COMPONENTS = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""Interaction types of message components, and of modals that a component has opened."""

EDIT_SECONDS = 15
"""Timeout of a request in seconds. Without it, discord.py may wait for a rate limit for half an hour."""

GIVE_UP_SECONDS = 0.5

SILENT = discord.AllowedMentions.none()

YIELD_SECONDS, CROWD = 0.1, 10
"""Seconds of one wait for unanswered interactions, and maximum number of waits in a row."""


class AnswerOutcome(Enum):
    """The result of handling an interaction."""

    DONE = "done"
    REFUSED = "refused"  # the user was shown a reason
    FAULT = "fault"  # a bug in the bot
    FAILED = "failed"  # Discord rejected the answer
    TOO_LATE = "too late"  # the interaction had expired
    STOPPED = "stopped"  # the bot shut down before the answer


class InFlightAnswers:
    """A registry of the interactions that are currently being handled.

    Other work waits for them to be answered. A shutdown waits until they are finished.
    """

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()
        self._unanswered = set[Answer]()
        self._all_left = asyncio.Event()
        self._turn = asyncio.Lock()
        self.background = BackgroundTasks()

    @contextmanager
    def answering(self, answer: Answer) -> Iterator[None]:
        """While the block runs, register the interaction and the current task as being handled."""
        task = asyncio.current_task()
        assert task is not None, "an event is handled by a task"
        self._tasks.add(task)
        self._unanswered.add(answer)
        try:
            yield
        finally:
            self._tasks.discard(task)
            self.mark_sent(answer)

    def mark_sent(self, answer: Answer) -> None:
        """Mark an interaction as answered, so that other work no longer waits for it."""
        self._unanswered.discard(answer)
        if not self._unanswered:
            self._all_left.set()

    async def give_way(self, moments: int = 1) -> None:
        """Wait until users' interactions are answered. Call this before less urgent work.

        The wait is limited. If ``moments`` is 1, callers wait one after the other, so at most one of
        them delays an interaction. In a task that handles an interaction, this returns immediately.

        Args:
            moments: The maximum number of waits, each ``YIELD_SECONDS`` long. The nth wait takes place
                only if at least n interactions are unanswered.
        """
        if asyncio.current_task() in self._tasks:
            return
        until = asyncio.get_running_loop().time()
        async with self._turn if moments == 1 else nullcontext():
            for times in range(moments):
                if len(self._unanswered) <= times:
                    return
                self._all_left.clear()
                until += YIELD_SECONDS
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(until):
                        await self._all_left.wait()

    async def finish(self, seconds: float) -> None:
        """Wait until all interactions are finished. After a timeout, cancel the remaining ones.

        Late acknowledgements are stopped, because no request can be made afterwards.

        Args:
            seconds: The timeout in seconds. After it, the remaining interactions are cancelled.
        """
        if self._tasks:
            _finished, late = await asyncio.wait(set(self._tasks), timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                log.warning("answers cancelled at shutdown", number=len(late))
                await asyncio.wait(late, timeout=GIVE_UP_SECONDS)
        await self.background.close()


class Answer:
    """The answer to one interaction, including its follow-ups.

    Attributes:
        acknowledged_after: Seconds until the first response was sent. None if no response was sent.
        pictured_after: Seconds until the first picture was sent. None if no picture was sent.
        is_blocked: True if Cloudflare blocked the answer. No further request is made, because Cloudflare
            would block and count it as well.
        is_followed: True if the newest message is a follow-up. After a component's interaction was
            deferred, the original response is the message with the component.
    """

    def __init__(self, interaction: discord.Interaction, *, public: bool) -> None:
        self.interaction = interaction
        client: Any = interaction.client
        self.under_way: InFlightAnswers = client.under_way
        self._public = public
        self._first = asyncio.Lock()
        self._deferred = False
        self._began = time.perf_counter()
        self.acknowledged_after: float | None = None
        self.pictured_after: float | None = None
        self.outcome = AnswerOutcome.STOPPED
        self.is_blocked = False
        self.is_followed = False

    def _note_arrival(self, shown: Message | None) -> None:
        after = time.perf_counter() - self._began
        if self.acknowledged_after is None:
            self.acknowledged_after = after
        if self.pictured_after is None and shown is not None and shown.picture is not None:
            self.pictured_after = after

    async def update(self, content: Content) -> None:
        """Edit the message with the component that the user clicked.

        If Discord does not allow the edit, send an ephemeral message instead.
        """
        try:
            await self.edit(content)
        except (TimeoutError, discord.HTTPException) as error:
            if not takes_no_edit(error):
                raise
            await self.send_ephemeral(content)

    async def edit(
        self, content: Content, attached: frozenset[int] | None = None
    ) -> frozenset[int] | None:
        """Edit the message with the component that the user clicked.

        Args:
            content: The content to show.
            attached: The current attachment IDs of the message, if an edit may have replaced the
                attachments since the interaction began. None if they have not changed.

        Returns:
            The attachment IDs of the edited message, or None if they are unknown.

        Raises:
            TimeoutError: The edit took more than ``EDIT_SECONDS``, for example because of a rate limit.
            discord.HTTPException: Discord rejected the edit.
        """
        async with asyncio.timeout(EDIT_SECONDS):
            return await self._with_emojis(content, partial(self._update, attached=attached))

    async def _with_emojis(self, content: Content, send: Callable[[Message], Awaitable[T]]) -> T:
        """Send content.

        If Discord rejects a custom emoji (error 50035), retry with text instead of emoji.
        """
        fit = fit_to_channel(content, self.interaction)
        try:
            return await send(message(fit))
        except discord.HTTPException as error:
            if error_kind(error) is not ErrorKind.NO_EMOJI:
                raise
            self.interaction.client.dispatch("answer_refused", self.interaction, error)
        return await send(spell_emojis(message(fit)))

    async def _update(self, made: Message, attached: frozenset[int] | None) -> frozenset[int] | None:
        """Edit the clicked message.

        If its picture is unchanged and still attached, do not upload it again.
        """
        clicked, picture = self.interaction.message, made.picture
        shown = [
            one
            for one in (clicked.attachments if clicked else ())
            if picture and one.filename == picture.name and (attached is None or one.id in attached)
        ]
        if shown:
            try:
                return await self._edit(made, shown[:1])
            except discord.HTTPException as error:
                if error_kind(error) is not ErrorKind.FAULT:
                    raise
        return await self._edit(made)

    async def _edit(
        self, made: Message, kept: Sequence[discord.Attachment] = ()
    ) -> frozenset[int] | None:
        """Edit the clicked message. Without ``kept`` attachments, upload the files."""
        self.under_way.mark_sent(self)

        def changes() -> Any:
            files = kept or made.files()
            return {"view": made.view, "attachments": files, "allowed_mentions": SILENT}

        async with self._first:
            response = self.interaction.response
            result = None
            if not response.is_done():
                result = await _unless_answered(lambda: response.edit_message(**changes()))
        edited = None if result is None else result.resource
        if result is None:
            edited = await self.interaction.edit_original_response(**changes())
        self._note_arrival(made)
        return attachment_ids(edited) if isinstance(edited, discord.Message) else None

    async def post(self, content: Content) -> int:
        """Send a public message, and return its ID."""
        return await self._with_emojis(content, partial(self._send, ephemeral=False))

    async def send_ephemeral(self, content: Content) -> int:
        """Send an ephemeral message, and return its ID."""
        return await self._with_emojis(content, partial(self._send, ephemeral=True))

    @asynccontextmanager
    async def _taking_back(self) -> AsyncIterator[None]:
        """Remove the public "thinking" message, so that the block can send an ephemeral answer instead.

        If the message were not edited before the block, Discord would replace it with the answer. It is
        deleted after the block, because Discord may reject a follow-up to a deleted response (error
        10008).
        """
        if not self._deferred or not self._public:
            yield
            return
        await self.interaction.edit_original_response(view=message(notice_content("…")).view)
        self._deferred = False
        try:
            yield
        finally:
            with suppress(*NOT_SENT):  # a leftover message with three dots does no harm
                await self.interaction.delete_original_response()

    async def ask(self, form: discord.ui.Modal) -> bool:
        """Open a modal for the user.

        Returns:
            False if the interaction was already answered or deferred, so that no modal can be opened.
        """
        self.under_way.mark_sent(self)
        async with self._first:
            if self.interaction.response.is_done():
                return False
            await self.interaction.response.send_modal(form)
            self._note_arrival(None)
        return True

    async def try_to_send_ephemeral(self, content: Content) -> None:
        """Send an ephemeral message. If the request fails, log the error instead of raising it."""
        if self.is_blocked:
            return
        try:
            await self.send_ephemeral(content)
        except NOT_SENT as error:
            log.warning("interaction not answered", error=str(error), **_context(self.interaction))

    async def send_sentence(self, sentence: str) -> None:
        """Send an ephemeral message that contains the sentence."""
        await self.send_ephemeral(notice_content(sentence))

    async def _send(self, made: Message, *, ephemeral: bool) -> int:
        kwargs: Any = {"view": made.view, "ephemeral": ephemeral, "allowed_mentions": SILENT}
        self.under_way.mark_sent(self)
        async with self._first:
            response = self.interaction.response
            if not response.is_done():
                result = await _unless_answered(
                    lambda: response.send_message(files=made.files(), **kwargs)
                )
                message_id = (result and result.message_id) or await self._answer_id()
                if message_id is not None:
                    self._note_arrival(made)
                    return message_id
        self.is_followed = True
        async with self._taking_back() if ephemeral else nullcontext():
            send = self.interaction.followup.send
            followup = await send(files=made.files(), wait=True, **kwargs)
        self._deferred = False  # the deferred response is complete, even if a later message fails
        self._note_arrival(made)
        return followup.id

    async def _answer_id(self) -> int | None:
        """Return the message ID of the original response, or None if the response is only a deferral.

        After a deferred component interaction, the original response is the message with the component.
        This counts as a deferral, too.
        """
        original, clicked = await self.interaction.original_response(), self.interaction.message
        if clicked is not None and original.id == clicked.id:
            return None
        self._deferred = original.flags.loading
        return None if self._deferred else original.id

    async def acknowledge(self) -> None:
        """Acknowledge the interaction if it has no response yet.

        Make up to three attempts. Errors from the request are not raised.
        """
        self.under_way.mark_sent(self)
        async with self._first:
            response = self.interaction.response
            for _try in range(3):
                if response.is_done() or self.is_blocked:
                    return
                try:
                    if self.interaction.type in COMPONENTS:
                        await response.defer()
                    else:
                        await response.defer(ephemeral=not self._public)
                        self._deferred = True
                    self._note_arrival(None)
                except NOT_SENT as error:
                    self.is_blocked = isinstance(error, BlockedHostError)
                    if error_kind(error) is not ErrorKind.TROUBLE:
                        return

    def defer(self) -> None:
        """Acknowledge the interaction in a background task, because the answer is taking too long."""
        self.under_way.background.start(self.acknowledge())


class OfferError(RibitError):
    """Raised to refuse a user's request with a message that contains more than a sentence.

    For example, the message may contain a button that helps the user.
    """

    def __init__(self, sentence: str, content: Content) -> None:
        super().__init__(sentence)
        self.content = content


@asynccontextmanager
async def answering(interaction: discord.Interaction, *, public: bool = False) -> AsyncIterator[Answer]:
    """Answer an interaction inside the block, using the user's language.

    If the block raises a RibitError, its sentence is shown to the user. Any other exception is logged.
    After a bug, the user gets an apology with the ID of the log entry. At the end, the event
    ``answered`` is dispatched with the answer.

    Args:
        interaction: The interaction.
        public: True if the answer to a slash command is public.
    """
    answer = Answer(interaction, public=public)
    late = asyncio.get_running_loop().call_later(DEFER_AFTER_SECONDS, answer.defer)
    with answer.under_way.answering(answer), speaking(str(interaction.locale)):
        try:
            yield answer
            answer.outcome = AnswerOutcome.DONE
        except RibitError as error:
            answer.outcome = AnswerOutcome.REFUSED
            offered = error.content if isinstance(error, OfferError) else notice_content(error.sentence)
            await answer.try_to_send_ephemeral(offered)
        except Exception as error:  # noqa: BLE001 — logged, with an ID that the user gets
            answer.is_blocked |= isinstance(error, BlockedHostError)
            answer.outcome, sentence = _log_failure(interaction, error)
            if sentence:
                await answer.try_to_send_ephemeral(notice_content(sentence))
        finally:
            await answer.acknowledge()
            late.cancel()
            interaction.client.dispatch("answered", answer)


def takes_no_edit(error: Exception) -> bool:
    """Return whether an error means that a message cannot be edited now, but a new one can be sent."""
    return isinstance(error, TimeoutError) or error_kind(error) in TAKES_NO_EDIT


def attachment_ids(edited: discord.Message) -> frozenset[int]:
    return frozenset(attachment.id for attachment in edited.attachments)


def fit_to_channel(content: Content, interaction: discord.Interaction) -> Content:
    """Return the content, without pictures if the bot may not attach files in the channel."""
    if interaction.guild_id is None or interaction.channel is None:
        return content
    is_thread = isinstance(interaction.channel, discord.Thread)
    access = ChannelAccess(interaction.guild_id, interaction.channel.id)
    if is_guest(interaction):  # the bot is no member there, so only app_permissions count
        return fitting(content, replace(access, attaches=interaction.app_permissions.attach_files))
    return fitting(content, limit_access(access, interaction.app_permissions, is_thread=is_thread))


async def _unless_answered(respond: Callable[[], Awaitable[T]]) -> T | None:
    """Send the initial response to an interaction. If the connection breaks, send it once more.

    Return None if Discord has already received a response, such as one whose confirmation was lost.
    """
    try:
        try:
            return await respond()
        except BlockedHostError:
            raise
        except aiohttp.ClientError:
            return await respond()
    except discord.HTTPException as error:
        if error_kind(error) is not ErrorKind.ANSWERED:
            raise
        return None


def _log_failure(interaction: discord.Interaction, error: Exception) -> tuple[AnswerOutcome, str]:
    """Log an interaction that could not be answered. Return its outcome and a sentence for the user.

    The sentence may be empty.
    """
    match error_kind(error):
        case ErrorKind.BLOCKED:
            interaction.client.dispatch("answer_refused", interaction, error)
            return AnswerOutcome.REFUSED, blocked_words()
        case ErrorKind.FAULT:
            fault = secrets.token_hex(4)
            log.exception("fault", id=fault, **_context(interaction))  # noqa: LOG004 — from a handler
            sentence = _(
                "Sorry, something went wrong on my side. The table is safe, so have a look at it "
                "before you press again. (`{id}`)"
            )
            return AnswerOutcome.FAULT, sentence.format(id=fault)
        case ErrorKind.TOO_LATE:
            log.warning("interaction answered too late", **_context(interaction))
            return AnswerOutcome.TOO_LATE, ""
    interaction.client.dispatch("answer_refused", interaction, error)
    log.warning("Discord failed to accept an answer", error=str(error), **_context(interaction))
    sentence = _(
        "Discord just rejected my answer. If the table shows what you did, it counts, so have a "
        "look before you press again."
    )
    return AnswerOutcome.FAILED, sentence


def _context(interaction: discord.Interaction) -> dict[str, object]:
    data: Mapping[str, Any] = interaction.data or {}
    return {
        "player": interaction.user.id,
        "channel": interaction.channel_id,
        "asked": data.get("custom_id") or data.get("name"),
    }

"""Stricter version of SimCord, which also refuses requests that only the real Discord refuses.

SimCord checks the permissions View Channel and Send Messages. This module adds further rules from
Discord's documentation. Uploads need Attach Files. Nothing in an archived thread can be edited, but a
new message reopens the thread. No message can be sent in a locked thread. If two messages have the same
nonce, Discord answers the second request with the first message.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord
from simcord.backend import Backend
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel, Overwrite
from simcord.enums import OverwriteType
from simcord.http import router

from tests.discord.bot_harness import BotHarness

INVALID = (401, 403, 429)
"""HTTP status codes of invalid requests. Discord blocks a host after 10,000 of them in ten minutes."""

ARCHIVED, LOCKED, MISSING_PERMISSIONS = 50083, 160005, 50013


class Refusals(list[tuple[str, str, int, int]]):
    """List of refused requests, each with its method, path, HTTP status and Discord error code."""

    @property
    def counted_as_invalid(self) -> Refusals:
        """The refused requests that count towards Discord's limit for invalid requests."""
        return Refusals(one for one in self if one[2] in INVALID)


@contextmanager
def strict_discord() -> Iterator[Refusals]:
    """Return a context manager that makes SimCord strict and yields the list of refused requests."""
    lenient, refused = router.dispatch, Refusals()
    by_nonce: dict[tuple[str, str], Any] = {}

    def dispatch(backend: Backend, method: str, path: str, **request: Any) -> Any:
        body = request.get("json")
        nonce = body.get("nonce") if isinstance(body, dict) and method == "POST" else None
        try:
            _check_permissions(backend, method, path, request)
            if nonce is None:
                return lenient(backend, method, path, **request)
            if (path, nonce) not in by_nonce:
                by_nonce[path, nonce] = lenient(backend, method, path, **request)
            return by_nonce[path, nonce]
        except BackendError as error:
            refused.append((method, path, error.status, error.code))
            raise

    router.dispatch = dispatch
    try:
        yield refused
    finally:
        router.dispatch = lenient


def _check_permissions(backend: Backend, method: str, path: str, request: dict[str, Any]) -> None:
    channel = _request_channel(backend, path)
    if channel is None or channel.guild_id is None:
        return
    may = discord.Permissions(
        backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id)
    )
    if request.get("files") and not may.attach_files:
        raise BackendError(403, MISSING_PERMISSIONS, "Missing Permissions")
    thread = channel.thread_metadata
    if thread is None or not path.startswith("/channels/") or method == "GET":
        return
    if thread.locked and not may.manage_threads:
        raise BackendError(403, LOCKED, "Thread is locked")
    if thread.archived and method == "PATCH" and path != f"/channels/{channel.id}":
        raise BackendError(400, ARCHIVED, "Thread is archived")
    if thread.archived and method == "POST":
        backend.edit_channel(channel.id, {}, thread_metadata={"archived": False})


def _request_channel(backend: Backend, path: str) -> Channel | None:
    kind, *ids = path.strip("/").split("/")
    if kind == "channels":
        return backend.channels.get(int(ids[0]))
    if kind == "interactions":
        return backend.channels.get(backend.interactions[int(ids[0])].channel_id)
    if kind == "webhooks":
        return backend.channels.get(backend.interaction_by_token(ids[1]).channel_id)
    return None


async def deny_permissions(place: BotHarness, *permissions: str) -> None:
    """Deny the bot these permissions in the channel, and restore all others.

    Without arguments, all permissions are restored.
    """
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    backend = place.env.backend
    channel_id = place.channel._channel.parent_id or place.channel.id
    backend.set_overwrite(channel_id, Overwrite(backend.bot_user.id, OverwriteType.MEMBER, 0, denied))
    await place.env.settle()


async def change_thread(place: BotHarness, **metadata: bool) -> None:
    """Change whether the current thread is archived or locked, as a moderator could."""
    place.env.backend.edit_channel(place.channel.id, {}, thread_metadata=metadata)
    await place.env.settle()

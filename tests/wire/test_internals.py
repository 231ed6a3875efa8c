"""Internals of SimCord and discord.py that the wire tests use.

An update that changes them fails here.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import simcord.http.routes  # noqa: F401 — registers the routes
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Interaction, Message, Overwrite
from simcord.components import walk_components
from simcord.gateway import FakeGateway
from simcord.http import router
from simcord.interactions import base_payload, command_leaves, nest_options

from tests.wire.server import RealClock

CALLS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "Backend": (Backend, ("clock",)),
    "Backend.create_guild": (Backend.create_guild, ("self", "name")),
    "Backend.create_channel": (Backend.create_channel, ("self", "guild_id", "name")),
    "Backend.make_user": (Backend.make_user, ("self", "name", "fields")),
    "Backend.add_member": (Backend.add_member, ("self", "guild_id", "user_id")),
    "Backend.set_overwrite": (Backend.set_overwrite, ("self", "channel_id", "overwrite")),
    "Backend.delete_overwrite": (Backend.delete_overwrite, ("self", "channel_id", "target_id")),
    "Backend.delete_message": (Backend.delete_message, ("self", "channel_id", "message_id")),
    "Backend.visible_commands": (Backend.visible_commands, ("self", "user_id", "channel_id")),
    "Backend.emit": (Backend.emit, ("self", "event", "payload")),
    "Backend.require_permissions": (
        Backend.require_permissions,
        ("self", "guild_id", "user_id", "channel_id", "names"),
    ),
    "router.dispatch": (
        router.dispatch,
        ("backend", "method", "path", "json", "params", "files", "message_content_access"),
    ),
    "FakeGateway": (FakeGateway, ("backend", "connection_state")),
    "FakeGateway.feed": (FakeGateway.feed, ("self", "event", "payload")),
    "base_payload": (base_payload, ("backend", "type", "channel_id", "guild_id", "user_id", "data")),
    "command_leaves": (command_leaves, ("command",)),
    "nest_options": (nest_options, ("command", "nesting", "leaf_options")),
    "walk_components": (walk_components, ()),
    "guild_create_payload": (serializers.guild_create_payload, ("backend", "guild")),
    "message_payload": (serializers.message_payload, ("backend", "message")),
    "user_payload": (serializers.user_payload, ("user",)),
    "Message.visible_to": (Message.visible_to, ("self", "user_id")),
    "Overwrite": (Overwrite, ("target_id", "type", "deny")),
    "Interaction": (Interaction, ("id", "token", "source_message_id")),
    "Clock.now": (Clock.now, ("self",)),
}

STORES = (
    *("users", "guilds", "channels", "messages", "dm_channels", "commands", "subscribers"),
    *("http_requests", "transcript", "cdn", "application_id", "bot_user"),
)


@pytest.mark.parametrize("name", CALLS)
def test_simcord_functions_accept_the_required_parameters(name: str) -> None:
    """Every function of SimCord that the wire calls has these parameters."""
    call, needed = CALLS[name]
    missing = set(needed) - set(inspect.signature(call).parameters)
    assert not missing, f"SimCord's {name} no longer takes {missing}: tests/wire must follow"


def test_the_simcord_backend_has_the_required_stores() -> None:
    """The backend has the stores that the crowd and the wire read."""
    backend = Backend(clock=RealClock())
    missing = [name for name in STORES if not hasattr(backend, name)]
    assert not missing, f"SimCord's Backend no longer has {missing}: tests/wire must follow"
    assert isinstance(backend.cdn._blobs, dict)


def test_the_simcord_gateway_checks_intents() -> None:
    """The gateway checks intents, and passes each event to a parser by its name."""
    sent: list[str] = []

    class Parsers:
        def __getitem__(self, event: str) -> Any:
            return lambda payload: sent.append(event)

    state = SimpleNamespace(intents=discord.Intents(guilds=True), parsers=Parsers())
    gate = FakeGateway(Backend(clock=RealClock()), state)
    empty: Mapping[str, Any] = {}
    gate.feed("CHANNEL_UPDATE", empty)
    gate.feed("TYPING_START", {"guild_id": "1"})
    assert sent == ["CHANNEL_UPDATE"]


def test_simcord_errors_have_discords_status_code_and_json() -> None:
    """A refusal has Discord's status, code and JSON."""
    backend = Backend(clock=RealClock())
    with pytest.raises(BackendError) as refused:
        router.dispatch(backend, "GET", "/channels/1/messages/2")
    assert (refused.value.status, refused.value.code) == (404, 10003)
    assert refused.value.to_json()["code"] == 10003
    with pytest.raises(router.RouteNotImplemented):
        router.dispatch(backend, "GET", "/no/such/route")


def test_discord_py_uses_the_patched_addresses() -> None:
    """The launcher's two addresses are the ones that discord.py uses."""
    assert Route.BASE.startswith("https://discord.com/api/v")
    assert Route("GET", "/gateway/bot").url == f"{Route.BASE}/gateway/bot"
    assert isinstance(DiscordWebSocket.DEFAULT_GATEWAY, yarl.URL)

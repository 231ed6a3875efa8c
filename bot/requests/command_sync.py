"""Registration of the translated slash commands with Discord.

The registration runs once per start, and sends nothing if Discord already has the same commands. It uses
``Client.http``, because ``CommandTree.sync`` would translate the commands again and cannot send an entry
point command (type 4).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import discord
import structlog
from discord import AppCommandType, app_commands
from discord.http import Route

from bot.engine.translation import _, is_spoken, pgettext, speaking
from bot.messages.mentions import COMMAND, register_commands
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.storage.notes import Notes

log = structlog.get_logger(__name__)

Payload = dict[str, Any]
"""A command, group or option, as returned by discord.py's ``to_dict``."""

CHOICE = "choice of a slash command"
"""The gettext context for choices. The context for names is ``COMMAND``. Descriptions have none."""

TRIES = 3
"""Maximum number of attempts. discord.py does not retry a request whose response is unreadable."""

ENTRY_POINT = 4
"""The type of the command that opens an app's Activity. discord.py does not support this type."""

ENTRY_POINT_FIELDS = (
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "handler",
    "contexts",
    "integration_types",
    "default_member_permissions",
)
"""The fields of an entry point command that are sent back to Discord unchanged."""


async def sync_if_changed(tree: app_commands.CommandTree[Any], notes: Notes) -> None:
    """Send the commands to Discord if a command or translation has changed, and load the command IDs.

    The IDs are stored with a digest of the payload, so a start without changes makes no request. If
    Discord is unavailable, this logs a warning. Messages then mention commands as plain text without a
    link.

    Raises:
        discord.HTTPException: Discord rejected the commands.
    """
    register_commands({})
    payload = [localize(command.to_dict(tree)) for command in tree.get_commands()]
    digest = sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    key = f"commands of {tree.client.application_id}"
    stored_digest, _space, stored_ids = (await notes.get(key) or "").partition(" ")
    if stored_ids and stored_digest == digest:
        ids: dict[str, int] = json.loads(stored_ids)
    else:
        synced_ids = await _try_to_overwrite(tree.client, payload)
        if synced_ids is None:
            return
        ids = synced_ids
        await notes.store_note(key, f"{digest} {json.dumps(ids)}")
        log.info("commands synced", commands=len(payload))
    register_commands(
        {
            command.qualified_name: ids[(command.root_parent or command).name]
            for command in tree.walk_commands(type=AppCommandType.chat_input)
            if isinstance(command, app_commands.Command)
        }
    )


async def _try_to_overwrite(client: discord.Client, payload: list[Payload]) -> dict[str, int] | None:
    """Replace the bot's global commands. Return their IDs by name, or None if Discord is unavailable."""
    for tries_left in reversed(range(TRIES)):
        try:
            return await _overwrite_commands(client, payload)
        except NOT_SENT as error:
            if error_kind(error) is not ErrorKind.TROUBLE:
                raise
            if not tries_left:
                log.warning("commands not synced, will retry at the next start", error=str(error))
    return None


async def _overwrite_commands(client: discord.Client, payload: list[Payload]) -> dict[str, int]:
    """Replace the bot's global commands, and return each command's ID by name.

    Discord rejects a bulk overwrite without the app's entry point command. Therefore, this reads the
    entry point command first and sends it back unchanged.
    """
    application_id = client.application_id
    assert application_id is not None
    read = Route("GET", "/applications/{application_id}/commands", application_id=application_id)
    current: list[Payload] = await client.http.request(read, params={"with_localizations": "true"})
    entry_points = [
        {field: command[field] for field in ENTRY_POINT_FIELDS if command.get(field) is not None}
        for command in current
        if command["type"] == ENTRY_POINT
    ]
    commands = await client.http.bulk_upsert_global_commands(application_id, [*payload, *entry_points])
    return {
        command["name"]: int(command["id"]) for command in commands if command["type"] != ENTRY_POINT
    }


def localize(command: Payload) -> Payload:
    """Add translated names, descriptions and choices to a slash command's payload. Return the payload.

    Translations are added for each Discord locale that has a catalogue. Texts that are the same as in
    English are omitted.
    """
    locales = [locale.value for locale in discord.Locale if is_spoken(locale.value)]
    texts = list(command_texts(command))
    for part, field, _context in texts:
        part[f"{field}_localizations"] = {}
    for locale in locales:
        with speaking(locale):
            for part, field, context in texts:
                text = part[field]
                translation = _(text) if context is None else pgettext(context, text)
                if translation != text:
                    part[f"{field}_localizations"][locale] = translation
    return command


def command_texts(part: Payload) -> Iterator[tuple[Payload, str, str | None]]:
    """Yield each text of a slash command that users see, as ``(part, field, context)``.

    ``part[field]`` is the text. ``context`` is its gettext context, or None for a description.
    """
    yield part, "name", COMMAND
    if part.get("description"):
        yield part, "description", None
    for choice in part.get("choices", ()):
        yield choice, "name", CHOICE
    for option in part.get("options", ()):
        yield from command_texts(option)

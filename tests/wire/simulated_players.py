"""Players who know what they see, and press enabled buttons and pick from menus.

They read the games, and how to start each, from the commands that the bot has synced.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from random import Random
from typing import Any

from simcord.backend import serializers
from simcord.backend.models import Message, User
from simcord.components import walk_components
from simcord.enums import InteractionType
from simcord.interactions import base_payload, command_leaves, nest_options

from bot.engine.frozen import frozen
from tests.wire.ledger import ACKNOWLEDGED_WITHIN_SECONDS, Click, Ledger
from tests.wire.server import Server

BUTTON, MENU, INTEGER = 2, 3, 4
LOCALES = ("en-US", "de")
PATIENCE = 20
"""Factor by which players wait longer for a click than Discord does, on a busy machine."""
FORGED = (
    "m:nothing0:0:t:s1",
    "m::::",
    "a:nothing0:join",
    "b:chess:3",
    "",
    "a" * 100,
    "m:nothing0:9:h:..",
)
RARE = ("leave", "give", "quit", "stop")
"""Actions that end a match, which are pressed less often so that matches make progress."""

FORGETS = ("y:mesure", "y:serversure")
"""Actions that delete a person's or a server's data, and with it the records to compare."""

KEPT_PRIVATE = 12
"""Ephemeral messages of a channel that their viewers have not dismissed."""

_MOVE = re.compile(r"m:([0-9a-z]+):(\d+):")


@frozen
class Control:
    """A visible button or menu, and the data that using it sends."""

    message: Message
    custom_id: str
    kind: int = BUTTON
    values: tuple[str, ...] = ()

    @property
    def move(self) -> tuple[str, int] | None:
        """The match and the number of moves of the control, or None if it is no move."""
        found = _MOVE.match(self.custom_id)
        return (found[1], int(found[2])) if found else None

    @property
    def action(self) -> str:
        """The action of the control, or an empty text."""
        kind, _match, name = (*self.custom_id.split(":"), "", "", "")[:3]
        return name if kind == "a" else ""


class Crowd:
    """The eyes and hands of all players."""

    def __init__(self, server: Server, ledger: Ledger, random: Random) -> None:
        self.server = server
        self.random = random
        self._ledger = ledger
        self._backend = server.backend
        self._locales: dict[int, str] = {}

    def set_locale(self, user: User, locale: str) -> None:
        """Set the language of a user's Discord for later clicks."""
        self._locales[user.id] = locale

    def hears(self, guild_id: int | None) -> bool:
        """Return whether the bot receives clicks of a server, or of DMs (None)."""
        return self.server.line(guild_id).gateway.hears(guild_id)

    # ---- seeing --------------------------------------------------------------------------------

    def seen(self, user: User, channel_id: int, last: int = 6) -> list[Control]:
        """Return the controls that a player can press in a channel's last messages with controls."""
        visible = [
            self.controls(message)
            for message in self._backend.messages.get(channel_id, {}).values()
            if message.visible_to(user.id)
        ]
        return [control for controls in list(filter(None, visible))[-last:] for control in controls]

    def dm_controls(self, user: User) -> list[Control]:
        """Return the controls that a player can press in the DMs."""
        channel_id = self._backend.dm_channels.get(user.id)
        return [] if channel_id is None else self.seen(user, channel_id)

    def called(self, user: User, channel_id: int) -> bool:
        """Return whether a message in the channel mentions a player."""
        messages = list(self._backend.messages.get(channel_id, {}).values())[-8:]
        return any(f"<@{user.id}>" in message.content for message in messages)

    def controls(self, message: Message) -> list[Control]:
        """Return the enabled controls of a message."""
        found = []
        for part in walk_components(message.components):
            if part.get("disabled") or "custom_id" not in part:
                continue
            custom_id, kind = str(part["custom_id"]), int(part["type"])
            if custom_id in FORGETS:
                continue
            if kind == MENU:
                picks = [str(option["value"]) for option in part["options"]]
                found += [Control(message, custom_id, MENU, (pick,)) for pick in picks]
            else:
                found.append(Control(message, custom_id))
        return found

    def dismiss_ephemeral(self, channel_id: int) -> None:
        """Dismiss old ephemeral messages, as every user's client does."""
        messages = self._backend.messages.get(channel_id, {})
        private = [message.id for message in messages.values() if message.is_ephemeral]
        for message_id in private[:-KEPT_PRIVATE]:
            messages.pop(message_id)

    # ---- doing ---------------------------------------------------------------------------------

    async def press(self, user: User, control: Control) -> Click:
        """Use a control and wait until it is acknowledged or cannot be any more."""
        return await self._wait_for_acknowledgement(self.send(user, control), control.message.channel_id)

    def send(self, user: User, control: Control) -> Click:
        """Use a control without waiting."""
        data: dict[str, Any] = {"custom_id": control.custom_id, "component_type": control.kind}
        if control.kind == MENU:
            data["values"] = list(control.values)
        return self._send(
            InteractionType.MESSAGE_COMPONENT, user, control.message.channel_id, data, control.message
        )

    async def slash(self, user: User, channel_id: int, command: str, **options: Any) -> Click:
        """Use a command and wait for its acknowledgement."""
        leaf, root = self.commands()[command]
        types = {option["name"]: option["type"] for option in leaf.get("options") or ()}
        given = [{"name": key, "type": types[key], "value": value} for key, value in options.items()]
        data = {
            **{key: root[key] for key in ("id", "name", "type")},
            "options": nest_options(root, command.split()[1:], given),
        }
        click = self._send(InteractionType.APPLICATION_COMMAND, user, channel_id, data, None)
        return await self._wait_for_acknowledgement(click, channel_id)

    def commands(self) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
        """Return the synced commands, such as ``toad start``, with their root commands."""
        return {
            " ".join(path): (leaf, root)
            for root in self._backend.commands.get(None, {}).values()
            for path, leaf in command_leaves(root)
        }

    def starts(self) -> list[str]:
        """Return the commands that open a table, one for each game."""
        return [command for command in self.commands() if command.endswith(" start")]

    def random_options(self, command: str) -> dict[str, int]:
        """Return random values within bounds for some of a command's number options."""
        options = self.commands()[command][0].get("options") or ()
        return {
            option["name"]: self._random_value(option)
            for option in options
            if option["type"] == INTEGER and self.random.random() < 0.5
        }

    def _random_value(self, option: dict[str, Any]) -> int:
        if choices := option.get("choices"):
            return int(self.random.choice(choices)["value"])
        return self.random.randint(option["min_value"], option["max_value"])

    def usable_commands(self, user: User, channel_id: int) -> list[str]:
        """Return the commands that a player may use in a channel without required options."""
        roots = self._backend.visible_commands(user_id=user.id, channel_id=channel_id)
        return [
            " ".join(path)
            for root in roots
            for path, leaf in command_leaves(root)
            if not any(option.get("required") for option in leaf.get("options") or ())
        ]

    def _send(
        self, kind: int, user: User, channel_id: int, data: dict[str, Any], message: Message | None
    ) -> Click:
        record, payload = base_payload(
            self._backend,
            type=kind,
            channel_id=channel_id,
            guild_id=self._backend.get_channel(channel_id).guild_id,
            user_id=user.id,
            data=data,
        )
        if user.id not in self._locales:
            self.set_locale(user, self.random.choice(LOCALES))
        payload["locale"] = self._locales[user.id]
        if message is not None:
            payload["message"] = dict(serializers.message_payload(self._backend, message))
            record.source_message_id = message.id
        asked = str(data.get("custom_id", data.get("name")))
        click = Click(record.id, user.id, asked, tuple(data.get("values", ())))
        self._ledger.ask(click)
        self._backend.emit("INTERACTION_CREATE", payload)
        return click

    async def _wait_for_acknowledgement(self, click: Click, channel_id: int) -> Click:
        if not self.hears(self._backend.get_channel(channel_id).guild_id):
            return click  # nobody heard it
        for _try in range(PATIENCE):  # the ledger judges whether it came in time
            with suppress(TimeoutError):
                async with asyncio.timeout(ACKNOWLEDGED_WITHIN_SECONDS):
                    await click.over.wait()
            if click.over.is_set() or click.excused or click.sent is None:
                break
        return click

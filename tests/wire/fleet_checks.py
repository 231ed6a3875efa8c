"""Checks of several processes together, such as ownership of messages and shown states."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.message_routes import nonce_of
from tests.wire.database_snapshot import Glances
from tests.wire.environment import World
from tests.wire.ledger import Ledger
from tests.wire.rest import Request, Watch

MOST_TOLD = 30
"""Number of the last requests and clicks that a complaint contains."""

SHARED = "shared"
"""The location of the message with which a player shares a match."""
_CLOSED = (
    "SELECT s.match_id, 'hand ' || s.seat FROM seats AS s JOIN players AS p ON p.player_id = s.player_id"
    " WHERE p.dms_closed = 1"
)
"""Players whose hands' messages no process updates."""

_WRITES = ("post", "edit", "delete")
_NAMED = re.compile(r"'custom_id': '\w+:([0-9a-z]{4,16})\b")
_MATCH = re.compile(r"'custom_id': '[ma]:([0-9a-z]{4,16}):")


@dataclass
class Border:
    """Checks a process's requests for writes to other processes' matches, and forwards to a watch."""

    place: World
    watch: Watch

    async def before(self, request: Request) -> None:
        """Check a request and forward it."""
        guild_id = self._guild(request)
        if guild_id is not None:
            owner = self.place.server.line(guild_id).gateway
            if owner is not self.place.gateway and not self._is_match_shared(request):
                self.place.ledger.wrong.append(
                    f"process {self.place.process} writes to another's match: "
                    f"{request.method} {request.path}"
                )
        await self.watch.before(request)

    async def after(self, request: Request) -> None:
        """Forward a request."""
        await self.watch.after(request)

    def _is_match_shared(self, request: Request) -> bool:
        """Return whether a player shares a match from a hand in DMs.

        Such a message is not the table's message.
        """
        named, nonce = _NAMED.findall(str(request.body)), request.nonce
        return nonce is not None and any(nonce[1] == nonce_of(one, SHARED, None) for one in named)

    def _guild(self, request: Request) -> int | None:
        """Return the server of the match that a request writes to, or None if it is unknown."""
        if request.kind not in _WRITES or request.channel_id is None:
            return None
        channel = self.place.server.backend.channels.get(request.channel_id)
        if channel is not None and channel.guild_id is not None:
            return channel.guild_id
        for match_id in _MATCH.findall(str(request.body)):
            record = self.place.audit.records.get(match_id)
            if record is not None:
                return record.match.guild_id
        return None


@dataclass
class Truth:
    """Compares the messages of live matches with the stored state."""

    place: World
    glances: Glances

    @property
    def ledger(self) -> Ledger:
        """The latest clicks and requests."""
        return self.place.ledger

    async def untrue(self) -> list[str]:
        """Return the messages with controls that do not show the match's last state.

        No update is sent to a player whose DMs are closed, so a click updates such a hand.
        """
        closed = set(await self.glances.ask(_CLOSED))
        stored = dict(
            await self.glances.ask(
                "SELECT m.id, count(x.n) FROM matches AS m LEFT JOIN moves AS x ON x.match_id = m.id"
                " WHERE m.stage = 'playing' GROUP BY m.id"
            )
        )
        posts = await self.glances.ask("SELECT match_id, spot, channel_id, message_id FROM posts")
        return [
            "\n".join(
                (
                    f"match {match_id}: {slot} shows {sorted(shown)} and not {stored[match_id]}",
                    f"it is message {message_id} of channel {channel_id}, where there is now:",
                    *self._messages_with_moves(match_id, channel_id),
                    *self.ledger.told(match_id, str(message_id))[-MOST_TOLD:],
                )
            )
            for match_id, slot, channel_id, message_id in posts
            if match_id in stored and (slot == TABLE_KEY or slot.startswith("hand "))
            if (match_id, slot) not in closed
            for shown in [self._shown(match_id, channel_id, message_id)]
            if shown is not None and shown != {stored[match_id]}
        ]

    def _messages_with_moves(self, match_id: str, channel_id: int) -> list[str]:
        """Return the messages of a channel that offer a move of the match, with their states."""
        messages = self.place.server.backend.messages.get(channel_id, {})
        shown = {one: self._shown(match_id, channel_id, one) for one in messages}
        return [
            f"message {one}, which shows {sorted(states)}" for one, states in shown.items() if states
        ]

    def _shown(self, match_id: str, channel_id: int, message_id: int) -> set[int] | None:
        """Return the states that a message shows, or None if it offers no move of the match."""
        message = self.place.server.backend.messages.get(channel_id, {}).get(message_id)
        if message is None:
            return set()
        moves = [one.move for one in self.place.crowd.controls(message) if one.move is not None]
        return {n for of, n in moves if of == match_id} or None

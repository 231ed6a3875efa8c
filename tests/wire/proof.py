"""What must be true of several processes together: who writes where, who is called, what is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.routes import nonce_of
from tests.wire.audit import Record
from tests.wire.books import Glances
from tests.wire.ledger import Ledger
from tests.wire.rest import Nonce, Request, Watch
from tests.wire.world import World

LONGEST_TURN = 40
"""More moves than a turn has, except where somebody goes back and forth for long."""

MOST_TOLD = 30
"""How many of the last requests and clicks a complaint has."""

_CALLS = ("turn ", "nudge ")
SHARED = "shared"
"""The spot of the message by which somebody shares a match."""
_CLOSED = (
    "SELECT s.match_id, 'hand ' || s.seat FROM seats AS s JOIN players AS p ON p.player_id = s.player_id"
    " WHERE p.dms_closed = 1"
)
"""Whose hands' messages nobody brings up to date."""

_WRITES = ("post", "edit", "delete")
_NAMED = re.compile(r"'custom_id': '\w+:([0-9a-z]{4,16})\b")
_MATCH = re.compile(r"'custom_id': '[ma]:([0-9a-z]{4,16}):")


@dataclass
class Border:
    """Watches a process for requests to what is another's to write, and leaves the rest to a watch."""

    place: World
    watch: Watch

    async def before(self, request: Request) -> None:
        """Judge a request, and let come what may."""
        guild_id = self._guild(request)
        if guild_id is not None:
            owner = self.place.server.line(guild_id).gateway
            if owner is not self.place.gateway and not self._shares(request):
                self.place.ledger.wrong.append(
                    f"process {self.place.process} writes to another's match: "
                    f"{request.method} {request.path}"
                )
        await self.watch.before(request)

    async def after(self, request: Request) -> None:
        """Let come what may."""
        await self.watch.after(request)

    def _shares(self, request: Request) -> bool:
        """Return whether somebody shares a match from a hand in DMs: no message of its table."""
        named, nonce = _NAMED.findall(str(request.body)), request.nonce
        return nonce is not None and any(nonce[1] == nonce_of(one, SHARED, None) for one in named)

    def _guild(self, request: Request) -> int | None:
        """Return the server of the match that a request writes to, as far as that can be told."""
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


def called_twice(records: Mapping[str, Record], posted: Mapping[Nonce, object]) -> list[str]:
    """Return the turns to which somebody was called by more than one message of a kind."""
    found = []
    for record in records.values():
        if record.table is None:
            continue
        match, moves = record.match, len(record.entries)
        for began in range(moves + 1):
            for kind in _CALLS:
                slot = f"{kind}{began}"
                made_at = range(began, min(began + LONGEST_TURN, moves + 1))
                nonces = {(match.channel_id, nonce_of(match.id, slot, n)) for n in made_at}
                if len(nonces & posted.keys()) > 1:
                    found.append(f"match {match.id}: several messages call to one turn ({slot})")
    return found


@dataclass
class Truth:
    """Compares the messages of live matches with what is stored."""

    place: World
    glances: Glances

    @property
    def ledger(self) -> Ledger:
        """What was clicked and asked of late."""
        return self.place.ledger

    async def untrue(self) -> list[str]:
        """Return the messages that can be pressed and show another state than the last.

        To whose DMs are closed nothing is sent there any more: a click brings such a hand up to date.
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
                    *self._there(match_id, channel_id),
                    *self.ledger.told(match_id, str(message_id))[-MOST_TOLD:],
                )
            )
            for match_id, slot, channel_id, message_id in posts
            if match_id in stored and (slot == TABLE_KEY or slot.startswith("hand "))
            if (match_id, slot) not in closed
            for shown in [self._shown(match_id, channel_id, message_id)]
            if shown is not None and shown != {stored[match_id]}
        ]

    def _there(self, match_id: str, channel_id: int) -> list[str]:
        """Return the messages of a channel that offer a move of the match, and the states they show."""
        messages = self.place.server.backend.messages.get(channel_id, {})
        shown = {one: self._shown(match_id, channel_id, one) for one in messages}
        return [
            f"message {one}, which shows {sorted(states)}" for one, states in shown.items() if states
        ]

    def _shown(self, match_id: str, channel_id: int, message_id: int) -> set[int] | None:
        """Return the states that a message shows, or None where it offers no move of the match."""
        message = self.place.server.backend.messages.get(channel_id, {}).get(message_id)
        if message is None:
            return set()
        moves = [one.move for one in self.place.crowd.controls(message) if one.move is not None]
        return {n for of, n in moves if of == match_id} or None

"""Injected faults such as refused requests, cut connections, closed channels and ``kill -9``."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from simcord.enums import ChannelType

from bot.engine.frozen import frozen
from tests.wire.ledger import Ledger
from tests.wire.program import Program
from tests.wire.rest import DroppedError, FailedError, Request, closed_dms_error
from tests.wire.server import Server

SLOWEST_SECONDS = 1.2
LONGEST_RETRY_SECONDS = 0.6
SOON_SECONDS = 0.03
"""Maximum seconds after a click for a kill, while the click is read, decided, stored or answered."""

FULL_DISK = "full disk"
PERMISSIONS = ("attach_files", "send_messages", "view_channel")


@frozen
class Weather:
    """Probabilities of each fault at each request and in each second.

    ``from_the_start`` includes the time before the bot is connected.
    """

    limited: float = 0.0
    failing: float = 0.0
    dropping: float = 0.0
    slow: float = 0.0
    cutting: float = 0.0
    closing: float = 0.0
    withdrawing: float = 0.0
    deleting: float = 0.0
    from_the_start: bool = False


CALM = Weather()


@dataclass(slots=True)
class Doom:
    """The event at which the process is killed, or asked to stop if ``gently``.

    It is the n-th event of its type. ``moment`` is ``before`` or ``after`` Discord handles a request of
    the ``kind``, which never gets an answer, or soon after a ``click`` was sent.
    """

    moment: str
    kind: str = ""
    count: int = 1
    gently: bool = False

    def has_occurred(self, moment: str, kind: str) -> bool:
        """Return whether the event has occurred."""
        if self.moment != moment or self.kind not in (kind, ""):
            return False
        self.count -= 1
        return self.count == 0


@dataclass
class Perils:
    """Watches every request and click of the process, and counts and logs the injected faults."""

    random: Random
    ledger: Ledger
    weather: Weather = CALM
    doom: Doom | None = None
    counts: Counter[str] = field(default_factory=Counter)
    of_life: set[str] = field(default_factory=set)
    """Types of faults that the current process has met."""
    gate: asyncio.Event | None = None
    """An event on which answers to clicks wait, or None."""
    process: int = 0
    """The number of the affected process."""
    fellows: Sequence[Perils] = ()
    """The perils of the other processes."""

    def set_targets(self, server: Server, program: Program) -> None:
        """Set the objects to watch."""
        self._server = server
        self._gateway = server.lines[self.process].gateway
        self._program = program

    def begin(self, weather: Weather, doom: Doom | None) -> None:
        """Begin the next life of the process."""
        self.weather, self.doom = weather, doom
        self.of_life = {"withdrawn"} & self.of_life

    def met(self, kind: str) -> None:
        """Record a fault of this process."""
        self.counts[kind] += 1
        self.of_life.add(kind)

    def record_shared_fault(self, kind: str) -> None:
        """Record a fault that every process may see."""
        self.met(kind)
        for fellow in self.fellows:
            fellow.of_life.add(kind)

    # ---- requests ------------------------------------------------------------------------------

    async def before(self, request: Request) -> None:
        """Kill the process, or delay, fail or drop a request, before Discord handles it."""
        self._strike("before", request)
        self._close_channel(request)
        if self.gate is not None and request.interaction_id is not None:
            self.met("held up")
            await self.gate.wait()
        weather, roll = self.weather, self.random.random
        if not weather.from_the_start and not self._gateway.has_session:
            return
        if roll() < weather.slow:
            self.met("slow")
            await asyncio.sleep(self.random.uniform(0, SLOWEST_SECONDS))
        if roll() < weather.limited:
            self._fail_request(request, "limited", 429)
        if roll() < weather.failing:
            self._fail_request(request, "failing", self.random.choice((500, 502)))
        if roll() < weather.dropping:
            self._drop_request(request)

    async def after(self, request: Request) -> None:
        """Kill the process, or drop a request, after Discord has handled it."""
        self._strike("after", request)
        if request.kind != "other" and self.random.random() < self.weather.dropping:
            self._drop_request(request)

    def _strike(self, moment: str, request: Request) -> None:
        if self.doom is None or not self.doom.has_occurred(moment, request.kind):
            return
        if self.doom.gently:
            self._program.ask_to_stop()
            return
        self._program.kill()
        raise DroppedError

    def _fail_request(self, request: Request, kind: str, status: int) -> None:
        self.met(kind)
        if request.interaction_id is not None:
            self.ledger.excuse_click(request.interaction_id, f"its answer met a {status}")
        raise FailedError(status, self.random.uniform(0.05, LONGEST_RETRY_SECONDS))

    def _drop_request(self, request: Request) -> None:
        self.met("dropping")
        if request.interaction_id is not None:
            self.ledger.excuse_click(request.interaction_id, "its answer was dropped")
        raise DroppedError

    def _close_channel(self, request: Request) -> None:
        if request.kind != "post" or request.channel_id is None:
            return
        channel = self._server.backend.channels.get(request.channel_id)
        if channel is None or channel.type != ChannelType.DM:
            return
        if self._server.closed_dms.intersection(channel.recipient_ids):
            self.met("closed DMs")
            raise closed_dms_error()

    # ---- clicks --------------------------------------------------------------------------------

    def clicked(self) -> None:
        """Kill the process soon after a click, if it is time."""
        if self.doom is not None and self.doom.has_occurred("click", ""):
            asyncio.get_running_loop().call_later(
                self.random.uniform(0, SOON_SECONDS), self._program.kill
            )

    # ---- troubles ------------------------------------------------------------------------------

    async def inject_troubles(self, channels: list[int], people: list[int]) -> None:
        """Inject troubles each second until cancelled."""
        while True:
            await asyncio.sleep(self.random.uniform(0.5, 1.5))
            weather, roll = self.weather, self.random.random
            if roll() < weather.cutting and self._gateway.connected.is_set():
                self._cut_connection()
            if roll() < weather.closing:
                self._server.closed_dms ^= {self.random.choice(people)}
            if roll() < weather.withdrawing:
                self._toggle_permissions(self.random.choice(channels))
            if roll() < weather.deleting:
                self._delete_message(self.random.choice(channels))

    def _cut_connection(self) -> None:
        gateway = self._gateway
        self.ledger.excuse_open_clicks("the connection broke", self.process)
        how = self.random.choice(
            (gateway.break_connections, gateway.request_reconnect, gateway.invalidate)
        )
        self.met(how.__name__)
        how()

    def _toggle_permissions(self, channel_id: int) -> None:
        channel = self._server.backend.get_channel(channel_id)
        if channel.overwrites:
            self._server.restore_permissions(channel_id)
            return
        self.record_shared_fault("withdrawn")
        most = self.random.randint(1, len(PERMISSIONS))
        self._server.withdraw(channel_id, *self.random.sample(PERMISSIONS, most))

    def _delete_message(self, channel_id: int) -> None:
        messages = self._server.backend.messages.get(channel_id, {})
        lasting = [message.id for message in messages.values() if not message.is_ephemeral]
        if lasting:
            self.record_shared_fault("deleted")
            self._server.backend.delete_message(channel_id, self.random.choice(lasting[-3:]))

    def stop_faults(self) -> None:
        """Stop all faults."""
        self.weather, self.doom = CALM, None
        self._server.closed_dms.clear()
        for channel in self._server.backend.channels.values():
            if channel.overwrites:
                self._server.restore_permissions(channel.id)

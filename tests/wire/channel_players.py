"""A channel and its players, with one table or a deal for each of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random

from simcord.backend.models import Channel, User

from tests.wire.ledger import Click, Ledger
from tests.wire.simulated_players import FORGED, LOCALES, RARE, Control, Crowd

THINKING_SECONDS = 0.06
REMEMBERED = 200
RESTLESS = 0.02
"""Share of the steps in which a player changes the language."""

LONG_MATCH = 50
"""Number of moves after which a player may end the match."""

TABLE = ("join", "start", "hand", "wake")
"""Actions that only a live table offers."""


@dataclass(eq=False)
class Party:
    """Players of one game in one channel that sometimes use controls without permission.

    ``game`` is the index of the game among those that the bot offers.
    """

    crowd: Crowd
    ledger: Ledger
    channel: Channel
    people: list[User]
    game: int
    _remembered: list[Control] = field(default_factory=list, init=False)

    @property
    def _random(self) -> Random:
        return self.crowd.random

    async def play(self) -> None:
        """Play without end, while there are other players."""
        while True:
            await self._wait_until_connected()
            if self.crowd.starts():
                await self.act()
            await asyncio.sleep(self._random.uniform(0, THINKING_SECONDS))

    async def _wait_until_connected(self) -> None:
        """Wait until the bot receives events of the channel, or of DMs."""
        lines = {self.crowd.server.line(guild_id) for guild_id in (self.channel.guild_id, None)}
        waiting = [asyncio.create_task(line.gateway.connected.wait()) for line in lines]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    async def act(self) -> None:
        """Make a random player act."""
        roll, people = self._random.random(), self.people
        self.crowd.dismiss_ephemeral(self.channel.id)
        called = [user for user in people if self.crowd.called(user, self.channel.id)]
        user = self._random.choice(called if called and self._random.random() < 0.8 else people)
        if self._random.random() < RESTLESS:
            self.crowd.set_locale(user, self._random.choice(LOCALES))
        is_heard = self.crowd.hears(self.channel.guild_id)
        controls = self.crowd.seen(user, self.channel.id) if is_heard else []
        controls += self.crowd.dm_controls(user) if self.crowd.hears(None) else []
        moves = [control.move[1] for control in controls if control.move is not None]
        if not is_heard:
            await self._play_in_dms(user, controls)
        elif roll < 0.03:
            await self._command(user)
        elif roll < 0.06 and max(moves, default=0) > LONG_MATCH:
            await self._give_up(user)
        elif not any(control.move or control.action in TABLE for control in controls):
            await self._start_match(user)
        elif (control := self._choose_control(controls)) is not None:
            await self._press_control(user, control)

    async def _play_in_dms(self, user: User, controls: list[Control]) -> None:
        """Play in DMs while the bot receives no events of the channel."""
        if (control := self._choose_control(controls)) is not None:
            await self._press_control(user, control)

    async def _start_match(self, user: User) -> None:
        again = [one for one in self.crowd.seen(user, self.channel.id) if one.action]
        if again and self._random.random() < 0.3:
            await self.crowd.press(user, self._random.choice(again))
            return
        command = self._start_command
        await self.crowd.slash(user, self.channel.id, command, **self.crowd.random_options(command))

    async def _command(self, user: User) -> None:
        """Use any command without required options."""
        commands = self.crowd.usable_commands(user, self.channel.id)
        await self.crowd.slash(user, self.channel.id, self._random.choice(commands))

    async def _give_up(self, user: User) -> None:
        """Leave the match, or end it if it cannot be left, and confirm."""
        game = self._start_command.split()[0]
        ways = [f"{game} {way}" for way in ("leave", "stop")]
        command = next(way for way in ways if way in self.crowd.commands())
        await self.crowd.slash(user, self.channel.id, command)
        for control in self.crowd.seen(user, self.channel.id, last=1):
            if control.action in RARE:
                await self.crowd.press(user, control)

    @property
    def _start_command(self) -> str:
        starts = self.crowd.starts()
        return starts[self.game % len(starts)]

    def _choose_control(self, controls: list[Control]) -> Control | None:
        """Return a player's next control, mostly a new move and seldom one that ends a match."""
        fresh = [
            control
            for control in controls
            if control.move is not None and control.move[1] >= self.ledger.shown[control.move[0]]
        ]
        if fresh and self._random.random() < 0.85:
            return self._random.choice(fresh)
        rest = [one for one in controls if one.action not in RARE or self._random.random() < 0.25]
        return self._random.choice(rest) if rest else None

    async def _press_control(self, user: User, control: Control) -> None:
        roll = self._random.random()
        if roll < 0.08:
            self.crowd.send(user, control)
            await self.crowd.press(user, control)
        elif roll < 0.14 and self._remembered and not _is_animation(control):
            old = self._random.choice(self._remembered)
            await self.crowd.press(user, Control(control.message, old.custom_id, old.kind, old.values))
        elif roll < 0.18:
            await self.crowd.press(self._random.choice(self.people), control)
        elif roll < 0.20:
            await self.crowd.press(user, Control(control.message, self._random.choice(FORGED)))
        elif roll < 0.24:
            await self._press_by_all(control)
        else:
            await self.crowd.press(user, control)
        self._remembered = [*self._remembered, control][-REMEMBERED:]

    async def _press_by_all(self, control: Control) -> list[Click]:
        return await asyncio.gather(*(self.crowd.press(user, control) for user in self.people))


def _is_animation(control: Control) -> bool:
    """Return whether a control belongs to a shared animation, the only message with text and a button.

    The animation's own button never edits the message. A button of a table would, and Discord would
    refuse that.
    """
    return bool(control.message.content)

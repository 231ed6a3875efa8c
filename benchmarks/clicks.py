"""Benchmark of the CPU time of a click, compared with a bare bot that answers with a picture of 40 KB.

``python -m benchmarks.clicks`` runs Ribit and the bare bot (``benchmarks.bare_bot``) in separate
processes, connected to a simulated Discord on the same machine. Both are clicked as fast as they answer,
in alternating blocks of the same run. CPU times are those that the operating system counts for the
process. For each game, the benchmark prints the CPU time per click, the ratio to the bare bot's for each
block, the requests and KB per click, and the time until clicks were acknowledged. Needs Linux.

With ``--peer`` and the extra ``bench``, the bare bot also runs a published game with pictures, 2048 from
discord-games, in blocks of the same run. The benchmark then also prints the CPU time per click and per
request of Ribit and of that game.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from simcord.backend.models import Channel, User

from bot.sessions.events import FIRST_STEP
from tests.wire.environment import World, open_world
from tests.wire.simulated_players import Control

TABLES, BLOCKS, CLICKS = 12, 15, 300
SEATS = {"toad 3": 3, "toad 6": 6, "frogger 3": 3, "frogger 5": 5, "solitaire": 1}
CLAIM = "ribit"
"""End of a claim's custom_id. Claims are never clicked, because they would reveal hands too often."""

POLL_SECONDS, SHOWN_WITHIN_SECONDS, QUIET_SECONDS = 0.004, 10.0, 0.4
LAST_OF_ALL = "emoji updated"
"""Message that the bot logs during its first start when all emoji are uploaded."""

AT_REST_SECONDS = 0.02
"""The bot counts as idle if it uses fewer CPU seconds per second. A heartbeat uses fewer."""

MILLISECONDS, PERCENT, BYTES = 1000, 100, 1000
P99 = 98


@dataclass
class Block:
    """The measurements of one block of clicks.

    Attributes:
        cpu: The CPU time that the bot used, in seconds.
        requests: The number of requests that the bot sent.
        bytes: The number of bytes in these requests.
        waited: The time until each click was acknowledged, in seconds.
    """

    cpu: float = 0.0
    requests: int = 0
    bytes: int = 0
    waited: list[float] = field(default_factory=list)

    @property
    def clicks(self) -> int:
        """The number of clicks."""
        return len(self.waited)

    @property
    def each(self) -> float:
        """The CPU time per click, in seconds."""
        return self.cpu / self.clicks


class Seats:
    """A table at which simulated players click on random moves."""

    def __init__(self, place: World, game: str, name: str, seats: int, shard: int = 0) -> None:
        self._place = place
        self._game = game
        self._channel: Channel = place.server.channel(name, shard)
        self._people: list[User] = [place.server.person(f"{name}-{seat}") for seat in range(seats)]
        self._pressed: tuple[str, tuple[str, ...]] | None = None

    async def open(self) -> None:
        """Start a match with all players seated."""
        crowd, (host, *others) = self._place.crowd, self._people
        options = {"seats": len(self._people)} if others else {}
        await crowd.slash(host, self._channel.id, f"{self._game} start", **options)
        if not others:
            return
        for user in others:
            await crowd.press(user, self._action("join"))
        await crowd.press(host, self._action("start"))

    def _action(self, name: str) -> Control:
        seen = self._place.crowd.seen(self._people[0], self._channel.id)
        return [control for control in seen if control.action == name][-1]

    async def press(self) -> float | None:
        """Click on a random choice as the player to move, and return the seconds until the answer.

        If the match is over, start a new one and return None.
        """
        until = time.monotonic() + SHOWN_WITHIN_SECONDS
        while time.monotonic() < until:
            offered = list(self._move_controls())
            if offered:
                user, control = self._place.random.choice(offered)
                self._pressed = (control.custom_id, control.values)
                click = await self._place.crowd.press(user, control)
                return click.seconds
            await asyncio.sleep(POLL_SECONDS)
        await self.open()  # the match is over
        return None

    def _move_controls(self) -> Iterator[tuple[User, Control]]:
        """Yield each user with each control that makes a move in the latest position shown.

        The control that was clicked last is left out.
        """
        crowd = self._place.crowd
        seen = [
            (user, control)
            for user in self._people
            for control in (
                crowd.dm_controls(user)
                if len(self._people) > 1
                else crowd.seen(user, self._channel.id, last=1)
            )
            if control.move is not None and not control.custom_id.endswith((f":{FIRST_STEP}", CLAIM))
        ]
        newest = max((control.move[1] for _user, control in seen if control.move), default=-1)
        for user, control in seen:
            assert control.move is not None
            if control.move[1] == newest and (control.custom_id, control.values) != self._pressed:
                yield user, control


class Bare:
    """A message of the bare bot, or of the published game that the bare bot runs."""

    def __init__(self, place: World, name: str, command: str = "bare") -> None:
        self._place = place
        self._command = command
        self._channel = place.server.channel(name)
        self._user = place.server.person(name)

    async def open(self) -> None:
        """Run the command with which the bot posts the message."""
        await self._place.crowd.slash(self._user, self._channel.id, self._command)

    async def press(self) -> float | None:
        """Press a random button of the message, and return the seconds until the answer.

        If the game is over, start a new one and return None.
        """
        offered = self._place.crowd.seen(self._user, self._channel.id, last=1)
        if not offered:
            await self.open()  # the game is over
            return None
        click = await self._place.crowd.press(self._user, self._place.random.choice(offered))
        return click.seconds


async def measure_block(place: World, tables: Sequence[Seats | Bare], clicks: int) -> Block:
    """Click ``clicks`` times, as fast as the bot answers, and wait until it sends no more requests."""
    block, left = Block(), clicks
    requests, received, cpu = (
        place.server.rest.requests,
        place.server.rest.received,
        cpu_seconds_of(place),
    )

    async def play(table: Seats | Bare) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            waited = await table.press()
            if waited is not None:
                block.waited.append(waited)

    await asyncio.gather(*(play(table) for table in tables))
    await _wait_until_quiet(place)
    block.cpu = cpu_seconds_of(place) - cpu
    block.requests = place.server.rest.requests - requests
    block.bytes = place.server.rest.received - received
    return block


async def _wait_until_quiet(place: World) -> None:
    seen = -1
    while seen != place.server.rest.requests:
        seen = place.server.rest.requests
        await asyncio.sleep(QUIET_SECONDS)


async def wait_until_idle(place: World) -> None:
    """Wait until Ribit is idle after its first start."""
    before = -AT_REST_SECONDS
    while cpu_seconds_of(place) - before >= AT_REST_SECONDS or not _has_started(place):
        before = cpu_seconds_of(place)
        await asyncio.sleep(1)


def _has_started(place: World) -> bool:
    return LAST_OF_ALL in place.program.log.read_text("utf-8")


def cpu_seconds_of(place: World) -> float:
    """Return the CPU seconds that a bot has used, with nanosecond resolution.

    The values in ``/proc`` have a resolution of 10 ms, which is a fifteenth of a bare bot's block.
    """
    return time.clock_gettime(~place.program.process.pid << 3 | 2)  # the formula of clock_getcpuclockid


async def measure_blocks(
    name: str, tables: int, blocks: int, clicks: int, *, has_peer: bool = False
) -> list[tuple[Block, ...]]:
    """Measure clicks at tables of a game and at the bare bot, in alternating blocks.

    Returns:
        For each round, Ribit's block, the bare bot's block and, if ``has_peer`` is True, the published
        game's block.
    """
    async with AsyncExitStack() as stack:
        folders = [Path(stack.enter_context(TemporaryDirectory())) for _place in range(2)]
        ribit = await stack.enter_async_context(open_world(folders[0], seed=1))
        floor = await stack.enter_async_context(
            open_world(folders[1], seed=1, module="benchmarks.bare_bot")
        )
        for place in (ribit, floor):
            await place.begin()
            if not await place.connected():
                sys.exit(f"{name}: no bot connected; see {place.program.log}")
        game = name.split(maxsplit=1)[0]
        seats = [Seats(ribit, game, f"pond-{number}", SEATS[name]) for number in range(tables)]
        bare = [Bare(floor, f"bare-{number}") for number in range(tables)]
        peer = [Bare(floor, f"peer-{number}", "peer") for number in range(tables if has_peer else 0)]
        clicked: list[tuple[World, Sequence[Seats | Bare]]]
        clicked = [(ribit, seats), (floor, bare), *([(floor, peer)] if has_peer else [])]
        await asyncio.gather(*(table.open() for _place, all_tables in clicked for table in all_tables))
        for place, all_tables in clicked:  # warm up
            await measure_block(place, all_tables, tables)
        await wait_until_idle(ribit)
        measurements = [
            tuple([await measure_block(place, all_tables, clicks) for place, all_tables in clicked])
            for _block in range(blocks)
        ]
        for place in (ribit, floor):
            place.program.ask_to_stop()
            await place.program.ended()
        if ribit.ledger.wrong:
            sys.exit("\n".join(ribit.ledger.wrong))
    return measurements


def _result_line(name: str, measurements: Sequence[tuple[Block, ...]]) -> str:
    ours, floors = ([each[place] for each in measurements] for place in range(2))
    ratios = sorted(our.each / floor.each for our, floor in zip(ours, floors, strict=True))
    total = sum(block.clicks for block in ours)
    return (
        f"{name:10} {median(block.each for block in ours) * MILLISECONDS:8.2f}"
        f"{median(block.each for block in floors) * MILLISECONDS:8.2f}"
        f"{median(ratios):8.1f}  ({ratios[0]:.1f}-{ratios[-1]:.1f})"
        f"{sum(block.requests for block in ours) / total:10.2f}"
        f"{sum(block.bytes for block in ours) / total / BYTES:8.0f}"
        f"{_latency_columns(ours)}{_latency_columns(floors)}"
    )


def _peer_lines(measurements: Sequence[tuple[Block, ...]]) -> Iterator[str]:
    """Yield a line with the CPU time per click and per request, for Ribit and for the published game."""
    for name, place in (("Ribit", 0), ("2048", 2)):
        blocks = [each[place] for each in measurements]
        a_request = median(block.cpu / block.requests for block in blocks) * MILLISECONDS
        a_click = median(block.each for block in blocks) * MILLISECONDS
        yield f"{'':10} {name}: {a_click:.2f} ms CPU a click, {a_request:.2f} ms a request"


def _latency_columns(blocks: Sequence[Block]) -> str:
    waited = quantiles([seconds for block in blocks for seconds in block.waited], n=PERCENT)
    return f"{waited[PERCENT // 2 - 1] * MILLISECONDS:8.0f}{waited[P99] * MILLISECONDS:6.0f}"


def blocks_parser(description: str | None, tables: int) -> argparse.ArgumentParser:
    """Return a command-line parser with the options ``--tables``, ``--blocks`` and ``--clicks``."""
    formatter = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=formatter)
    parser.add_argument("--tables", type=int, default=tables)
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    parser.add_argument("--clicks", type=int, default=CLICKS, help="in a block")
    return parser


def main() -> None:
    """Run the benchmark for the games named on the command line, or for all games."""
    parser = blocks_parser(__doc__, TABLES)
    parser.add_argument("games", nargs="*", help=f"some of: {', '.join(SEATS)} (all, if none is named)")
    parser.add_argument("--peer", action="store_true", help="click a published game, too")
    asked = parser.parse_args()
    sys.stdout.write(
        f"{asked.tables} tables, {asked.blocks} blocks of {asked.clicks} clicks, the bare bot in turn\n"
        f"{'':10} ms CPU    bare   ratio  (least-most)  requests      KB  ms p50   p99 bare p50   p99\n"
    )
    for name in asked.games or SEATS:
        numbers = asked.tables, asked.blocks, asked.clicks
        measurements = asyncio.run(measure_blocks(name, *numbers, has_peer=asked.peer))
        lines = [_result_line(name, measurements), *(_peer_lines(measurements) if asked.peer else ())]
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

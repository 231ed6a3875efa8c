"""Benchmark of the latency of clicks while thousands of gateway events about channels arrive.

``python -m benchmarks.channel_events --tables 10000`` starts the bot with this number of tables and
clicks at them. Meanwhile it sends 1,000 events within a second, first for deleted threads, then for
edited roles, then for edited channels. It prints the slowest and the median latency of clicks during
each type of event and, as a baseline, without events.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from simcord.backend import serializers

from bot.logs import configure_logs
from tests.wire.expired_turns import Overdue, open_overdue
from tests.wire.ledger import Click
from tests.wire.simulated_players import Control

EVENTS = 1_000
CLICKS = 40
SECONDS = 2.0
NOT_OVER = -60 * 60
MILLISECONDS = 1000
PUBLIC_THREAD = 11


def thread_delete_event(crowd: Overdue) -> tuple[str, dict[str, Any]]:
    """Return a gateway event for a deleted thread."""
    table = crowd.place.random.choice(crowd.tables)
    channel = crowd.place.server.backend.get_channel(table.message.channel_id)
    thread_id = crowd.place.server.backend.snowflake()
    payload = {"id": str(thread_id), "guild_id": str(channel.guild_id), "parent_id": str(channel.id)}
    return "THREAD_DELETE", {**payload, "type": PUBLIC_THREAD}


def role_update_event(crowd: Overdue) -> tuple[str, dict[str, Any]]:
    """Return a gateway event for an edited role."""
    backend = crowd.place.server.backend
    guild_id = backend.get_channel(crowd.tables[0].message.channel_id).guild_id
    assert guild_id is not None, "tables stand in servers"
    guild = backend.get_guild(guild_id)
    role = next(iter(guild.roles.values()))
    return "GUILD_ROLE_UPDATE", {"guild_id": str(guild.id), "role": serializers.role_payload(role)}


def channel_update_event(crowd: Overdue) -> tuple[str, dict[str, Any]]:
    """Return a gateway event for an edited channel that contains a table."""
    backend = crowd.place.server.backend
    channel = backend.get_channel(crowd.place.random.choice(crowd.tables).message.channel_id)
    return "CHANNEL_UPDATE", dict(serializers.channel_payload(backend, channel))


async def click_latencies(crowd: Overdue) -> list[float]:
    """Let random players open their hands, and return the latency of each click in milliseconds."""
    clicks: list[Click] = []
    for _click in range(CLICKS):
        table = crowd.place.random.choice(crowd.tables)
        hand = Control(table.message, f"a:{table.match_id}:hand")
        clicks.append(crowd.place.crowd.send(table.players[0], hand))
        await asyncio.sleep(SECONDS / CLICKS)
    for click in clicks:
        await click.over.wait()
    return [click.seconds * MILLISECONDS for click in clicks if click.seconds is not None]


async def send_events(crowd: Overdue, event: Callable[[Overdue], tuple[str, dict[str, Any]]]) -> None:
    """Send ``EVENTS`` gateway events, spread over a second."""
    for number in range(EVENTS):
        crowd.place.server.backend.emit(*event(crowd))
        if number % 10 == 0:
            await asyncio.sleep(10 / EVENTS)


async def measure(tables: int) -> None:
    """Run the benchmark with this number of tables, and print the results."""
    with TemporaryDirectory() as folder:
        async with open_overdue(Path(folder), tables, late_by=NOT_OVER) as crowd:
            await click_latencies(crowd)
            for name, event in (
                ("nothing", None),
                ("threads deleted", thread_delete_event),
                ("roles edited", role_update_event),
                ("channels edited", channel_update_event),
            ):
                stirring = asyncio.create_task(send_events(crowd, event)) if event else None
                waited = await click_latencies(crowd)
                if stirring is not None:
                    await stirring
                sys.stdout.write(
                    f"{name:18}{max(waited):8.1f} ms slowest, {median(waited):.1f} ms median\n"
                )


if __name__ == "__main__":
    configure_logs("WARNING")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    asyncio.run(measure(parser.parse_args().tables))

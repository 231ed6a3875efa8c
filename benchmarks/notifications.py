"""Benchmark of PostgreSQL transactions that store a move, with and without a notification.

    python -m benchmarks.notifications [--clients 16] [--blocks 5] [--seconds 4]

runs ``pgbench``, which stores moves on ``--clients`` parallel connections. Blocks with and without a
notification alternate in the same run. Meanwhile another connection listens, as a second process of the
bot would. The benchmark prints the transactions per second. A commit with a notification is slower
because PostgreSQL makes it wait for the commit before it.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import asyncpg

from bot.storage.cluster.pubsub import CHANNEL
from tests.postgres import Postgres

TABLE = "CREATE TABLE moves (match_id bigint, n int, seat int, text text, at bigint)"
MOVE = "INSERT INTO moves VALUES (:client_id, 1, 0, 'draw', 1800000000);\n"
SAYS = '{"by": "0123456789ab", "kind": "match", "match": "abcdefgh", "guild": 1573954514812141580}'
NOTE = f"SELECT pg_notify('{CHANNEL}', '{SAYS}');\n"
SCRIPTS = {"without a note": f"BEGIN;\n{MOVE}COMMIT;\n", "with a note": f"BEGIN;\n{MOVE}{NOTE}COMMIT;\n"}
SURE = (
    "ALTER SYSTEM SET fsync = on",
    "ALTER SYSTEM SET synchronous_commit = on",
    "SELECT pg_reload_conf()",
)
"""Settings that make commits durable, as in production."""


def _transactions_per_second(
    postgres: Postgres, address: str, folder: Path, script: str, clients: int, seconds: int
) -> float:
    """Run ``pgbench`` with a script, and return the number of transactions per second."""
    path = folder / "script.sql"
    path.write_text(script, "ascii")
    done = subprocess.run(  # noqa: S603 — PostgreSQL's own program
        [
            postgres.programs / "pgbench",
            "-n",
            "-c",
            str(clients),
            "-T",
            str(seconds),
            "-f",
            path,
            address,
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    if found is None:
        sys.exit(done.stdout)
    return float(found[1])


async def measure(clients: int, blocks: int, seconds: int) -> None:
    """Measure transactions with and without a notification, and print the rates."""
    postgres = await asyncio.to_thread(Postgres)
    heard = 0

    def hear(*_note: object) -> None:
        nonlocal heard
        heard += 1

    try:
        postgres.sql(*SURE)
        address = postgres.address(postgres.create())
        listener = await asyncpg.connect(address)
        await listener.execute(TABLE)
        await listener.add_listener(CHANNEL, hear)
        made: dict[str, list[float]] = {name: [] for name in SCRIPTS}
        with TemporaryDirectory() as folder:
            for _block in range(blocks):
                for name, script in SCRIPTS.items():
                    rate = await asyncio.to_thread(
                        _transactions_per_second,
                        postgres,
                        address,
                        Path(folder),
                        script,
                        clients,
                        seconds,
                    )
                    made[name].append(rate)
        await listener.close()
    finally:
        await asyncio.to_thread(postgres.remove)
    for name, rates in made.items():
        words = f"{median(rates):8.0f} transactions a second ({min(rates):.0f} to {max(rates):.0f})"
        sys.stdout.write(f"{name:15} {words}\n")
    without, told = made.values()
    ratios = [one / other for one, other in zip(told, without, strict=True)]
    sys.stdout.write(f"ratio {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})\n")
    sys.stdout.write(f"{heard} notes heard\n")


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description="What a note in a transaction costs.")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4)
    asked = parser.parse_args()
    asyncio.run(measure(asked.clients, asked.blocks, asked.seconds))


if __name__ == "__main__":
    main()

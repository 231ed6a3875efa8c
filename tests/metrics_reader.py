"""Reads the bot's metrics as Prometheus does."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeAlias
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

PATIENCE_SECONDS = 60.0

Values: TypeAlias = Mapping[tuple[str, tuple[tuple[str, str], ...]], float]
"""The value of each metric by its name and labels."""


async def response_text(port: int) -> str:
    """Return the response at a port."""

    def read() -> str:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_SECONDS) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(read)


async def scrape_metrics(port: int) -> Values:
    """Return all figures that are served at a port."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(await response_text(port))
        for sample in family.samples
    }


def metric_value(found: Values, name: str, **labels: str) -> float:
    """Return the value of one metric, or 0 if nothing was counted."""
    return found.get((name, tuple(sorted(labels.items()))), 0)

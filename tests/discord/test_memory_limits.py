"""Tests of the bot's memory limits."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import pytest

import bot
from tests.discord.bot_harness import BotHarness, Seen, bot_harness


def caches() -> Iterator[_lru_cache_wrapper[Any]]:
    """Yield every cached function of the bot."""
    for found in pkgutil.walk_packages(bot.__path__, "bot."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if isinstance(value, _lru_cache_wrapper):
                yield value


def test_every_cache_has_a_limit() -> None:
    """Only functions without arguments have an unlimited cache."""
    found = list(caches())
    assert len(found) > 5
    endless = [
        f"{cache.__module__}.{cache.__qualname__}"
        for cache in found
        if cache.cache_parameters()["maxsize"] is None and inspect.signature(cache).parameters
    ]
    assert endless == []


async def open_lobbies(place: BotHarness, number: int) -> list[Seen]:
    """Open some tables, each by another user in its own channel, and return to the first."""
    channels = [place.channel, *(place.guild.create_text_channel(f"pond-{n}") for n in range(1, number))]
    tables = []
    for n, place.channel in enumerate(channels):
        await place.person(f"Host {n}").slash("toad start")
        tables.append(place.table)
    place.channel = channels[0]
    return tables


async def test_evicted_tables_still_answer_clicks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The messages of a limited number of tables are in memory. Evicted tables still answer clicks."""
    monkeypatch.setattr("bot.sessions.live_matches.MOST_MATCHES", 2)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await open_lobbies(place, 4)
        assert len(place.bot.display.loaded_messages) == 2
        await ann.press("Join")
        assert f"<@{ann.id}>" in place.table.text

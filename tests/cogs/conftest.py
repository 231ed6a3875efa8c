"""Fixtures for randomness, databases, pauses and searches in the tests of features."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from bot.games.american_toad import solver
from tests.discord.conftest import _chance
from tests.storage.conftest import database, location, other, path

__all__ = ["_chance", "database", "location", "other", "path"]

_solve: Callable[..., Any] = cache(solver.solve)
"""The solver, which searches each position once in a process. Its result depends on nothing else."""


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the pauses before a computer player's move and between the pictures of a finish.

    SimCord would wait for them in real time.
    """
    monkeypatch.setattr("bot.sessions.turn_clock.COMPUTER_PLAYER_SECONDS", 0)
    monkeypatch.setattr("bot.delivery.message_writer.FRAME_SECONDS", 0)


@pytest.fixture(autouse=True)
def _one_search_each(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search each position of solitaire once. Many tests play one of the same few deals."""
    if not request.config.getoption("all"):
        monkeypatch.setattr("bot.games.american_toad.solver.solve", _solve)
        monkeypatch.setattr("bot.games.american_toad.hints.solve", _solve)

"""Deterministic randomness for the tests on SimCord."""

from __future__ import annotations

import random
import secrets

import pytest

from tests.discord.bot_harness import empty_database


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the same secrets, and so the same deals, for each run and each test of a module.

    SimCord's ids and clock are the same each time, too. Which cards a hand holds decides which buttons
    it has: a test that fails for one deal of twenty fails in a run that is not about it.
    """
    empty_database()  # it is made once in a process, and draws a secret
    drawn = random.Random(request.path.name)
    monkeypatch.setattr(secrets, "token_bytes", lambda nbytes=None: drawn.randbytes(nbytes or 32))
    monkeypatch.setattr(secrets, "choice", drawn.choice)
    monkeypatch.setattr(secrets, "randbelow", drawn.randrange)
    random.seed(request.path.name)

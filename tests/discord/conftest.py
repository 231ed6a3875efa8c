"""Deterministic randomness for the tests on SimCord."""

from __future__ import annotations

import random
import secrets

import pytest

from tests.discord.bot_harness import empty_database


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test the same secrets in every run, so that it deals the same cards.

    SimCord's IDs and clock are also the same in every run. The cards of a hand decide which buttons it
    has. With random deals, a test that fails for one deal in twenty would fail in unrelated runs.
    """
    empty_database()  # the first call in a process draws a secret
    drawn = random.Random(request.path.name)
    monkeypatch.setattr(secrets, "token_bytes", lambda nbytes=None: drawn.randbytes(nbytes or 32))
    monkeypatch.setattr(secrets, "choice", drawn.choice)
    monkeypatch.setattr(secrets, "randbelow", drawn.randrange)
    random.seed(request.path.name)

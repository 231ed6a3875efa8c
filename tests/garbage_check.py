"""Plugin that collects garbage after each test, so leaked resources are reported by the right test.

Otherwise it is reported by whichever test runs when the garbage collector happens to come round to it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Set up before every other fixture of a test, so torn down after them all."""
    yield
    gc.collect()

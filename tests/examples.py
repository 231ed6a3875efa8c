"""Further examples, which only ``pytest --all`` runs.

By default each promise is checked on a few telling examples. ``--all`` adds the examples marked by
``further`` or given by ``few_or_all``, runs Hypothesis with 100 examples instead of 10, and adds the
folders in ``BESIDE`` of the conftest.
"""

from __future__ import annotations

from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

T = TypeVar("T")

FEW, ALL = 10, 100
"""Examples of each Hypothesis test, by default and with ``--all``."""

_MARK = "further"

for _profile, _examples in (("few", FEW), ("all", ALL)):
    settings.register_profile(
        _profile,
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=_examples,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
        ],
    )


def add_option(parser: pytest.Parser) -> None:
    """Add ``--all``."""
    parser.addoption("--all", action="store_true", help="run further examples, and the tests in BESIDE")


def configure(config: pytest.Config) -> None:
    """Load the Hypothesis profile. Must run before test modules are imported."""
    config.addinivalue_line("markers", f"{_MARK}: a further example, which only --all runs")
    settings.load_profile("all" if config.getoption("all") else "few")


def few_or_all(few: T, everything: T) -> T:
    """Return the first argument by default, and the second with ``--all``."""
    return everything if settings.get_current_profile_name() == "all" else few


def further_example(*values: Any) -> Any:
    """Return the values of one parametrized example that only ``--all`` runs."""
    return pytest.param(*values, marks=getattr(pytest.mark, _MARK))


def deselect_further(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect further examples, except with ``--all`` or when the command line has their full ID."""
    if config.getoption("all"):
        return
    marked = [item for item in items if item.get_closest_marker(_MARK)]
    left_out = [item for item in marked if item.nodeid not in config.args]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]

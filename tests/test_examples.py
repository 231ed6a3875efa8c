"""Tests of ``pytest --all``: the further examples, and the folders in BESIDE."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from tests.conftest import BESIDE, pytest_ignore_collect
from tests.examples import ALL, FEW, deselect_further, few_or_all, further_example

FOLDER = BESIDE.split()[0]


def new_config(request: pytest.FixtureRequest, *args: str, all_of_it: bool) -> Any:
    """Return this run's configuration, with other arguments."""
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    root = request.config.rootpath
    options = {"all": all_of_it}
    return SimpleNamespace(args=args, rootpath=root, hook=hook, getoption=options.__getitem__)


@pytest.mark.parametrize("seats", [2, further_example(3)])
def test_further_examples_run_only_with_all_or_by_name(
    seats: int, request: pytest.FixtureRequest
) -> None:
    """A further example is left out, except with ``--all`` or if it is named."""
    assert isinstance(request.node, pytest.Item)
    is_further = seats == 3
    for given, is_kept in [
        (new_config(request, "tests", all_of_it=False), not is_further),
        (new_config(request, "tests", all_of_it=True), True),
        (new_config(request, request.node.nodeid, all_of_it=False), True),
    ]:
        items = [request.node]
        deselect_further(given, items)
        assert (items == [request.node]) is is_kept


def test_hypothesis_runs_few_examples_by_default(request: pytest.FixtureRequest) -> None:
    """Hypothesis has 10 examples by default and 100 with ``--all``, the same ones on each run."""
    expected = ALL if request.config.getoption("all") else FEW
    default = settings.default
    assert default is not None
    assert default.max_examples == few_or_all(FEW, ALL) == expected
    assert default.derandomize


def test_folders_beside_the_tests_are_collected_only_with_all(request: pytest.FixtureRequest) -> None:
    """Without ``--all``, a folder beside the tests is collected only if its path is given."""
    path = request.config.rootpath / FOLDER
    assert pytest_ignore_collect(path, new_config(request, "tests", all_of_it=False)) is True
    assert pytest_ignore_collect(path, new_config(request, "tests", all_of_it=True)) is None
    assert pytest_ignore_collect(path, new_config(request, FOLDER, all_of_it=False)) is None

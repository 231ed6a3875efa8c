"""A server of PostgreSQL's for a session of tests, and a fresh database on it for each test."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
import structlog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from bot.languages import LOCALES
from bot.logs import OURS
from bot.storage.database import open_database
from bot.storage.database_address import Server, locate
from tests import examples, task_order
from tests.cpu_report import CpuReport
from tests.postgres import Postgres
from tests.speedups import EVERY_PART, use_speedups

ROOT = Path(__file__).parent.parent

OPEN_FILES = 400
"""Limit of open files when a test process ends. Most systems allow 1,024."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options ``--order-seed``, ``--all`` and ``--cpu``."""
    task_order.add_option(parser)
    examples.add_option(parser)
    parser.addoption(
        "--cpu",
        action="store_true",
        help="print the CPU seconds of each folder and of the slowest tests",
    )


@pytest.fixture(autouse=True)
def _log_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo the permanent settings of a command that runs in this process, such as the log's target."""
    before, configure, root = structlog.get_config(), structlog.configure, logging.getLogger()
    level = root.level

    def uncached(**given: Any) -> None:
        configure(**{**given, "cache_logger_on_first_use": False})

    monkeypatch.setattr(structlog, "configure", uncached)
    yield
    if structlog.get_config() != before:
        configure(**before)
        root.setLevel(level)
        for handler in [each for each in root.handlers if type(each) is logging.StreamHandler]:
            root.removeHandler(handler)
        for name in OURS:
            logging.getLogger(name).setLevel(logging.NOTSET)


REAL_PARTS = {"tests/rendering": "pictures", "tests/storage": "threads", "tests/opponents": "toads"}
"""The parts that a folder's tests are about. Other tests name theirs in the marker ``real``."""


@pytest.fixture(autouse=True)
def _speedups(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use cheaper parts of the bot in tests that are about something else."""
    real = {part for marker in request.node.iter_markers("real") for part in marker.args}
    real |= {part for folder, part in REAL_PARTS.items() if request.path.is_relative_to(ROOT / folder)}
    if request.config.option.order_seed is not None:
        real.add("threads")
    if request.config.getoption("all"):
        real = EVERY_PART
    with use_speedups(real):
        yield


BESIDE = "tests/wire tests/test_building.py tests/discord/test_demo_page.py"
"""Tests that start the program, build it or drive a browser. ``pytest --all`` includes them."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore ``BESIDE`` if no path is given. A path to some of it, or ``--all``, includes it."""
    root = config.rootpath
    is_whole = [root / asked for asked in config.args] in ([root], [root / "tests"])
    is_ignored = is_whole and not config.getoption("all")
    return True if is_ignored and collection_path in [root / each for each in BESIDE.split()] else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave further examples to ``--all``."""
    examples.deselect_further(config, items)


def pytest_configure(config: pytest.Config) -> None:
    """Run nothing on catalogues that were compiled before their translation was changed."""
    task_order.configure(config)
    config.addinivalue_line("markers", "real(*parts): uses the real part; see tests/speedups.py")
    examples.configure(config)
    if config.getoption("cpu"):
        config.pluginmanager.register(CpuReport())
    if hasattr(config, "workerinput"):
        return  # who started this process has looked
    for source in LOCALES.glob("*/ribit.po"):
        anew, there = BytesIO(), source.with_suffix(".mo")
        with source.open("rb") as translated:
            write_mo(anew, read_po(translated))
        if not there.exists() or _catalogue_texts(anew.getvalue()) != _catalogue_texts(
            there.read_bytes()
        ):
            raise pytest.UsageError(f"{source} was changed, and not compiled: say `poe words` first.")


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers for two cores, so that two run while one waits."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_collection_finish() -> None:
    """Collect garbage of the tests but not of modules, which saves an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _catalogue_texts(compiled: bytes) -> list[str]:
    """Return the texts of a catalogue. Its header names the compiler's version."""
    return [repr((each.id, each.string)) for each in read_mo(BytesIO(compiled)) if each.id]


@pytest.fixture(autouse=True)
def _only_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own environment variables are not settings, as the doctor would report."""
    for name in ("RIBIT_DISCORD_OPENAPI", "HTTPS_PROXY", "https_proxy"):  # the first is read by now
        monkeypatch.delenv(name, raising=False)


class Running(NamedTuple):
    """A server that runs, and the name of a database there that is up to date and empty."""

    postgres: Postgres
    template: str


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """The server of this process."""
    postgres = Postgres()
    template = postgres.create()

    async def make() -> None:
        await (await open_database(locate(postgres.address(template)))).close()

    with ThreadPoolExecutor() as aside:  # a loop of its own, beside the tests'
        aside.submit(asyncio.run, make()).result()
    yield Running(postgres, template)
    postgres.remove()


@pytest.fixture
def postgres(running: Running) -> Postgres:
    """The server itself."""
    return running.postgres


@pytest.fixture
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a running server is not reported as unavailable."""
    for name in ("PATIENCE_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(f"bot.storage.postgres.{name}", 300)


@pytest.fixture
def server(running: Running, _patience: None) -> Iterator[Server]:
    """The address of a migrated and empty database on a server."""
    name = running.postgres.create(running.template)
    yield Server(running.postgres.address(name))
    running.postgres.drop(name)


@pytest.fixture
def new_server(postgres: Postgres, _patience: None) -> Iterator[Server]:
    """The address of an unused database on a server."""
    name = postgres.create()
    yield Server(postgres.address(name))
    postgres.drop(name)


@pytest.fixture
def stopping(postgres: Postgres, server: Server) -> Iterator[Postgres]:
    """The server, which the test may stop."""
    yield postgres
    postgres.start_if_stopped()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a failure without collecting garbage.

    If a collection raises, its traceback is parsed during that of the test's own, and Python 3.11 ends
    the whole run with a SystemError: "AST constructor recursion depth mismatch".
    """
    was_enabled = call.excinfo is not None and gc.isenabled()
    if was_enabled:
        gc.disable()
    try:
        return (yield)
    finally:
        if was_enabled:
            gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _few_open_files() -> Iterator[None]:
    """Fail a process of tests in which something is opened again and again, and never closed."""
    yield
    assert len(list(Path("/dev/fd").iterdir())) <= OPEN_FILES


@pytest.fixture(scope="session", autouse=True)
def _no_thread_waits() -> Iterator[None]:
    """End the run even if a failed test has left a connection open, which has a thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aiosqlite.core.Thread", partial(Thread, daemon=True))
        yield

"""A server of PostgreSQL's for a session of tests, and a fresh database on it for each test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from bot.storage import Server, locate, open_database
from tests.postgres import Postgres


@pytest.fixture(autouse=True)
def _only_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests themselves are told by the environment is no setting, as the doctor would say."""
    monkeypatch.delenv("RIBIT_DISCORD_OPENAPI", raising=False)  # read when tests are collected


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
    """However busy a machine is, a server that runs is not taken for one that is away."""
    for name in ("PATIENCE_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(f"bot.storage.postgres.{name}", 300)


@pytest.fixture
def server(running: Running, _patience: None) -> Iterator[Server]:
    """Where a database of a server's is, that is up to date and empty."""
    name = running.postgres.create(running.template)
    yield Server(running.postgres.address(name))
    running.postgres.drop(name)


@pytest.fixture
def new_server(postgres: Postgres, _patience: None) -> Iterator[Server]:
    """Where a database of a server's is that nobody has used yet."""
    name = postgres.create()
    yield Server(postgres.address(name))
    postgres.drop(name)


@pytest.fixture
def stopping(postgres: Postgres, server: Server) -> Iterator[Postgres]:
    """The server, which the test may stop."""
    yield postgres
    postgres.start_if_stopped()

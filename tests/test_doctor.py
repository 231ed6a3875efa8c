"""Tests of ``python -m bot doctor``: every line about a healthy part, and for each problem."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import discord.http
import pytest

from bot import __version__
from bot.__main__ import main
from bot.doctor import Finding, installation
from bot.doctor.database import LEAST_FREE_BYTES, database_findings
from bot.engine.errors import RibitError
from bot.languages import load_languages
from bot.requests import token_check
from bot.settings import no_token
from bot.storage.database import open_database
from bot.storage.database_file import lock_alone
from bot.storage.database_lock import note_alive
from bot.storage.migrate import migrations
from tests.local_discord import LocalDiscord, serve_discord

ROOT = Path(__file__).parents[1]
NOW = 1_800_000_000


def problem_texts(findings: Iterator[Finding]) -> list[str]:
    """Return the problems and the sentence that ended the checks."""
    found = list[str]()
    try:
        found.extend(finding.sentence for finding in findings if not finding.is_well)
    except RibitError as error:
        found.append(error.sentence)
    return found


def output_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of a host that has set a token and nothing else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "not.a.token")
    return tmp_path


def make_database(path: Path, alive_at: int | None = None) -> Path:
    async def make() -> None:
        database = await open_database(path)
        if alive_at is not None:
            await note_alive(database.notes, alive_at)
        await database.close()

    asyncio.run(make())
    return path


# ---- the whole -----------------------------------------------------------------------------------


def test_a_healthy_installation_has_only_ok_lines(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line a check, each with ok, exit code 0, and nothing is made."""
    assert main(["doctor", "--offline"]) == 0
    told = output_lines(capsys)
    assert all(line.startswith("ok ") for line in told)
    words = (
        f"Ribit is {__version__}",
        "speaks en, de",
        "rules",
        "font",
        "TOKEN",
        "RIBIT_PRIVACY_URL",
        "folder",
        "MB",
        "is made at",
    )
    for word, line in zip(words, told, strict=True):
        assert word in line
    assert list(folder.iterdir()) == []


def test_the_privacy_policy_is_reported_or_suggested(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a policy, a hint names the size at which Discord asks for one. Otherwise it is shown."""
    assert main(["doctor", "--offline"]) == 0
    (hint,) = [line for line in output_lines(capsys) if "RIBIT_PRIVACY_URL is not set" in line]
    assert "75 servers" in hint
    monkeypatch.setenv("RIBIT_PRIVACY_URL", "https://frogs.example/privacy")
    assert main(["doctor", "--offline"]) == 0
    told = output_lines(capsys)
    assert [line for line in told if "https://frogs.example/privacy" in line]
    assert "RIBIT_PRIVACY_URL" not in "".join(told)


def test_the_doctor_continues_after_a_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token the exit code is 1, and the database is still checked."""
    monkeypatch.delenv("DISCORD_TOKEN")
    make_database(folder / "ribit.sqlite3")
    capsys.readouterr()
    assert main(["doctor"]) == 1
    told = output_lines(capsys)
    assert [line for line in told if line.startswith("problem ")] == [f"problem  {no_token()}"]
    assert "No bot is running" in told[-1]


def test_invalid_settings_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A setting without sense, or a file .env that is none, is named."""
    for content, word in ((b"RIBIT_LOG_LEVEL=LOUD", "RIBIT_LOG_LEVEL"), (b"\xff\xfe\x00", ".env")):
        (folder / ".env").write_bytes(content)
        assert main(["doctor", "--offline"]) == 1
        assert word in output_lines(capsys)[-1]


@pytest.mark.parametrize(("package", "word"), [("dotenv", "dotenv"), ("fontpkg_noto_sans", "be drawn")])
def test_a_missing_package_is_reported_with_install_advice(
    folder: Path, package: str, word: str
) -> None:
    """If a package is missing, the doctor still runs and explains how to install it."""
    program = (
        f"import sys; sys.modules['{package}'] = None;"
        "from bot.__main__ import main; sys.exit(main(['doctor', '--offline']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    found = [line for line in done.stdout.splitlines() if line.startswith("problem ")]
    assert len(found) == 1
    assert word in found[0]
    assert "pip install" in found[0]


# ---- what came with the installation --------------------------------------------------------------


def test_missing_or_corrupted_catalogues_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installation that lost its catalogues, or has a spoilt one, would speak English only."""
    monkeypatch.setattr("bot.doctor.installation.load_languages", lambda: load_languages(tmp_path))
    assert "no catalogue" in problem_texts(installation.house_findings())[0]
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "ribit.mo").write_bytes(b"\xff\xfe")
    assert "cannot be read" in problem_texts(installation.house_findings())[0]


def test_a_missing_rules_page_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without its rules page is reported."""
    monkeypatch.setattr("bot.engine.rules_pages.files", lambda package: tmp_path / package)
    assert "rules of a game" in problem_texts(installation.house_findings())[0]


# ---- the token -----------------------------------------------------------------------------------


@pytest.fixture
def local_discord(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[LocalDiscord]]:
    """Point discord.py at a local server."""
    with serve_discord() as (handler, base):
        monkeypatch.setattr(discord.http.Route, "BASE", base)
        yield handler


def test_an_accepted_token_is_reported_with_its_bot(local_discord: type[LocalDiscord]) -> None:
    """The doctor asks Discord for the token's bot and reports it."""
    found, *_invitation = installation.token_findings("good", is_offline=False)
    assert (found.is_well, found.sentence) == (
        True,
        (
            "Discord accepts the token: it is frog, application 9. "
            "998 of 1000 session starts are left for 2 min."
        ),
    )


def test_an_exhausted_session_start_limit_is_reported(local_discord: type[LocalDiscord]) -> None:
    """The doctor reports how long a start would wait for the next session starts."""
    local_discord.starts_left = 0
    found, *_invitation = installation.token_findings("good", is_offline=False)
    assert not found.is_well
    assert "No session start is left: a start waits for 2 min to connect" in found.sentence


@pytest.mark.usefixtures("local_discord")
def test_a_refused_token_is_reported_without_the_token() -> None:
    """The sentence links to a new token and does not repeat the old one."""
    found, *_invitation = installation.token_findings("stolen", is_offline=False)
    assert not found.is_well
    assert "developers/applications" in found.sentence
    assert "stolen" not in found.sentence


def test_unknown_discord_errors_are_reported_verbatim(local_discord: type[LocalDiscord]) -> None:
    """The doctor shows the words of an error for which it has no explanation of its own."""
    local_discord.is_broken = True
    found, *_invitation = installation.token_findings("good", is_offline=False)
    assert not found.is_well
    assert "the pond is closed" in found.sentence


@pytest.mark.usefixtures("local_discord")
def test_the_doctor_limits_its_wait_for_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor's wait is limited."""
    monkeypatch.setattr(token_check, "PATIENCE_SECONDS", 0.1)
    found, *_invitation = installation.token_findings("slow", is_offline=False)
    assert not found.is_well
    assert "did not answer" in found.sentence


@pytest.mark.usefixtures("local_discord")
def test_an_unreadable_discord_response_is_reported() -> None:
    """A response that is not JSON, such as a web page, is a problem and does not stop the doctor."""
    found, *_invitation = installation.token_findings("page", is_offline=False)
    assert not found.is_well
    assert "the answer cannot be read" in found.sentence


def test_an_unreachable_discord_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network connection, the finding says that Discord cannot be reached."""
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    found, *_invitation = installation.token_findings("good", is_offline=False)
    assert not found.is_well
    assert "cannot be reached" in found.sentence


@pytest.mark.usefixtures("local_discord")
def test_the_offline_check_does_not_contact_discord() -> None:
    """Even a token that Discord would refuse counts as valid in the offline check."""
    [found] = installation.token_findings("stolen", is_offline=True)
    assert found.is_well


@pytest.mark.usefixtures("local_discord")
@pytest.mark.parametrize(
    ("token", "is_offline", "application"),
    [("good", False, 9), ("NDI.a.b", True, 42), ("NDI", False, 42)],
)
def test_the_doctor_prints_the_invite_link(token: str, is_offline: bool, application: int) -> None:
    """The link has both scopes and all permissions. Offline its ID is the one in the token."""
    *_others, link = installation.token_findings(token, is_offline=is_offline)
    assert link.sentence.split()[-1] == (
        f"https://discord.com/oauth2/authorize?client_id={application}"
        "&scope=bot+applications.commands&permissions=309237681152"
    )


def test_harmful_application_settings_are_reported(local_discord: type[LocalDiscord]) -> None:
    """Settings of the application that break the bot, and missing permissions, are problems."""
    local_discord.application = {
        **local_discord.application,
        "bot_require_code_grant": True,
        "interactions_endpoint_url": "https://frogs.example",
    }
    none, enough, administrator = "0", "309237681152", "8"
    local_discord.servers = [
        {"id": "1", "name": "Dry", "permissions": none},
        {"id": "2", "name": "Pond", "permissions": enough},
        {"id": "3", "name": "Lake", "permissions": administrator},
        {"id": "4", "name": "Bog", "permissions": str(int(enough) - 0x8000)},
    ]
    grant, endpoint, permissions = problem_texts(installation.token_findings("good", is_offline=False))
    assert "Code Grant" in grant
    assert "Interactions Endpoint" in endpoint
    assert "Dry: View Channel, Send Messages, " in permissions
    assert "; Bog: Attach Files)" in permissions
    assert "Pond" not in permissions
    assert "Lake" not in permissions


# ---- the database --------------------------------------------------------------------------------


def damage_last_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(-4096, os.SEEK_END)
        file.write(b"\xff" * 4096)


def replace_with_letter(path: Path) -> None:
    path.write_text("Dear frog, this is not a database. " * 100)


def replace_with_foreign_database(path: Path) -> None:
    path.unlink()
    run_sql(path, "CREATE TABLE ponds (id)")


def run_sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def set_future_version(path: Path) -> None:
    run_sql(path, "PRAGMA user_version = 99")


def set_future_version_without_table(path: Path) -> None:
    run_sql(path, "PRAGMA user_version = 99", "DROP TABLE notes")


def replace_with_later_foreign_database(path: Path) -> None:
    path.unlink()
    run_sql(path, "CREATE TABLE ponds (id)", "PRAGMA user_version = 99")


def replace_with_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILT: dict[Callable[[Path], None], str] = {
    damage_last_page: "damaged",
    replace_with_letter: "not a database",
    replace_with_foreign_database: "not a database of Ribit",
    replace_with_later_foreign_database: "not a database of Ribit",
    set_future_version: "newer Ribit",
    set_future_version_without_table: "newer Ribit",
    replace_with_folder: "is not a file",
}


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_a_corrupted_database_is_one_problem_naming_the_file(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """A corrupted database is exactly one problem, with its cause and the path of the file."""
    path = make_database(tmp_path / "ribit.sqlite3")
    spoil(path)
    (found,) = problem_texts(database_findings(path, NOW))
    assert SPOILT[spoil] in found
    assert str(path) in found


def test_the_doctor_changes_no_files(tmp_path: Path) -> None:
    """The doctor changes neither the file nor its neighbours."""
    path = make_database(tmp_path / "ribit.sqlite3", NOW)
    before = {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()}
    assert problem_texts(database_findings(path, NOW)) == []
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == before


async def test_a_database_in_use_is_still_checked(tmp_path: Path) -> None:
    """While a bot has the file open it is checked all the same, and the bot is noticed."""
    path = tmp_path / "ribit.sqlite3"
    database = await open_database(path)
    await note_alive(database.notes, NOW - 12)
    with lock_alone(path):
        told = list(database_findings(path, NOW))
    await database.close()
    assert problem_texts(iter(told)) == []
    assert "connected 12 s ago" in told[-1].sentence


def test_a_stale_alive_note_is_ignored(tmp_path: Path) -> None:
    """After a ``kill -9`` the doctor does not see ghosts."""
    path = make_database(tmp_path / "ribit.sqlite3", NOW - 1000)
    assert "No bot is running" in list(database_findings(path, NOW))[-1].sentence


def test_missing_migrations_are_listed_and_are_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database from before an update is healthy. The report names the start's migrations."""
    path = make_database(tmp_path / "ribit.sqlite3")
    newest = migrations()[-1][0]
    steps = [*migrations(), (newest + 1, "CREATE TABLE ponds (id INTEGER) STRICT;")]
    monkeypatch.setattr("bot.storage.migrate.migrations", lambda: steps)
    told = [finding.sentence for finding in database_findings(path, NOW) if finding.is_well]
    assert any(
        f"of version {newest}; the start backs it up and brings it to version {newest + 1}" in line
        for line in told
    )
    assert problem_texts(database_findings(path, NOW)) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
@pytest.mark.parametrize(("mode", "is_open"), [(0o600, False), (0o640, True)])
def test_a_database_readable_by_other_users_is_reported(
    tmp_path: Path, mode: int, is_open: bool
) -> None:
    """A file with mode 640 is reported with the chmod command, and one with mode 600 is not."""
    path = make_database(tmp_path / "ribit.sqlite3")
    path.chmod(mode)
    told = [finding.sentence for finding in database_findings(path, NOW)]
    assert any("Others than their owner" in sentence for sentence in told) == is_open
    assert any(f"chmod 600 {path}" in sentence for sentence in told) == is_open


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """The folder that must be made is named."""
    (found,) = problem_texts(database_findings(tmp_path / "no" / "where" / "ribit.sqlite3", NOW))
    assert str(tmp_path / "no" / "where") in found


def test_low_disk_space_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little disk space is reported early. A large database needs more."""
    full = shutil.disk_usage(tmp_path)._replace(free=LEAST_FREE_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: full)
    (found,) = problem_texts(database_findings(tmp_path / "ribit.sqlite3", NOW))
    assert found.startswith("Only 99 MB")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_reported_with_its_permissions(tmp_path: Path) -> None:
    """The report names the owner and the permissions."""
    tmp_path.chmod(0o500)
    found = problem_texts(database_findings(tmp_path / "ribit.sqlite3", NOW))
    tmp_path.chmod(0o700)
    assert "cannot be read and written" in found[0]


# ---- health, which is asked every minute ---------------------------------------------------------

SLOW_IMPORTS = {"PIL", "aiohttp", "aiosql", "aiosqlite", "cogs", "discord", "structlog"}
"""Packages that take longer than all that health has to do."""


def packages_of_health_check() -> set[str]:
    """Return the packages that a successful health check has imported, in a process of its own."""
    program = (
        "import sys; from bot.__main__ import main; code = main(['health']);"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return set(done.stderr.split())


def test_health_imports_neither_asyncio_nor_postgres(folder: Path) -> None:
    """A container checks every minute, so a bot on a file loads neither asyncio nor PostgreSQL."""
    path = make_database(folder / "ribit.sqlite3", int(time.time()))
    with lock_alone(path):
        assert not {*SLOW_IMPORTS, "asyncio", "asyncpg"} & packages_of_health_check()

"""Tests of the sources of settings, and of the reports about invalid ones."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from bot import __version__
from bot.__main__ import UNCONFIGURED, main
from bot.console import FAILED
from bot.settings import read_settings
from bot.storage.database_address import locate
from tests.test_recipes import create_database
from tests.test_startup_and_docs import assert_single_error, run_bot_command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of a host without settings in the environment."""
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MISSPELT = ("RIBIT_DATABSE", "ribit_log")


@pytest.mark.parametrize("name", MISSPELT)
def test_a_misspelt_setting_is_reported_with_its_source(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Start and doctor name it and its source."""
    (folder / ".env").write_text(f"{name}=ponds\n")
    done = run_bot_command(folder, "-m", "bot")
    told = [line for line in done.stderr.splitlines() if "warning" in line]
    assert main(["doctor", "--offline"]) == FAILED
    told += [line for line in capsys.readouterr().out.splitlines() if "no setting" in line]
    assert len(told) == 2
    for line in told:
        assert f"{name.upper()} in {folder / '.env'} is no setting of Ribit's" in line
        assert ".env.example" in line
        assert "ponds" not in line


def test_unrelated_environment_variables_are_ignored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of other programs are not Ribit's business, nor is an empty one."""
    for name in ("PATH_TO_FROGS", "DISCORD_WEBHOOK", "TOKEN", "POSTGRES_PASSWORD"):
        monkeypatch.setenv(name, "ponds")
    monkeypatch.setenv("RIBIT_DATABSE", "")
    monkeypatch.setenv("DISCORD_BOT_TOKEN", "other")
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    (folder / ".env").write_text("COMPOSE_PROJECT_NAME=pond\n")
    assert main(["doctor", "--offline"]) == 0


def test_a_missing_token_error_names_the_env_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is named by its whole path, and with whether it exists. Often the folder is wrong."""
    file = folder / ".env"
    for is_there in (False, True):
        if is_there:
            file.write_text("RIBIT_LOG_LEVEL=INFO\n")
        done = run_bot_command(folder, "-m", "bot")
        assert_single_error(done, "DISCORD_TOKEN", str(file), code=UNCONFIGURED)
        assert ("which is not there" in done.stderr) is not is_there
        assert main(["doctor", "--offline"]) == FAILED
        assert str(file) in capsys.readouterr().out


def test_a_folder_in_place_of_the_env_file_is_reported(folder: Path) -> None:
    """A container creates a folder if the file is missing on its host."""
    (folder / ".env").mkdir()
    assert_single_error(
        run_bot_command(folder, "-m", "bot"), str(folder / ".env"), "folder", code=UNCONFIGURED
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
@pytest.mark.parametrize(("mode", "times"), [(0o644, 1), (0o640, 0), (0o600, 0), (0o400, 0)])
def test_a_world_readable_token_is_reported(
    folder: Path, mode: int, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Start and doctor report it in a line with the repair. A file without a secret is ignored."""
    file = folder / ".env"

    def put(text: str) -> None:
        file.unlink(missing_ok=True)
        file.write_text(text)
        file.chmod(mode)

    put("DISCORD_TOKEN=x.y.z\nRIBIT_DATABASE=none/frogs\n")
    main(["doctor", "--offline"])
    assert capsys.readouterr().out.count(f"chmod 600 {file}") == times
    put("RIBIT_DATABASE=postgresql://frog:secret@localhost/ponds?sslmode=frog\n")
    assert run_bot_command(folder, "-m", "bot").stderr.count(f"chmod 600 {file}") == times
    put("RIBIT_LOG_LEVEL=INFO\n")
    assert "chmod" not in run_bot_command(folder, "-m", "bot").stderr


def test_log_settings_ignore_case_and_tokens_are_stripped(folder: Path) -> None:
    """``debug`` means the level, and spaces around a value are ignored."""
    (folder / ".env").write_text(
        "RIBIT_LOG_LEVEL=debug\nRIBIT_LOG_FORMAT=JSON\nDISCORD_TOKEN='secret '\n"
    )
    settings = read_settings()
    assert (settings.log_level, settings.log_format, settings.token) == ("DEBUG", "json", "secret")


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "RIBIT_PROXY"])
def test_an_unusable_proxy_is_reported(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A start and the doctor name the setting that the host has set. Other commands do not need it."""
    monkeypatch.setenv(name, "socks5://127.0.0.1:1080")
    monkeypatch.setenv("DISCORD_TOKEN", "x.y.z")
    said = f"The setting {name.upper()} makes no sense: it takes the address of an HTTP proxy"
    assert_single_error(run_bot_command(folder, "-m", "bot"), said, code=UNCONFIGURED)
    asyncio.run(create_database(folder / "ribit.sqlite3"))
    capsys.readouterr()
    for command in ("backup saturday", "recount", "forget 7", "restore saturday"):
        assert main(command.split()) == 0, command
    assert main(["health"]) == FAILED
    assert "No bot is running" in capsys.readouterr().err
    assert main(["doctor"]) == FAILED
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("problem")] == [
        line for line in lines if said in line
    ]
    assert "No bot is running" in lines[-1]
    monkeypatch.setenv("NO_PROXY", "discord.com")
    assert main(["doctor", "--offline"]) == (FAILED if name == "RIBIT_PROXY" else 0)


def test_a_path_with_a_tilde_is_expanded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No shell has expanded a path in a file."""
    monkeypatch.setenv("HOME", str(folder))
    assert locate("~/frogs.sqlite3") == folder / "frogs.sqlite3"


def test_sqlite_urls_are_refused(folder: Path) -> None:
    """SQLite addresses of other programs are refused, and nothing is created."""
    done = run_bot_command(
        folder, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_DATABASE="sqlite:///ribit.sqlite3"
    )
    assert_single_error(done, "RIBIT_DATABASE", code=UNCONFIGURED)
    assert list(folder.iterdir()) == []


def test_the_first_log_line_names_version_database_and_settings(folder: Path) -> None:
    """The log names version, database and sources of settings. In JSON each line is an object."""
    (folder / ".env").write_text("RIBIT_LOG_FORMAT=json\nRIBIT_DATABASE=frogs.sqlite3\n")
    done = run_bot_command(folder, "-m", "bot")
    first, *_others, last = [json.loads(line) for line in done.stderr.splitlines()]
    assert first["event"] == "Ribit starts"
    assert first["version"] == __version__
    assert first["database"] == str(folder / "frogs.sqlite3")
    assert first["settings"] == f"{folder / '.env'} and the environment"
    assert last["level"] == "critical"
    assert "No token" in last["event"]

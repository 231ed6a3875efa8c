"""Tests of ``ribit setup``, which turns a token into a file ``.env`` and an invitation link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import discord.http
import pytest

from bot import setup
from bot.__main__ import UNCONFIGURED, main
from bot.console import FAILED
from tests.local_discord import LocalDiscord, serve_discord
from tests.test_startup_and_docs import assert_single_error as assert_one_line
from tests.test_startup_and_docs import run_bot_command

ROOT = Path(__file__).parents[1]
LINK = "https://discord.com/oauth2/authorize?client_id=9&scope=bot+applications.commands&permissions="


@pytest.fixture
def local_discord(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[type[LocalDiscord], str]]:
    with serve_discord() as (handler, base):
        monkeypatch.setattr(discord.http.Route, "BASE", base)
        yield handler, base


@pytest.fixture
def address(local_discord: tuple[type[LocalDiscord], str]) -> str:
    return local_discord[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, with no terminal and no settings."""
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("DISCORD_TOKEN", *setup.CONTAINERS):
        monkeypatch.delenv(name, raising=False)
    return folder


# ---- with a terminal ------------------------------------------------------------------------------


@pytest.mark.usefixtures("address")
def test_setup_writes_a_private_file_and_prints_the_link(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A private file has the token, and the link is printed. ``tests.wire`` has a real terminal."""
    asked = list[str]()

    def answer(question: str) -> str:
        asked.append(question)
        return "good" if "token" in question else "n"

    monkeypatch.setattr(setup, "has_terminal", lambda: True)
    monkeypatch.setattr(setup, "getpass", answer)
    monkeypatch.setattr("builtins.input", answer)
    assert main(["setup"]) == 0
    assert len(asked) == 2
    assert f"{LINK}309237681152\n" in capsys.readouterr().out
    [file] = folder.iterdir()
    assert (file.name, file.read_text("utf-8")) == (".env", "DISCORD_TOKEN=good\n")
    assert S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("settings", [None, "RIBIT_LOG_LEVEL=INFO\n"])
def test_run_offers_the_setup(tmp_path: Path, settings: str | None) -> None:
    """If neither a token nor a file ``.env`` exists, ``run`` asks. After a no it starts nothing."""
    if settings is not None:
        (tmp_path / ".env").write_text(settings, "utf-8")
    program = (
        "import builtins, sys, bot.setup; bot.setup.has_terminal = lambda: True;"
        "builtins.input = lambda question: print(question) or 'n';"
        "from bot.__main__ import main; sys.exit(main(['run']))"
    )
    done = run_bot_command(tmp_path, "-c", program, **dict.fromkeys(setup.CONTAINERS, ""))
    assert ("Set Ribit up now? [Y/n]" in done.stdout) is (settings is None)
    assert_one_line(done, "DISCORD_TOKEN", code=UNCONFIGURED)
    assert ("ribit setup" in done.stderr) is (settings is None)
    assert ("Nothing was started" in done.stderr) is (settings is None)


# ---- without one ---------------------------------------------------------------------------------


def assert_single_error(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> None:
    """The set-up ends with one sentence, and nothing is in the folder but a file that was there."""
    before = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    assert main(["setup"]) == FAILED
    out, errors = capsys.readouterr()
    assert out == ""
    assert len(errors.splitlines()) == 1
    assert [word for word in words if word not in errors] == []
    assert {file.name: file.read_text("utf-8") for file in folder.iterdir()} == before


@pytest.mark.usefixtures("address")
def test_a_token_in_the_environment_is_used_without_a_question(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The token is checked and written to .env, and the invitation link is shown."""
    monkeypatch.setenv("DISCORD_TOKEN", "good")
    assert main(["setup"]) == 0
    assert LINK in capsys.readouterr().out
    assert (folder / ".env").read_text("utf-8") == "DISCORD_TOKEN=good\n"


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("token", ["stolen", "two words", "a\x00b"])
def test_an_invalid_token_is_refused(
    folder: Path, token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A token that Discord refuses, or that cannot be one."""
    monkeypatch.setattr(setup, "has_terminal", lambda: True)
    monkeypatch.setattr(setup, "_ask_token", lambda: token)
    assert_single_error(folder, capsys, "Discord does not accept the token")


def test_a_missing_network_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If Discord cannot be reached, setup says so in one sentence and writes no file."""
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    monkeypatch.setenv("DISCORD_TOKEN", "good")
    assert_single_error(folder, capsys, "cannot be reached", "network")


def test_a_missing_terminal_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal to ask for the token, setup names DISCORD_TOKEN and writes no file."""
    assert_single_error(folder, capsys, "no terminal", "DISCORD_TOKEN")


def test_setup_does_not_change_an_existing_env_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file ``.env`` is not changed."""
    (folder / ".env").write_text("RIBIT_LOG_LEVEL=DEBUG\n", "utf-8")
    assert_single_error(folder, capsys, str(folder / ".env"), "exists already")


def test_empty_input_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line of only spaces is reported as a missing token, and no file is written."""
    monkeypatch.setattr(setup, "_ask_token", lambda: " ")
    assert_single_error(folder, capsys, "No token was given")


@pytest.mark.usefixtures("address")
def test_a_full_disk_leaves_no_partial_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be written to its end is removed."""

    def fail(_path: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", fail)
    monkeypatch.setenv("DISCORD_TOKEN", "good")
    assert_single_error(folder, capsys, "cannot be written", "No space left")


@pytest.mark.parametrize("name", setup.CONTAINERS)
def test_setup_in_a_container_names_the_environment_variables(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The variables are named, because a file in a container is lost with it."""
    monkeypatch.setenv(name, "docker")
    assert_single_error(folder, capsys, "DISCORD_TOKEN", "RIBIT_DATABASE")


def test_the_image_is_detected_as_a_container() -> None:
    """The image sets the variable by which the set-up knows a container."""
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert any(f"{name}=" in image for name in setup.CONTAINERS)

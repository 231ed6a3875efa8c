"""``ribit setup``: from a token to a file ``.env`` and a link that invites the bot."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import discord.http
import pytest

from bot import setup
from bot.__main__ import main
from bot.console import FAILED
from bot.settings import NAMES
from tests.local_discord import LocalDiscord, serving

ROOT = Path(__file__).parents[1]
LINK = "https://discord.com/oauth2/authorize?client_id=9&scope=bot+applications.commands&permissions="
AT_ADDRESS = (
    "import sys, discord.http; discord.http.Route.BASE = sys.argv.pop(1);"
    "from bot.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


class Terminal:
    """The program on a terminal of its own, in an empty folder."""

    def __init__(self, folder: Path, address: str, *arguments: str) -> None:
        self._terminal, inner = pty.openpty()
        kept = {name: text for name, text in os.environ.items() if name not in setup.CONTAINERS}
        for name in NAMES:
            kept.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_ADDRESS, address, *arguments],
            cwd=folder,
            env={**kept, "PYTHONPATH": str(ROOT)},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self.screen = ""

    def wait_for(self, word: str) -> None:
        """Read the screen until it has a word."""
        until = time.monotonic() + 120
        while word not in self.screen:
            ready, _, _ = select.select([self._terminal], [], [], 1)
            assert time.monotonic() < until, self.screen
            if ready:
                try:
                    self.screen += os.read(self._terminal, 4096).decode()
                except OSError:  # the program has ended
                    assert word in self.screen, self.screen

    def type(self, line: str) -> None:
        os.write(self._terminal, f"{line}\n".encode())

    def join(self) -> int:
        """Wait for the end, read the rest of the screen and return the exit code."""
        code = self.process.wait(120)
        while True:
            try:
                self.screen += os.read(self._terminal, 4096).decode()
            except OSError:
                os.close(self._terminal)
                return code


@pytest.fixture
def local_discord(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[type[LocalDiscord], str]]:
    with serving() as (handler, base):
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


# ---- on a terminal --------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_the_token_is_asked_for_and_not_shown(tmp_path: Path, address: str) -> None:
    """Two questions, a private file with the token, and the link. The token is never on the screen."""
    host = Terminal(tmp_path, address, "setup")
    host.wait_for("Paste the token")
    host.type("good")
    host.wait_for("Start Ribit now? [Y/n]")
    host.type("n")
    assert host.join() == 0, host.screen
    assert "good" not in host.screen
    assert LINK + "309237681152" in host.screen
    [file] = tmp_path.iterdir()
    assert (file.name, file.read_text("utf-8")) == (".env", "DISCORD_TOKEN=good\n")
    assert S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_run_offers_the_setup(tmp_path: Path, address: str) -> None:
    """On a terminal ``run`` without a token asks for it, and says how if the host does not want that."""
    host = Terminal(tmp_path, address, "run")
    host.wait_for("Set Ribit up now? [Y/n]")
    host.type("n")
    assert host.join() == 78
    assert "ribit setup" in host.screen
    host = Terminal(tmp_path, address)
    host.wait_for("Set Ribit up now? [Y/n]")
    host.type("")
    host.wait_for("Paste the token")
    host.process.send_signal(signal.SIGINT)
    assert host.join() == FAILED
    assert host.screen.splitlines()[-1] == "Stopped, and nothing was written."
    assert list(tmp_path.iterdir()) == []


# ---- without one ---------------------------------------------------------------------------------


def assert_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> None:
    """The set-up ends with one sentence, and nothing is in the folder but a file that was there."""
    before = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    assert main(["setup"]) == FAILED
    out, errors = capsys.readouterr()
    assert out == ""
    assert len(errors.splitlines()) == 1
    assert [word for word in words if word not in errors] == []
    assert {file.name: file.read_text("utf-8") for file in folder.iterdir()} == before


@pytest.mark.usefixtures("address")
def test_a_token_in_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is checked and written without a question."""
    monkeypatch.setenv("DISCORD_TOKEN", "good")
    assert main(["setup"]) == 0
    assert LINK in capsys.readouterr().out
    assert (folder / ".env").read_text("utf-8") == "DISCORD_TOKEN=good\n"


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("token", ["stolen", "two words", "a\x00b"])
def test_a_bad_token(
    folder: Path, token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A token that Discord refuses, or that cannot be one."""
    monkeypatch.setattr(setup, "has_terminal", lambda: True)
    monkeypatch.setattr(setup, "_ask_token", lambda: token)
    assert_one_sentence(folder, capsys, "Discord does not accept the token")


def test_no_network(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    monkeypatch.setenv("DISCORD_TOKEN", "good")
    assert_one_sentence(folder, capsys, "cannot be reached", "network")


def test_no_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_one_sentence(folder, capsys, "no terminal", "DISCORD_TOKEN")


def test_settings_that_are_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file ``.env`` is kept as it is."""
    (folder / ".env").write_text("RIBIT_LOG_LEVEL=DEBUG\n", "utf-8")
    assert_one_sentence(folder, capsys, str(folder / ".env"), "exists already")


def test_no_token_is_given(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Enter alone, or Ctrl-D."""
    monkeypatch.setattr(setup, "_ask_token", lambda: " ")
    assert_one_sentence(folder, capsys, "No token was given")


@pytest.mark.usefixtures("address")
def test_a_full_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be written to its end is removed."""

    def fail(_path: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", fail)
    monkeypatch.setenv("DISCORD_TOKEN", "good")
    assert_one_sentence(folder, capsys, "cannot be written", "No space left")


@pytest.mark.parametrize("name", setup.CONTAINERS)
def test_in_a_container(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The variables are named, because a file in a container is lost with it."""
    monkeypatch.setenv(name, "docker")
    assert_one_sentence(folder, capsys, "DISCORD_TOKEN", "RIBIT_DATABASE")


def test_the_image_is_a_container() -> None:
    """The image sets the variable by which the set-up knows a container."""
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert any(f"{name}=" in image for name in setup.CONTAINERS)

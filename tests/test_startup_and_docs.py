"""Tests of the promises of the README, the example of settings and the command line."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from urllib.request import urlopen

import pytest
from discord import app_commands

import bot
import cogs
from bot import __version__
from bot.__main__ import UNCONFIGURED, main
from bot.console import FAILED
from bot.engine.icons import SIGNS
from bot.games import games
from bot.settings import NAMES, read_settings
from bot.storage.migrate import newest_version
from tests import forked_processes
from tests.discord.bot_harness import bot_harness

ROOT = Path(__file__).parents[1]
PACKAGES = {package.__name__: Path(package.__path__[0]) for package in (bot, cogs)}
"""The code, which may be installed somewhere else."""

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))
}
README, CONTRIBUTING = PAGES["README.md"], PAGES["CONTRIBUTING.md"]
ALL_PAGES = "\n".join(PAGES.values())
README_LINES, SCREEN_LINES, ROW_WORDS = 120, 40, 10
FIRST_RELEASE = 15
"""The schema version of 1.0.0."""

RUN_AT = (
    "import sys, discord.http; discord.http.Route.BASE = sys.argv.pop(1);"
    "from bot.__main__ import main; sys.exit(main(['run']))"
)
"""Runs like ``python -m bot run``, with Discord at the given address."""


async def test_readme_names_every_command_and_option(tmp_path: Path) -> None:
    """A slash command is not finished until the README lists it.

    Subcommands that every game has are listed once. A game adds its own command and its special ones. A
    row has at most ten words and no link. CONTRIBUTING lists the module of each command, so a deleted
    feature's line is found.
    """
    async with bot_harness(tmp_path) as place:
        commands = [
            command
            for command in place.bot.tree.walk_commands()
            if isinstance(command, app_commands.Command)
        ]
    assert len(commands) >= len(games()) * 4
    tables = "\n".join(line for line in README.splitlines() if line.startswith("| `"))
    for command in commands:
        names = [f"`/{command.qualified_name}`"]
        if command.parent is not None and names[0] not in tables:
            names = [f"`/{command.parent.name}`", f"`{command.name}`"]
        names += [f"`{option.display_name}`" for option in command.parameters]
        assert [name for name in names if name not in README] == [], command.qualified_name
    known = {command.name for command in commands} | {f"/{one.qualified_name}" for one in commands}
    options = {option.display_name for command in commands for option in command.parameters}
    rows = [row.split("|")[1] for row in tables.splitlines()]
    named = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    assert named - known - options == set()
    code = re.findall(r"^- \[\w+\]\(cogs/\w+/cog\.py\): (.+)$", CONTRIBUTING, re.MULTILINE)
    assert {name for row in code for name in re.findall("`([^`]+)`", row)} == named & known
    for row in tables.splitlines():
        assert "](" not in row
        assert len(row.replace("|", " ").split()) <= ROW_WORDS, row


async def test_commands_are_synced_only_after_a_change(tmp_path: Path) -> None:
    """A start registers the commands with Discord once. The next start with the same ones does not."""
    async with bot_harness(tmp_path) as place:

        def synced() -> int:
            return sum(request.method == "PUT" for request in place.env.http_requests)

        assert synced() == 1
        await place.restart()
        assert synced() == 1
        await place.bot.database.notes.store_note(f"commands of {place.bot.application_id}", "others")
        await place.restart()
        assert synced() == 2


def test_operating_page_and_env_example_name_every_setting() -> None:
    """The table of docs/operating.md and .env.example list each setting and nothing else."""
    names = set(NAMES)
    example = (ROOT / ".env.example").read_text("utf-8")
    assert set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE)) == names
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", PAGES["docs/operating.md"], re.MULTILINE)) == names


def test_the_operating_page_has_the_number_of_emojis() -> None:
    """An application's room for emojis is limited, so the docs give the number that Ribit uses."""
    assert f"{len(SIGNS)} emojis" in PAGES["docs/operating.md"]


@pytest.fixture
def verbs(capsys: pytest.CaptureFixture[str]) -> set[str]:
    """The commands of ``python -m bot``."""
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.search(r"\{([a-z,]+)\}", capsys.readouterr().out)
    assert listed is not None
    return set(listed[1].split(","))


def test_readme_and_docs_name_every_command(verbs: set[str]) -> None:
    """Each command of ``python -m bot`` is in the README or the docs."""
    assert set(re.findall(r"python -m bot ([a-z]+)", ALL_PAGES)) >= verbs


def test_the_operating_page_has_every_command_in_its_table(verbs: set[str]) -> None:
    """One table under *Commands* lists every command. No empty line breaks the table in two."""
    chapter = PAGES["docs/operating.md"].partition("\n## Commands\n")[2].partition("\n## ")[0]
    table = chapter.strip().partition("\n\n")[0]
    assert set(re.findall(r"^\| `python -m bot ([a-z]+)", table, re.MULTILINE)) >= verbs


def test_dockerfile_and_service_name_existing_settings_and_files(verbs: set[str]) -> None:
    """The Dockerfile and the systemd unit set only settings, copy only files, give only commands."""
    dockerfile, unit = (ROOT / name for name in ("Dockerfile", "ribit.service"))
    text = dockerfile.read_text("utf-8") + unit.read_text("utf-8")
    settings = set(NAMES)
    named = set(re.findall(r"\b(?:RIBIT|DISCORD)_[A-Z_]+", text))
    assert named == {"DISCORD_TOKEN", "RIBIT_DATABASE"}
    assert named <= settings
    given = re.findall(r"-m bot ([a-z]+)", text) + re.findall(r'CMD \[(?:.*, )?"([a-z]+)"\]', text)
    assert sorted(given) == ["health", "run", "run"]
    assert set(given) <= verbs
    copied = [line.split()[1:-1] for line in text.splitlines() if re.match("COPY (?!--from)", line)]
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert sorted(name for names in copied for name in names) == sorted(
        line.removeprefix("!") for line in kept if line.startswith("!")
    )
    names = {name for names in copied for name in names}
    assert names >= PACKAGES.keys()
    assert [name for name in names - PACKAGES.keys() if not (ROOT / name).exists()] == []
    assert f"RestartPreventExitStatus={UNCONFIGURED}" in text


def test_the_readme_is_short_and_links_to_every_page() -> None:
    """Its first screen has a picture, all games, six promises and both ways to start."""
    assert len(README.splitlines()) <= README_LINES
    screen = "\n".join(README.splitlines()[:SCREEN_LINES])
    assert "self-hosted" in screen
    assert "](assets/readme/phone.png)" in screen
    assert [game.info.name for game in games().values() if f"\n| **{game.info.name}" not in screen] == []
    assert len(re.findall(r"^- .+\.$", screen, re.MULTILINE)) == 6
    for words in ("## See it in two minutes", "'.[demo]'", "a minute or two", "`python3-venv`"):
        assert words in screen
    steps = re.findall(r"^\d\. .+$", screen.partition("## Put it on your server")[2], re.MULTILINE)
    assert len(steps) == 3
    assert "ribit setup" in steps[1]
    assert [page for page in PAGES if page != "README.md" and f"]({page})" not in README] == []


def test_the_upgrading_page_has_one_command_per_step(verbs: set[str]) -> None:
    """An update is one command, and the way back another, for the file that a start has written."""
    update, back = re.findall(r"\n\|---\|---\|\n((?:\|.+\n)+)", PAGES["docs/upgrading.md"])
    rows = [re.findall("`([^`]+)`", row.split("|")[2]) for row in (update + back).splitlines()]
    commands = [first for first, *_rest in rows if "&&" in first or "docker" in first]
    assert len(commands) == len(rows) - 1, "systemd has its command once"
    assert {verb for line in commands for verb in re.findall(r"\bribit ([a-z]+)", line)} <= verbs
    backup = f"ribit.sqlite3.before-update-{FIRST_RELEASE}"
    assert all(backup in line for line in commands if " restore " in line)
    assert sum(" restore " in line for line in commands) == 3


@pytest.mark.parametrize("page", PAGES)
def test_every_link_between_pages_has_a_target(page: str) -> None:
    """Each link leads to an existing file or heading. Links to websites are not checked."""
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", PAGES[page]):
        path, _sharp, heading = link.partition("#")
        # Where an installed package is tested, the code lies elsewhere than the pages.
        home = Path(cogs.__path__[0]).parent if path.startswith("cogs/") else (ROOT / page).parent
        target = (home / path).resolve() if path else ROOT / page
        assert target.is_file(), link
        anchors = re.sub(r"[^\w\n -]", "", target.read_text("utf-8").lower()) if heading else ""
        assert not heading or f" {heading.replace('-', ' ')}\n" in anchors, link


@pytest.mark.parametrize("page", PAGES)
def test_documented_modules_exist(page: str) -> None:
    """A page that names a module by its path names one that the bot has."""
    for module in re.findall(r"`((?:bot|cogs)/[\w/]+)\.py`", PAGES[page]):
        assert find_spec(module.removesuffix("/__init__").replace("/", ".")) is not None, module


def start_program(
    folder: Path, *arguments: str, **environment: str
) -> tuple[forked_processes.Program, Path, Path]:
    """Start the program or code. Return it with its output and error files."""
    out, errors = folder / "out.txt", folder / "errors.txt"
    inherited = {**os.environ, **environment}
    return forked_processes.Program(arguments, folder, inherited, out, errors), out, errors


def start_bot_at(
    address: str, folder: Path, **environment: str
) -> tuple[forked_processes.Program, Path]:
    """Start the bot with Discord at an address. Return it and its log file."""
    given = {"DISCORD_TOKEN": "not.a.token", **environment}
    run, _out, log = start_program(folder, "-c", RUN_AT, address, **given)
    return run, log


def run_bot_command(
    folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m bot``, or code, in an empty folder as a host would."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("DISCORD_TOKEN",)}
    given = arguments[1:] if arguments[0] == "-m" else arguments
    return forked_processes.run_program(*given, folder=folder, environment={**inherited, **environment})


def assert_single_error(done: subprocess.CompletedProcess[str], *words: str, code: int = FAILED) -> None:
    """The program ended with an error and, the log apart, one line that a person understands."""
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if not re.match(r"\d{4}-\d\d-\d\d ", line)]
    assert len(lines) == 1, done.stderr
    assert [word for word in words if word not in lines[0]] == []


def test_a_missing_token_prevents_the_start(tmp_path: Path) -> None:
    """The bot names the missing setting and creates no file."""
    for arguments in (("-m", "bot"), ("-m", "bot", "run")):
        assert_single_error(run_bot_command(tmp_path, *arguments), "DISCORD_TOKEN", code=UNCONFIGURED)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_a_database_prevents_the_start(tmp_path: Path) -> None:
    """A file that is not a database is reported at once, in a sentence that names the path."""
    other = tmp_path / "letter.txt"
    other.write_text("Dear frog, this is not a database at all. " * 50, "utf-8")
    done = run_bot_command(tmp_path, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_DATABASE=str(other))
    assert_single_error(done, "not a database", str(other), code=UNCONFIGURED)


def test_the_start_reports_a_missing_folder_after_waiting(tmp_path: Path) -> None:
    """The start waits for a missing disk, and then reports the folder in a sentence."""
    missing = tmp_path / "nowhere" / "ribit.sqlite3"
    program = (
        "import sys, bot.running; bot.running.DISK_SECONDS = 0.1;"
        "from bot.__main__ import main; sys.exit(main(['run']))"
    )
    done = run_bot_command(tmp_path, "-c", program, DISCORD_TOKEN="x.y.z", RIBIT_DATABASE=str(missing))
    assert_single_error(done, "RIBIT_DATABASE", str(missing.parent))
    assert "retrying" in done.stderr


def test_sigterm_before_the_login_exits_cleanly(tmp_path: Path) -> None:
    """SIGTERM after the database is opened and before the log-in ends it in order."""
    program = (
        "import asyncio, os, signal, sys, bot.running\n"
        "async def stopped(*_about):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    await asyncio.sleep(600)\n"
        "bot.running.note_holder = stopped\n"
        "from bot.__main__ import main\n"
        "sys.exit(main(['run']))"
    )
    path = str(tmp_path / "ribit.sqlite3")
    done = run_bot_command(tmp_path, "-c", program, DISCORD_TOKEN="x.y.z", RIBIT_DATABASE=path)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0


def test_the_start_waits_for_a_delayed_disk(tmp_path: Path) -> None:
    """The disk becomes available after a while. The start continues, here until a refused token."""
    late = tmp_path / "disk"
    with serve_refusing_discord() as address:
        run, log = start_bot_at(address, tmp_path, RIBIT_DATABASE=str(late / "ribit.sqlite3"))
        assert str(late) in run.wait_for_line("retrying", log)
        late.mkdir()
        assert run.join() == UNCONFIGURED
    assert "token" in log.read_text("utf-8")
    assert (late / "ribit.sqlite3").exists()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("RIBIT_LOG_LEVEL", "LOUD"),
        ("RIBIT_REQUESTS_PER_SECOND", "many"),
        ("RIBIT_REQUESTS_PER_SECOND", "5"),
    ],
)
def test_an_invalid_setting_is_named(tmp_path: Path, name: str, written: str) -> None:
    """A setting that makes no sense is named."""
    (tmp_path / ".env").write_text(f"{name}={written}\n", "utf-8")
    assert_single_error(run_bot_command(tmp_path, "-m", "bot"), name, code=UNCONFIGURED)


def test_the_environment_overrides_the_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting of the file counts unless the environment has it. An empty variable counts as unset."""
    written = {"RIBIT_LOG_LEVEL": "DEBUG", "RIBIT_DATABASE": "pond.sqlite3", "DISCORD_TOKEN": "secret"}
    (tmp_path / ".env").write_text(
        "".join(f"{name}='{text}'\n" for name, text in written.items()), "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    for name, text in (("RIBIT_LOG_LEVEL", "ERROR"), ("RIBIT_DATABASE", ""), ("DISCORD_TOKEN", "")):
        monkeypatch.setenv(name, text)
    settings = read_settings()
    assert (settings.log_level, settings.database, settings.token) == ("ERROR", "pond.sqlite3", "secret")
    assert "secret" not in str(settings)
    assert "pond" not in str(settings)  # it may be an address, with a password


def test_a_missing_font_prevents_the_start(tmp_path: Path) -> None:
    """Without its font, Ribit refuses to start and reports that before it opens anything."""
    program = (
        "import sys; sys.modules['fontpkg_noto_sans'] = None;"
        "from bot.__main__ import main; sys.exit(main(['run']))"
    )
    done = subprocess.run(  # no copy of a program that has drawn something
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": "x.y.z"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert_single_error(done, "cannot be drawn", "doctor", code=UNCONFIGURED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "spoilt", ["", "no catalogue", b"\xde\x12\x04\x95" + b"\xff" * 40], ids=["empty", "text", "header"]
)
def test_a_corrupted_catalogue_is_reported_at_the_start(tmp_path: Path, spoilt: str | bytes) -> None:
    """The start ends with a sentence that names the file, and its exit code prevents another start."""
    catalogue = tmp_path / "locales" / "de" / "ribit.mo"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_bytes(spoilt if isinstance(spoilt, bytes) else spoilt.encode())
    program = (
        "import pathlib, sys; from bot.languages import load_languages;"
        "load_languages.__defaults__ = (pathlib.Path('locales').absolute(),);"
        "from bot.__main__ import main; sys.exit(main(['run']))"
    )
    done = run_bot_command(tmp_path, "-c", program, DISCORD_TOKEN="x.y.z")
    assert_single_error(done, str(catalogue), "cannot be read", "Install", code=UNCONFIGURED)
    assert [path.name for path in tmp_path.iterdir()] == ["locales"]


@pytest.mark.parametrize(
    "address",
    ["9464", ":9464", "127.0.0.1", "127.0.0.1:99999", "http://127.0.0.1:9464", "[127.0.0.1:9464"],
)
def test_an_invalid_metrics_address_is_reported(tmp_path: Path, address: str) -> None:
    """An invalid address and port is reported in a sentence before anything is opened."""
    done = run_bot_command(tmp_path, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_METRICS=address)
    assert_single_error(done, "RIBIT_METRICS", "127.0.0.1:9464", code=UNCONFIGURED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "address", ["frogs", "www.frogs.example", "ftp://frogs.example", "https://", "https://a b"]
)
def test_an_invalid_policy_link_is_reported(tmp_path: Path, address: str) -> None:
    """An invalid link is reported in a sentence before anything is opened."""
    done = run_bot_command(tmp_path, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_PRIVACY_URL=address)
    assert_single_error(done, "RIBIT_PRIVACY_URL", "https://example.org/privacy", code=UNCONFIGURED)
    assert list(tmp_path.iterdir()) == []


def test_a_metrics_port_in_use_prevents_the_start(tmp_path: Path) -> None:
    """A bot that cannot serve its metrics does not start. It names the address and ends for good."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run_bot_command(tmp_path, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_METRICS=address)
    assert_single_error(done, f"RIBIT_METRICS={address}", "in use", code=UNCONFIGURED)


def test_a_nonlocal_metrics_address_is_reported(tmp_path: Path) -> None:
    """An address that this machine does not have is reported in a sentence."""
    done = run_bot_command(tmp_path, "-m", "bot", DISCORD_TOKEN="x.y.z", RIBIT_METRICS="192.0.2.1:9464")
    assert_single_error(done, "RIBIT_METRICS=192.0.2.1:9464", "address", code=UNCONFIGURED)


def test_the_metrics_library_is_not_loaded_without_the_setting(tmp_path: Path) -> None:
    """Importing `bot.running` does not import prometheus_client."""
    program = "import sys, bot.running; sys.exit('prometheus_client' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)


def test_a_demo_port_in_use_is_reported(tmp_path: Path) -> None:
    """A port in use is reported in a sentence with an alternative."""
    with serve_refusing_discord() as address:
        port = address.split(":")[2].split("/")[0]
        assert_single_error(
            run_bot_command(tmp_path, "-m", "bot", "demo", "--port", port), port, "--port"
        )


def test_an_invalid_demo_port_is_reported(tmp_path: Path) -> None:
    """An invalid port number is reported in a sentence."""
    assert_single_error(
        run_bot_command(tmp_path, "-m", "bot", "demo", "--port", "99999"), "65535", "--port"
    )


def test_an_unknown_demo_game_lists_all_games(tmp_path: Path) -> None:
    """The demo says which games it can open, one for each there is."""
    commands = [game.info.command for game in games().values()]
    assert_single_error(
        run_bot_command(tmp_path, "-m", "bot", "demo", "--game", "chess"), "chess", *commands
    )


def test_missing_demo_packages_are_reported(tmp_path: Path) -> None:
    """Without the demo's packages, the bot explains how to install them."""
    program = (
        "import sys; sys.modules['simcord'] = None;"
        "from bot.__main__ import main; sys.exit(main(['demo']))"
    )
    assert_single_error(run_bot_command(tmp_path, "-c", program), "simcord", ".[demo]")


def test_demo_ends_cleanly(tmp_path: Path) -> None:
    """The demo prints the address of a page, and Ctrl-C ends it without a word of complaint."""
    demo, out, errors = start_program(tmp_path, "bot", "demo", "--port", "0")
    address = demo.wait_for_line("http://127.0.0.1:", out)
    page = urlopen(address.split()[-1].split("#")[0], timeout=300).read().decode()
    assert "<html" in page
    demo.send_signal(signal.SIGINT)
    assert (demo.join(), errors.read_text("utf-8")) == (0, "")


def test_sigterm_during_the_start_exits_cleanly(tmp_path: Path) -> None:
    """A service manager that changes its mind while Discord does not answer sees an orderly end."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        run, log = start_bot_at(f"http://127.0.0.1:{silent.getsockname()[1]}/api/v10", tmp_path)
        asked, _address = silent.accept()
        with asked:
            run.send_signal(signal.SIGTERM)
            code = run.join()
    assert code == 0, log.read_text("utf-8")
    assert "is unreachable" not in log.read_text("utf-8")


class _Unauthorized(BaseHTTPRequestHandler):
    """Discord for a host with an invalid token."""

    is_read: Event | None = None
    """An event that makes the first request fail with 502, and the next wait for it."""
    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        if self.is_read is not None and self.asked == 1:
            self.send_error(502)
            return
        if self.is_read is not None:
            self.is_read.wait(60)
        body = b'{"message": "401: Unauthorized", "code": 0}'
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 — the library's name
        """Keep quiet."""


@contextmanager
def serve_refusing_discord(is_read: Event | None = None) -> Iterator[str]:
    """Serve a Discord that accepts no token, and yield its address.

    With an event it first fails once, and is silent until that is set.
    """
    handler = type("Handler", (_Unauthorized,), {"is_read": is_read})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api/v10"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_refused_token_is_reported_without_a_traceback(tmp_path: Path) -> None:
    """A token that Discord refuses is reported in a sentence, without a traceback."""
    with serve_refusing_discord() as address:
        done = run_bot_command(tmp_path, "-c", RUN_AT, address, DISCORD_TOKEN="not.a.token")
    assert_single_error(done, "token", code=UNCONFIGURED)
    assert f"version={__version__}" in done.stderr.splitlines()[0]
    (migrated,) = [line for line in done.stderr.splitlines() if "migrated" in line]
    assert f"0 → {newest_version()}" in migrated


def test_the_log_reports_the_first_connection_failure(tmp_path: Path) -> None:
    """The log reports the first failure. discord.py retries for 25 seconds before it logs anything."""
    is_read = Event()
    with serve_refusing_discord(is_read) as address:
        run, log = start_bot_at(address, tmp_path)
        assert "502" in run.wait_for_line("Discord", log)
        is_read.set()
        assert run.join() == UNCONFIGURED
    assert "token" in log.read_text("utf-8")

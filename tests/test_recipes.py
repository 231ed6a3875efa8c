"""Tests of the recipes in the docs: each is run, and its processes read the right settings."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from dotenv import dotenv_values

from bot.settings import NAMES, Settings, read_settings
from bot.storage.backups import restore
from bot.storage.database import open_database
from bot.storage.database_address import Server
from tests.postgres import Postgres
from tests.storage.database_types import query_rows
from tests.test_startup_and_docs import PAGES, ROOT

OURS = ("RIBIT_", "DISCORD_", "PG")
TOKEN = "x.y.z"
EMPTY = "".join(f"{name}=\n" for name in NAMES if name not in ("DISCORD_TOKEN", "RIBIT_DATABASE"))
"""Content of settings files that were copied from the example of 1.0.0."""

OF_A_HOST = """
RIBIT_LOG_FORMAT=json
RIBIT_REQUESTS_PER_SECOND=120
RIBIT_PRIVACY_URL=https://a.example/privacy
RIBIT_PROXY=http://b.example:3128
RIBIT_DISCORD_API=http://nirn:8080
"""
"""Settings that a host adds to the example."""

STUBS = 'systemctl() { :; }\nuseradd() { :; }\ncp() { command cp "$@"; }\n'


def chapter_commands(page: str, heading: str) -> str:
    """Return the commands in a chapter."""
    begins = r"^(?:#+ |\*\*)"
    chapter = re.split(begins, re.split(begins + heading, PAGES[page], flags=re.M)[1], flags=re.M)[0]
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL))


class Machine:
    """A folder that represents a machine's root, in which the recipes run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._patch = monkeypatch
        (folder / "etc" / "systemd" / "system").mkdir(parents=True)

    def moved(self, text: str) -> str:
        """Return a text with the machine's folders in the place of the real ones."""
        return re.sub(f"(?<!{self.folder})/etc/", f"{self.folder}/etc/", text).replace(
            "/opt/ribit/", f"{ROOT}/"
        )

    def type(self, script: str) -> None:
        """Run the commands about settings, but not those that install or start something."""
        done = subprocess.run(
            ["sh", "-e", "-c", STUBS + self.moved(script)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    def write(self, name: str, content: str) -> None:
        """Write a file of settings."""
        (self.folder / "etc" / name).write_text(content)

    def service_settings(self, unit: str, instance: str = "") -> Settings:
        """Return a service's settings. Its files override the unit, and a later file an earlier one."""
        text = (self.folder / "etc" / "systemd" / "system" / unit).read_text("utf-8")
        text = text.replace("%i", instance)
        given = dict(
            pair.split("=", 1) for pair in " ".join(re.findall(r"^Environment=(.*)", text, re.M)).split()
        )
        for file in re.findall(r"^EnvironmentFile=(.*)", text, re.MULTILINE):
            given |= {key: value or "" for key, value in dotenv_values(self.moved(file)).items()}
        return self.read(given)

    def read(self, given: dict[str, str], folder: str = "work") -> Settings:
        """Return the settings of a process with an environment, in a folder."""
        for name in os.environ:
            if name.startswith(OURS):
                self._patch.delenv(name)
        for name, text in given.items():
            self._patch.setenv(name, text)
        (self.folder / folder).mkdir(exist_ok=True)
        self._patch.chdir(self.folder / folder)
        return read_settings()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def filled_example(**filled: str) -> str:
    """Return the example of settings with values filled in, in its lines and below them."""
    text = (ROOT / ".env.example").read_text("utf-8")
    for name, value in filled.items():
        text = re.sub(f"^{name}=.*", f"{name}={value}", text, flags=re.MULTILINE)
    return text


def test_the_example_settings_have_no_empty_value_but_the_token() -> None:
    """Each line of .env.example has a value or is a comment, except for the token to fill in."""
    text = (ROOT / ".env.example").read_text("utf-8")
    assert re.findall(r"^(\w+)=$", text, re.MULTILINE) == ["DISCORD_TOKEN"]


def test_a_systemd_service_needs_only_a_token(machine: Machine) -> None:
    """The example with a token in it is all that the unit needs."""
    typed = chapter_commands("docs/operating.md", "systemd")
    kept = [line for line in typed.splitlines() if line.startswith(("install ", "cp "))]
    machine.type("\n".join(kept))
    copied = machine.folder / "etc" / "ribit.env"
    assert copied.stat().st_mode & 0o777 == 0o600
    assert copied.read_text("utf-8") == filled_example()
    for rest in ("", EMPTY):
        machine.write("ribit.env", filled_example(DISCORD_TOKEN=TOKEN) + rest)
        settings = machine.service_settings("ribit.service")
        assert (settings.token, settings.shards, settings.metrics) == (TOKEN, None, None)
        assert (Path("/var/lib/ribit") / settings.database) == Path("/var/lib/ribit/ribit.sqlite3")


@pytest.mark.parametrize("rest", ["", EMPTY])
def test_several_systemd_services_have_separate_shards_and_ports(machine: Machine, rest: str) -> None:
    """Each process has its own shards and port, and the rest from the file that all share."""
    address = "postgresql://ribit@db.example/ribit"
    machine.write("ribit.env", filled_example(DISCORD_TOKEN=TOKEN, RIBIT_DATABASE=address) + rest)
    machine.type(chapter_commands("docs/growing.md", "With systemd"))
    found = [machine.service_settings("ribit@.service", instance) for instance in ("0", "1")]
    assert [(str(one.shards), one.token, one.database) for one in found] == [
        ("0-1/4", TOKEN, address),
        ("2-3/4", TOKEN, address),
    ]
    assert len({one.metrics for one in found} - {None}) == 2


def test_nightly_backups_delete_those_older_than_two_weeks(tmp_path: Path, machine: Machine) -> None:
    """The timer of systemd and cron create a backup and delete those older than two weeks."""
    machine.type(chapter_commands("docs/backups.md", "With systemd"))
    system = machine.folder / "etc" / "systemd" / "system"
    service = (system / "ribit-backup.service").read_text("utf-8")
    assert "OnCalendar=" in (system / "ribit-backup.timer").read_text("utf-8")
    steps = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", service, re.MULTILINE)
    nightly = " && ".join(steps).replace("%%", "%").replace("$$", "$")
    cron = re.findall(r"^30 4 \* \* \* cd ribit && (.*)$", PAGES["docs/backups.md"], re.MULTILINE)[0]
    for kind, script in (("timer", nightly), ("cron", cron.replace(r"\%", "%"))):
        work = tmp_path / kind
        (work / "backups").mkdir(parents=True)
        asyncio.run(create_database(work / "ribit.sqlite3"))
        for days in (13, 16):
            old = work / "backups" / f"{days}.backup"
            old.touch()
            os.utime(old, (time.time() - days * 86400,) * 2)
        typed = re.sub(r"\S*\.venv/bin/python", sys.executable, script)
        given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        subprocess.run(["sh", "-c", typed], cwd=work, env=given, check=True)
        kept = sorted(file.name for file in (work / "backups").iterdir())
        assert "13.backup" in kept
        assert [len(kept), "16.backup" in kept] == [3, False]
        new, digest = sorted({*kept} - {"13.backup"})
        assert digest == f"{new}.sha256"
        assert restore(work / "backups" / new, work / "other.sqlite3")[1] is None


async def create_database(path: Path) -> None:
    await (await open_database(path)).close()


def test_a_container_keeps_its_database_in_the_volume(machine: Machine) -> None:
    """Compose and `docker run` keep the database in /data, even if .env sets another path."""
    machine.write(".env", filled_example(DISCORD_TOKEN=TOKEN) + EMPTY)
    from_file = {key: value or "" for key, value in dotenv_values(machine.folder / "etc/.env").items()}
    service = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]["ribit"]
    assert service["env_file"] == ".env"
    over = {
        name: re.sub(r"\$\{DISCORD_TOKEN:\?.*\}", TOKEN, each)
        for name, each in service["environment"].items()
    }
    typed = chapter_commands("docs/operating.md", "Docker")
    assert "--env-file .env" in typed
    given = dict(pair.split("=", 1) for pair in re.findall(r" -e (\S+)", typed))
    for environment in (over, given):
        settings = machine.read(from_file | environment)
        assert (settings.token, settings.database) == (TOKEN, "/data/ribit.sqlite3")


def test_the_documented_fleet_has_valid_settings(machine: Machine) -> None:
    """The two lines of docs/growing.md give the fleet its password and file, and .env gives the rest."""
    work = machine.folder / "work"
    work.mkdir()
    (work / ".env").write_text(filled_example(DISCORD_TOKEN=TOKEN, RIBIT_LOG_LEVEL="DEBUG") + OF_A_HOST)
    first = chapter_commands("docs/growing.md", "With Docker Compose").splitlines()[0]
    stub = "openssl() { printf %s frogs; }\n"
    subprocess.run(["sh", "-e", "-c", stub + first], cwd=work, check=True)
    from_file = dotenv_values(work / ".env")
    fleet = yaml.safe_load((ROOT / str(from_file["COMPOSE_FILE"])).read_text("utf-8"))["services"]

    def filled(text: str) -> str:
        return re.sub(r"\$\{(\w+)(:-|:\?)([^}]*)\}", lambda one: from_file.get(one[1]) or one[3], text)

    shutil.rmtree(work)
    found = []
    for service in (fleet["ribit-0"], fleet["ribit-1"]):
        given = {name: filled(str(each)) for name, each in service["environment"].items()}
        assert given["PGPASSWORD"] == "frogs"
        shared = from_file if service["env_file"] == ".env" else {}
        found.append(machine.read({name: value or "" for name, value in shared.items()} | given))
    assert [(str(one.shards), one.token) for one in found] == [("0-1/4", TOKEN), ("2-3/4", TOKEN)]
    for one in found:
        assert (one.log_level, one.log_format, one.requests_per_second) == ("DEBUG", "json", 120)
        assert (one.privacy_url, one.proxy) == ("https://a.example/privacy", "http://b.example:3128")
        assert (one.discord_api, one.database) == (
            "http://nirn:8080",
            "postgresql://ribit@postgres/ribit",
        )


def test_the_documented_fleet_dump_can_be_restored(
    postgres: Postgres, machine: Machine, server: Server, new_server: Server
) -> None:
    """PostgreSQL's container makes one, and reads it back into a database that has changed since."""
    recipe = chapter_commands("docs/growing.md", "With Docker Compose").partition("(umask")
    dump, restoring = (recipe[1] + recipe[2]).split("\ndocker compose stop ribit-0 ribit-1\n")
    names = [one.address.partition("@/")[2].partition("?")[0] for one in (server, new_server)]
    host = server.address.partition("host=")[2]
    asyncio.run(query_rows(server, "INSERT INTO notes VALUES ('frog', 'here')"))
    for script, name in ((dump, names[0]), (restoring, names[1])):
        typed = re.sub(r"docker compose exec -T postgres (\w+) --username=ribit", r"\1", script)
        typed = typed.replace("--no-owner ribit", f"--no-owner {name}").replace("=ribit", f"={name}")
        given = {
            "PATH": f"{postgres.programs}:{os.environ['PATH']}",
            "PGUSER": "postgres",
            "PGHOST": host,
        }
        stub = "docker() { :; }\n"
        subprocess.run(["sh", "-e", "-c", stub + typed], cwd=machine.folder, env=given, check=True)
    assert (machine.folder / "ribit.dump").stat().st_mode & 0o777 == 0o600
    assert asyncio.run(query_rows(new_server, "SELECT value FROM notes WHERE key = 'frog'")) == [
        ("here",)
    ]

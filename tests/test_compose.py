"""The compose file runs the bot as it can be run, watched by Prometheus, without a secret in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.settings import NAMES, Settings, read_settings
from tests.test_steering import DOCS, QUERIES, ROOT

PORT = "9464"
COMPOSED = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
BOTS = {name: service for name, service in COMPOSED.items() if service["image"] == "ribit"}


def settings_of(service: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return what a process reads from its environment, with secrets from the one who starts it."""
    for name, value in service["environment"].items():
        monkeypatch.setenv(
            name, re.sub(r"\$\{\w+:-(.*)\}|\$\{\w+:\?.*\}", r"\1", str(value)) or "secret"
        )
    return read_settings()


@pytest.mark.parametrize("name", BOTS)
def test_compose_sets_what_there_is(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process is given settings that exist and make sense, and the password for its database."""
    known = set(NAMES)
    environment = BOTS[name]["environment"]
    assert set(environment) - known == {"PGPASSWORD"}
    monkeypatch.chdir(tmp_path)  # no file .env is there
    settings = settings_of(BOTS[name], monkeypatch)
    assert settings.database.startswith("postgresql://ribit@postgres/")
    assert str(settings.metrics).endswith(f":{PORT}")


def test_compose_runs_every_shard_once() -> None:
    """Two processes have two shards each, of four."""
    written = [
        re.fullmatch(r"(\d+)-(\d+)/4", bot["environment"]["RIBIT_SHARDS"]) for bot in BOTS.values()
    ]
    ranges = [range(int(found[1]), int(found[2]) + 1) for found in written if found]
    assert sorted(shard for each in ranges for shard in each) == list(range(4))
    assert [len(each) for each in ranges] == [2, 2]


def test_compose_has_no_secret() -> None:
    """Token and password come from the environment; without one of them nothing is started."""
    secrets = [
        value
        for service in COMPOSED.values()
        for name, value in service.get("environment", {}).items()
        if re.search("TOKEN|PASSWORD", name)
    ]
    assert len(secrets) == 2 * len(BOTS) + 1
    assert [
        one for one in secrets if not re.fullmatch(r"\$\{(DISCORD_TOKEN|POSTGRES_PASSWORD):\?.+\}", one)
    ] == []


def test_prometheus_finds_every_process() -> None:
    """It reads each process at its port, under the name that alerts go by, and has its files."""
    config = yaml.safe_load((DOCS / "prometheus.yaml").read_text("utf-8"))
    [job] = config["scrape_configs"]
    assert f'job="{job["job_name"]}"' in QUERIES["RibitDown"]
    assert [static["targets"] for static in job["static_configs"]] == [
        [f"{name}:{PORT}" for name in BOTS]
    ]
    mounts = dict(one.split(":")[:2] for one in COMPOSED["prometheus"]["volumes"])
    there = {Path(inside).name for source, inside in mounts.items() if (ROOT / source).is_file()}
    assert there == {"prometheus.yml", *config["rule_files"]}
    assert all(service["depends_on"]["postgres"] for service in BOTS.values())


def test_compose_publishes_to_this_machine_alone() -> None:
    """Nobody from outside reaches figures or the database by it."""
    ports = [port for service in COMPOSED.values() for port in service.get("ports", ())]
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []

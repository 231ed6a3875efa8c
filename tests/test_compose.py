"""The compose files run the bot alone and as a fleet, without a secret in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.settings import NAMES, Settings, read_settings
from tests.test_monitoring_files import DOCS, QUERIES, ROOT

PORT = "9464"
FILES = {
    name: yaml.safe_load((ROOT / name).read_text("utf-8"))
    for name in ("compose.yaml", "compose.fleet.yaml")
}
SERVICES = [(name, service) for file in FILES.values() for name, service in file["services"].items()]
SINGLE = FILES["compose.yaml"]["services"]["ribit"]
FLEET = FILES["compose.fleet.yaml"]["services"]
BOTS = {name: service for name, service in FLEET.items() if "build" in service}


def service_settings(service: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings of a Compose service, with placeholders for its required variables."""
    assert service["env_file"] == ".env", "the other settings are those of .env.example"
    for name, value in service["environment"].items():
        monkeypatch.setenv(
            name, re.sub(r"\$\{\w+:-(.*)\}|\$\{\w+:\?.*\}", r"\1", str(value)) or "secret"
        )
    return read_settings()


def test_the_single_container_needs_only_a_token(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its database is a file in a volume that outlives the container."""
    assert FILES["compose.yaml"]["services"].keys() == {"ribit"}
    monkeypatch.chdir(tmp_path)  # no file .env is there
    settings = service_settings(SINGLE, monkeypatch)
    database = Path(settings.database)
    [(volume, folder)] = [mount.split(":") for mount in SINGLE["volumes"]]
    assert database.is_absolute()
    assert str(database.parent) == folder
    assert volume in FILES["compose.yaml"]["volumes"]
    assert f"VOLUME {folder}" in (ROOT / "Dockerfile").read_text("utf-8")


def test_containers_restart_and_have_health_checks() -> None:
    """A bot is started again when it ends, and asked whether it is well, as the image has it."""
    image = (ROOT / "Dockerfile").read_text("utf-8")
    asked = json.dumps(SINGLE["healthcheck"]["test"])
    assert asked.startswith('["CMD", "python", "-m", "bot", "health"')
    assert asked.removeprefix('["CMD", ') in image
    bots = [SINGLE, *BOTS.values()]
    assert [bot["restart"] for bot in bots] == ["unless-stopped"] * len(bots)


def test_containers_have_minimal_privileges() -> None:
    """An intruder can write nothing but the data, and become no other user."""
    for bot in (SINGLE, *BOTS.values()):
        assert bot["read_only"] is True
        assert bot["cap_drop"] == ["ALL"]
        assert bot["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", BOTS)
def test_the_fleet_uses_only_valid_settings(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process is given settings that exist and make sense, and the password for its database."""
    known = set(NAMES)
    environment = BOTS[name]["environment"]
    assert set(environment) - known == {"PGPASSWORD"}
    monkeypatch.chdir(tmp_path)  # no file .env is there
    settings = service_settings(BOTS[name], monkeypatch)
    assert settings.database.startswith("postgresql://ribit@postgres/")
    assert str(settings.metrics).endswith(f":{PORT}")


def test_the_fleet_runs_every_shard_once() -> None:
    """Two processes have two shards each, of four."""
    written = [
        re.fullmatch(r"(\d+)-(\d+)/4", bot["environment"]["RIBIT_SHARDS"]) for bot in BOTS.values()
    ]
    ranges = [range(int(found[1]), int(found[2]) + 1) for found in written if found]
    assert sorted(shard for each in ranges for shard in each) == list(range(4))
    assert [len(each) for each in ranges] == [2, 2]


def test_compose_has_no_secret() -> None:
    """Token and password come from the environment. Without one of them nothing starts."""
    secrets = [
        value
        for _name, service in SERVICES
        for name, value in service.get("environment", {}).items()
        if re.search("TOKEN|PASSWORD", name)
    ]
    assert len(secrets) == 1 + 2 * len(BOTS) + 1
    assert [
        one for one in secrets if not re.fullmatch(r"\$\{(DISCORD_TOKEN|POSTGRES_PASSWORD):\?.+\}", one)
    ] == []


def test_prometheus_scrapes_every_process() -> None:
    """Prometheus uses the job name that alerts query, and its rule files are mounted."""
    config = yaml.safe_load((DOCS / "prometheus.yaml").read_text("utf-8"))
    [job] = config["scrape_configs"]
    assert f'job="{job["job_name"]}"' in QUERIES["RibitDown"]
    assert [static["targets"] for static in job["static_configs"]] == [
        [f"{name}:{PORT}" for name in BOTS]
    ]
    mounts = dict(one.split(":")[:2] for one in FLEET["prometheus"]["volumes"])
    there = {Path(inside).name for source, inside in mounts.items() if (ROOT / source).is_file()}
    assert there == {"prometheus.yml", *config["rule_files"]}
    assert all(service["depends_on"]["postgres"] for service in BOTS.values())


def test_ports_are_published_only_to_localhost() -> None:
    """Metrics and the database are not reachable from outside, as ports are bound to 127.0.0.1."""
    ports = [port for _name, service in SERVICES for port in service.get("ports", ())]
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_every_image_is_pinned_by_digest() -> None:
    """The base image and the images of PostgreSQL and Prometheus have SHA-256 digests."""
    image = (ROOT / "Dockerfile").read_text("utf-8")
    bases = re.findall(r"^FROM (\S+)", image, re.MULTILINE)
    assert len(set(bases)) == 1
    assert bases[0].startswith("python:3.")
    pulled = [service["image"] for _name, service in SERVICES if "build" not in service]
    assert [one.partition(":")[0] for one in pulled] == ["postgres", "prom/prometheus"]
    for one in (bases[0], *pulled):
        assert re.fullmatch(r"[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}", one), one


def test_container_logs_are_limited_in_size() -> None:
    """Docker's default driver keeps every line, but each container here keeps at most 50 MB."""
    for name, service in SERVICES:
        options = service.get("logging", {}).get("options", {})
        assert options == {"max-size": "10m", "max-file": "5"}, name

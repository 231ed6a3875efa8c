"""The release workflow, the templates of hosting panels, and the repository's address."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml

from bot.requests.invitation import invitation
from bot.settings import NAMES
from tests.discord.bot_harness import bot_harness
from tests.test_building import replace_repository
from tests.test_startup_and_docs import ROOT

DEPLOY = ROOT / "deploy"
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
EGG = json.loads((DEPLOY / "pelican.json").read_text("utf-8"))
UNRAID = ET.parse(DEPLOY / "unraid.xml").getroot()
RELEASE = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
ADDRESS = runpy.run_path(str(DEPLOY / "address.py"))
FILES = ("pyproject.toml", "compose.yaml", "compose.fleet.yaml", "deploy/unraid.xml")


# ---- the repository's address ---------------------------------------------------------------------


def fill_in_address(folder: Path, repository: str) -> subprocess.CompletedProcess[str]:
    """Fill in an address in a copy of the project, as the owner does."""
    (folder / "deploy").mkdir(exist_ok=True)
    for name in (*FILES, "deploy/address.py"):
        shutil.copy(ROOT / name, folder / name)
    project = replace_repository(PROJECT, f'[project.urls]\nRepository = "{repository}"')
    (folder / "pyproject.toml").write_text(project, "utf-8")
    command = [sys.executable, str(folder / "deploy" / "address.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_repository_address_is_copied_from_pyproject(tmp_path: Path) -> None:
    """Templates and Compose files get the address, and a changed address replaces the earlier one."""
    for repository in ("https://github.com/Frogs/Ribit", "https://github.com/toads/ribit.git"):
        assert fill_in_address(tmp_path, repository).stderr == ""
        page = repository.removesuffix(".git")
        image = page.lower().replace("https://github.com", "ghcr.io")
        unraid = (tmp_path / "deploy" / "unraid.xml").read_text("utf-8")
        assert "OWNER" not in unraid
        assert f"<Repository>{image}</Repository>" in unraid
        assert f"<Project>{page}</Project>" in unraid
        for name in ("compose.yaml", "compose.fleet.yaml"):
            services = yaml.safe_load((tmp_path / name).read_text("utf-8"))["services"]
            own = [service for service in services.values() if "build" in service]
            assert own
            assert {service["image"] for service in own} == {image}


def test_addresses_outside_github_must_be_filled_in_manually(tmp_path: Path) -> None:
    """Only GitHub's registry is known, so others are filled in manually."""
    assert "by hand" in fill_in_address(tmp_path, "https://git.example/frogs/ribit").stderr


def test_every_file_has_the_repository_address_or_a_placeholder() -> None:
    """Until the owner fills it in, the templates have a placeholder, and Compose a local name."""
    repository = ADDRESS["repository_in"](PROJECT)
    page = repository or ADDRESS["PLACEHOLDER"]
    image = ADDRESS["image_of"](repository) if repository else "ghcr.io/OWNER/ribit"
    assert UNRAID.findtext("Repository") == image
    assert UNRAID.findtext("Project") == page
    for name in ADDRESS["COMPOSE"]:
        services = yaml.safe_load((ROOT / name).read_text("utf-8"))["services"].values()
        images = {service["image"] for service in services if "build" in service}
        assert images == {image if repository else "ribit"}


# ---- panels ----------------------------------------------------------------------------------------


async def test_the_pelican_egg_detects_the_start_by_a_log_line(tmp_path: Path) -> None:
    """A panel takes the bot as started once it prints the invite link or has resumed its tables."""
    first, second = json.loads(EGG["config"]["startup"])["done"]
    assert invitation(9).startswith(first)
    async with bot_harness(tmp_path) as place:
        assert [line for line in place.logs if line["event"].startswith(first)]
        assert [line for line in place.logs if line["event"] == second]


def test_the_pelican_egg_uses_valid_settings() -> None:
    """The egg installs and runs the package, uses only existing settings and requires the token."""
    variables = {one["env_variable"]: one for one in EGG["variables"]}
    assert variables.keys() - set(NAMES) == {"PACKAGE"}
    assert variables["PACKAGE"]["default_value"] == tomllib.loads(PROJECT)["project"]["name"]
    assert variables["DISCORD_TOKEN"]["rules"].startswith("required")
    assert set(re.findall(r"\{\{(\w+)\}\}", EGG["startup"])) == {"PACKAGE"}
    assert EGG["startup"].endswith("ribit run")
    assert EGG["config"]["stop"] == "^C"


def test_the_unraid_template_uses_valid_settings() -> None:
    """The template names existing settings, hides the token and mounts a folder for the data."""
    options = {one.get("Target"): one for one in UNRAID.iter("Config")}
    assert options.keys() - set(NAMES) == {"/data"}
    assert (options["DISCORD_TOKEN"].get("Mask"), options["DISCORD_TOKEN"].get("Required")) == (
        "true",
    ) * 2
    assert "VOLUME /data\n" in (ROOT / "Dockerfile").read_text("utf-8")
    assert UNRAID.findtext("Privileged") == "false"
    page = UNRAID.findtext("Project") or ""
    assert UNRAID.findtext("TemplateURL") == f"{page}/raw/HEAD/deploy/unraid.xml"
    assert (ROOT / (UNRAID.findtext("Icon") or "").removeprefix(f"{page}/raw/HEAD/")).is_file()


# ---- the release -----------------------------------------------------------------------------------


def test_a_tag_builds_the_wheel_and_images_for_both_platforms() -> None:
    """The tag must be the version. The image is for both processors that are supported."""
    assert RELEASE[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads "on" as true
    wheel, image = (RELEASE["jobs"][name]["steps"] for name in ("wheel", "image"))
    commands = "\n".join(step.get("run", "") for step in wheel)
    assert "hatchling build" in commands
    assert '= "$GITHUB_REF_NAME"' in commands
    [build] = [step["with"] for step in image if "build-push" in step.get("uses", "")]
    assert build["platforms"] == "linux/amd64,linux/arm64"
    assert build["push"] is True
    operating = (ROOT / "docs" / "operating.md").read_text("utf-8")
    assert "amd64 and arm64" in operating.partition("## Platforms")[2]

"""Tests of requirements/: exact versions within the ranges, with hashes and without an index."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
AUDIT = ROOT / ".ci" / "audit.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SERVICE, EXTRAS = PROJECT["project"]["dependencies"], PROJECT["project"]["optional-dependencies"]
RANGES = {
    "run": SERVICE,
    "build": PROJECT["dependency-groups"]["build"],
    "lowest": SERVICE + EXTRAS["demo"] + EXTRAS["test"],
    "check": SERVICE + EXTRAS["demo"] + EXTRAS["test"] + EXTRAS["check"],
    "audit": PROJECT["dependency-groups"]["audit"],
}
_PIN = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?==([^ ;\\]+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


def pinned_packages(name: str) -> dict[str, tuple[str, str]]:
    """Return the pinned packages of a file: the version of each, and its further options."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    return {canonicalize_name(found[1]): (found[2], found[3]) for found in _PIN.finditer(text)}


@pytest.mark.parametrize("name", RANGES)
def test_every_package_is_pinned_within_its_range(name: str) -> None:
    """A range that was changed without ``poe lock`` fails here."""
    pinned = pinned_packages(name)
    asked = [Requirement(line) for line in RANGES[name] if not line.startswith("ribit")]
    assert [
        str(one)
        for one in asked
        if canonicalize_name(one.name) not in pinned
        or not one.specifier.contains(pinned[canonicalize_name(one.name)][0])
    ] == []


def test_the_lowest_pins_are_the_lower_bounds() -> None:
    """The tests of the oldest versions run with those that the ranges begin with, and no newer one."""
    pinned = pinned_packages("lowest")
    begins = {
        canonicalize_name(one.name): Version(bound.version)
        for one in map(Requirement, RANGES["lowest"])
        for bound in one.specifier
        if bound.operator in (">=", "==")
    }
    assert begins == {name: Version(pinned[name][0]) for name in begins}


def test_the_build_lock_matches_the_build_requirements() -> None:
    """The lock file has the build requirements of an ordinary install."""
    assert PROJECT["build-system"]["requires"] == RANGES["build"]


@pytest.mark.parametrize("name", ["run", "build", "check", "audit"])
def test_every_pin_has_its_hashes(name: str) -> None:
    """Hashes ensure that the installed packages are the tested ones, whatever their source."""
    assert [
        package
        for package, (_version, rest) in pinned_packages(name).items()
        if "--hash=sha256:" not in rest
    ] == []


@pytest.mark.parametrize("name", RANGES)
def test_lock_files_name_no_package_index(name: str) -> None:
    """The package index is the choice of the host that installs them."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    assert re.findall(r"://|--(?:extra-)?index|--find-links| @ ", text) == []


def test_run_pins_match_the_tested_versions() -> None:
    """A package of the service has the version that the tests ran with."""
    checked = pinned_packages("check")
    assert {
        name: pin for name, pin in pinned_packages("run").items() if checked[name][0] != pin[0]
    } == {}


def test_containers_services_and_ci_install_from_the_lock_file() -> None:
    """The installation requires the lock file's hashes, and installs Ribit without dependencies."""
    locks = {
        "Dockerfile": ("run", "build"),
        "docs/operating.md": ("run", "build"),
        ".ci/run": ("check", "audit"),
    }
    for file, names in locks.items():
        path = ROOT / file
        if path.exists():  # the tests of a wheel have no CI
            text = path.read_text("utf-8")
            for name in names:
                assert re.search(rf"--require-hashes -r (\S+/)?requirements/{name}\.txt", text)
            assert "--no-deps" in text


VULNERABILITY = {"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": [], "description": "…"}


@pytest.mark.skipif(not AUDIT.exists(), reason="the tests of a wheel have no CI")
@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0, "audited: 1, vulnerable: 0"),
        ([{"name": "a", "version": "1", "vulns": [VULNERABILITY]}], 1, "a 1: PYSEC-1, fixed in 1.1"),
        ([{"name": "a", "skip_reason": "Dependency not found on PyPI"}], 0, "not available"),
        (None, 0, "not available"),
    ],
)
def test_known_vulnerabilities_fail_the_audit(
    tmp_path: Path, answer: object, code: int, said: str
) -> None:
    """A vulnerability fails the check. Missing advisories or unknown packages are reported."""
    program = tmp_path / "pip-audit"
    told = json.dumps({"dependencies": answer}) if answer else ""
    program.write_text(f"#!{sys.executable}\nprint({told!r})\n")
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, AUDIT, program, "a.txt"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, said in done.stdout) == (code, True)

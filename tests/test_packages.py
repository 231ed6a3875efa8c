"""Tests that imported packages are declared and declared packages are needed."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bot
import cogs

ROOT = Path(__file__).parents[1]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, BUILD = DECLARED["project"], DECLARED["dependency-groups"]["build"]
AUDIT = DECLARED["dependency-groups"]["audit"]
NEEDED = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
DEMO = {canonicalize_name(Requirement(line).name) for line in PROJECT["optional-dependencies"]["demo"]}
CODE = [path for package in (bot, cogs) for path in sorted(Path(package.__path__[0]).rglob("*.py"))]
OWN = sys.stdlib_module_names | {"bot", "cogs"}


def imported_packages(path: Path) -> Iterator[str]:
    """Yield the packages that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]


def string_constants(path: Path) -> set[str]:
    """Return the strings of a module, because a package used only for a file is named in one."""
    return {
        str(node.value)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant)
    }


def test_every_imported_package_is_declared() -> None:
    """Transitive packages are declared too, because another version of a package may drop them."""
    provided = packages_distributions()
    missing = {
        f"{path.name}: {name}"
        for path in CODE
        for name in {*imported_packages(path)} - OWN
        if not {canonicalize_name(each) for each in provided[name]}
        & (NEEDED | (DEMO if path.parent.name == "demo" else set()))
    }
    assert missing == set()


def test_every_declared_package_is_used() -> None:
    """A package that nothing imports, and of which no file is read, is not installed."""
    used = {name for path in CODE for name in {*imported_packages(path), *string_constants(path)}}
    found = {
        canonicalize_name(each)
        for name, those in packages_distributions().items()
        if name in used
        for each in those
    }
    assert NEEDED - found == set()


def test_every_package_has_a_comment_on_its_purpose() -> None:
    """The line of each declared package in ``pyproject.toml`` ends with a comment on its purpose."""
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values(), BUILD, AUDIT]
    declared = {line for group in groups for line in group if not line.startswith("ribit[")}
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert set(re.findall(r'^ +"([^"]+)",  # \S', text, re.MULTILINE)) >= declared

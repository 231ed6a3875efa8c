"""What is built is the clone as it stands: all of it, and nothing that another build left behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import bot
import cogs

ROOT = Path(__file__).parents[1]
PACKAGES = [Path(package.__path__[0]) for package in (bot, cogs)]
FILES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a build is made from."""
    folder = tmp_path / "clone"
    for package in PACKAGES:
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    return folder


def build(clone: Path, target: str = "wheel") -> Path:
    """Build into a folder beside the clone; returns what was made."""
    folder = clone.parent / "built"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)],
        cwd=clone,
        check=True,
    )
    [made] = folder.iterdir()
    return made


def files_in(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as packed:
        assert len(packed.namelist()) == len(set(packed.namelist()))
        return {name for name in packed.namelist() if ".dist-info/" not in name}


def test_a_wheel_has_every_file(clone: Path) -> None:
    """Also what is no Python, and each catalogue as it has to be compiled."""
    translated = {name for name in files_in(clone) if name.endswith(".po")}
    assert translated
    for name in translated:
        (clone / name).with_suffix(".mo").write_bytes(b"old")
    wheel = build(clone)
    assert names(wheel) == {name for name in files_in(clone) if name.startswith(("bot/", "cogs/"))}
    with ZipFile(wheel) as packed:
        assert all(packed.read(name.replace(".po", ".mo")) != b"old" for name in translated)


def test_a_source_distribution_makes_the_same_wheel(clone: Path, tmp_path: Path) -> None:
    """What is published as source can be installed from it."""
    expected = names(build(clone))
    with tarfile.open(build(clone, "sdist")) as packed:
        for name in packed.getnames():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(packed.extractfile(name).read())  # type: ignore[union-attr]
    [unpacked] = tmp_path.glob("ribit-*")
    assert names(build(unpacked)) == expected


def test_a_build_leaves_nothing_for_the_next(clone: Path) -> None:
    """A migration and a game that another version left in ``build``, as setuptools does, stay there."""
    before = files_in(clone)
    first = names(build(clone))
    assert files_in(clone) == before
    for stray in ("bot/storage/migrations/9999_stray.sql", "bot/games/chess/__init__.py"):
        left = clone / "build" / "lib" / stray
        left.parent.mkdir(parents=True)
        left.write_text("", "utf-8")
    assert names(build(clone)) == first

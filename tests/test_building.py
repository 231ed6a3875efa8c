"""Tests that the built and installed package is the clone, without leftovers of other versions."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
from email import message_from_bytes, policy
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest

import bot
import cogs

ROOT = Path(__file__).parents[1]
PACKAGES = [Path(package.__path__[0]) for package in (bot, cogs)]
FILES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")


def copy_build_input(folder: Path) -> Path:
    """Copy a build's input."""
    for package in PACKAGES:
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of its own."""
    return copy_build_input(tmp_path / "clone")


def build_package(clone: Path, target: str = "wheel") -> Path:
    """Build into a folder beside the clone and return the files."""
    folder = clone.parent / "built"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)],
        cwd=clone,
        check=True,
    )
    [made] = folder.iterdir()
    return made


def file_names(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def packed_names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as packed:
        assert len(packed.namelist()) == len(set(packed.namelist()))
        return {name for name in packed.namelist() if ".dist-info/" not in name}


def test_a_wheel_has_every_file(clone: Path) -> None:
    """Files that are not Python are included too, and each catalogue in compiled form."""
    translated = {name for name in file_names(clone) if name.endswith(".po")}
    assert translated
    for name in translated:
        (clone / name).with_suffix(".mo").write_bytes(b"old")
    wheel = build_package(clone)
    assert packed_names(wheel) == {
        name for name in file_names(clone) if name.startswith(("bot/", "cogs/"))
    }
    with ZipFile(wheel) as packed:
        assert all(packed.read(name.replace(".po", ".mo")) != b"old" for name in translated)


def test_a_source_distribution_makes_the_same_wheel(clone: Path, tmp_path: Path) -> None:
    """The published source can be installed."""
    expected = packed_names(build_package(clone))
    with tarfile.open(build_package(clone, "sdist")) as packed:
        for name in packed.getnames():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(packed.extractfile(name).read())  # type: ignore[union-attr]
    [unpacked] = tmp_path.glob("ribit-*")
    assert packed_names(build_package(unpacked)) == expected


def test_a_build_ignores_leftovers_of_earlier_builds(clone: Path) -> None:
    """A migration and a game that another version left in ``build``, as setuptools does, stay there."""
    before = file_names(clone)
    first = packed_names(build_package(clone))
    assert file_names(clone) == before
    for stray in ("bot/storage/migrations/9999_stray.sql", "bot/games/chess/__init__.py"):
        left = clone / "build" / "lib" / stray
        left.parent.mkdir(parents=True)
        left.write_text("", "utf-8")
    assert packed_names(build_package(clone)) == first


LINK = re.compile(r"!?\[[^]]+\]\(([^)]+)\)")


def replace_repository(project: str, lines: str) -> str:
    """Return the text of pyproject.toml with other lines for the repository's address."""
    text, count = re.subn(r'(?m)^(?:# )?\[project\.urls\]\n(?:# )?Repository = "[^"]*"', lines, project)
    assert count == 1
    return text


def wheel_readme(wheel: Path) -> str:
    """A wheel's page in a package index."""
    with ZipFile(wheel) as packed:
        [told] = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
        message = message_from_bytes(packed.read(told), policy=policy.default)
    assert message["Description-Content-Type"] == "text/markdown"
    return str(message.get_payload())


def test_the_package_readme_works_without_a_repository(clone: Path) -> None:
    """Without a repository's name, files of the clone are not linked, and pictures are named."""
    project = clone / "pyproject.toml"
    project.write_text(replace_repository(project.read_text("utf-8"), ""), "utf-8")
    links = LINK.findall(wheel_readme(build_package(clone)))
    assert links
    assert [link for link in links if not link.startswith("https://")] == []
    assert "*A phone with a channel" in wheel_readme(build_package(clone))


def test_the_package_readme_links_to_the_repository(clone: Path) -> None:
    """With a repository's name, pictures and pages link to it, and each is a file of the clone."""
    project, here = clone / "pyproject.toml", "https://git.example/frogs/ribit"
    text = project.read_text("utf-8")
    project.write_text(replace_repository(text, f'[project.urls]\nRepository = "{here}"'), "utf-8")
    shown = wheel_readme(build_package(clone))
    links = LINK.findall(shown)
    assert [link for link in links if not link.startswith("https://")] == []
    pictures = re.findall(rf"!\[[^]]+\]\({here}/raw/HEAD/([^)]+)\)", shown)
    pages = re.findall(rf"\[[^]]+\]\({here}/blob/HEAD/([^)]+)\)", shown)
    assert pictures
    assert pages
    assert [name for name in (*pictures, *pages) if not (ROOT / name).is_file()] == []


# ---- the program that is installed ---------------------------------------------------------------


class Installed:
    """Ribit from a wheel, in an environment of its own that has the packages of this one."""

    def __init__(self, folder: Path) -> None:
        wheel = build_package(copy_build_input(folder / "clone"))
        self.program = folder / "venv" / "bin" / "ribit"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
        [self.packages] = folder.glob("venv/lib/*/site-packages")
        pip = [sys.executable, "-m", "pip", "--python", str(folder / "venv")]
        subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
        (self.packages / "others.pth").write_text(sysconfig.get_path("purelib"), "utf-8")

    def ribit(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder as a user with a token."""
        return subprocess.run(
            [self.program, *arguments],
            cwd=folder,
            env={**clean_environment(), "DISCORD_TOKEN": "not.a.token"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The program, for all tests here."""
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def bot_harness(tmp_path: Path) -> Path:
    """The folder of another bot, whose packages are called like Ribit's."""
    for name in PACKAGES:
        (tmp_path / name.name).mkdir()
        (tmp_path / name.name / "__init__.py").write_text("open('taken', 'w').close(); 1 / 0", "utf-8")
    return tmp_path


def test_the_program_runs_beside_another_installed_bot(installed: Installed, bot_harness: Path) -> None:
    """``ribit`` runs Ribit, says so in its help, and its version is the wheel's and the code's."""
    version = installed.ribit(bot_harness, "--version")
    assert (version.stdout, version.returncode) == (f"ribit {bot.__version__}\n", 0), version.stderr
    assert metadata.version("ribit") == bot.__version__
    assert installed.ribit(bot_harness, "demo", "--help").stdout.startswith("usage: ribit demo ")
    told = installed.ribit(bot_harness, "doctor", "--offline")
    assert f"ok       Ribit is {bot.__version__}.\n" in told.stdout
    assert "speaks en, de" in told.stdout
    assert told.returncode == 0, told.stdout
    assert not (bot_harness / "taken").exists()


def test_worker_processes_run_beside_another_installed_bot(
    installed: Installed, bot_harness: Path
) -> None:
    """A deal is looked for in a process of its own, which is Ribit's too."""
    demo = subprocess.Popen(
        [installed.program, "demo", "--port", "0", "--game", "solitaire"],
        cwd=bot_harness,
        env={**clean_environment(), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert demo.stdout is not None
    assert any("http://127.0.0.1:" in line for line in demo.stdout)
    demo.send_signal(signal.SIGINT)
    _out, errors = demo.communicate(timeout=300)
    assert (demo.returncode, errors) == (0, "")
    assert not (bot_harness / "taken").exists()

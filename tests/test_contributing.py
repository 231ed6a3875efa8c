"""What whoever comes to help is told: the pages, the forms and the hooks name what there is."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

from bot.languages import LOCALES
from tests.test_house import PACKAGES, PAGES, ROOT

TASKS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["poe"]["tasks"]
FORMS = [ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml" for name in ("bug", "idea")]


def test_hooks_are_what_ci_looks_at() -> None:
    """The hooks of a commit run the commands of ``poe check``, from ``.venv``."""
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    entries = [hook["entry"] for hook in local["hooks"]]
    steps = (*TASKS["lint"]["sequence"], *TASKS["check"]["sequence"][1:])
    assert entries == [f".venv/bin/{step['cmd']}" for step in steps]
    assert {hook["language"] for hook in local["hooks"]} == {"system"}


def test_the_fast_check_is_the_linters_and_some_tests() -> None:
    """``poe quick`` leaves out only the size ratchet of ``poe check``. The tests that it names exist."""
    lint, tests = TASKS["quick"]["sequence"]
    assert TASKS["check"]["sequence"] == [lint, {"cmd": "python -m benchmarks.shape"}]
    assert lint == {"ref": "lint"}
    paths = [word for word in shlex.split(tests["cmd"]) if word.startswith("tests/")]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_poe_words_has_a_line_for_each_language() -> None:
    """No catalogue is left behind when the sentences change."""
    languages = [path.parent.name for path in sorted(LOCALES.glob("*/ribit.po"))]
    assert TASKS["words"]["sequence"][1:] == [{"ref": f"language {each}"} for each in languages]


@pytest.mark.parametrize("page", PAGES)
def test_tasks_that_are_named_are_there(page: str) -> None:
    """A page that says ``poe …`` says a task of ``pyproject.toml``."""
    assert set(re.findall(r"`poe (\w+)", PAGES[page])) <= TASKS.keys()


def test_files_that_are_to_be_copied_are_there() -> None:
    """Each example in CONTRIBUTING is a file or a folder of the project."""
    named = re.findall(r"`((?:bot|cogs|docs|tests)/[\w/.]+)`", PAGES["CONTRIBUTING.md"])
    assert len(named) >= 5
    roots = {package: folder.parent for package, folder in PACKAGES.items()}
    missing = [name for name in named if not (roots.get(name.split("/")[0], ROOT) / name).exists()]
    assert missing == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form.stem))
def test_a_form_asks_what_it_can(form: Path) -> None:
    """A form for an issue has a name, and fields that are told apart and of kinds that there are."""
    written = yaml.safe_load(form.read_text("utf-8"))
    assert written.keys() >= {"name", "description", "body"}
    fields = [field for field in written["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert {field["type"] for field in fields} <= {"textarea", "input", "dropdown", "checkboxes"}
    assert all(field["attributes"]["label"] for field in fields)
    choices = [field["attributes"]["options"] for field in fields if field["type"] == "dropdown"]
    assert all(isinstance(choice, str) for options in choices for choice in options)

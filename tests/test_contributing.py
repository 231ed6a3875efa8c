"""Pages, forms and hooks for contributors, which name only what exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from bot.languages import LOCALES
from tests.test_startup_and_docs import PACKAGES, PAGES, ROOT

TASKS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["poe"]["tasks"]
FORMS = [ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml" for name in ("bug", "idea")]


def test_hooks_run_the_checks_of_ci() -> None:
    """The hooks of a commit run the commands of ``poe check``, from ``.venv``."""
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    entries = [hook["entry"] for hook in local["hooks"] if "stages" not in hook]
    steps = (*TASKS["lint"]["sequence"], *TASKS["check"]["sequence"][1:])
    assert entries == [f".venv/bin/{step['cmd']}" for step in steps]
    assert {hook["language"] for hook in local["hooks"]} == {"system"}


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("Limit name lookup to 0.5 s before answering\n\nIt took minutes.", None),
        ("Embed the table's picture", None),
        ("Merge branch 'main' into a branch whose name is longer than any subject could be", None),
        ("Limited name lookup", "imperative"),
        ("The name lookup is limited", "imperative"),
        ("Limit name lookup to 0.5 s before answering, also if Discord is slow now", None),
        ("Limit name lookup to 0.5 s before answering, also if Discord is slow now.", "73 characters"),
    ],
)
def test_the_hook_refuses_invalid_commit_subjects(
    tmp_path: Path, message: str, fault: str | None
) -> None:
    """The hook refuses a subject that is too long or does not begin with an imperative."""
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    [hook] = [hook for hook in local["hooks"] if hook.get("stages") == ["commit-msg"]]
    (tmp_path / "message").write_text(message, "utf-8")
    command = [sys.executable, *shlex.split(hook["entry"])[1:], str(tmp_path / "message")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == (fault is not None)
    assert (fault or "") in done.stdout


def test_poe_quick_runs_the_linters_and_some_tests() -> None:
    """``poe quick`` leaves out only the limits of ``poe check``. The tests that it names exist."""
    lint, tests = TASKS["quick"]["sequence"]
    limits = [{"cmd": f"python -m benchmarks.{name}"} for name in ("shape", "prose")]
    assert TASKS["check"]["sequence"] == [lint, *limits]
    assert lint == {"ref": "lint"}
    paths = [word for word in shlex.split(tests["cmd"]) if word.startswith("tests/")]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_poe_words_updates_every_language() -> None:
    """No catalogue is left behind when the sentences change."""
    languages = [path.parent.name for path in sorted(LOCALES.glob("*/ribit.po"))]
    assert TASKS["words"]["sequence"][1:] == [{"ref": f"language {each}"} for each in languages]


@pytest.mark.parametrize("page", PAGES)
def test_documented_poe_tasks_exist(page: str) -> None:
    """A page that says ``poe …`` says a task of ``pyproject.toml``."""
    assert set(re.findall(r"`poe (\w+)", PAGES[page])) <= TASKS.keys()


def test_files_named_in_contributing_exist() -> None:
    """Each path below bot, cogs, docs or tests in CONTRIBUTING.md is a file or a folder."""
    named = re.findall(r"`((?:bot|cogs|docs|tests)/[\w/.]+)`", PAGES["CONTRIBUTING.md"])
    assert len(named) >= 5
    roots = {package: folder.parent for package, folder in PACKAGES.items()}
    missing = [name for name in named if not (roots.get(name.split("/")[0], ROOT) / name).exists()]
    assert missing == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form.stem))
def test_issue_forms_have_valid_fields(form: Path) -> None:
    """An issue form has a name, and fields with distinct IDs and known types."""
    written = yaml.safe_load(form.read_text("utf-8"))
    assert written.keys() >= {"name", "description", "body"}
    fields = [field for field in written["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert {field["type"] for field in fields} <= {"textarea", "input", "dropdown", "checkboxes"}
    assert all(field["attributes"]["label"] for field in fields)
    choices = [field["attributes"]["options"] for field in fields if field["type"] == "dropdown"]
    assert all(isinstance(choice, str) for options in choices for choice in options)

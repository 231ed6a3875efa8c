"""Features as folders in cogs/, found at the start and removed with their folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import cogs
from tests.discord.bot_harness import bot_harness, ephemeral_reply
from tests.test_architecture import ROOT
from tests.test_startup_and_docs import PAGES


async def test_the_example_feature_can_be_added_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example in CONTRIBUTING works as printed, and leaves nothing behind when it is deleted."""
    [source] = re.findall(r"```python\n(\"{3}``/croak``.*?)```", PAGES["CONTRIBUTING.md"], re.DOTALL)
    folder = tmp_path / "features" / "croak"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""The croaking of a frog."""\n')
    (folder / "cog.py").write_text(source)
    monkeypatch.setattr(cogs, "__path__", [*cogs.__path__, str(folder.parent)])
    async with bot_harness(tmp_path) as place:
        assert "Croak!" in ephemeral_reply(await place.person("Ann").slash("croak")).text
    monkeypatch.undo()
    for name in ("cogs.croak.cog", "cogs.croak"):
        sys.modules.pop(name)
    async with bot_harness(tmp_path) as place:
        assert "croak" not in {command.name for command in place.bot.tree.get_commands()}


def test_workers_do_not_import_discord() -> None:
    """Worker tasks do not import discord.py, which takes two thirds of a process's memory."""
    tasks = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in (ROOT / "cogs").rglob("*.py")
        if re.search(r"^class \w+\((Task|MatchTask)\[", path.read_text("utf-8"), re.MULTILINE)
    ]
    modules = ", ".join((*tasks, "bot.sessions.worker_tasks"))
    script = f"import {modules}, sys; sys.exit('discord' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0

"""Tests that the docs' list of log messages has an entry for each line that needs the host."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.test_startup_and_docs import PACKAGES, PAGES

LOUD = re.compile(r"\w*[Ll]og\w*\.(warning|warn|error|critical|fatal|exception)|report")
"""Logging functions, with ``report``, which chooses one by the error."""

SENTENCES = {"sentence"}
"""Names of variables that hold a whole sentence for the host, with the repair."""


def logged_calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield the position and the call of each warning or error that is logged."""
    for folder in PACKAGES.values():
        for path in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and LOUD.fullmatch(ast.unparse(node.func)):
                    yield f"{path.relative_to(folder)}:{node.lineno}", node


def test_every_log_line_has_one_troubleshooting_entry() -> None:
    """Each line is in one entry, which may explain several. Entries name only lines that exist."""
    lines, unknown = set(), []
    for place, call in logged_calls():
        event = call.args[0]
        said = {
            part.value
            for part in ast.walk(event)
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        }
        if not said and not (isinstance(event, ast.Name) and event.id in SENTENCES):
            unknown.append(place)
        lines |= said
    assert unknown == [], "a line of the log is written out where it is logged"
    chapter = PAGES["docs/troubleshooting.md"].partition("\n## By line of the log\n")[2]
    heads = re.findall(r"^- ((?:`[^`]+`(?:, |: ))+)\w", chapter.partition("\n## ")[0], re.MULTILINE)
    entries = [line for head in heads for line in re.findall("`([^`]+)`", head)]
    assert sorted(entries) == sorted(lines)

"""Limits for habits that make docstrings, comments and Markdown hard to read.

    python -m benchmarks.prose [--all] [PATH ...]
    python -m benchmarks.prose --subject FILE

The first form counts the habits and compares them with the limits in ``prose.toml``. The exit code is 1
if a share is above its limit. With paths or ``--all``, it lists each hit instead. A hit is a sentence to
look at, which may turn out to be fine. The second form checks the subject of the commit message in a
file.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import shutil
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from bot.engine.frozen import frozen

ROOT = Path(__file__).parent.parent
LIMITS = Path(__file__).with_name("prose.toml")
LONGEST_SUBJECT = 72

_HEADLESS = "headless first word"
_HABITS = {
    _HEADLESS: r"^(what|how|who|whoever|where|whether|whose|when|those|that|as)\b",
    "return what": (
        r"\b(returns?|yields?|says?|tells?) "
        r"(what|who|where|since when|until when|after how|for how|how|that)\b"
    ),
    "where for if": (
        r"\bwhere (there|that|it|this|nobody|none|nothing|no|one|another|he|they|she|discord|a|an|the"
        r"|some|any|else|people|everybody|who|is|not)\b"
    ),
    "who for a noun": (
        r"(^|[,;:(–] ?|\b(for|of|to|by|with|from|and|or|but|as|if|than|in|at|that|is|are|says?|shows?"
        r"|tells?|returns?) )(who|whoever) (?!else)\w|\bthose who\b"
    ),
    "take note, have done": (
        r"\b(takes? note|have \w+ (\w+ )?(called|done|hear|planned|looked|told|made|shown|brought)"
        r"|lets? go)\b"
    ),
    "everyday verb": (
        r"\b(stands?|stood|lives? (?:in|on|here|with|as)|brings?|brought|is away|are away|is over"
        r"|by itself|anew|once more|just now|as it is|as it stands|is there|are there|under way|tells?"
        r"|told|hears? of)\b"
    ),
    "semicolon": r";",
    "dash or colon": r" – |: (?-i:[a-z])",
}
_PATTERNS = {habit: re.compile(pattern, re.IGNORECASE) for habit, pattern in _HABITS.items()}

_NO_PROSE = re.compile(r"#!|# (type|noqa|pragma|ruff|fmt|mypy|----)")
_NOT_IMPERATIVE = re.compile(
    r"(?:an?|the|this|that|it|now|what|who|where|when|how|if|no|\w+(?:ed|ing))\b", re.IGNORECASE
)
_IMPERATIVES = {"bring", "embed", "feed", "need", "seed", "shed", "speed", "string", "swing", "wed"}


@frozen
class Prose:
    """A docstring, a comment or a line of Markdown.

    Attributes:
        group: The group that the text is counted in, such as ``docstrings of the product``.
        position: The text's path and line number, such as ``bot/app.py:12``.
        text: The text itself.
    """

    group: str
    position: str
    text: str

    def habits(self) -> Iterator[str]:
        """Yield the names of the writing habits found in the text."""
        for habit, pattern in _PATTERNS.items():
            if (habit != _HEADLESS or self.group.startswith("docstrings")) and pattern.search(self.text):
                yield habit


def tracked_files(pattern: str) -> list[Path]:
    """Return the files that git tracks and that match a pattern, relative to the project's root."""
    command = [shutil.which("git") or "git", "ls-files", "-z", pattern]
    listed = subprocess.check_output(command, cwd=ROOT, text=True)  # noqa: S603 — a command of this file
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).exists()]


def prose_passages() -> Iterator[Prose]:
    """Yield all of the project's docstrings, comments and lines of Markdown."""
    for folder in ("bot", "cogs", "tests", "benchmarks"):
        room = "the product" if folder in {"bot", "cogs"} else "the tests"
        for path in tracked_files(f"{folder}/*.py"):
            source = (ROOT / path).read_text("utf-8")
            for line, text in _docstrings(ast.parse(source)):
                yield Prose(f"docstrings of {room}", f"{path}:{line}", text)
            for line, text in _comments(source):
                yield Prose(f"comments of {room}", f"{path}:{line}", text)
    for path in tracked_files("*.md"):
        for line, text in _sentences((ROOT / path).read_text("utf-8")):
            yield Prose("lines of Markdown", f"{path}:{line}", text)


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line number and text of each docstring in a module, including those of constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if text := ast.get_docstring(node):
                yield getattr(node, "lineno", 1), text
            for child in node.body[1:] if isinstance(node, ast.Module | ast.ClassDef) else []:
                value = getattr(child.value, "value", None) if isinstance(child, ast.Expr) else None
                if isinstance(value, str):
                    yield child.lineno, value


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not _NO_PROSE.match(token.string):
            yield token.start[0], token.string.lstrip("# ")


def _sentences(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line of Markdown that may contain a sentence.

    Headings, table rules, images, HTML and code blocks are left out.
    """
    is_code = False
    for number, line in enumerate(markdown.split("\n"), 1):
        is_code ^= line.lstrip().startswith("```")
        if line.strip() and not is_code and not line.lstrip().startswith(("#", "```", "|--", "![", "<")):
            yield number, line.strip()


def habit_percentages(prose: list[Prose]) -> dict[str, dict[str, float]]:
    """Return the percentage of texts with each habit, by group and habit."""
    totals, hits = Counter(each.group for each in prose), defaultdict[str, Counter[str]](Counter)
    for each in prose:
        hits[each.group].update(each.habits())
    return {
        group: {habit: round(100 * hits[group][habit] / total, 1) for habit in _PATTERNS}
        for group, total in totals.items()
    }


def check_subject(message: str) -> str | None:
    """Return a text that explains what is wrong with a commit message's subject, or None if it is fine.

    Subjects of merges, reverts and fixups are always fine, because git writes them.
    """
    subject = message.split("\n", 1)[0]
    if re.match(r"(Merge|Revert|fixup!|squash!|amend!) ", subject):
        return None
    if len(subject) > LONGEST_SUBJECT:
        return f"The subject has {len(subject)} characters. Use at most {LONGEST_SUBJECT}."
    first = subject.split(" ", 1)[0]
    if first.lower() not in _IMPERATIVES and _NOT_IMPERATIVE.match(first):
        return (
            f"Begin the subject with a verb in the imperative, such as Add or Fix, instead of {first!r}."
        )
    return None


def main() -> int:
    """Run the command and return the exit code.

    The exit code is 1 if a limit is exceeded or the commit message's subject has a fault.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--subject", type=Path, help="check the commit message in this file")
    parser.add_argument("--all", action="store_true", help="list each hit")
    parser.add_argument("paths", nargs="*", help="list the hits in these files and folders")
    asked = parser.parse_args()
    lines = list[str]()
    is_wrong = False
    if asked.subject is not None:
        fault = check_subject(asked.subject.read_text("utf-8"))
        lines += [fault] if fault else []
        is_wrong = fault is not None
    elif asked.all or asked.paths:
        for each in prose_passages():
            if each.position.startswith(tuple(asked.paths) or ""):
                lines += [
                    f"{each.position}: {habit}: {each.text.splitlines()[0]}" for habit in each.habits()
                ]
    else:
        limits = tomllib.loads(LIMITS.read_text("utf-8"))
        for group, counted in habit_percentages(list(prose_passages())).items():
            for habit, share in counted.items():
                is_over = share > limits[group][habit]
                mark = "  too many: --all lists them" if is_over else ""
                lines.append(f"{group}: {habit}: {share} % of at most {limits[group][habit]} %{mark}")
                is_wrong |= is_over
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())

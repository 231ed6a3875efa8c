"""Limits for the size and shape of the program.

    python -m benchmarks.shape [--lower]

computes numbers that measure the complexity of the program. The exit code is 1 if a number exceeds its
limit in ``shape.toml``. If so, simplify the program, or state the benefit for users under ``[raised]``.
If a number has fallen, ``--lower`` lowers its limit in the file.
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
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMITS = Path(__file__).with_name("shape.toml")
PRODUCT = ("bot", "cogs")
SHORT, LONG_FUNCTION, MOST_ARGUMENTS = 60, 45, 6

_FORGETS = re.compile(r"(forget|doubt|missed|let_go|drop|clear|evict|invalidate)")
_BY_MATCH = re.compile(r"(dict|defaultdict|OrderedDict|\w*Cache)\[(str|tuple\[str, \w+\]), ")
"""Matches the type annotation of a mapping whose keys can be match IDs, which are strings."""

_KEEPERS = ("sessions", "delivery", "requests", "services", "storage")
"""Packages that could keep a match's state in memory."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_trees() -> dict[str, ast.Module]:
    """Return the syntax trees of all modules of the bot and its features, by path."""
    paths = chain.from_iterable(sorted((ROOT / folder).rglob("*.py")) for folder in PRODUCT)
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def line_count(module: str) -> int:
    """Return the number of lines in a module."""
    return (ROOT / module).read_text("utf-8").count("\n")


def code_line_count(module: str, tree: ast.Module) -> int:
    """Return the number of lines in a module without blank lines, comments, docstrings and imports."""
    without = {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str))
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO((ROOT / module).read_text("utf-8")).readline)
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    held = {
        number
        for token in tokens
        if token.type not in skipped and token.string
        for number in range(token.start[0], token.end[0] + 1)
    }
    return len(held - without)


def import_depth(trees: dict[str, ast.Module], package: str) -> int:
    """Return the number of modules on the longest chain of imports within a package."""
    known = {name[:-3].replace("/", "."): name for name in trees if name.startswith(package + "/")}

    def imported(name: str) -> Iterator[str]:
        for node in ast.walk(trees[known[name]]):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                yield from (f"{node.module}.{each.name}" for each in node.names)

    @cache
    def height(name: str) -> int:
        below = {each for each in imported(name) if each in known and each != name}
        return 1 + max(map(height, below), default=0)

    return max(map(height, known), default=0)


def _code_line_count_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    lines = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function) is not None:
        lines -= (function.body[0].end_lineno or 0) - function.body[0].lineno + 1
    return lines


def shape_metrics() -> dict[str, int]:
    """Return all measured numbers, by name."""
    trees = module_trees()
    size = {name: line_count(name) for name in trees}
    code = sum(code_line_count(name, tree) for name, tree in trees.items())
    nodes = [(name, node) for name, tree in trees.items() for node in ast.walk(tree)]
    functions = [node for _name, node in nodes if isinstance(node, Function)]
    classes = [node for _name, node in nodes if isinstance(node, ast.ClassDef)]
    packages = sorted(
        {
            "/".join(name.split("/")[:2])
            for name in trees
            if name.startswith("bot/") and name.count("/") > 1
        }
    )
    return {
        "lines of code in it": code,
        "files": len(size),
        f"modules under {SHORT} lines": sum(
            0 < lines < SHORT for name, lines in size.items() if not name.endswith("__init__.py")
        ),
        f"functions over {LONG_FUNCTION} lines": sum(
            _code_line_count_of(each) > LONG_FUNCTION for each in functions
        ),
        f"constructors with over {MOST_ARGUMENTS} arguments": sum(
            each.name == "__init__" and _argument_count(each) > MOST_ARGUMENTS for each in functions
        ),
        "protocols": sum(map(_is_protocol, classes)),
        "protocols of one implementation": sum(
            _is_protocol(each) and _implementation_count(each, classes) <= 1 for each in classes
        ),
        "dictionaries by match": sum(
            isinstance(node, ast.AnnAssign)
            and name.split("/")[1] in _KEEPERS
            and "self._" in ast.unparse(node.target)
            and _BY_MATCH.search(ast.unparse(node.annotation)) is not None
            for name, node in nodes
        ),
        "create_task by hand": sum(
            isinstance(node, ast.Attribute) and node.attr == "create_task"
            for name, node in nodes
            if not name.endswith("background.py")
        ),
        "functions that make something forgotten": sum(
            _FORGETS.match(each.name) is not None for each in functions
        ),
        **{f"floors of {package}": import_depth(trees, package) for package in packages},
    }


def _argument_count(function: Function) -> int:
    return len(function.args.args) + len(function.args.kwonlyargs) - 1


def _is_protocol(node: ast.ClassDef) -> bool:
    return any("Protocol" in ast.unparse(base) for base in node.bases)


def _method_names(node: ast.ClassDef) -> set[str]:
    return {each.name for each in node.body if isinstance(each, Function)}


def _implementation_count(protocol: ast.ClassDef, classes: list[ast.ClassDef]) -> int:
    """Return the number of classes that have every method of a protocol."""
    wanted = _method_names(protocol)
    return sum(not _is_protocol(each) and wanted <= _method_names(each) for each in classes)


def previous_limits() -> dict[str, int]:
    """Return the lowest limit of each number in the last three versions of ``shape.toml``.

    The result is empty without a git history.
    """
    path, found = LIMITS.relative_to(ROOT).as_posix(), dict[str, int]()
    for commit in _git_output("log", "-3", "--format=%H", "--", path).split():
        for name, figure in (
            tomllib.loads(_git_output("show", f"{commit}:{path}")).get("figures", {}).items()
        ):
            found[name] = min(figure, found.get(name, figure))
    return found


def _git_output(*asked: str) -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    done = subprocess.run(  # noqa: S603 — git itself, reading its own history
        [git, *asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout


def main() -> None:
    """Print each number with its limit. The exit code is 1 if a number exceeds its limit.

    With ``--lower``, numbers that have fallen below their limits become the new limits.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lower", action="store_true", help="write down the figures that fell")
    lowers, now = parser.parse_args().lower, shape_metrics()
    text = LIMITS.read_text("utf-8")
    limits = tomllib.loads(text)
    is_over = False
    lowest = previous_limits()
    for name, figure in now.items():
        raised = limits.get("raised", {}).get(name, {})
        limit = limits["figures"].get(name, 0) + sum(int(by) for by, reason in raised.items() if reason)
        told = "  <- too many" if figure > limit else "  <- fell: --lower" if figure < limit else ""
        if limits["figures"].get(name, 0) > lowest.get(name, figure):
            told, is_over = "  <- raised in [figures]: say why in [raised]", True
        sys.stdout.write(f"{name:42} {figure:7,} of {limit:7,}{told}\n")
        if lowers and figure < limit:
            base = limits["figures"][name] + figure - limit
            text = re.sub(rf'^"{re.escape(name)}" = \d+', f'"{name}" = {base}', text, flags=re.MULTILINE)
        else:
            is_over |= figure > limit
    if lowers:
        LIMITS.write_text(text, "utf-8")
    sys.exit(is_over)


if __name__ == "__main__":
    main()

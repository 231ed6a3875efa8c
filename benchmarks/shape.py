"""The size and shape of the program: lines, longest modules and functions, floors, protocols.

    python -m benchmarks.shape

counts what makes a program hard to hold in one's head, and prints each figure with what it may be at
most. It ends with 1 where one is above that. Lower a limit when a change has brought its figure down.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("bot", "cogs")

MODULE_LINES, FUNCTION_LINES = 300, 45


def modules(*folder: str) -> Iterator[Path]:
    """Yield the modules of a folder."""
    return (path for path in sorted(ROOT.joinpath(*folder).rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """Return a module, parsed."""
    return ast.parse(path.read_text("utf-8"))


def lines(path: Path) -> int:
    """Return how many lines a module has."""
    return len(path.read_text("utf-8").splitlines())


def code_lines(path: Path) -> int:
    """Return how many lines of a module hold code: no blanks, comments, docstrings or imports."""
    without = {
        number
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    held = {
        number
        for token in tokens
        if token.type not in skipped and token.string
        for number in range(token.start[0], token.end[0] + 1)
    }
    return len(held - without)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the functions of a module with their lines, docstrings not counted."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            said = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - said


def protocols(path: Path) -> int:
    """Return how many protocols a module declares."""
    return sum(
        any(
            getattr(base, "id", getattr(getattr(base, "value", None), "id", "")) == "Protocol"
            for base in node.bases
        )
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
    )


def floors(package: str) -> int:
    """Return over how many modules of a package the longest chain of imports goes."""
    prefix = package.replace("/", ".") + "."
    known = {prefix + path.stem: path for path in modules(package)}

    @cache
    def height(name: str) -> int:
        imported = {
            node.module
            for node in tree(known[name]).body
            if isinstance(node, ast.ImportFrom) and node.module in known
        }
        return 1 + max((height(each) for each in imported if each), default=0)

    return max(map(height, known))


def figures() -> Iterator[tuple[str, int, int]]:
    """Yield each figure: what it is, what it is now, and what it may be at most."""
    product = [path for folder in PRODUCT for path in modules(folder)]
    delivery = list(modules("bot", "delivery"))
    long_functions = [
        length for path in product for _name, length in functions(path) if length > FUNCTION_LINES
    ]
    yield "lines of the product", sum(map(lines, product)), 43_500
    yield "lines of code in it", sum(map(code_lines, product)), 25_700
    yield "lines of bot/delivery", sum(map(lines, delivery)), 1_900
    yield "floors of bot/delivery", floors("bot/delivery"), 6
    yield f"modules over {MODULE_LINES} lines", sum(lines(path) > MODULE_LINES for path in product), 3
    yield f"functions over {FUNCTION_LINES} lines", len(long_functions), 3
    yield "protocols", sum(map(protocols, product)), 9


def main() -> None:
    """Print the figures."""
    is_over = False
    for name, now, most in figures():
        is_over |= now > most
        told = "  <- too many" if now > most else ""
        sys.stdout.write(f"{name:30} {now:7,} of at most {most:7,}{told}\n")
    sys.exit(is_over)


if __name__ == "__main__":
    main()

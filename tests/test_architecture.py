"""Tests of architecture rules that import-linter cannot check."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import discord

import bot

ROOT = Path(bot.__file__).parents[1]
"""The folder of the tested packages, which may be an installed copy."""


def module_trees(*folder: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of a room, parsed, by their names."""
    for path in sorted(ROOT.joinpath(*folder).rglob("*.py")):
        yield path.name, ast.parse(path.read_text("utf-8"))


def can_request(name: str) -> bool:
    """Whether a name of discord.py can make a request to Discord."""
    thing = getattr(discord, name)
    if inspect.ismodule(thing):
        return thing not in (discord.ui, discord.utils, discord.app_commands)
    return any(inspect.iscoroutinefunction(each) for _name, each in inspect.getmembers(thing))


def test_messages_neither_await_nor_make_requests() -> None:
    """Content is planned without awaiting and without anything that makes requests."""
    waiting = (ast.Await, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith)
    found = {"Permissions"}
    for module, tree in module_trees("bot", "messages"):
        for node in ast.walk(tree):
            assert not isinstance(node, waiting), f"{module} waits in line {node.lineno}"
            match node:
                case ast.Attribute(value=ast.Name(id="discord"), attr=name):
                    found.add(name)
                case ast.ImportFrom(module=("discord"), names=names):
                    found |= {alias.name for alias in names}
                case ast.ImportFrom(module=str() as package) if package.startswith("discord."):
                    found.add(package.split(".")[1])
    assert can_request("Client")
    assert can_request("Guild")
    assert can_request("http")
    assert sorted(filter(can_request, found)) == []


def test_requests_and_delivery_do_not_lay_out_messages() -> None:
    """Only components.py may import discord.ui, the rendering package, scenes or panels."""
    laid_out = {
        (module, name)
        for package in ("requests", "delivery")
        for module, tree in module_trees("bot", package)
        if module != "layout_views.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        if name in {"discord.ui", "bot.rendering", "bot.engine.scene", "bot.engine.panel"}
    }
    assert laid_out == set()


def code_line_count(path: Path) -> int:
    text = path.read_text("utf-8")
    docstrings = (
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
    return text.count("\n") - sum((node.end_lineno or 0) - node.lineno + 1 for node in docstrings)


def test_feature_modules_have_at_most_350_lines() -> None:
    """A module of a feature has at most 350 lines without its docstrings."""
    modules = (ROOT / "cogs").rglob("*.py")
    assert [str(path) for path in modules if code_line_count(path) > 350] == []

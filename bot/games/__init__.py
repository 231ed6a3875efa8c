"""The games, one folder each. A folder here with a ``GAME`` is a game; nothing else lists it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules

from bot.engine.game import AnyGame
from bot.engine.words import language


@cache
def games() -> dict[str, AnyGame]:
    """Return every game by its key, in the order of their names."""
    found = [import_module(f"{__name__}.{module.name}").GAME for module in iter_modules(__path__)]
    return {game.info.key: game for game in sorted(found, key=lambda game: str(game.info.name))}


def rules_page(key: str) -> str:
    """Return a game's rules for players, as Discord markdown, in the language spoken just now."""
    folder = files(f"{__name__}.{key}")
    translated = folder.joinpath(f"RULES.{language()}.md")
    page = translated if translated.is_file() else folder.joinpath("RULES.md")
    return page.read_text("utf-8")

"""The games, one package each. A package with a ``GAME`` is found automatically."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from bot.engine.game import AnyGame
from bot.matches.match import Match


@cache
def games() -> dict[str, AnyGame]:
    return games_in(sys.modules[__name__])


def games_in(package: ModuleType) -> dict[str, AnyGame]:
    """Return the games in a package by key, sorted by name."""
    modules = [f"{package.__name__}.{module.name}" for module in iter_modules(package.__path__)]
    found: list[AnyGame] = [import_module(module).GAME for module in modules]
    return {game.info.key: game for game in sorted(found, key=lambda game: game.info.name)}


def default_of(games: Mapping[str, AnyGame]) -> AnyGame:
    first, *_others = sorted(games.values(), key=lambda game: not game.info.is_default)
    return first


def rules_of(match: Match) -> AnyGame:
    """Return the game under the rules that a match was dealt under.

    The caller must have checked that the version of the rules is known.
    """
    game = games()[match.game].by_rules(match.rules_version)
    assert game is not None, f"version {match.rules_version} of {match.game} is known"
    return game

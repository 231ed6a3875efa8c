"""All games. Each subpackage defines one game as ``GAME`` and is found automatically."""

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
    """Import all games in a package. Return them by key, sorted by name."""
    modules = [f"{package.__name__}.{module.name}" for module in iter_modules(package.__path__)]
    all_games: list[AnyGame] = [import_module(module).GAME for module in modules]
    return {game.info.key: game for game in sorted(all_games, key=lambda game: game.info.name)}


def default_of(games: Mapping[str, AnyGame]) -> AnyGame:
    first, *_others = sorted(games.values(), key=lambda game: not game.info.is_default)
    return first


def rules_of(match: Match) -> AnyGame:
    """Return a match's game in the rules version under which the match was dealt.

    The caller must first check that the code still has this version.
    """
    game = games()[match.game].by_rules(match.rules_version)
    assert game is not None, f"version {match.rules_version} of {match.game} is known"
    return game

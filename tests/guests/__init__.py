"""Games for tests only, one folder each, to which all tests of games apply too.

They are found like the games of ``bot/games``, so that a folder here shows the needs of a new game.
"""

from __future__ import annotations

import sys
from functools import cache

from bot.engine.game import AnyGame
from bot.games import games, games_in


@cache
def games_with_guests() -> dict[str, AnyGame]:
    """Return every game by its key, including the guests."""
    return {**games(), **games_in(sys.modules[__name__])}

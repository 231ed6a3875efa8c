"""Games that only tests know, one folder each: what is asked of a game is asked of them too.

They are found like the games of ``bot/games``, so that a folder here shows what a new game takes.
"""

from __future__ import annotations

import sys
from functools import cache

from bot.engine.game import AnyGame
from bot.games import games, games_in


@cache
def with_guests() -> dict[str, AnyGame]:
    """Return every game by its key, the guests too."""
    return {**games(), **games_in(sys.modules[__name__])}

"""A table of each game, drawn when this module is imported.

Programs copied from a process that has imported it find their sprites in the cache. Each start of
``python -m bot`` draws these tables.
"""

from __future__ import annotations

from bot.games import games
from bot.rendering import draw

for _game in games().values():
    draw(_game.pages()[0].picture())

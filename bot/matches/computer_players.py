"""The names of computer players, and which of them sits down next at a table."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.thinking import Strength
from bot.matches.match import Player

_NAMES = ("Tilly", "Hugo", "Pip", "Mona", "Otto", "Lily", "Fred", "Nell", "Gus", "Wanda", "Basil", "Dot")
"""No two at a table have the same."""


def another_computer_player(match_id: str, players: Iterable[Player], strength: Strength) -> Player:
    """Return the next computer player for a table: the same for the same table and players."""
    taken = {player.id for player in players}
    first = sum(match_id.encode())
    each = ((first + step) % len(_NAMES) for step in range(len(_NAMES)))
    number = next(number for number in each if -1 - number not in taken)
    return Player(-1 - number, _NAMES[number], strength=strength)

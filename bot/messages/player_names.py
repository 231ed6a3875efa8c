"""The names of players: in words the real ones, in pictures what can be drawn of them.

A name that shows nothing is none: the user name stands in its place, or else a sign of the player's own.
Of two that are equal each has its user name beside it, and each that is written from right to left is
isolated from what stands beside it; what is drawn leaves the signs of that out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from bot.engine.name_sanitizing import MOST_LETTERS, Name, cleaned, isolated
from bot.engine.scene import FROG
from bot.matches.match import Player
from bot.rendering import is_letter, legible, readable

_MOST_NAMES = 4096
"""Of how many names it is kept what can be shown of them."""

_SHORT = 12
"""How long a name may be in a picture before its user name, without which it could not be told apart."""


def written_names(players: Sequence[Player]) -> tuple[Name, ...]:
    """Return the names of players for texts, escaped, and in ``plain`` for labels and menus."""
    return tuple(map(Name, _told_apart([_name(player, legible) for player in players], players)))


def drawn_names(players: Sequence[Player]) -> tuple[str, ...]:
    """Return the names of players for pictures, unescaped."""
    return _told_apart([_name(player, _drawable) for player in players], players, _SHORT)


def _name(player: Player, shown: Callable[[str], str]) -> str:
    return _shown(player.name, shown) or _shown(player.user_name, shown) or _sign(player)


@lru_cache(_MOST_NAMES)  # each message names everybody at its table, and most are planned at each move
def _shown(name: str, shown: Callable[[str], str]) -> str:
    return shown(cleaned(name.replace(FROG, " ")))[:MOST_LETTERS]  # one sign may be spelled in many


def _sign(player: Player) -> str:
    return f"#{player.id % 100_000:05}"


def _drawable(name: str) -> str:
    """Return what can be drawn of a name, or nothing where no letter would be left of it."""
    drawn = readable(name)
    return drawn if any(map(is_letter, drawn)) or not any(map(is_letter, name)) else ""


def _told_apart(
    names: Sequence[str], players: Sequence[Player], most: int | None = None
) -> tuple[str, ...]:
    """Return the names, equal ones of people with user names beside them, after so many letters."""
    folded = [name.casefold() for name in names]
    counts = Counter(folded)
    return tuple(
        isolated(
            name
            if counts[key] == 1 or player.is_computer_player
            else f"{name if most is None or len(name) <= most else f'{name[:most]}…'} "
            f"({_drawable(cleaned(player.user_name)) or _sign(player)})"
        )
        for name, key, player in zip(names, folded, players, strict=True)
    )

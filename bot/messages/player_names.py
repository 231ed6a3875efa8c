"""Players' names for use in texts and pictures.

If a name has no visible characters, the user name is shown. If the user name has none either, a number
made from the player's ID is shown. If players have equal names, their user names follow in brackets.
Right-to-left names are isolated from the surrounding text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from bot.engine.name_sanitizing import MOST_LETTERS, Name, clean_name, isolate_direction
from bot.engine.scene import FROG
from bot.matches.match import Player
from bot.rendering import is_letter, legible, readable

_MOST_NAMES = 4096
"""Size of the cache of display names."""

_SHORT = 12
"""Maximum length of a name in a picture if a user name follows it."""


def written_names(players: Sequence[Player]) -> tuple[Name, ...]:
    """Return the players' names for use in texts, with escaped Markdown.

    Each name has a ``plain`` form without escapes, for labels and menus.
    """
    return tuple(map(Name, _disambiguate([_name(player, legible) for player in players], players)))


def drawn_names(players: Sequence[Player]) -> tuple[str, ...]:
    """Return the players' names for use in pictures, without escapes."""
    return _disambiguate([_name(player, _drawable) for player in players], players, _SHORT)


def _name(player: Player, shown: Callable[[str], str]) -> str:
    return _display_name(player.name, shown) or _display_name(player.user_name, shown) or _sign(player)


# Each table message contains the names of all its players and is rebuilt at almost every move.
@lru_cache(_MOST_NAMES)
def _display_name(name: str, shown: Callable[[str], str]) -> str:
    # One character may be normalised to many.
    return shown(clean_name(name.replace(FROG, " ")))[:MOST_LETTERS]


def _sign(player: Player) -> str:
    return f"#{player.id % 100_000:05}"


def _drawable(name: str) -> str:
    """Return the characters of a name that pictures can show.

    If the name has letters, but none of them can be shown, return an empty text.
    """
    text = readable(name)
    return text if any(map(is_letter, text)) or not any(map(is_letter, name)) else ""


def _disambiguate(
    names: Sequence[str], players: Sequence[Player], most: int | None = None
) -> tuple[str, ...]:
    """Return the players' names. If several names are equal, append the user names to them.

    Args:
        names: The names.
        players: The players with these names.
        most: The maximum length of a name before an appended user name, or None for no limit.
    """
    folded = [name.casefold() for name in names]
    counts = Counter(folded)
    return tuple(
        isolate_direction(
            name
            if counts[key] == 1 or player.is_computer_player
            else f"{name if most is None or len(name) <= most else f'{name[:most]}…'} "
            f"({_drawable(clean_name(player.user_name)) or _sign(player)})"
        )
        for name, key, player in zip(names, folded, players, strict=True)
    )

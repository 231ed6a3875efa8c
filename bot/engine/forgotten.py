"""The ids that take the place of people who were forgotten: random, so that nobody can reverse them.

They are larger than any that Discord gives to anybody before 2050, and fit where its ids do: whatever is
counted by ids goes on as before, and no computer player, whose ids are negative, is made of a person.
"""

from __future__ import annotations

import hashlib
import secrets

_FIRST, _NUMBER = 1 << 62, 1 << 61


def new_placeholder() -> int:
    return _FIRST + secrets.randbelow(_NUMBER)


def placeholder_in(placeholder: int, guild_id: int) -> int:
    """Return the id by which somebody forgotten stands in one server; 0: in none, and on all boards.

    Who has one of them finds no other: the ``placeholder`` that they are made of is stored nowhere.
    """
    digest = hashlib.sha256(f"{placeholder} {guild_id}".encode()).digest()
    return _FIRST + int.from_bytes(digest[:8], "big") % _NUMBER


def is_forgotten(player_id: int) -> bool:
    """Return whether an id stands for somebody who was forgotten: nobody can be written to by it."""
    return _FIRST <= player_id < _FIRST + _NUMBER


FORGOTTEN_IDS = {"first": _FIRST, "last": _FIRST + _NUMBER - 1}
"""The smallest and the largest of them."""

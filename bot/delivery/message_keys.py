"""Keys that identify the messages of one match.

A match has a table message, pointers (former table messages that link to it), a hand in each player's
DMs, and private panels (ephemeral messages with a player's hand).
"""

from __future__ import annotations

from bot.engine.frozen import frozen

TABLE_KEY = "table"
POINTER_KEY = "pointer"
"""Key of the stored pointer, which is the former table message."""

_PANEL, _HAND = "panel ", "hand "


def hand_key(seat: int) -> str:
    return f"{_HAND}{seat}"


def panel_key(player_id: int) -> str:
    return f"{_PANEL}{player_id}"


def pointer_key(message_id: int) -> str:
    return f"{POINTER_KEY} {message_id}"


def seat_of(key: str) -> int | None:
    """Return the seat in the key of a player's hand message. Return None for keys of other messages."""
    return int(key.removeprefix(_HAND)) if key.startswith(_HAND) else None


def owner_of(key: str) -> int | None:
    """Return the player ID in the key of a private panel. Return None for keys of other messages."""
    return int(key.removeprefix(_PANEL)) if key.startswith(_PANEL) else None


@frozen
class ChoiceStep:
    """A player's progress in choosing a move that takes several clicks.

    Attributes:
        n: The number of moves made at the table. After another move, the step is invalid.
        path: The keys of the choices made so far. Empty for the first step.
    """

    n: int
    path: tuple[str, ...] = ()

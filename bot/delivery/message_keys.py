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
    """Return the seat of a hand's message key, or None if the key belongs to another type of message."""
    return int(key.removeprefix(_HAND)) if key.startswith(_HAND) else None


def owner_of(key: str) -> int | None:
    """Return the player ID of a private panel's key, or None for another type of message."""
    return int(key.removeprefix(_PANEL)) if key.startswith(_PANEL) else None


@frozen
class ChoiceStep:
    """The player's progress in choosing a move by several clicks.

    Attributes:
        n: The number of moves made at the table. After another move, the step is invalid.
        path: The keys of the choices made so far. Empty for the first step.
    """

    n: int
    path: tuple[str, ...] = ()

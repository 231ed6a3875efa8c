"""Keys of the messages of a match.

A match has a table, a pointer to it, hands in DMs and private panels.
"""

from __future__ import annotations

from bot.engine.frozen import frozen

TABLE_KEY = "table"
POINTER_KEY = "pointer"
"""The former table message, which now links to the table."""

_PANEL, _HAND = "panel ", "hand "


def hand_key(seat: int) -> str:
    return f"{_HAND}{seat}"


def panel_key(player_id: int) -> str:
    return f"{_PANEL}{player_id}"


def pointer_key(message_id: int) -> str:
    return f"{POINTER_KEY} {message_id}"


def seat_of(key: str) -> int | None:
    """Return the seat whose hand a message shows in DMs, or None for another message."""
    return int(key.removeprefix(_HAND)) if key.startswith(_HAND) else None


def owner_of(key: str) -> int | None:
    """Return the ID of the player who owns a private panel, or None for another message."""
    return int(key.removeprefix(_PANEL)) if key.startswith(_PANEL) else None


@frozen
class Step:
    """A step of choosing a move.

    Attributes:
        n: The number of moves of the table. The step is invalid after another move.
        path: The choices made so far, or empty for the first step.
    """

    n: int
    path: tuple[str, ...] = ()

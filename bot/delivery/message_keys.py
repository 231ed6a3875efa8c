"""Keys of the messages of a match: its table, a pointer to it, hands in DMs and private panels."""

from __future__ import annotations

from bot.engine.immutable import frozen

TABLE_KEY = "table"
POINTER_KEY = "pointer"
"""The message that was the table's before, and now links to the table."""

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
    """Return the ID of the player whose panel a message is, or None for another message."""
    return int(key.removeprefix(_PANEL)) if key.startswith(_PANEL) else None


@frozen
class Step:
    """A step of choosing a move, which a message shows while its table has ``n`` moves."""

    n: int
    path: tuple[str, ...] = ()

"""Base classes of errors whose message is shown to the player."""

from __future__ import annotations


class RibitError(Exception):
    """Raised when a player's request cannot be fulfilled.

    Attributes:
        sentence: The reason, and what the player can do instead. It is shown unchanged, and only to that
            player.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class IllegalMoveError(RibitError):
    """Raised when the rules do not allow a move in the current state."""


class UnreadableMoveError(RibitError):
    """Raised when a text cannot be parsed as a move of the game."""


class ConfigurationError(RibitError):
    """Raised when the host must fix the configuration first. The sentence describes the fix."""


class UnavailableError(RibitError):
    """Raised when a service that the bot depends on is temporarily unavailable. A retry may succeed."""

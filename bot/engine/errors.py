"""Errors that a player can cause, each with the sentence that is shown to the player."""

from __future__ import annotations


class RibitError(Exception):
    """A request by a player that cannot be fulfilled.

    Attributes:
        sentence: The reason and what to do instead. Shown unchanged, and only to that player.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class IllegalMoveError(RibitError):
    """A move that is readable but not allowed by the rules in the current state."""


class UnreadableMoveError(RibitError):
    """A text that is not a move of the game."""


class ConfigurationError(RibitError):
    """A configuration problem that a person must fix first. The sentence names the fix."""


class AwayError(RibitError):
    """A temporary outage of a service that everything depends on. The request may be retried."""

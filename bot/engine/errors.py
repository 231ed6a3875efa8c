"""Errors a player can cause. Each carries the sentence that the player reads."""

from __future__ import annotations


class RibitError(Exception):
    """Something a player asked for cannot be done.

    ``sentence`` is shown as it stands, only to the person who asked, and says what to do instead.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class IllegalMoveError(RibitError):
    """The move is readable, but the rules do not allow it in this state."""


class UnreadableMoveError(RibitError):
    """The text is not a move of this game."""


class ConfigurationError(RibitError):
    """Trying again does not help: a person has to change something first, and the sentence says what."""


class AwayError(RibitError):
    """Something that everything stands on is away for a while; what was asked may be tried again."""

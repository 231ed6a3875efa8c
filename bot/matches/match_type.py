"""Match types, which decide who sees a match and whether it counts.

A match stores its type among its options, as integers with the keys below. This is the only module that
reads those keys. Their stored form is the one of version 1.0.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Self

from bot.engine.frozen import frozen

DEAL = "deal"
"""The option with the number of a deal."""

PAR = "par"
"""The option with the known good number of moves for a deal, or 0 if none is known."""

DAY = "daily"
"""The option with the day that a deal counts for, as a number such as 20261121, or 0."""

REPLAY = "replay"
"""The option with the day of a day's deal that is played as practice. It counts on no board."""

AGAIN = "again"
"""The option that is 1 for a deal that its player had before or returns to. It counts on no board."""

HINTS = "hints"
"""The option that is 1 or 0 if the host chose whether the table has hints."""

BANK = "bank"
"""The option with the seconds that each player has for the whole match, besides the time per turn."""

LESSON = "lesson"
"""The option that is 1 for a lesson. Only its pupil sees the match, and it counts on no board."""

PRIVATE = "private"
"""The option that is 1 or ``BEARER`` for a match that its player sees in a private message only."""

DUEL = "duel"
"""The option with the day whose duels a match is a board of, such as 20261121."""

BOARD = "board"
"""The option with the number of the board, from 0, of a day's duels or of a challenge."""

CHALLENGE = "challenge"
"""The option with the number of the challenge that a match is a board of. It has a ``DUEL``, too, so
that its boards stay secret as long as those of that day."""

BEARER = 2
"""Value of ``PRIVATE`` for a day's deal whose channel also shows the notice of that day's deals."""

FOUND = (AGAIN, DEAL, PAR, REPLAY)
"""Options that depend on the seed or on earlier matches, and so cannot be part of the terms."""


class Purpose(Enum):
    """The purpose of a match."""

    TABLE = "table"
    SOLITAIRE = "solitaire"  # a numbered deal
    DAILY = "daily"  # a player's only try of the day's deal
    ARCHIVE = "archive"  # a day's deal that does not count for its day
    PRACTICE = "practice"  # a deal that the player had before, or a match continued from an earlier move
    LESSON = "lesson"
    DUEL = "duel"  # a board of a day's duels or of a challenge, against a computer player


class Audience(Enum):
    """The users who see a match."""

    PUBLIC = 0  # everybody in its channel
    PRIVATE = 1  # its player only
    BEARER = BEARER  # its player only, and its channel shows the notice of the day's tries


_AUDIENCES = {each.value: each for each in Audience}


@frozen
class MatchType:
    """The type of a match, which decides who sees it and whether it counts.

    Attributes:
        deal: The number of the deal, or 0 if it has none.
        par: The moves of a good line for the deal, or 0 if none is known.
        day: The day that the deal counts for, such as 20261121, or 0.
        replay: The day whose deal is played without counting for it, or 0.
        is_repeat: True if the player had the deal before, or continues a match from an earlier move.
        audience: The users who see it. A lesson is private with any value.
        hints: True if the host allows hints, or None if the host did not choose.
        bank: The seconds that each player has for the whole match, besides the time per turn.
        duel: The day whose duels it is a board of, or 0.
        board: The number of the board, from 0.
        challenge: The number of the challenge that it is a board of, or 0.
    """

    purpose: Purpose = Purpose.TABLE
    deal: int = 0
    par: int = 0
    day: int = 0
    replay: int = 0
    is_repeat: bool = False
    audience: Audience = Audience.PUBLIC
    hints: bool | None = None
    bank: int = 0
    duel: int = 0
    board: int = 0
    challenge: int = 0

    @classmethod
    def parse(cls, options: Mapping[str, int]) -> Self:
        """Return the type of a match from its stored options. Missing options have their defaults."""
        day, replay, is_repeat = (options.get(key, 0) for key in (DAY, REPLAY, AGAIN))
        if options.get(LESSON):
            purpose = Purpose.LESSON
        elif options.get(DUEL) and not is_repeat:
            purpose = Purpose.DUEL
        elif day:
            purpose = Purpose.DAILY
        elif replay:
            purpose = Purpose.ARCHIVE
        elif is_repeat:
            purpose = Purpose.PRACTICE
        else:
            purpose = Purpose.SOLITAIRE if DEAL in options else Purpose.TABLE
        return cls(
            purpose,
            deal=options.get(DEAL, 0),
            par=options.get(PAR, 0),
            day=day,
            replay=replay,
            is_repeat=bool(is_repeat),
            audience=_AUDIENCES.get(options.get(PRIVATE, 0), Audience.PRIVATE),
            hints=bool(options[HINTS]) if HINTS in options else None,
            bank=options.get(BANK, 0),
            duel=options.get(DUEL, 0),
            board=options.get(BOARD, 0),
            challenge=options.get(CHALLENGE, 0),
        )

    @property
    def any_day(self) -> int:
        """The day of the deal or of the duels, or 0. The match may not count for that day."""
        return self.day or self.replay or self.duel

    @property
    def counts(self) -> bool:
        """True if the result is added to the totals of its players."""
        return not (self.is_repeat or self.replay or self.is_duel)

    @property
    def is_lesson(self) -> bool:
        return self.purpose is Purpose.LESSON

    @property
    def is_duel(self) -> bool:
        """True for a board of a day's duels or of a challenge, which its player can only give up."""
        return self.purpose is Purpose.DUEL

    @property
    def has_no_table(self) -> bool:
        """True if the match does not count towards the number of tables that its player may open."""
        return self.is_lesson or self.is_duel

    @property
    def is_private(self) -> bool:
        """True if only its player sees the match, in a private message, and no channel shows it."""
        return self.is_lesson or self.audience is not Audience.PUBLIC

    @property
    def bears_notice(self) -> bool:
        return self.audience is Audience.BEARER


def repeat_options(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options for the same deal again, which counts nowhere.

    The first match of the day keeps the notice of the day's tries.
    """
    is_bearer = options.get(PRIVATE) == BEARER
    return {**options, AGAIN: 1, **({PRIVATE: 1} if is_bearer else {})}


def kept_private(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options with the match visible to its player only."""
    return {**options, PRIVATE: 1}


def apart_from_day(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options with the day's deal not counting for its day."""
    return {**options, DAY: 0, REPLAY: MatchType.parse(options).any_day}


def board_terms(board: int) -> str:
    """Return the text from which, with the secret, the seed of a board is derived."""
    return f"board {board}"


def committed_options(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options that the commitment covers, which are all but the audience."""
    return {key: value for key, value in options.items() if key != PRIVATE}

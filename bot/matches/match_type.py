"""The type of a match: what it is for, who sees it, and whether it counts.

A match stores its type among its options, as whole numbers under the keys below. This is the one module
that reads those keys of a match. The stored form is that of version 1.0.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Self

from bot.engine.immutable import frozen

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

BEARER = 2
"""Value of ``PRIVATE`` for a day's deal whose channel also shows the notice of that day's deals."""

FOUND = (AGAIN, DEAL, PAR, REPLAY)
"""Options that depend on the seed or on earlier matches, and so cannot be part of the terms."""


class Purpose(Enum):
    """What a match is for."""

    TABLE = "table"
    SOLITAIRE = "solitaire"  # a deal with a number
    DAILY = "daily"  # the one try of a day's deal
    ARCHIVE = "archive"  # a day's deal, played apart from that day
    PRACTICE = "practice"  # a deal that was had before, or is gone back to
    LESSON = "lesson"


class Audience(Enum):
    """Who sees a match: all in its channel, or only its player; one of the latter bears the notice."""

    PUBLIC = 0
    PRIVATE = 1
    BEARER = BEARER


_AUDIENCES = {each.value: each for each in Audience}


@frozen
class MatchType:
    """What a match is for, who sees it, and whether it counts.

    Attributes:
        purpose: What it is for.
        deal: The number of the deal, or 0 if it has none.
        par: The moves of a good line for the deal, or 0 if none is known.
        day: The day that the deal counts for, such as 20261121, or 0.
        replay: The day whose deal is played without counting for it, or 0.
        is_repeat: Whether the player has had the deal before, or goes back to it.
        audience: Who sees it. A lesson is private without saying so.
        hints: Whether its host allows hints, or None if the host has not said so.
        bank: The seconds that each player has for the whole match, beside those of each turn.
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

    @classmethod
    def parse(cls, options: Mapping[str, int]) -> Self:
        """Return the type of a match from its stored options, of which version 1.0.0 lacks some."""
        day, replay, is_repeat = (options.get(key, 0) for key in (DAY, REPLAY, AGAIN))
        if options.get(LESSON):
            purpose = Purpose.LESSON
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
        )

    @property
    def any_day(self) -> int:
        """The day that the deal is of, whether it counts for that day or not, or 0."""
        return self.day or self.replay

    @property
    def counts(self) -> bool:
        """Whether the result of the match is added to what its players have done."""
        return not (self.is_repeat or self.replay)

    @property
    def is_lesson(self) -> bool:
        return self.purpose is Purpose.LESSON

    @property
    def is_private(self) -> bool:
        """Whether only its player sees it, in a message of their own, and no channel shows it."""
        return self.is_lesson or self.audience is not Audience.PUBLIC

    @property
    def bears_notice(self) -> bool:
        return self.audience is Audience.BEARER


def repeated(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options of a match that deals the same again, which counts nowhere.

    The notice of the day's tries stays with the first one.
    """
    is_bearer = options.get(PRIVATE) == BEARER
    return {**options, AGAIN: 1, **({PRIVATE: 1} if is_bearer else {})}


def kept_private(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options of a match that only its player sees."""
    return {**options, PRIVATE: 1}


def apart_from_day(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options of a match with a day's deal that does not count for that day."""
    return {**options, DAY: 0, REPLAY: MatchType.parse(options).any_day}


def committed(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options that a match commits to: who sees it is none of them."""
    return {key: value for key, value in options.items() if key != PRIVATE}

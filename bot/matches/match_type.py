"""Match types. A match's type decides which users see the match and whether its result counts.

The type is stored in the match's options, as integers under the keys below. Only this module reads these
keys. Their stored form has not changed since version 1.0.0.

The result of a match that counts is added to leaderboards and profiles. The *daily deal* is a solitaire
deal that is the same for all players on one day. Each player has one attempt at it that counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Self

from bot.engine.frozen import frozen

DEAL = "deal"
"""Option key for the deal's number."""

PAR = "par"
"""Option key for the number of moves in a known good solution of the deal, or 0 if none is known."""

DAY = "daily"
"""Option key for the day on whose leaderboard the deal counts, such as 20261121, or 0."""

REPLAY = "replay"
"""Option key for the day of a daily deal that is played as practice. The match does not count."""

AGAIN = "again"
"""Option key with the value 1 if the player had the deal before. The match does not count."""

HINTS = "hints"
"""Option key with the value 1 if the host allowed hints and 0 if the host forbade them.

It is missing if the host did not choose.
"""

BANK = "bank"
"""Option key for each player's extra time in seconds for the whole match, besides the time per turn."""

LESSON = "lesson"
"""Option key with the value 1 for a lesson. Only the pupil sees it, and it does not count."""

PRIVATE = "private"
"""Option key with the value 1 or ``BEARER`` if only the player sees the match, in a private message."""

DUEL = "duel"
"""Option key for the day of a duel match, such as 20261121."""

BOARD = "board"
"""Option key for the number of the board in daily duels or in a challenge, from 0."""

CHALLENGE = "challenge"
"""Option key for the number of the challenge to which a board belongs.

A match with this option also has ``DUEL``. Its board stays secret as long as the duels of that day.
"""

BEARER = 2
"""Value of ``PRIVATE`` for a private attempt at the daily deal that also carries a public notice.

This notice is a message in the channel about all attempts at that deal in the server.
"""

LATER_OPTIONS = (AGAIN, DEAL, PAR, REPLAY)
"""Options that depend on the seed or on earlier matches.

They are unknown when Ribit commits to the terms of a match, so the commitment does not cover them.
"""


class Purpose(Enum):
    """The purpose for which a match is played."""

    TABLE = "table"
    SOLITAIRE = "solitaire"  # a numbered deal
    DAILY = "daily"  # a player's only attempt at the daily deal that counts
    ARCHIVE = "archive"  # a daily deal that does not count for its day
    PRACTICE = "practice"  # a deal that the player had before, or a match continued from an earlier move
    LESSON = "lesson"
    DUEL = "duel"  # a board of the daily duels or of a challenge, against a computer player


class Audience(Enum):
    """The users who can see a match: everyone in its channel, or only its player."""

    PUBLIC = 0  # everybody in its channel
    PRIVATE = 1  # its player only
    BEARER = BEARER  # its player only, but its table message is a public notice of the day's attempts


_AUDIENCES = {audience.value: audience for audience in Audience}


@frozen
class MatchType:
    """The type of a match. It decides which users see the match and whether its result counts.

    Attributes:
        deal: The deal's number, or 0 if it has none.
        par: The number of moves in a known good solution of the deal, or 0 if none is known.
        day: The day on whose leaderboard the deal counts, such as 20261121, or 0.
        replay: The day of a daily deal that is played as practice, or 0.
        is_repeat: True if the player had already played the deal, or continues a match from an earlier
            position.
        audience: The users who see the match. A lesson is always private, whatever this value is.
        hints: True if the host allowed hints, False if the host forbade them, and None if the host did
            not choose.
        bank: Each player's extra time in seconds for the whole match, besides the time per turn.
        duel: The day of the daily duels to which the match belongs, such as 20261121, or 0.
        board: The number of the board in the daily duels or in a challenge, from 0.
        challenge: The number of the challenge to which the board belongs, or 0.
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
        """Read a match's type from its stored options. Missing options have default values."""
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
        """The day of the match's daily deal or daily duels, or 0.

        It is also set if the match does not count.
        """
        return self.day or self.replay or self.duel

    @property
    def counts(self) -> bool:
        """True if the match's result is added to leaderboards and profiles."""
        return not (self.is_repeat or self.replay or self.is_duel)

    @property
    def is_lesson(self) -> bool:
        return self.purpose is Purpose.LESSON

    @property
    def is_duel(self) -> bool:
        """True for a board of the daily duels or of a challenge.

        The player can give it up, but not close it.
        """
        return self.purpose is Purpose.DUEL

    @property
    def is_unlimited(self) -> bool:
        """True if the match does not count towards a player's maximum number of hosted tables."""
        return self.is_lesson or self.is_duel

    @property
    def is_private(self) -> bool:
        """True if only the player can see the match. No message in a channel shows it to other users."""
        return self.is_lesson or self.audience is not Audience.PUBLIC

    @property
    def bears_notice(self) -> bool:
        return self.audience is Audience.BEARER


def repeat_options(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options for playing a match's deal again. The new match does not count.

    A daily deal's first match also has the channel's notice about it. The new match has no such notice.
    """
    is_bearer = options.get(PRIVATE) == BEARER
    return {**options, AGAIN: 1, **({PRIVATE: 1} if is_bearer else {})}


def kept_private(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options changed so that only the player sees the match."""
    return {**options, PRIVATE: 1}


def archive_options(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options changed so that the match does not count on its day's leaderboard."""
    return {**options, DAY: 0, REPLAY: MatchType.parse(options).any_day}


def board_terms(board: int) -> str:
    """Return the text that identifies a duel. The seed also depends on the secret of the day."""
    return f"board {board}"


def recorded_options(options: Mapping[str, int]) -> dict[str, int]:
    """Return the options in a match's ``DealTerms``: all except the one for the audience."""
    return {key: value for key, value in options.items() if key != PRIVATE}

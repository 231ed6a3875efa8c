"""A change of a match: what is stored at once, or not at all."""

from __future__ import annotations

from bot.engine.match import Entry, Match, Result
from bot.engine.values import frozen


@frozen
class Change:
    """What came of an event: the match before and after it, and the move with its results, if any.

    It counts only where the match still stands as ``before``, by its version. ``is_learned``: with it
    the host of a lesson has learned the game. ``place`` is where a match goes on that moves by it, and
    ``then`` a second move of the same click.
    """

    before: Match
    after: Match
    entry: Entry | None = None
    results: tuple[Result, ...] = ()
    is_learned: bool = False
    place: str | None = None
    then: Entry | None = None

"""What a table refuses, in the words its player reads."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.errors import RibitError
from bot.engine.match import Match
from bot.engine.words import ngettext


class TableError(RibitError):
    """The table does not allow that now, or not to this player."""


class MovedOnError(TableError):
    """The click was made on a state of the table that is no more; nothing was changed by it."""


class TableTakenError(TableError):
    """The channel has a live table already; ``match_id`` is that table's match."""

    def __init__(self, sentence: str, match_id: str) -> None:
        super().__init__(sentence)
        self.match_id = match_id


class TriedError(TableError):
    """The player has had, or is having, the one try of a day's deal."""


class TooManyError(TableError):
    """Somebody hosts as many live ``matches`` as one person may, so that one of them has to end first.

    ``is_solo``: they are deals of games for one.
    """

    def __init__(self, matches: Sequence[Match], *, is_solo: bool) -> None:
        n = len(matches)
        words = (
            ngettext(
                "You have {n} deal under way, as many as you may. Finish it or give it up first:",
                "You have {n} deals under way, as many as you may. Finish one or give it up first:",
                n,
            )
            if is_solo
            else ngettext(
                "You already host {n} table, as many as you may. Finish it or close it first:",
                "You already host {n} tables, as many as you may. Finish one or close it first:",
                n,
            )
        )
        super().__init__(words.format(n=n))
        self.matches = tuple(matches)
        self.is_solo = is_solo

"""What a table refuses, in the words its player reads."""

from __future__ import annotations

from bot.engine.errors import RibitError


class TableError(RibitError):
    """The table does not allow that now, or not to this player."""


class MovedOnError(TableError):
    """The click was made on a state of the table that is no more; nothing was changed by it."""


class TableTakenError(TableError):
    """The channel has a live table already; ``match_id`` is that table's match."""

    def __init__(self, sentence: str, match_id: str) -> None:
        super().__init__(sentence)
        self.match_id = match_id

"""A click: which choice of which match, as whoever clicked saw it."""

from __future__ import annotations

from bot.engine.panel import Choice
from bot.engine.values import frozen
from bot.sessions.table import Table

FIRST_STEP = "_"
"""The key that leads from any step of choosing a move back to the first."""


@frozen
class Click:
    """A choice as it was clicked: the match as seen after ``seen`` moves, and which choice.

    ``in_public`` says which panel it was: the public one of the table, or the clicker's own.
    ``path`` ends in the choice's key; a path of ``FIRST_STEP`` alone asks for the first step.
    """

    match_id: str
    seen: int
    in_public: bool
    path: tuple[str, ...]

    @property
    def key(self) -> str:
        """The choice in one word: what the journal keeps of it."""
        return ".".join(self.path)

    def choice(self, table: Table, seat: int) -> Choice | None:
        """Return what was chosen at a table by the player of a seat, or None where that is not there.

        What the player's own panel asks about first is not played from the public one, which knows no
        hand.
        """
        before, key = self.path[:-1], self.path[-1]
        if not self.in_public:
            return table.choice(seat, before, key)
        choice = table.choice(None, before, key)
        if choice is not None and choice.move is not None and table.game.info.hidden_hands:
            own = table.choice(seat, before, key)
            return own if own is not None and own.move is None else choice
        return choice

"""Offers: buttons that features add to messages which are not theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from bot.engine.values import frozen
from bot.messages.components import Button
from bot.sessions.table import Table


class Place(Enum):
    """Where a button is offered: below a match that is over, or with the rules of a game."""

    END = "end"
    RULES = "rules"


@frozen
class Offer:
    """A button at a place; of several the one of the lowest ``order`` comes first.

    ``button`` makes it for a table, and for somebody's hand if any; None where it is not offered.
    """

    place: Place
    order: int
    button: Callable[[Table], Button | None]


class Offers:
    """The offers of all features, by their places."""

    def __init__(self) -> None:
        self._offers: list[Offer] = []

    def add(self, offers: Iterable[Offer]) -> None:
        """Have these offered from now on, too."""
        self._offers = sorted((*self._offers, *offers), key=lambda each: each.order)

    def at(self, place: Place, table: Table) -> list[Button]:
        """Return what is offered at a place of a table."""
        made = (each.button(table) for each in self._offers if each.place is place)
        return [button for button in made if button is not None]

"""Offers: buttons that features add to messages which are not theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from bot.engine.values import frozen
from bot.messages.components import Button
from bot.sessions.table import Table


class Place(Enum):
    """Where a button is offered.

    Below a match that is over, below one in play, with a hand that has choices, and with the hand of
    who is to move.
    """

    END = "end"
    TABLE = "table"
    HAND = "hand"
    TURN = "turn"


@frozen
class Offer:
    """A button at a place, made for a table, None where it is not offered.

    Of several the one of the lowest ``order`` stands first; the table's own have 10.
    """

    place: Place
    order: int
    button: Callable[[Table], Button | None]


_offers: dict[tuple[Place, int], Offer] = {}


def know_offers(offers: Iterable[Offer]) -> None:
    """Have these offered from now on; one takes the place of another of the same order."""
    _offers.update({(each.place, each.order): each for each in offers})


def offered(place: Place, table: Table) -> list[Button]:
    """Return what features offer at a place of a table."""
    found = [each for (at, _order), each in sorted(_offers.items(), key=_order) if at is place]
    return list(filter(None, (each.button(table) for each in found)))


def _order(kept: tuple[tuple[Place, int], Offer]) -> int:
    return kept[1].order

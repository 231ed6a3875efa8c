"""Which moves of cards a player is offered, the best first, and in which words."""

from __future__ import annotations

from bot.engine.words import _
from bot.games.american_toad.state import Advice, Move, Pile, Place, Shift, Up
from bot.games.american_toad.view import View


def offered(view: View) -> list[Move]:
    """Return the moves of cards, best first: one that the player was told before all others.

    Of those that lead to the same one is enough: empty columns are all alike, so one stands for them,
    and a card alone in its column has nothing to look for there.
    """
    gap = view.columns.index(()) if () in view.columns else None
    moves = [
        move
        for move in view.legal
        if isinstance(move, Up)
        or (
            (isinstance(move, Place | Shift) and (view.columns[move.column] or move.column == gap))
            and not (isinstance(move, Shift) and _only_renames(view, move))
        )
    ]
    told = view.told.move if isinstance(view.told, Advice) else None
    return sorted(moves, key=lambda move: (move != told, _worth(view, move)))


def _only_renames(view: View, move: Shift) -> bool:
    return not view.columns[move.column] and len(view.columns[move.source]) == 1


def _worth(view: View, move: Move) -> int:
    """Return the place of a kind of move: what frees a column or the reserve, then the waste, then ups.

    What goes up goes up with all others, or while the stock turns, so that seldom matters by itself.
    """
    match move:
        case Shift(source, column, count) if view.columns[column] and count == len(view.columns[source]):
            return 0
        case Place(Pile.RESERVE):
            return 1
        case Place(Pile.WASTE, column) if view.columns[column]:
            return 2
        case Up(source):
            return 3 if source is Pile.RESERVE else 4
        case Shift(source, column) if view.columns[column]:
            return 5
        case Place():
            return 6
        case _:
            return 7


def label(view: View, move: Move) -> str:
    """Return a move of cards in words."""
    match move:
        case Up(source):
            return _("{card} {origin} up").format(card=view.top(source), origin=origin(source))
        case Place(source, column) if view.columns[column]:
            return _("{card} {origin} onto column {n}").format(
                card=view.top(source), origin=origin(source), n=column + 1
            )
        case Place(source):
            return _("{card} {origin} into an empty column").format(
                card=view.top(source), origin=origin(source)
            )
        case Shift(source, column, count):
            rest, run = view.columns[source][:-count], view.columns[source][-count:]
            place = _("onto column {n}") if view.columns[column] else _("into an empty column")
            cards = str(run[0]) if count == 1 else f"{run[0]}–{run[-1]}"
            where = f"{cards} {origin(source)} {place.format(n=column + 1)}"
            if not rest:
                return _("{move}, freeing the column").format(move=where)
            return _("{move}, uncovering {card}").format(move=where, card=rest[-1])
        case _:
            raise ValueError(f"{move} moves no card that could be named")


def moved(view: View, move: Move) -> str:
    """Return the card that a move of cards moves, or the first of a run."""
    match move:
        case Up(source) | Place(source):
            return str(view.top(source))
        case Shift(source, _column, count):
            return str(view.columns[source][-count])
        case _:
            raise ValueError(f"{move} moves no card that could be named")


def origin(source: Pile | int) -> str:
    """Return where a card comes from, such as ``from column 3``."""
    if source is Pile.WASTE:
        return _("from the waste")
    if source is Pile.RESERVE:
        return _("from the reserve")
    return _("from column {n}").format(n=source + 1)

"""Buttons and menus of American Toad.

The panel has buttons for the two best moves, a menu of the other moves, and two rows of fixed buttons
such as *Turn the stock* and *Undo*.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.engine.cards import Card
from bot.engine.panel import HINT, MORE, Buttons, Choice, ChoiceMenu, Panel, Tone, menu_page
from bot.engine.translation import _
from bot.games.american_toad.state import (
    Advice,
    AllUp,
    Move,
    Pile,
    Place,
    Redeal,
    Redo,
    Rescue,
    Shift,
    Turn,
    TurnOn,
    Undo,
    Up,
    write,
)
from bot.games.american_toad.view import View

BEST = 2
"""The number of moves shown as buttons. Two buttons fit side by side on a phone."""


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    """Return the player's buttons and menus. The panel is empty if the deal is over.

    Args:
        view: The view of the deal.
        path: The page of the menu. It contains ``MORE`` once for each page after the first.
    """
    if view.is_over or any(step != MORE for step in path):
        return Panel()
    moves = offered_moves(view)
    labels = _short_labels(view, moves[:BEST]) + [label(view, move) for move in moves[BEST:]]
    choices = list(map(partial(_choice, view), moves, labels))
    rest = menu_page(choices[BEST:], len(path), _("More moves …"))
    if path and not rest:
        return Panel()
    rows = (Buttons(tuple(choices[:BEST])), ChoiceMenu(_("Other moves"), rest), *_fixed_buttons(view))
    return Panel(tuple(row for row in rows if row.choices))


def _choice(view: View, move: Move, label: str) -> Choice:
    """Return the choice that makes a card move. Its key is unique within the deal."""
    moment = view.made + 2 * view.undos  # an undo decreases ``made`` by one, so the sum always grows
    key = f"{moment}_{write(move).replace(' ', '_')}"
    return Choice(key, label, move, _tone(view, move), _mark(view, move), icon=moved_card(view, move))


def _is_told(view: View, move: Move) -> bool:
    return isinstance(view.told, Advice) and view.told.move == move


def _mark(view: View, move: Move) -> str | None:
    return HINT if _is_told(view, move) else None


def _tone(view: View, move: Move) -> Tone:
    if _is_told(view, move) or move == AllUp():
        return Tone.GOOD
    return Tone.MAIN if move == Turn() else Tone.PLAIN


def _fixed_buttons(view: View) -> tuple[Buttons, Buttons]:
    stock: tuple[tuple[str, Move], ...] = (
        ("turn", Turn()),
        ("redeal", Redeal()),
        ("turn_on", TurnOn()),
        ("turn_up", TurnOn(up=True)),
        ("up", AllUp()),
    )
    back = (("undo", Undo()), ("redo", Redo()))
    rows = (
        tuple(
            Choice(key, name(view, move), move, _tone(view, move), _mark(view, move))
            for key, move in moves
            if move in view.legal
        )
        for moves in (stock, back)
    )
    first, second = rows
    return Buttons(first), Buttons((*second, *_rescue(view)))


def name(view: View, move: Move) -> str:
    match move:
        case Turn():
            return _("Turn the stock")
        case TurnOn(up=True):
            return _("All up, keep turning")
        case TurnOn():
            return _("Turn until it fits")
        case Redeal():
            return _("Redeal (once)")
        case AllUp():
            return _("Finish the game") if view.can_finish else _("All up")
        case Undo():
            return _("Undo")
        case Redo():
            return _("Redo")
        case _:
            raise ValueError(f"{move} has no name of its own")


def _rescue(view: View) -> tuple[Choice, ...]:
    rescue = view.told
    if not isinstance(rescue, Rescue) or rescue.moves is None or rescue.moves >= view.made:
        return ()
    words = _("Go back to move {n}").format(n=rescue.moves)
    return (Choice("back", words, Undo(view.made - rescue.moves), Tone.GOOD),)


def offered_moves(view: View) -> list[Move]:
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
    hint_move = view.told.move if isinstance(view.told, Advice) else None
    return sorted(moves, key=lambda move: (move != hint_move, _worth(view, move)))


def _only_renames(view: View, move: Shift) -> bool:
    return not view.columns[move.column] and len(view.columns[move.source]) == 1


def _worth(view: View, move: Move) -> int:
    """Return a sort key that puts the best moves first.

    Moves that empty a column or use a reserve card have the lowest keys.
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


def _short_labels(view: View, moves: Sequence[Move]) -> list[str]:
    labels = [_short_label(view, move) for move in moves]
    return labels if len(set(labels)) == len(labels) else [label(view, move) for move in moves]


def _short_label(view: View, move: Move) -> str:
    match move:
        case Up(source):
            return _("{card} up").format(card=view.top(source))
        case Place(source, column):
            cards = str(view.top(source))
        case Shift(source, column, count):
            cards = run_text(view.columns[source][-count:])
        case _:
            return label(view, move)
    words = _("{card} to column {n}") if view.columns[column] else _("{card} to an empty column")
    return words.format(card=cards, n=column + 1)


def label(view: View, move: Move) -> str:
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
            where = f"{run_text(run)} {origin(source)} {place.format(n=column + 1)}"
            if not rest:
                return _("{move}, freeing the column").format(move=where)
            return _("{move}, uncovering {card}").format(move=where, card=rest[-1])
        case _:
            raise ValueError(f"{move} moves no card that could be named")


def moved_card(view: View, move: Move) -> str:
    match move:
        case Up(source) | Place(source):
            return str(view.top(source))
        case Shift(source, _column, count):
            return str(view.columns[source][-count])
        case _:
            raise ValueError(f"{move} moves no card that could be named")


def run_text(cards: tuple[Card, ...]) -> str:
    """Return a short text for cards in sequence, such as ``9♣`` or ``9♣–7♣``."""
    return str(cards[0]) if len(cards) == 1 else f"{cards[0]}–{cards[-1]}"


def origin(source: Pile | int) -> str:
    if source is Pile.WASTE:
        return _("from the waste")
    if source is Pile.RESERVE:
        return _("from the reserve")
    return _("from column {n}").format(n=source + 1)

"""The controls of American Toad: the three best moves, what is always there, and a menu of the rest."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.cards import Card
from bot.engine.panel import HINT, Buttons, Choice, Menu, Panel, Tone
from bot.engine.words import _
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

BEST = 3
"""Moves that stand as buttons."""
MENU_SIZE = 25
PAGE = MENU_SIZE - 1
"""Moves on a page that another one follows."""
MORE = "more"


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    """Return the buttons and a page of the moves; the pages are the steps of the path.

    What cannot be done just now keeps its place, so that nothing moves under the player's thumb.
    """
    if view.is_over or any(step != MORE for step in path):
        return Panel()
    choices = [_choice(view, move) for move in offered(view)]
    best = choices[:BEST] + [_nothing(place) for place in range(len(choices), BEST)]
    rest = choices[BEST + PAGE * len(path) :]
    if path and len(rest) <= 1:
        return Panel()
    shown = rest if len(rest) <= MENU_SIZE else [*rest[:PAGE], Choice(MORE, _("More moves …"))]
    prompt = _("Other moves") if rest else _("No other moves")
    return Panel((Buttons(tuple(best)), *_fixed(view), Menu(prompt, tuple(shown))))


def _choice(view: View, move: Move) -> Choice:
    """Return a move of cards to choose. Its key is never another move's, at any time of the deal."""
    tone, mark = (Tone.GOOD, HINT) if _is_told(view, move) else (Tone.PLAIN, None)
    moment = view.made + 2 * view.undos  # an undo takes one from the moves, so this only ever grows
    key = f"{moment}_{write(move).replace(' ', '_')}"
    return Choice(key, label(view, move), move, tone, mark, sign=moved(view, move))


def _is_told(view: View, move: Move | None) -> bool:
    """Return whether this is the move that the player was told."""
    return isinstance(view.told, Advice) and move is not None and view.told.move == move


def _nothing(place: int) -> Choice:
    return Choice(f"nothing{place}", "–", disabled=True)


def _fixed(view: View) -> tuple[Buttons, Buttons]:
    """Return the buttons that are always there."""
    turn = Choice("turn", _("Turn the stock"), Turn(), Tone.MAIN)
    if not view.stock_left and view.redeal_left:
        turn = Choice("redeal", _("Redeal (once)"), Redeal(), Tone.MAIN)
    up = _("Finish the game") if view.can_finish else _("All up")
    stock = (
        turn,
        Choice("turn_on", _("Turn until something fits"), TurnOn(), Tone.MAIN),
        Choice("turn_up", _("All up, keep turning"), TurnOn(up=True), Tone.MAIN),
        Choice("up", up, AllUp(), Tone.GOOD),
    )
    back = (Choice("undo", _("Undo"), Undo()), Choice("redo", _("Redo"), Redo()))
    enabled = _enabled(view, back).choices
    return _enabled(view, stock), Buttons((*enabled, *_rescue(view)))


def _rescue(view: View) -> tuple[Choice, ...]:
    """Return the way back to where the deal could still be won, for a player who was told so."""
    told = view.told
    if not isinstance(told, Rescue) or told.moves is None or told.moves >= view.made:
        return ()
    words = _("Go back to move {n}").format(n=told.moves)
    return (Choice("back", words, Undo(view.made - told.moves), Tone.GOOD),)


def _enabled(view: View, choices: tuple[Choice, ...]) -> Buttons:
    return Buttons(tuple(_kept(view, choice) for choice in choices))


def _kept(view: View, choice: Choice) -> Choice:
    if choice.move in view.legal:
        return replace(choice, tone=Tone.GOOD, emoji=HINT) if _is_told(view, choice.move) else choice
    return Choice(choice.key, choice.label, tone=choice.tone, disabled=True)


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
            where = f"{run_text(run)} {origin(source)} {place.format(n=column + 1)}"
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


def run_text(cards: tuple[Card, ...]) -> str:
    """Return a card, or the first and the last of several, such as ``9♣–7♣``."""
    return str(cards[0]) if len(cards) == 1 else f"{cards[0]}–{cards[-1]}"


def origin(source: Pile | int) -> str:
    """Return where a card comes from, such as ``from column 3``."""
    if source is Pile.WASTE:
        return _("from the waste")
    if source is Pile.RESERVE:
        return _("from the reserve")
    return _("from column {n}").format(n=source + 1)

"""The controls of American Toad: the three best moves, what is always there, and a menu of the rest."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.panel import Buttons, Choice, Menu, Panel, Tone
from bot.engine.words import _
from bot.games.american_toad.moves import write
from bot.games.american_toad.offers import label, moved, offered
from bot.games.american_toad.state import Advice, AllUp, Move, Redeal, Redo, Rescue, Turn, TurnOn, Undo
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
    tone = Tone.GOOD if _is_told(view, move) else Tone.PLAIN
    moment = view.made + 2 * view.undos  # an undo takes one from the moves, so this only ever grows
    key = f"{moment}_{write(move).replace(' ', '_')}"
    return Choice(key, label(view, move), move, tone, sign=moved(view, move))


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
        return replace(choice, tone=Tone.GOOD) if _is_told(view, choice.move) else choice
    return Choice(choice.key, choice.label, tone=choice.tone, disabled=True)

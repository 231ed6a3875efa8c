"""The American Toad lesson.

The pupil plays the end of a prepared deal, in which each rule applies once. The coach's texts explain
the rules and suggest moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bot.engine.cards import ACE, KING, cards_of
from bot.engine.lesson import Lesson, Tip
from bot.engine.shuffle import SEED_BYTES
from bot.engine.translation import N_, _
from bot.games.american_toad.panel import name, offered_moves
from bot.games.american_toad.state import (
    COLUMNS,
    FULL,
    AllUp,
    Move,
    Pile,
    Place,
    Position,
    Redeal,
    Shift,
    State,
    Turn,
    TurnOn,
    Undo,
    Up,
)
from bot.games.american_toad.view import View
from bot.matches.match_type import LESSON as IS_LESSON

SEED = b"a stacked deal".rjust(SEED_BYTES, b".")
"""Seed of the match. Each match needs a seed, but the lesson's deal does not depend on it."""

_BASE = 10
_HEIGHTS = (FULL, 11, 11, 11, 11, 9, FULL, 0)
_COLUMNS = "AS KS QS|3S|TS|8H|5S|7S|9S|9C"
_RESERVE = "8C 8D 8D 8S 6S 4S JS 8H 6H 9H 9D 9D"
_STOCK = "7H 2S 9H"
"""The prepared cards. The last card of each pile is on top.

If the pupil follows the coach, the last card of the stock leads to a dead end. The pupil then undoes
that move and wins.
"""


def lesson_deal() -> State:
    columns = tuple(cards_of(column) for column in _COLUMNS.split("|"))
    assert len(columns) == COLUMNS, "each column has its card"
    reserve, stock = cards_of(_RESERVE), cards_of(_STOCK)
    return State(0, Position(_BASE, _HEIGHTS, reserve, columns, stock, (), redeal_left=True))


RULES = {
    "deal": N_(
        "All 104 cards belong on the eight **foundations** at the top, two for each suit. The "
        "**base** of this deal is the 10, so each foundation goes 10, J, Q, K, A, 2 and so on up "
        "to the 9. This lesson starts near the end of a deal."
    ),
    "base": N_("A base card started its own foundation. Cards never come back off a foundation."),
    "up": N_("Up it goes. Now the next card of that suit can follow."),
    "reserve": N_(
        "A column was empty, so the top card of the **reserve** filled it right away. Once the "
        "reserve is empty, you can fill gaps yourself or leave them."
    ),
    "turn": N_(
        "You turn the stock one card at a time. You can only play the top card of the **waste**."
    ),
    "place": N_("Columns build **down in suit**: a two goes onto the three of its suit."),
    "run": N_(
        "Cards in sequence move together: the whole run, or just its last cards. Every column is "
        "a single run."
    ),
    "wrap": N_(
        "Here a King goes onto an Ace: ranks wrap around, in the columns and on the foundations."
    ),
    "redeal": N_("The waste is the stock again. You only get one **redeal** per deal."),
    "stuck": N_(
        "**Stuck:** the stock is empty, the redeal is used up, and no card can move. Think twice "
        "before you cover a card that should go up."
    ),
    "undo": N_("**Undo** as many moves as you like. I just count them."),
    "all up": N_("**All up** moves every card that can go up, one by one."),
    "won": N_("All eight foundations are full: you win!"),
}


def new_topics(before: View | None, view: View) -> tuple[str, ...]:
    if before is None:
        return ("deal",)
    if view.undos > before.undos:
        return ("undo",)
    if view.made == before.made or view.effect is None:
        return ()
    return tuple(_rules(before, view))


def _rules(before: View, view: View) -> Iterator[str]:
    assert view.effect is not None, "a move was made"
    pairs = zip(before.heights, view.heights, strict=True)
    match view.last:
        case Turn():
            yield "turn"
        case Redeal():
            yield "redeal"
        case AllUp():
            yield "all up"
        case Place():
            yield "place"
        case Shift(_source, _column, count) if count > 1:
            yield "run"
        case Up():
            yield "base" if any(not was and now for was, now in pairs) else "up"
    if any((one.rank, other.rank) == (ACE, KING) for one, other in pairwise(view.effect.cards)):
        yield "wrap"
    if view.effect.filled:
        yield "reserve"
    if view.stuck:
        yield "stuck"
    if view.won:
        yield "won"


def tip(view: View, met: frozenset[str]) -> Tip[Move]:
    if view.stuck:
        return Tip(_("Take that back."), Undo())
    for rule, words, move in _exercises(view):
        if rule not in met:
            return Tip(words, move)
    return _usual(view)


def _exercises(view: View) -> Iterator[tuple[str, str, Move]]:
    """Yield each rule that the pupil can try now, with the coach's text and a move that applies it."""
    moves = offered_moves(view)
    onto = [move for move in moves if isinstance(move, Place) and view.columns[move.column]]
    for move in moves:
        match move:
            case Up(source) if (card := view.top(source)) is not None and card.rank == view.base:
                words = _("Begin with {card}: a **base** card starts a foundation.")
                yield "base", words.format(card=card), move
            case Shift(_source, column, count) if count > 1 and view.columns[column]:
                yield "run", _("Now a **run** fits onto another column."), move
    if view.stock_left:
        yield "turn", _("**Turn** the stock until you can play a card from it."), TurnOn()
        if onto:
            yield "place", _("The top card of the **waste** fits onto a column."), onto[0]
        yield "redeal", _("Keep turning, up to the end of the stock."), TurnOn()
    elif view.redeal_left and view.waste:
        words = _("The stock is empty. You can turn the waste over once per deal.")
        yield "redeal", words, Redeal()
    if not view.redeal_left and view.stock_left:
        yield "stuck", _("Turn over the rest of the stock."), TurnOn()
    elif onto and onto[0].source is Pile.WASTE:
        words = _("Try a careless move: the top card of the waste fits onto a column.")
        yield "stuck", words, onto[0]


def _usual(view: View) -> Tip[Move]:
    onto = [
        move
        for move in offered_moves(view)
        if isinstance(move, Place | Shift) and view.columns[move.column]
    ]
    moves = [
        move for move in onto if isinstance(move, Place) or move.count == len(view.columns[move.source])
    ]
    plain: list[Move] = [AllUp(), *moves, TurnOn(), Redeal(), *view.legal]
    move = next(one for one in plain if one in view.legal)
    return Tip(_why(view, move), move)


def _why(view: View, move: Move) -> str:
    match move:
        case AllUp():
            return _("Move up every card that can go up, and the ones that can follow.")
        case Up() | Place():
            return _("That brings a card into play.")
        case Shift():
            return _("That frees a column.")
        case _:
            return _("Nothing else helps right now: {move}.").format(move=name(view, move))


def standing(view: View) -> str:
    return _("{n} of 104 cards are up.").format(n=view.up)


LESSON: Lesson[View, Move] = Lesson(
    options={IS_LESSON: 1},
    seed=SEED,
    came_up=new_topics,
    rules=RULES,
    always=frozenset({"stuck", "won"}),
    tip=tip,
    standing=standing,
    needs=tuple(frozenset({rule}) for rule in RULES if rule not in ("up", "all up", "won")),
    untold={
        "": N_(
            "A full deal has 20 cards in reserve. **Hint** and **Peek** are there when you need them."
        ),
        "stuck": N_("If no card can move any more, undo some moves. I just count them."),
        "redeal": N_("When the stock is empty, you can turn the waste over once."),
    },
)

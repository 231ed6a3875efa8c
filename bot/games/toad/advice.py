"""Why a move of Toad is a good one, in a sentence for the player who makes it."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.words import _
from bot.games.toad.spots import count_spots
from bot.games.toad.state import GOAL, Declare, Discard, Draw, Move, TakeDiscard, TakeStock
from bot.games.toad.view import View


def reason(view: View, move: Move) -> str:
    """Return why the viewer, who is to move, should make a move."""
    match move:
        case Declare():
            return _("Ten red and ten black spots: that's a toad.")
        case TakeStock(place):
            card = view.stock[place]
            return "" if card is None else _with(view, card)
        case TakeDiscard():
            return "" if view.discard is None else _with(view, view.discard)
        case Discard(card):
            left = tuple(held for held in view.hand if held != card)
            return _("Without {card} you have {count}").format(card=card, count=_count(left))
        case Draw():
            words = _("An unseen card may help more than the ones you can see. You have {count}")
            return words.format(count=_count(view.hand))
        case _:
            return _("Your hand is best as it is: {count}").format(count=_count(view.hand))


def _with(view: View, card: Card) -> str:
    return _("With {card} you have {count}").format(card=card, count=_count((*view.hand, card)))


def _count(hand: tuple[Card, ...]) -> str:
    """Return the spots of a hand, and what completes it where one card could."""
    red, black = count_spots(hand)
    count = _("{red} red and {black} black").format(red=red, black=black)
    if red == black == GOAL:
        return _("{count}: a toad!").format(count=count)
    if red == GOAL and black < GOAL:
        return _("{count}: you need {n} more in black.").format(count=count, n=GOAL - black)
    if black == GOAL and red < GOAL:
        return _("{count}: you need {n} more in red.").format(count=count, n=GOAL - red)
    return f"{count}."

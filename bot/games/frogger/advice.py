"""Why a move of Frogger is a good one, in a sentence for the player who makes it."""

from __future__ import annotations

from bot.engine.words import _, ngettext
from bot.games.frogger.state import Back, Move, Play, Take
from bot.games.frogger.view import View


def reason(view: View, move: Move) -> str:
    """Return why the viewer, who is to move, should make a move."""
    match move:
        case Play():
            return _of_play(view, move)
        case Back(_frog, _to, None):
            return _("Moving back sets up your next move.")
        case Back(_frog, _to, card):
            return _("Moving back gets you {card} from the market.").format(card=card)
        case Take(card):
            return _("{card} is the card in the market that helps you most.").format(card=card)
        case _:
            return _("The rest of your hand is worth more on a later turn.")


def _of_play(view: View, move: Play) -> str:
    landing = next(landing for play, landing in view.landings if play == move)
    if landing.to is None:
        return _("It brings a frog home.")
    far = landing.to.place - (0 if move.frog is None else move.frog.place)
    words = ngettext("It moves a frog {n} card ahead.", "It moves a frog {n} cards ahead.", far).format(
        n=far
    )
    if any(seat != view.viewer for seat, _space in landing.sends):
        words += " " + _("And it sends a rival back to the Excuse.")
    return words

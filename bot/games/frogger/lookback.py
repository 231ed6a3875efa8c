"""Looking back on a match of Frogger: every hand open, frogs sent back, and frogs that came home."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.lookback import Lookback, Moment, added
from bot.engine.words import N_
from bot.games.frogger.state import Event, Happening, State
from bot.games.frogger.view import View, sorted_cards, view

_SENT_BACK = N_("{name}'s frog goes back to the Excuse")
_HOME = N_("{name} brings frog {n} home")
_LEFT = N_("{name} gives up")
_WON = N_("{name} wins")


def opened(state: State) -> View:
    """Return the table with every hand."""
    seen = view(state, None)
    seats = tuple(
        replace(seat, known=sorted_cards(hand))
        for seat, hand in zip(seen.seats, state.hands, strict=True)
    )
    return replace(seen, seats=seats)


def moments(before: State, after: State) -> tuple[Moment, ...]:
    """Return what is worth seeing again of a move."""
    found = (_moment(event, after) for event in added(before.events, after.events))
    return tuple(moment for moment in found if moment is not None)


def _moment(event: Event, after: State) -> Moment | None:
    match event:
        case Event(Happening.SENT_BACK, seat):
            return Moment(_SENT_BACK, seat)
        case Event(Happening.PLAYED, seat, to=None):
            return Moment(_HOME, seat, after.frogs[seat].home)
        case Event(Happening.LEFT, seat):
            return Moment(_LEFT, seat)
        case Event(Happening.WON, seat):
            return Moment(_WON, seat)
        case _:
            return None


LOOKBACK = Lookback(opened=opened, moments=moments)

"""Looking back on a match of Toad: every hand open, and the moments that decided rounds."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.lookback import Lookback, Moment, added
from bot.engine.words import N_
from bot.games.toad.state import Happening, State
from bot.games.toad.view import View, sorted_hand, view

_MOMENTS = {
    Happening.TOAD: N_("{name} has the first toad"),
    Happening.MAXIMUS: N_("{name} has Toadus Maximus"),
    Happening.FALSE_CLAIM: N_("{name} says ribit, and has no toad"),
    Happening.LOST_LIFE: N_("{name} loses a life"),
    Happening.ELIMINATED: N_("{name} is out"),
    Happening.LEFT: N_("{name} gives up"),
    Happening.WON: N_("{name} wins the match"),
}


def opened(state: State) -> View:
    """Return the table with the hands of all who are in the match."""
    seen = view(state, None)
    seats = tuple(
        seat if seat.out else replace(seat, shown=sorted_hand(hand))
        for seat, hand in zip(seen.seats, state.hands, strict=True)
    )
    return replace(seen, seats=seats)


def moments(before: State, after: State) -> tuple[Moment, ...]:
    """Return what is worth seeing again of a move: of toads the first of a round."""
    return tuple(
        Moment(_MOMENTS[event.what], event.seat)
        for event in added(before.events, after.events)
        if event.what in _MOMENTS and not (event.what is Happening.TOAD and before.safe)
    )


def _round(state: State) -> int:
    return state.round


LOOKBACK = Lookback(opened=opened, moments=moments, round=_round)

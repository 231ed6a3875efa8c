"""What a position of Frogger is worth to a seat, in actions that it still needs."""

from __future__ import annotations

from functools import lru_cache

from bot.games.frogger.compact import SUITS_OF, Pond, cards_in
from bot.games.frogger.course import SUITS, Course, singles
from bot.games.frogger.state import FROGS

GOOD_SUITS = 3
"""A frog is played with one of so many suits that bring it the farthest: who holds cards can choose."""

QUALITY = 1.0
"""How much of what a card brings more than the usual is counted on before it is played."""

WON = 1000.0
FAR = 100.0


@lru_cache(256)
def costs_of(course: Course) -> tuple[float, ...]:
    """Return, by place, how many cards a frog needs to come home along an empty corridor."""
    costs = [0.0] * (course.home + 1)
    for place in reversed(range(course.home)):
        after = []
        for suit in range(len(SUITS)):
            free = course.suit[suit] & course.ahead[place]
            low = free & -free
            after.append(costs[course.place[low.bit_length()]] if low else 0.0)
        after.sort()
        costs[place] = 1 + sum(after[:GOOD_SUITS]) / GOOD_SUITS
    return tuple(costs)


def needed(pond: Pond, seat: int) -> float:
    """Return about how many actions a seat needs: cards to play, and moves back to come by them."""
    if pond.home[seat] == FROGS:
        return -WON
    course, path = pond.course, singles(pond.frogs[seat])
    costs, place = costs_of(course), course.place
    at = [place[frog.bit_length()] for frog in path]
    if pond.start[seat]:
        at.append(0)
    plays = pond.start[seat] * costs[0]
    for frog in path:
        plays += costs[place[frog.bit_length()]]
    hand = cards_in(pond.hands[seat])
    free = ~pond.taken
    best: dict[int, float] = {}
    bonus = 0.0
    for card in hand:
        gain = 0.0
        for suit in SUITS_OF[card]:
            if suit not in best:
                open_ = course.suit[suit] & free
                most = 0.0
                for here in at:
                    ahead = open_ & course.ahead[here]
                    brought = costs[here] - (
                        costs[place[(ahead & -ahead).bit_length()]] if ahead else 0.0
                    )
                    most = max(most, brought)
                best[suit] = most
            gain = max(gain, best[suit])
        bonus += gain - 1
    return plays + max(0.0, plays - len(hand)) - QUALITY * bonus


def standing(pond: Pond, seat: int) -> float:
    """Return how far a seat is ahead of the best of the others, and a little of all of them."""
    others = [
        needed(pond, other)
        for other in range(len(pond.frogs))
        if other != seat and not pond.gone >> other & 1
    ]
    mine = needed(pond, seat)
    return (min(others) if others else FAR) - mine

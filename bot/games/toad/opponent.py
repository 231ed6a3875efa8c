"""Toad's computer player, which estimates the chance to survive the round at each step.

No strength makes a false claim, and each claims a toad at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, reduce

from bot.engine.frozen import replace_item
from bot.engine.opponent import Lots, Strength, Thinking
from bot.games.toad.search_state import (
    DECLARE,
    DRAW,
    END_TURN,
    IN_PACK,
    KIND,
    KINDS,
    MAXIMUS,
    NUMBER,
    TAKE_DISCARD,
    WITHOUT,
    WORTH,
    WORTH_OF_KIND,
    Memory,
    Option,
    bits,
    completing,
    distance,
    draws,
    hand_worth,
    is_toad,
    kinds_in,
    kinds_of,
    readable,
    recall,
    takes,
    world,
)
from bot.games.toad.state import (
    Deal,
    Discard,
    Event,
    Happening,
    Move,
    Phase,
    TakeDiscard,
    TakeNothing,
    TakeStock,
)
from bot.games.toad.view import View
from bot.games.toad.words import reason

WORLDS = 80

BITS = 29
ONE = 1 << BITS
"""A chance of 1. Chances are integers, because sums of floats differ between versions of Python."""

PER_CENT = 100
FARNESS = 86
"""The factor in per cent by which each spot of distance from a toad makes a rival's hand less likely.

Rivals choose their cards, so a hand far from a toad is less likely.
"""

CARDS_SEEN = 2
"""The number of unseen cards that a seat sees between two of its turns."""

LOST_TO_A_RIVAL = 30 * ONE // PER_CENT
"""The chance that a rival takes the stock card that a seat waits for."""

SURE = 97 * ONE // PER_CENT
LATER_HAZARD = 35 * ONE // PER_CENT
LATER_CHANCE = 45 * ONE // PER_CENT
"""The remaining chance if neither of the next two turns makes the seat safe."""


def both(chance: int, other: int) -> int:
    """Return the chance that two independent events both happen."""
    return chance * other >> BITS


def either(chance: int, other: int) -> int:
    """Return the chance that at least one of two independent events happens."""
    return chance + both(ONE - chance, other)


def power(chance: int, times: int) -> int:
    """Return the chance that an event happens a number of times in a row."""
    return reduce(both, (chance,) * times, ONE)


WEIGHT_BITS = 64


@lru_cache(512)
def nearness(spots: int) -> int:
    """Return the likelihood of rivals' hands by their distance from toads, times 2**WEIGHT_BITS."""
    left, whole = int(FARNESS**spots), int(PER_CENT**spots)
    return (left << WEIGHT_BITS) // whole


class Judge:
    """The chances of a seat, estimated from its memory.

    Results are cached, as many options share them.
    """

    def __init__(self, memory: Memory, lots: Lots) -> None:
        self.counts = [0] * KINDS
        for card in memory.unseen:
            self.counts[KIND[NUMBER[card]]] += 1
        self.total = max(1, sum(self.counts))
        self.rivals = memory.rivals
        self.share, self.ended = cache(self._share), cache(self._end_chance)
        self.soon, self.later = cache(self._soon), cache(self._later)
        self._threats = [self._threat(memory, lots) for _ in range(WORLDS)]

    def _threat(self, memory: Memory, lots: Lots) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return the likelihood of a world, and the kinds that complete each rival's hand.

        The kinds come with the chance that the next unseen card is one of them.
        """
        hands, _draw = world(memory, lots)
        spots, can_be, threats = 0, True, list[tuple[int, int]]()
        for seat in self.rivals:
            worth = sum(WORTH[card] for card in hands[seat])
            if is_toad(worth) and (memory.known[seat] or memory.discards):
                can_be = False  # it has had a turn and would have claimed the toad
            spots += distance(worth)
            kinds = completing(worth)
            threats.append((kinds, self.share(kinds)))
        return nearness(spots) if can_be else 0, tuple(threats)

    def _share(self, kinds: int) -> int:
        return ONE * sum(self.counts[kind] for kind in bits(kinds)) // self.total

    def _end_chance(self, offered: int) -> int:
        total = sum(weight for weight, _threats in self._threats) or 1
        chance = 0
        for weight, threats in self._threats:
            left = ONE
            for kinds, share in threats:
                if not kinds & (offered | WITHOUT):
                    left = left * share >> BITS
            chance += weight * left
        return chance // total

    def _soon(self, worth: int, kept: int) -> int:
        kinds = completing(worth)
        if kinds & WITHOUT:
            return SURE
        lost = ONE - power(ONE - LOST_TO_A_RIVAL, len(self.rivals))
        unseen = power(ONE - self.share(kinds), CARDS_SEEN)
        return ONE - both(unseen, power(lost, min(2, (kinds & kept).bit_count())))

    def _later(self, worth: int, kept: int) -> int:
        seen = [self._gain(worth, kind, kept & ~(1 << kind)) for kind in bits(kept)]
        counted = enumerate(self.counts)
        drawn = sum(count * self._gain(worth, kind, kept) for kind, count in counted if count)
        return max((*seen, drawn // self.total))

    def _gain(self, worth: int, kind: int, kept: int) -> int:
        with_it = worth + WORTH_OF_KIND[kind]
        ends = (with_it, *(with_it - WORTH_OF_KIND[other] for other in kinds_in(worth)))
        return max(self.soon(end, kept) for end in ends)

    def _chance(self, option: Option) -> int:
        if is_toad(option.worth):
            return ONE
        soon = self.soon(option.worth, option.kept)
        later = self.later(option.worth, option.kept)
        goes_on = ONE - power(LATER_HAZARD, len(self.rivals))
        after = both(goes_on, either(later, LATER_CHANCE))
        return both(ONE - self.ended(option.offered), either(soon, after))

    def chance(self, option: Option) -> float:
        """Return a seat's chance with an option, from 0 to 1. Exact, because ONE is a power of 2."""
        return self._chance(option) / ONE

    def drawing(self, memory: Memory) -> float:
        """Return a seat's chance if it draws, from 0 to 1."""
        total = 0
        for kind, count in enumerate(self.counts):
            if count:
                ends = draws(memory, kind, WORTH_OF_KIND[kind])
                total += count * max(map(self._chance, ends))
        return total // self.total / ONE


TOAD_VALUE = 100.0
MAXIMUS_VALUE = 101.0

WAVERING = 4.0

SPOT = 0.2
IN_SIGHT = 8.0
UNKNOWN = 1.5
MISCOUNTED = 4.0
"""Weights of the froglet's rating, in cards that complete its hand.

The rating depends on the distance in spots, on a completing card in the stock and on an unseen draw. The
last weight is the largest error of its count.
"""


Rating = Callable[[Option], float]


def plan(memory: Memory, strength: Strength, lots: Lots) -> tuple[Move, ...]:
    """Return a seat's moves up to the end of its turn or up to an unseen draw."""
    move = choose(memory, strength, lots)
    if isinstance(move, TakeStock | TakeDiscard | TakeNothing | Discard):
        return (move, *plan(_memory_after(memory, move), strength, lots))
    return (move,)


def _memory_after(memory: Memory, move: TakeStock | TakeDiscard | TakeNothing | Discard) -> Memory:
    """Return a seat's memory after its own move. A refilled stock card is still unseen."""
    view, discards, seat = memory.view, memory.discards, memory.seat
    hand, stock, event = view.hand, view.stock, memory.taken
    match move:
        case TakeStock(place):
            hand, stock = (*hand, *filter(None, (stock[place],))), replace_item(stock, place, None)
            event = Event(Happening.TOOK, seat, hand[-1:])
        case TakeDiscard():
            hand, discards = (*hand, discards[-1]), discards[:-1]
            event = Event(Happening.TOOK_DISCARD, seat, hand[-1:])
        case Discard(card):
            hand, discards = tuple(held for held in hand if held != card), (*discards, card)
    phase = Phase.CLAIM if isinstance(move, Discard) else Phase.DISCARD
    seats = replace_item(view.seats, seat, replace(view.seats[seat], held=len(hand)))
    view = replace(view, hand=hand, stock=stock, seats=seats, phase=phase)
    return replace(memory, view=view, discards=discards, taken=event)


def choose(memory: Memory, strength: Strength, lots: Lots) -> Move:
    phase = memory.view.phase
    if phase is Phase.DEAL:
        return Deal()
    if is_toad(hand_worth(memory)):
        return readable(DECLARE)
    if phase is Phase.CLAIM:
        return readable(END_TURN)
    rate, drawing = _WAYS[strength](memory, lots)
    options = takes(memory)
    best = max(options, key=lambda option: _value(memory, option, rate))
    can_draw = phase is Phase.TAKE and memory.view.can_draw
    if can_draw and drawing() >= _value(memory, best, rate):
        return readable(DRAW)
    return readable(best.move)


def _value(memory: Memory, option: Option, rate: Rating) -> float:
    """Return the value of an option. An immediate toad has the highest, and a pass the lowest."""
    if is_toad(option.worth):
        wounded = memory.view.seats[memory.seat].lives < memory.view.full
        return MAXIMUS_VALUE if option.worth == MAXIMUS and wounded else TOAD_VALUE
    if not option.passes:
        return rate(option)
    if memory.passed.issuperset(memory.rivals):
        return TOAD_VALUE if outlives(memory) else -TOAD_VALUE
    return rate(option) - TOAD_VALUE / 2


def outlives(memory: Memory) -> bool:
    """Return whether the seat wins the match if each unsafe seat loses a life (T13, T15)."""
    others = [
        seat for place, seat in enumerate(memory.view.seats) if place != memory.seat and not seat.out
    ]
    return memory.view.seats[memory.seat].lives > 1 and all(
        seat.lives == 1 and not seat.safe for seat in others
    )


def _tadpole(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    def rate(option: Option) -> float:
        blind = option.move == TAKE_DISCARD
        return -distance(option.worth) - WAVERING * lots.fraction() - (TOAD_VALUE / 2 if blind else 0)

    return rate, lambda: -distance(hand_worth(memory)) - WAVERING * lots.fraction()


def _froglet(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    """Rate options by an inexact count of completing cards, with a bonus for those in sight."""

    def rate(option: Option) -> float:
        kinds = completing(option.worth)
        in_sight = IN_SIGHT if kinds & option.kept else 0.0
        counted = sum(IN_PACK[kind] for kind in bits(kinds)) - MISCOUNTED * lots.fraction()
        return counted + in_sight - SPOT * distance(option.worth)

    now = Option(DRAW, hand_worth(memory), kinds_of(memory.view.stock), 0)
    return rate, lambda: rate(now) + UNKNOWN


def _toad(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    judge = Judge(memory, lots)
    return judge.chance, lambda: judge.drawing(memory)


_WAYS = {Strength.TADPOLE: _tadpole, Strength.FROGLET: _froglet, Strength.TOAD: _toad}

THINKING: Thinking[View, Memory, Move] = Thinking(
    recall=recall, choose=choose, plan=plan, reason=reason, version=2
)

"""Computer player for Toad.

Its strengths are named tadpole, froglet and toad. At each strength, it claims a toad in its hand
immediately and never makes a false claim. The strongest one deals the unseen cards at random many times.
Each such deal is called a world. From these worlds, it estimates the chance with which each option lets
it survive the round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, reduce

from bot.engine.frozen import replace_item
from bot.engine.lots import Lots
from bot.engine.opponent import ComputerPlayer, Strength
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
    TurnOption,
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
    EventType,
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
"""The integer that represents a probability of 1.

Chances are fixed-point integers, because sums of floats can differ between Python versions.
"""

PER_CENT = 100
FARNESS = 86
"""The likelihood of a rival's hand in percent, relative to a hand that is one spot closer to a toad.

Rivals keep cards that bring them closer to a toad, so hands far from a toad are less likely.
"""

CARDS_SEEN = 2
"""The assumed number of unseen cards that appear between two turns of the same seat."""

LOST_TO_A_RIVAL = 30 * ONE // PER_CENT
"""The assumed chance that one rival takes a stock card before the seat's next turn."""

SURE = 97 * ONE // PER_CENT
LATER_HAZARD = 35 * ONE // PER_CENT
LATER_CHANCE = 45 * ONE // PER_CENT
"""The assumed chance to survive the round if the seat has no toad after its next two turns."""


def both(chance: int, other: int) -> int:
    """Return the chance that two independent events both happen."""
    return chance * other >> BITS


def either(chance: int, other: int) -> int:
    """Return the chance that at least one of two independent events happens."""
    return chance + both(ONE - chance, other)


def power(chance: int, times: int) -> int:
    """Return the chance that an event happens ``times`` times in a row."""
    return reduce(both, (chance,) * times, ONE)


WEIGHT_BITS = 64


@lru_cache(512)
def nearness(spots: int) -> int:
    """Return the likelihood of the rivals' hands, relative to the most likely hands.

    The result is an integer, scaled by 2 to the power of ``WEIGHT_BITS``.

    Args:
        spots: The sum of the hands' distances from a toad, in spots.
    """
    left, whole = int(FARNESS**spots), int(PER_CENT**spots)
    return (left << WEIGHT_BITS) // whole


class Judge:
    """An estimator for the chance that a seat survives the round after a given option.

    Intermediate results are cached, because many options share them.
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
        """Deal the unseen cards at random. Return the likelihood of the deal, and each rival's outlook.

        The outlook consists of the kinds of cards that would complete the rival's toad, and the chance
        that the next unseen card is one of them. Cards with the same spots and colour are of one kind.
        """
        hands, _draw = world(memory, lots)
        spots, can_be, threats = 0, True, list[tuple[int, int]]()
        for seat in self.rivals:
            worth = sum(WORTH[card] for card in hands[seat])
            if is_toad(worth) and (memory.known[seat] or memory.discards):
                can_be = False  # the rival has had a turn and would have claimed its toad
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
        gains = [self._gain(worth, kind, kept & ~(1 << kind)) for kind in bits(kept)]
        counted = enumerate(self.counts)
        draw_gain = sum(count * self._gain(worth, kind, kept) for kind, count in counted if count)
        return max((*gains, draw_gain // self.total))

    def _gain(self, worth: int, kind: int, kept: int) -> int:
        with_it = worth + WORTH_OF_KIND[kind]
        ends = (with_it, *(with_it - WORTH_OF_KIND[other] for other in kinds_in(worth)))
        return max(self.soon(end, kept) for end in ends)

    def _chance(self, option: TurnOption) -> int:
        if is_toad(option.worth):
            return ONE
        soon = self.soon(option.worth, option.kept)
        later = self.later(option.worth, option.kept)
        goes_on = ONE - power(LATER_HAZARD, len(self.rivals))
        after = both(goes_on, either(later, LATER_CHANCE))
        return both(ONE - self.ended(option.offered), either(soon, after))

    def chance(self, option: TurnOption) -> float:
        """Return the chance that the seat survives the round after an option, from 0 to 1.

        The float is exact, because ONE is a power of 2.
        """
        return self._chance(option) / ONE

    def drawing(self, memory: Memory) -> float:
        """Return the chance that the seat survives the round if it draws a card, from 0 to 1."""
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
"""The largest error, in cards, when the froglet counts the cards that would complete its toad.

``SPOT``, ``IN_SIGHT`` and ``UNKNOWN`` are also measured in cards. The froglet subtracts ``SPOT`` for
each spot of distance from a toad. It adds ``IN_SIGHT`` if the stock shows a card that completes the
toad, and ``UNKNOWN`` for a draw.
"""


Rating = Callable[[TurnOption], float]


def plan(memory: Memory, strength: Strength, lots: Lots) -> tuple[Move, ...]:
    """Return the moves that the seat should make in the rest of its turn.

    If the seat draws a card, the plan ends with the draw, because the card is not known yet.
    """
    move = choose(memory, strength, lots)
    if isinstance(move, TakeStock | TakeDiscard | TakeNothing | Discard):
        return (move, *plan(_memory_after(memory, move), strength, lots))
    return (move,)


def _memory_after(memory: Memory, move: TakeStock | TakeDiscard | TakeNothing | Discard) -> Memory:
    """Return the memory of a computer player after its own move.

    If it takes a stock card, the place of the card stays empty, because the next card is not known yet.
    """
    view, discards, seat = memory.view, memory.discards, memory.seat
    hand, stock, event = view.hand, view.stock, memory.taken
    match move:
        case TakeStock(place):
            hand, stock = (*hand, *filter(None, (stock[place],))), replace_item(stock, place, None)
            event = Event(EventType.TOOK, seat, hand[-1:])
        case TakeDiscard():
            hand, discards = (*hand, discards[-1]), discards[:-1]
            event = Event(EventType.TOOK_DISCARD, seat, hand[-1:])
        case Discard(card):
            hand, discards = tuple(other for other in hand if other != card), (*discards, card)
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


def _value(memory: Memory, option: TurnOption, rate: Rating) -> float:
    """Return the value of an option for the computer player.

    A toad has the highest value. A pass has a low value, except if it ends the round and wins the match.
    """
    if is_toad(option.worth):
        wounded = memory.view.seats[memory.seat].lives < memory.view.full
        return MAXIMUS_VALUE if option.worth == MAXIMUS and wounded else TOAD_VALUE
    if not option.passes:
        return rate(option)
    if memory.passed.issuperset(memory.rivals):
        return TOAD_VALUE if outlives(memory) else -TOAD_VALUE
    return rate(option) - TOAD_VALUE / 2


def outlives(memory: Memory) -> bool:
    """Return whether the seat wins the match if every seat without a toad loses a life (T13, T15)."""
    others = [
        seat for place, seat in enumerate(memory.view.seats) if place != memory.seat and not seat.is_out
    ]
    return memory.view.seats[memory.seat].lives > 1 and all(
        seat.lives == 1 and not seat.safe for seat in others
    )


def _tadpole(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    def rate(option: TurnOption) -> float:
        blind = option.move == TAKE_DISCARD
        return -distance(option.worth) - WAVERING * lots.fraction() - (TOAD_VALUE / 2 if blind else 0)

    return rate, lambda: -distance(hand_worth(memory)) - WAVERING * lots.fraction()


def _froglet(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    """Return two functions that rate an option and a draw for the froglet, the medium strength.

    An option is rated by the number of cards that would complete a toad. The number has a random error.
    A completing card in the stock adds a bonus.
    """

    def rate(option: TurnOption) -> float:
        kinds = completing(option.worth)
        in_sight = IN_SIGHT if kinds & option.kept else 0.0
        counted = sum(IN_PACK[kind] for kind in bits(kinds)) - MISCOUNTED * lots.fraction()
        return counted + in_sight - SPOT * distance(option.worth)

    now = TurnOption(DRAW, hand_worth(memory), kinds_of(memory.view.stock), 0)
    return rate, lambda: rate(now) + UNKNOWN


def _toad(memory: Memory, lots: Lots) -> tuple[Rating, Callable[[], float]]:
    judge = Judge(memory, lots)
    return judge.chance, lambda: judge.drawing(memory)


_WAYS = {Strength.TADPOLE: _tadpole, Strength.FROGLET: _froglet, Strength.TOAD: _toad}

THINKING: ComputerPlayer[View, Memory, Move] = ComputerPlayer(
    recall=recall, choose=choose, plan=plan, reason=reason, version=2
)

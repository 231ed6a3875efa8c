"""*Toad in two*: a hand, a stock and a discard, and the one best turn towards a toad on the next.

Nobody moves in between. What a turn is worth is exact: every card that is not seen is as likely as every
other to come next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count

from bot.engine.cards import PACK, Card
from bot.engine.puzzle import Puzzle, Puzzles, Way
from bot.engine.shuffle import SEED_BYTES, shuffled
from bot.engine.words import N_, _
from bot.games.toad.compact import KIND, NUMBER, WORTH
from bot.games.toad.match import begin_turn, open_match
from bot.games.toad.options import WITHOUT, completing, is_toad, kinds_of
from bot.games.toad.state import (
    HAND_SIZE,
    STOCK_SIZE,
    Discard,
    Draw,
    EndTurn,
    Move,
    State,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    read,
    write,
)
from bot.games.toad.words import turn_words

SEATS = 2
MOST_HELD = 3
"""Of a hand of three every turn fits into one menu of Discord's."""

GAPS = (
    (Fraction(12, 100), Fraction(1)),
    (Fraction(6, 100), Fraction(12, 100)),
    (Fraction(25, 1000), Fraction(6, 100)),
)
"""By how much the best turn is better than every other, by grade: from, and less than. Where a toad is
sure there are always two ways to it: what is taken first may as well be taken second."""


def find(grade: int, number: int) -> Puzzle[State]:
    """Return the puzzle of a grade, 1 to 3, and a number: the same one always."""
    for again in count():
        pack = shuffled(PACK, number.to_bytes(SEED_BYTES, "big"), f"toad in two {grade} {again}")
        puzzle = _puzzle(pack, HAND_SIZE + (number + again) % (MOST_HELD - HAND_SIZE + 1), grade)
        if puzzle is not None:
            return puzzle
    raise AssertionError("the pack has no end of deals")


def _puzzle(pack: Sequence[Card], held: int, grade: int) -> Puzzle[State] | None:
    hand, rest = tuple(pack[:held]), pack[held:]
    stock, top, unseen = tuple(rest[:STOCK_SIZE]), rest[STOCK_SIZE], tuple(rest[STOCK_SIZE + 1 :])
    found = list(_ways(hand, stock, top, unseen))
    if any(way is None for way in found):
        return None  # a toad at once
    puzzle = Puzzle(_state(hand, stock, top, unseen), tuple(way for way in found if way is not None))
    best, second = (puzzle.ways[number].chance for number in puzzle.ranking[:2])
    least, most = GAPS[grade - 1]
    return puzzle if least <= best - second < most else None


def _ways(
    hand: tuple[Card, ...], stock: tuple[Card, ...], top: Card, unseen: tuple[Card, ...]
) -> Iterator[Way | None]:
    """Yield every turn and how likely a toad is on the next one; None for a turn that makes one."""
    left = [KIND[NUMBER[card]] for card in unseen]
    takes: list[tuple[Move, Card | None]] = [
        *((TakeStock(place), card) for place, card in enumerate(stock)),
        (TakeDiscard(), top),
        (TakeNothing(), None),
    ]
    for take, card in takes:
        new = hand if card is None else (*hand, card)
        open_ = kinds_of(other for other in stock if other != card)
        for off in (None, *hand):
            if is_toad(_worth(new, off)):
                yield None
            pile = off or (None if card == top else top)
            chance = _chance(_worth(new, off), open_ | kinds_of([pile]), left, card in stock)
            yield Way(_written(take, off), chance)
    yield Way((write(Draw()),), _of_drawing(hand, kinds_of(stock), top, unseen))


def _worth(hand: Sequence[Card], off: Card | None = None) -> int:
    return sum(WORTH[NUMBER[card]] for card in hand if card != off)


def _chance(worth: int, open_: int, left: Sequence[int], is_refilled: bool) -> Fraction:
    """Return how likely a hand is to become a toad in a turn.

    ``open_`` are the kinds of the cards that can be taken, as bits, ``left`` those of the cards unseen;
    of these one may come into the stock before.
    """
    wanted = completing(worth)
    if wanted & (open_ | WITHOUT):
        return Fraction(1)
    n, fitting = len(left), sum(wanted >> kind & 1 for kind in left)
    drawn = Fraction(fitting, n)
    return drawn + (1 - drawn) * Fraction(fitting, n - 1) if is_refilled else drawn


def _of_drawing(hand: tuple[Card, ...], open_: int, top: Card, unseen: tuple[Card, ...]) -> Fraction:
    """Return how likely a toad is by the next turn for who draws now, and then discards what is best."""
    total = Fraction(0)
    for drawn in unseen:
        left = [KIND[NUMBER[card]] for card in unseen if card != drawn]
        new = (*hand, drawn)
        total += max(
            Fraction(1)
            if is_toad(_worth(new, off))
            else _chance(_worth(new, off), open_ | kinds_of([off or top]), left, is_refilled=False)
            for off in (None, *new)
        )
    return total / len(unseen)


def _written(take: Move, off: Card | None) -> tuple[str, ...]:
    """Return the moves of a turn; one that takes and discards nothing is its end alone."""
    if off is None:
        return (write(EndTurn() if take == TakeNothing() else take),)
    return write(take), write(Discard(off))


def _state(
    hand: tuple[Card, ...], stock: tuple[Card, ...], top: Card, unseen: tuple[Card, ...]
) -> State:
    """Return the position, seat 0 to move; its rival's hand is of the unseen cards."""
    state = replace(
        open_match(SEATS, 1, bytes(SEED_BYTES)),
        dealer=1,
        hands=(hand, unseen[:HAND_SIZE]),
        stock=stock,
        draw=unseen[HAND_SIZE:],
        discards=(top,),
        events=(),
    )
    return begin_turn(state, 0)


def told(state: State, way: Way) -> str:
    """Return what is done in a turn, in a few words."""
    return turn_words(state, (read(text, state) for text in way.moves)) or _("pass")


def verdict(puzzle: Puzzle[State], picked: int) -> str:
    """Return how likely the best turn leads to a toad, and how likely the one that was picked."""
    best, second, *_others = puzzle.ranking
    if picked == best:
        words, other = _("A toad in {n} of 100 cases; the next best turn has {m}."), second
    else:
        words, other = _("A toad in {n} of 100 cases; yours has {m}."), picked
    return words.format(n=_percent(puzzle.ways[best]), m=_percent(puzzle.ways[other]))


def _percent(way: Way) -> int:
    return round(100 * way.chance)


PUZZLES: Puzzles[State] = Puzzles(
    name=N_("Toad in two"),
    question=N_(
        "It is your turn, and after it your rival passes. With which turn are you likeliest to have a "
        "toad by your next one?"
    ),
    choice=N_("Which turn is best?"),
    find=find,
    told=told,
    verdict=verdict,
)

"""Compact positions of American Toad for the solver. They are much faster than the rules module.

``rules`` is authoritative. Each sequence of moves found here is replayed there before it is used.

All parts of a position are integers:

- A *card* is its suit times 13 plus its rank. Ranks are counted from the base rank, so each foundation
  builds from 0 to 12 in every deal.
- A *run* holds the cards of a column, which are always one descending sequence. It combines the highest
  card and the length, so adding or removing a card changes it by one.
- The *talon* is the waste from bottom to top, followed by the stock in the order in which it is turned.
  A redeal starts again at its first card.
- A *pair* combines the heights of a suit's two foundations, with the lower one first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from bot.engine.cards import KING, Card, Suit
from bot.engine.frozen import replace_item
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
    Turn,
    TurnOn,
    Up,
)

SPAN = 27
"""One more than the length of the longest run, which contains each card of a suit twice."""
RESERVE, WASTE = COLUMNS, COLUMNS + 1
UP, PLACE, SHIFT, TURN, REDEAL, ALL_UP, TURN_UP = range(7)
STRICT, CAREFUL, EASY, EAGER = 0, 1, 3, FULL
"""Levels of slack. With more slack, the search moves more cards to the foundations automatically.

The slack is the maximum number of cards by which the other foundation of the same suit may be behind.
"""

Step: TypeAlias = tuple[int, ...]
"""A move as a tuple of its type and its arguments.

The forms are ``(UP, source)``, ``(PLACE, source, column)``, ``(SHIFT, source, column, count)``,
``(TURN, count)``, ``(REDEAL,)``, ``(ALL_UP,)`` and ``(TURN_UP,)``. ``TURN_UP`` turns the stock until a
card fits, and moves all possible cards to the foundations on the way.
"""

Lie: TypeAlias = tuple[tuple[int, ...], int, bool, int, tuple[int, ...], tuple[int, ...]]
"""A position as a tuple.

Its items are the talon, the number of cards in the waste, whether the redeal is left, the number of
cards in the reserve, the columns' runs, and each suit's pair.
"""

_SOURCES = (RESERVE, WASTE, *range(COLUMNS))
_CARDS = range(len(Suit) * KING)
_SUIT_PLACE = {suit: place for place, suit in enumerate(Suit)}
_PAIR = FULL + 1

SUIT_OF = tuple(card // KING for card in _CARDS)
BELOW = tuple(card // KING * KING + (card - 1) % KING for card in _CARDS)
HEAD = tuple(card for card in _CARDS for _length in range(SPAN))
TAIL = tuple(
    card // KING * KING + (card % KING - length + 1) % KING for card in _CARDS for length in range(SPAN)
)
"""The lowest card of each run, which is the top card of its column."""

_ALL_PAIRS = [divmod(pair, _PAIR) for pair in range(_PAIR * _PAIR)]
CARDS_UP = tuple(low + high for low, high in _ALL_PAIRS)
WON = (FULL * _PAIR + FULL,) * len(Suit)


def pair_of(one: int, other: int) -> int:
    return min(one, other) * _PAIR + max(one, other)


RAISED = tuple(
    tuple(pair_of(low + 1, high) if rank == low else pair_of(low, high + 1) for rank in range(KING))
    for low, high in _ALL_PAIRS
)
"""For each pair of foundation heights and each rank, the pair after a card of this rank has gone up."""


def _bits(suit: int, low: int, high: int, slack: int) -> int:
    pairs = ((low, high), (high, low))
    ranks = {one for one, other in pairs if one < FULL and other >= one - slack and (one or slack)}
    return sum(1 << (suit * KING + rank) for rank in ranks)


GOING = {
    slack: tuple(
        tuple(_bits(suit, low, high, slack) for low, high in _ALL_PAIRS) for suit in range(len(Suit))
    )
    for slack in (STRICT, CAREFUL, EASY, EAGER)
}
"""The cards that move to the foundations automatically, as bits, by slack, suit and pair of heights.

With the slack ``EAGER``, these are all cards that can move there.
"""


def compact(position: Position) -> tuple[Lie, tuple[int, ...]]:
    """Return the compact form of a position, and the cards of its reserve. The top card comes last."""

    def numbers(cards: tuple[Card, ...]) -> tuple[int, ...]:
        return tuple(
            _SUIT_PLACE[card.suit] * KING + (card.rank - position.base) % KING for card in cards
        )

    runs = tuple(numbers(cards[:1])[0] * SPAN + len(cards) if cards else 0 for cards in position.columns)
    talon = numbers(position.waste) + numbers(position.stock[::-1])
    reserve = numbers(position.reserve)
    heights = iter(position.heights)
    pairs = tuple(pair_of(one, other) for one, other in zip(heights, heights, strict=True))
    return (talon, len(position.waste), position.redeal_left, len(reserve), runs, pairs), reserve


_PLAIN: dict[int, Move] = {REDEAL: Redeal(), ALL_UP: AllUp(), TURN_UP: TurnOn(up=True)}


def move_of(step: Step) -> Move:
    kind, *where = step
    if kind == UP:
        return Up(_source(where[0]))
    if kind == PLACE:
        return Place(Pile.RESERVE if where[0] == RESERVE else Pile.WASTE, where[1])
    if kind == SHIFT:
        return Shift(*where)
    return Turn(where[0]) if kind == TURN else _PLAIN[kind]


def _source(source: int) -> Pile | int:
    return {RESERVE: Pile.RESERVE, WASTE: Pile.WASTE}.get(source, source)


def tidy(reserve: tuple[int, ...], lie: Lie, slack: int, steps: list[Step]) -> Lie:
    """Move cards to the foundations automatically, in the same order as the rules module.

    With the slack STRICT, a winnable position always stays winnable. A card moves only if all cards that
    could be put on it are on foundations already. A card of the base rank never moves, because the last
    card of its suit could still be put on it.

    Args:
        reserve: The cards of the reserve, with the top card last.
        lie: The position.
        slack: Decides which cards move. See ``STRICT``.
        steps: A list to which the moves are appended.

    Returns:
        The position after the moves.
    """
    talon, turned, redeal, left, columns, pairs = lie
    going = going_of(pairs, slack)
    runs, high = list(columns), list(pairs)
    place = 0
    while place < len(_SOURCES):
        source = _SOURCES[place]
        if source < COLUMNS:
            card = TAIL[runs[source]] if runs[source] else -1
        elif source == RESERVE:
            card = reserve[left - 1] if left else -1
        else:
            card = talon[turned - 1] if turned else -1
        if card < 0 or not going >> card & 1:
            place += 1
            continue
        place = 0
        suit = SUIT_OF[card]
        high[suit] = RAISED[high[suit]][card - suit * KING]
        going = going_of(high, slack)
        steps.append((UP, source))
        if source == RESERVE:
            left -= 1
        elif source == WASTE:
            turned -= 1
            talon = talon[:turned] + talon[turned + 1 :]
        else:
            left, runs[source] = remove_cards(reserve, left, runs[source], 1)
    return (talon, turned, redeal, left, tuple(runs), tuple(high))


def going_of(pairs: Sequence[int], slack: int) -> int:
    clubs, diamonds, hearts, spades = GOING[slack]
    return clubs[pairs[0]] | diamonds[pairs[1]] | hearts[pairs[2]] | spades[pairs[3]]


def raise_card(pairs: tuple[int, ...], card: int) -> tuple[int, ...]:
    suit = SUIT_OF[card]
    return replace_item(pairs, suit, RAISED[pairs[suit]][card - suit * KING])


def remove_cards(reserve: tuple[int, ...], left: int, run: int, count: int) -> tuple[int, int]:
    """Remove cards from a column. If it becomes empty, the reserve's top card fills it (A6).

    Returns:
        The number of cards left in the reserve, and the new run.
    """
    rest = run - count
    if rest % SPAN:
        return left, rest
    return (left - 1, reserve[left - 1] * SPAN + 1) if left else (0, 0)


Successor: TypeAlias = tuple[tuple[Step, ...], Lie]

Onto: TypeAlias = dict[int, list[int]]
"""The columns onto which each card can be moved."""


def successors(reserve: tuple[int, ...], lie: Lie, turns: int | None) -> Iterator[Successor]:
    """Yield each possible next position with the steps that lead to it.

    No position is yielded for turning the stock alone. The stock is turned immediately before one of its
    cards is played, because nothing else depends on it.

    Args:
        reserve: The cards of the reserve, with the top card last.
        lie: The position.
        turns: The maximum number of talon cards to try. With None, all moves are tried, except those
            that differ only in the choice of an empty column.
    """
    talon, turned, redeal, left, runs, pairs = lie
    onto, gaps = _targets(runs), _gaps(runs)
    yield from _shifts(reserve, lie, onto, gaps, parts=turns is None)
    going = going_of(pairs, EAGER)
    for column, run in enumerate(runs):
        if run and going >> TAIL[run] & 1:
            rest, shorter = remove_cards(reserve, left, run, 1)
            columns = replace_item(runs, column, shorter)
            yield ((UP, column),), (talon, turned, redeal, rest, columns, raise_card(pairs, TAIL[run]))
    if left and going >> reserve[left - 1] & 1:
        up = raise_card(pairs, reserve[left - 1])
        yield ((UP, RESERVE),), (talon, turned, redeal, left - 1, runs, up)
    yield from _reserves(reserve, lie, onto)
    yield from _talons(lie, onto, gaps, going, turns)


def _reserves(reserve: tuple[int, ...], lie: Lie, onto: Onto) -> Iterator[Successor]:
    talon, turned, redeal, left, runs, pairs = lie
    for column in onto.get(reserve[left - 1], ()) if left else ():
        columns = replace_item(runs, column, runs[column] + 1)
        yield ((PLACE, RESERVE, column),), (talon, turned, redeal, left - 1, columns, pairs)


def _wastes(
    lie: Lie, place: int, redeal: bool, onto: Onto, gaps: tuple[int, ...], steps: tuple[Step, ...]
) -> Iterator[Successor]:
    """Yield the moves that put a card of the stock or the waste onto a column or into an empty column.

    Each move is preceded by the given steps, which bring the card to the top of the waste.
    """
    talon, _turned, _redeal, left, runs, pairs = lie
    card, rest = talon[place], talon[:place] + talon[place + 1 :]
    for column in (*onto.get(card, ()), *gaps):
        columns = replace_item(runs, column, runs[column] + 1 if runs[column] else card * SPAN + 1)
        yield (*steps, (PLACE, WASTE, column)), (rest, place, redeal, left, columns, pairs)


def _shifts(
    reserve: tuple[int, ...], lie: Lie, onto: Onto, gaps: tuple[int, ...], *, parts: bool
) -> Iterator[Successor]:
    """Yield the moves that put a whole column onto another column.

    If ``parts`` is true, also yield moves of a column's last cards, and of single cards into an empty
    column.
    """
    talon, turned, redeal, left, runs, pairs = lie
    for source, run in enumerate(runs):
        length = run % SPAN
        counts = range(1, length + 1) if parts else (length,) if run else ()
        for count in counts:
            head = TAIL[run - count + 1]
            for column in onto.get(head, ()):
                if column != source:
                    columns = list(runs)
                    rest, columns[source] = remove_cards(reserve, left, run, count)
                    columns[column] += count
                    after = (talon, turned, redeal, rest, tuple(columns), pairs)
                    yield ((SHIFT, source, column, count),), after
        for gap in gaps if parts and not left and length > 1 else ():
            columns = list(runs)
            columns[gap], columns[source] = TAIL[run] * SPAN + 1, run - 1
            yield ((SHIFT, source, gap, 1),), (talon, turned, redeal, left, tuple(columns), pairs)


def offered_successors(reserve: tuple[int, ...], lie: Lie) -> Iterator[Successor]:
    """Yield the next positions after moves that players can make with a button.

    Moves that are rarely good are omitted. Cards move to the foundations automatically only while the
    stock is turned.
    """
    talon, turned, redeal, left, runs, pairs = lie
    onto, gaps = _targets(runs), _gaps(runs)
    yield from _shifts(reserve, lie, onto, gaps, parts=False)
    yield from _reserves(reserve, lie, onto)
    if turned:
        yield from _wastes(lie, turned - 1, redeal, onto, gaps, ())
    steps: list[Step] = []
    up = tidy(reserve, lie, EAGER, steps)
    if steps:
        yield ((ALL_UP,),), up
    if turned < len(talon):
        yield ((TURN_UP,),), _turn_cards(reserve, up)
    elif redeal and turned:
        yield ((REDEAL,),), (talon, 0, False, left, runs, pairs)


def _turn_cards(reserve: tuple[int, ...], lie: Lie) -> Lie:
    while lie[1] < len(lie[0]):
        lie = tidy(reserve, (lie[0], lie[1] + 1, *lie[2:]), EAGER, [])
        talon, turned, _redeal, _left, runs, _pairs = lie
        if turned and talon[turned - 1] in _targets(runs):
            break
    return lie


def _targets(runs: tuple[int, ...]) -> Onto:
    onto: Onto = {}
    for column, run in enumerate(runs):
        if run:
            onto.setdefault(BELOW[TAIL[run]], []).append(column)
    return onto


def _gaps(runs: tuple[int, ...]) -> tuple[int, ...]:
    return (runs.index(0),) if 0 in runs else ()


def _talons(
    lie: Lie, onto: Onto, gaps: tuple[int, ...], going: int, turns: int | None
) -> Iterator[Successor]:
    """Yield the moves of the waste's top card, and of each card that can be turned from the stock.

    This includes the cards that can be turned after the redeal.
    """
    talon, turned, redeal, left, runs, pairs = lie
    count, end = 0, len(talon)
    ways: list[tuple[tuple[Step, ...], bool, int, int]] = [((), redeal, turned, max(turned - 1, 0))]
    if redeal:
        to_end: tuple[Step, ...] = ((TURN, end - turned), (REDEAL,)) if turned < end else ((REDEAL,),)
        ways.append((to_end, False, 0, 0))
    for before, still, start, first in ways:
        for place in range(first, end):
            card = talon[place]
            goes = going >> card & 1
            if not goes and card not in onto and not gaps:
                continue
            if turns is not None and count >= turns:
                return
            count += 1
            steps = before if place < start else (*before, (TURN, place + 1 - start))
            if goes:
                rest = talon[:place] + talon[place + 1 :]
                yield (*steps, (UP, WASTE)), (rest, place, still, left, runs, raise_card(pairs, card))
            yield from _wastes(lie, place, still, onto, gaps, steps)

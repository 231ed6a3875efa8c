"""Moves of cards in American Toad Solitaire (A2 to A10, A12).

Undo, redo, hints and peeks are in other modules. A card "goes up" when it moves to a foundation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from bot.engine.cards import KING, Card
from bot.engine.frozen import replace_item
from bot.games.american_toad.state import (
    COLUMNS,
    FULL,
    SUITS,
    CardMove,
    Pile,
    Place,
    Position,
    Redeal,
    Shift,
    Turn,
    Up,
)


def rank_after(rank: int) -> int:
    """Return the next higher rank. The Ace comes after the King (A2, A4)."""
    return rank % KING + 1


def fits(card: Card, on: Card) -> bool:
    """Return whether a card can be put on another card in a column (A4).

    The card must have the same suit and the next lower rank. A King can be put on an Ace.
    """
    return card.suit is on.suit and rank_after(card.rank) == on.rank


def foundation_for(base: int, heights: Sequence[int], card: Card) -> int | None:
    """Return the index of a foundation to which the card can move now, or None (A2, A3)."""
    for place, (suit, height) in enumerate(zip(SUITS, heights, strict=True)):
        if suit is card.suit and height < FULL and next_rank(base, height) == card.rank:
            return place
    return None


def next_rank(base: int, height: int) -> int:
    """Return the rank of the next card for a foundation that holds ``height`` cards (A2)."""
    return (base - 1 + height) % KING + 1


def foundation_cards(base: int, heights: Sequence[int]) -> Iterator[Card]:
    """Yield all cards on the foundations (A2)."""
    for suit, height in zip(SUITS, heights, strict=True):
        yield from (Card(next_rank(base, step), suit) for step in range(height))


def top(position: Position, source: Pile | int) -> Card | None:
    cards = _cards(position, source)
    return cards[-1] if cards else None


def card_moves(position: Position) -> Iterator[CardMove]:
    """Yield all legal moves of cards (A3 to A10)."""
    yield from _stock_moves(position)
    yield from ups(position)
    yield from _places(position)
    yield from _shifts(position)


def can_finish(position: Position) -> bool:
    """Return whether the remaining cards can be moved to the foundations automatically (A12).

    This is the case if only columns have cards left and no other moves are needed.
    """
    return not (position.reserve or position.stock or position.waste) and all_up(position).is_won


def until_fits(position: Position, *, up: bool) -> Turn:
    """Return a move that turns stock cards until a turned card fits on a foundation or a column.

    If no card fits, the move turns the whole stock.

    Args:
        position: The position before the turn.
        up: Whether all possible cards go up first and after each turned card.
    """
    position, count = all_up(position) if up else position, 0
    while position.stock:
        position, count = _turn_card(position) if up else apply_move(position, Turn()), count + 1
        card = top(position, Pile.WASTE)
        if card is not None and (
            foundation_for(position.base, position.heights, card) is not None
            or any(fits(card, column[-1]) for column in position.columns if column)
        ):
            break
    return Turn(count, up)


def apply_move(position: Position, move: CardMove) -> Position:
    match move:
        case Turn(count, up=False):
            stock, turned = position.stock[:-count], position.stock[: -count - 1 : -1]
            return replace(position, stock=stock, waste=(*position.waste, *turned))
        case Turn(count):
            position = all_up(position)
            for _card in range(count):
                position = _turn_card(position)
            return position
        case Redeal():
            stock = position.waste[::-1]
            return replace(position, stock=stock, waste=(), redeal_left=False)
        case Up(source):
            card = _cards(position, source)[-1]
            place = foundation_for(position.base, position.heights, card)
            heights = tuple(height + (at == place) for at, height in enumerate(position.heights))
            return _fill_gaps(replace(_remove_cards(position, source, 1), heights=heights))
        case Place(source, column):
            card = _cards(position, source)[-1]
            return _fill_gaps(_onto(_remove_cards(position, source, 1), column, (card,)))
        case Shift(source, column, count):
            cards = position.columns[source][-count:]
            return _fill_gaps(_onto(_remove_cards(position, source, count), column, cards))
        case _:
            assert_never(move)


def _turn_card(position: Position) -> Position:
    """Turn one stock card. If it fits on a foundation, move all possible cards to foundations (A3)."""
    position = apply_move(position, Turn())
    is_up = foundation_for(position.base, position.heights, position.waste[-1]) is not None
    return all_up(position) if is_up else position


def all_up(position: Position) -> Position:
    """Move all possible cards to the foundations (A3)."""
    return deque(going_up(position), 1)[0]


def going_up(position: Position) -> Iterator[Position]:
    """Move cards to the foundations one by one until no more can move (A3).

    Yield the given position and the position after each move.
    """
    yield position
    while move := next(ups(position), None):
        position = apply_move(position, move)
        yield position


def _stock_moves(position: Position) -> Iterator[CardMove]:
    """Yield the move that turns one stock card. If the stock is empty, yield the redeal (A9, A10).

    Yield nothing if neither is possible.
    """
    if position.stock:
        yield Turn()
    elif position.waste and position.redeal_left:
        yield Redeal()


def ups(position: Position) -> Iterator[Up]:
    """Yield all legal moves to the foundations (A2, A3, A8)."""
    for source in (Pile.RESERVE, Pile.WASTE, *range(COLUMNS)):
        card = top(position, source)
        if card is not None and foundation_for(position.base, position.heights, card) is not None:
            yield Up(source)


def _places(position: Position) -> Iterator[Place]:
    """Yield the legal moves from the reserve and from the waste onto columns (A7, A8).

    While the reserve has cards, no column is empty, because the reserve fills it immediately.
    """
    for source in Pile:
        card = top(position, source)
        for column, cards in enumerate(position.columns):
            if card is not None and (not cards or fits(card, cards[-1])):
                yield Place(source, column)


def _shifts(position: Position) -> Iterator[Shift]:
    """Yield the legal moves of a whole column, or of its last cards, onto another column (A5, A7)."""
    for source, run in enumerate(position.columns):
        for column, cards in enumerate(position.columns):
            if source == column or not run:
                continue
            if not cards:
                yield Shift(source, column, 1)
            elif run[-1].suit is cards[-1].suit:  # a column is always one sequence in suit (A4)
                first = (cards[-1].rank - run[-1].rank - 1) % KING + 1
                for count in range(first, len(run) + 1, KING):
                    yield Shift(source, column, count)


def _cards(position: Position, source: Pile | int) -> tuple[Card, ...]:
    if source is Pile.WASTE:
        return position.waste
    if source is Pile.RESERVE:
        return position.reserve
    return position.columns[source]


def _remove_cards(position: Position, source: Pile | int, count: int) -> Position:
    rest = _cards(position, source)[:-count]
    if source is Pile.WASTE:
        return replace(position, waste=rest)
    if source is Pile.RESERVE:
        return replace(position, reserve=rest)
    return replace(position, columns=replace_item(position.columns, source, rest))


def _onto(position: Position, column: int, cards: tuple[Card, ...]) -> Position:
    columns = replace_item(position.columns, column, position.columns[column] + cards)
    return replace(position, columns=columns)


def _fill_gaps(position: Position) -> Position:
    """Fill empty columns from the reserve while it has cards (A6)."""
    for column, cards in enumerate(position.columns):
        if not cards and position.reserve:
            card = position.reserve[-1]
            position = _onto(replace(position, reserve=position.reserve[:-1]), column, (card,))
    return position

"""Detection of deadlocks in American Toad: cards can still move, but no moves make progress (A11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TypeAlias

from bot.engine.cards import KING, Card
from bot.games.american_toad.card_moves import next_rank, rank_after
from bot.games.american_toad.state import FULL, SUITS, Pile
from bot.games.american_toad.view import View

MOST_POSITIONS = 300
"""The maximum number of positions to search, which takes a few milliseconds. Usually, 12 are enough."""

Kind: TypeAlias = tuple[str, int]
"""A card's suit and rank. The deck has two cards of each kind."""

Run: TypeAlias = tuple[str, int, int]
"""A column, represented by its suit, the rank of its top card and its length."""

Columns: TypeAlias = tuple[Run | tuple[()], ...]
"""All columns, sorted. Positions that differ only in the order of the columns are equivalent."""


def only_circles(view: View) -> bool:
    """Return whether cards can still move, but no sequence of moves makes progress.

    Progress means that a card moves to a foundation, that a card moves from the reserve or the waste
    onto a column, or that a hidden card becomes visible.
    """
    if view.is_over or view.stuck or view.stock_left or (view.waste and view.redeal_left):
        return False
    heights = zip(SUITS, view.heights, strict=True)
    next_up = {(suit.value, next_rank(view.base, height)) for suit, height in heights if height < FULL}
    waiting = {_kind(card) for card in (view.reserve, view.top(Pile.WASTE)) if card is not None}
    helps = next_up | {(suit, rank_after(rank)) for suit, rank in waiting}
    if waiting & next_up:
        return False
    first = _sort_columns(map(_run, view.columns))
    seen, left = {first}, [first]
    while left and len(seen) <= MOST_POSITIONS:
        columns = left.pop()
        if (waiting and () in columns) or any(run[:2] in helps for run in columns):
            return False
        successors = set(_shift_cards(columns)) - seen
        seen |= successors
        left += successors
    return not left


def _kind(card: Card) -> Kind:
    return card.suit.value, card.rank


def _run(cards: tuple[Card, ...]) -> Run | tuple[()]:
    return (*_kind(cards[-1]), len(cards)) if cards else ()


def _sort_columns(columns: Iterable[Run | tuple[()]]) -> Columns:
    return tuple(sorted(columns))


def _shift_cards(columns: Columns) -> Iterator[Columns]:
    """Yield the resulting columns for each possible move between two columns (A5, A7).

    Only a single card can be moved into an empty column.
    """
    for source, column in product(range(len(columns)), repeat=2):
        run, onto = columns[source], columns[column]
        if source == column or not run:
            continue
        suit, rank, length = run
        counts = range(1, 2)
        if onto:
            first = (onto[1] - rank - 1) % KING + 1
            counts = range(first, length + 1, KING) if onto[0] == suit else range(0)
        for count in counts:
            after = list(columns)
            rest = length - count
            after[source] = (suit, (rank + count - 1) % KING + 1, rest) if rest else ()
            after[column] = (suit, rank, count + (onto[2] if onto else 0))
            yield _sort_columns(after)

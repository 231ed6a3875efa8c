"""*Toad in two*: each puzzle has one best turn, and its chances are those of the cards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from bot.engine.cards import PACK, Card
from bot.engine.puzzle import GRADES, MOST_WAYS, Puzzle
from bot.games.toad.puzzles import PUZZLES
from bot.games.toad.state import State, is_toad
from tests.games.toad.tables import play


def _can_be_toad(hand: tuple[Card, ...], taken: tuple[Card, ...]) -> bool:
    """Return whether a turn that may take one of some cards can end with a toad."""
    hands = [hand, *((*hand, card) for card in taken)]
    return any(
        is_toad(kept)
        for each in hands
        for n in (len(each), len(each) - 1)
        for kept in combinations(each, n)
    )


def _by_playing(state: State, moves: tuple[str, ...]) -> Fraction:
    """Return how likely a turn leads to a toad, by playing it with every card on top of the draw pile.

    What is drawn in the next turn is tried too: each of the cards that are left.
    """
    seen = {*state.hands[0], *state.stock, *state.discards}
    unseen = [card for card in PACK if card not in seen]
    total = Fraction(0)
    for first in unseen:
        rest = tuple(card for card in unseen if card != first)
        after = play(_with_draw(state, (first, *rest)), *moves)
        hand, open_ = after.hands[0], (*filter(None, after.stock), *after.discards[-1:])
        options = [hand]
        if moves == ("draw",):
            options += [tuple(card for card in hand if card != off) for off in hand]
        best = Fraction(0)
        for held in options:
            if moves == ("draw",) and is_toad(held):
                best = Fraction(1)
            on_top = [card for card in hand if card not in held] or list(after.discards[-1:])
            visible = (*filter(None, after.stock), *on_top) if moves == ("draw",) else open_
            if _can_be_toad(held, tuple(visible)):
                best = Fraction(1)
            else:
                left = rest if first in (*hand, *after.stock) else unseen
                good = sum(_can_be_toad(held, (card,)) for card in left)
                best = max(best, Fraction(good, len(left)))
        total += best
    return total / len(unseen)


def best_ways(puzzle: Puzzle[State]) -> list[int]:
    """Return the numbers of the ways that lead likeliest to a toad, by playing all of them."""
    chances = [_by_playing(puzzle.state, way.moves) for way in puzzle.ways]
    return [number for number, chance in enumerate(chances) if chance == max(chances)]


def _with_draw(state: State, draw: tuple[Card, ...]) -> State:
    return replace(state, draw=draw, hands=(state.hands[0], ()))


@pytest.mark.parametrize("grade", GRADES)
def test_one_turn_is_best(grade: int) -> None:
    """Of each puzzle one way is likelier than all others, it fits into a menu, and no toad is there."""
    for number in range(3):
        puzzle = PUZZLES.find(grade, number)
        best, second, *_rest = (puzzle.ways[place].chance for place in puzzle.ranking)
        assert best > second
        assert len(puzzle.ways) <= MOST_WAYS
        assert PUZZLES.find(grade, number) == puzzle
        words = [PUZZLES.told(puzzle.state, way) for way in puzzle.ways]
        assert len(set(words)) == len(words)
        assert not _can_be_toad(puzzle.state.hands[0], (*filter(None, puzzle.state.stock),))


def test_chances_are_those_of_playing_on() -> None:
    """The chances of a puzzle's first ways are those that playing with every next card comes to."""
    puzzle = PUZZLES.find(2, 1)
    for place in puzzle.ranking[:4]:
        way = puzzle.ways[place]
        assert way.chance == _by_playing(puzzle.state, way.moves), way.moves

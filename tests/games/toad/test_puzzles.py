"""The puzzle *Toad in two*, with one best turn and exact chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations

import pytest

from bot.engine.cards import PACK, Card
from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import Strength
from bot.engine.puzzle import GRADES, MOST_WAYS, Puzzle
from bot.games.toad.opponent import choose
from bot.games.toad.puzzles import PUZZLES
from bot.games.toad.search_state import recall
from bot.games.toad.state import TURN, State, is_toad, write
from bot.games.toad.view import view
from tests.examples import few_or_all
from tests.games.toad.tables import play_moves


@cache
def cached_puzzle(grade: int, number: int) -> Puzzle[State]:
    """Return a puzzle, cached for the process."""
    return PUZZLES.find(grade, number)


def _can_reach_toad(hand: tuple[Card, ...], taken: tuple[Card, ...]) -> bool:
    """Return whether a turn that may take one of some cards can end with a toad."""
    hands = [hand, *((*hand, card) for card in taken)]
    return any(
        is_toad(kept)
        for each in hands
        for n in (len(each), len(each) - 1)
        for kept in combinations(each, n)
    )


def _chance_by_playing(state: State, moves: tuple[str, ...], firsts: Sequence[Card] = ()) -> Fraction:
    """Return the chance that a turn leads to a toad, by trying each card on top of the draw pile.

    Each unseen card is also tried as the next turn's draw. If the turn itself draws a card, the discard
    is chosen after it. A player who passes has no next turn.
    """
    sees = moves[0] == "draw" or moves[0].removeprefix("take ").isdigit()
    if play_moves(state, *moves, *(() if moves == ("end",) else ("end",)), "end").phase not in TURN:
        return Fraction(0)
    seen = {*state.hands[0], *state.stock, *state.discards}
    unseen = [card for card in PACK if card not in seen]
    total = Fraction(0)
    for first in firsts or unseen:
        rest = tuple(card for card in unseen if card != first)
        after = play_moves(_state_with_draw(state, (first, *rest)), *moves)
        hand, open_ = after.hands[0], (*filter(None, after.stock), *after.discards[-1:])
        options = [hand]
        if sees:
            options += [tuple(card for card in hand if card != off) for off in hand]
        best = Fraction(0)
        for held in options:
            if sees and is_toad(held):
                best = Fraction(1)
            on_top = [card for card in hand if card not in held] or list(after.discards[-1:])
            visible = (*filter(None, after.stock), *on_top) if sees else open_
            if _can_reach_toad(held, tuple(visible)):
                best = Fraction(1)
            else:
                left = rest if first in (*hand, *after.stock) else unseen
                good = sum(_can_reach_toad(held, (card,)) for card in left)
                best = max(best, Fraction(good, len(left)))
        total += best
    return total / len(firsts or unseen)


def best_choices(puzzle: Puzzle[State]) -> list[int]:
    """Return the indices of the choices with the highest chance of a toad, by exhaustive play."""
    chances = [_chance_by_playing(puzzle.state, way.moves) for way in puzzle.ways]
    return [number for number, chance in enumerate(chances) if chance == max(chances)]


def _state_with_draw(state: State, draw: tuple[Card, ...]) -> State:
    return replace(state, draw=draw, hands=(state.hands[0], ()))


@pytest.mark.parametrize("grade", GRADES)
def test_a_puzzle_has_a_single_best_choice(grade: int) -> None:
    """A puzzle has a single best choice, fits into a menu and holds no toad yet."""
    for number in range(few_or_all(1, 3)):
        puzzle = cached_puzzle(grade, number)
        best, second, *_rest = (puzzle.ways[place].chance for place in puzzle.ranking)
        assert best > second
        assert len(puzzle.ways) <= MOST_WAYS
        assert PUZZLES.find(grade, number) == puzzle
        words = [PUZZLES.answer_text(puzzle.state, way) for way in puzzle.ways]
        assert len(set(words)) == len(words)
        assert not _can_reach_toad(puzzle.state.hands[0], (*filter(None, puzzle.state.stock),))


def test_a_puzzles_chances_match_playing_on() -> None:
    """A puzzle's chances are those of playing on with every next card (T5, T13)."""
    puzzle = cached_puzzle(3, 20018)
    for way in puzzle.ways:
        assert way.chance == _chance_by_playing(puzzle.state, way.moves), way.moves
    assert [way.chance for way in puzzle.ways if way.moves == ("end",)] == [0]


@pytest.mark.parametrize(("grade", "number"), [(1, 0), (1, 1), (2, 2), (2, 3), (3, 4)])
def test_named_cards_complete_the_toad(grade: int, number: int) -> None:
    """Each named card makes a toad certain if it comes before the discard.

    Otherwise the named cards are all that make a toad after the discard.
    """
    puzzle = cached_puzzle(grade, number)
    best, state = puzzle.ways[puzzle.ranking[0]], puzzle.state
    said = PUZZLES.verdict(puzzle, puzzle.ranking[0])
    unseen = [card for card in PACK if card not in {*state.hands[0], *state.stock, *state.discards}]
    named = [card for card in unseen if str(card) in said]
    if best.moves[0] == "draw" or best.moves[0].removeprefix("take ").isdigit():
        assert named == [card for card in unseen if _chance_by_playing(state, best.moves, [card]) == 1]
    else:
        assert Fraction(len(named), len(unseen)) == best.chance


def test_higher_grades_are_harder() -> None:
    """A froglet finds fewer of the best turns with every grade."""
    found = [
        sum(map(_froglet_success_count, map(partial(cached_puzzle, grade), range(6))))
        for grade in GRADES
    ]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(GRADES), found


def _froglet_success_count(puzzle: Puzzle[State]) -> int:
    """Return the number of five tries in which a froglet begins with the best turn's first move."""
    best, memory = puzzle.ways[puzzle.ranking[0]], recall(None, view(puzzle.state, 0))
    memory = replace(memory, discards=puzzle.state.discards)
    lots = (Lots(lot_of(bytes(32), number)) for number in range(5))
    return sum(write(choose(memory, Strength.FROGLET, each)) == best.moves[0] for each in lots)

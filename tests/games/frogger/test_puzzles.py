"""The puzzle *Home in one turn*, solved by a single first action whatever the hidden cards are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from bot.engine.puzzle import GRADES, MOST_WAYS, Puzzle
from bot.games.frogger.puzzles import PUZZLES
from bot.games.frogger.rules import legal_moves, play
from bot.games.frogger.state import ACTIONS, FROGS, State, read, write
from tests.examples import few_or_all


@cache
def cached_puzzle(grade: int, number: int) -> Puzzle[State]:
    """Return a puzzle, cached for the process."""
    return PUZZLES.find(grade, number)


def _can_win(state: State) -> bool:
    """Return whether seat 0 can win in its current turn, by trying every sequence of actions."""
    if state.winner == 0:
        return True
    missing = FROGS - state.frogs[0].home
    if state.turn != 0 or missing > ACTIONS - state.done:  # an action moves at most one frog home
        return False
    return any(_can_win(play(state, move)) for move in legal_moves(state))


def best_choices(puzzle: Puzzle[State]) -> list[int]:
    """Return the indices of the choices that lead home in this turn, by exhaustive search."""
    state = puzzle.state
    firsts = (read(way.moves[0], state) for way in puzzle.ways)
    return [number for number, first in enumerate(firsts) if _can_win(play(state, first))]


def _with_other_hidden_cards(state: State) -> State:
    """Return the position with other cards in the rival's hand and on top of the draw pile."""
    unseen = (*state.draw[::-1], *state.hands[1])
    held = len(state.hands[1])
    return replace(state, hands=(state.hands[0], unseen[:held]), draw=unseen[held:])


@pytest.mark.parametrize("grade", GRADES)
def test_a_single_first_action_wins(grade: int) -> None:
    """A single legal first action leads home, however the hidden cards are dealt.

    A menu offers every action in words of its own, and the solution that it shows wins.
    """
    for number in range(few_or_all(1, 2)):
        puzzle = cached_puzzle(grade, number)
        if grade < few_or_all(3, 4):
            assert PUZZLES.find(grade, number) == puzzle
        state = puzzle.state
        best, *others = (puzzle.ways[place] for place in puzzle.ranking)
        offered = {way.moves[0] for way in puzzle.ways}
        assert len(offered) == len(puzzle.ways) <= MOST_WAYS
        assert offered == set(map(write, legal_moves(state)))
        assert len({PUZZLES.answer_text(state, way) for way in puzzle.ways}) == len(offered)
        for lying in (state, _with_other_hidden_cards(state)):
            assert best_choices(replace(puzzle, state=lying)) == [puzzle.ranking[0]]
        assert best.chance == 1
        assert not any(way.chance for way in others)
        for text in best.moves:
            state = play(state, read(text, state))
        assert state.winner == 0

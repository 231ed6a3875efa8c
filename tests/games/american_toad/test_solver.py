"""The solver's verdicts compared with exhaustive search, and its lines checked by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from bot.engine.cards import Card
from bot.games.american_toad import GAME
from bot.games.american_toad.card_moves import apply_move, card_moves
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.search_state import STRICT
from bot.games.american_toad.solver import (
    NODES,
    SearchStage,
    Solution,
    Verdict,
    best_line,
    shorten_line,
    solve,
)
from bot.games.american_toad.state import (
    COLUMNS,
    FULL,
    SUITS,
    Move,
    Position,
    State,
    Turn,
)
from tests.examples import few_or_all, further_example

DEALS = few_or_all(range(3, 11), range(1, 26))
"""Numbers of deals, one of which is the lost deal."""
LOST_DEAL, OPEN_DEAL = 9, 109
"""A deal that no player has won yet and that the solver leaves undecided."""

LONGEST, MOST_POSITIONS = 400, 1000


@cache
def solution_of(number: int) -> Solution:
    """Return the solution of a deal, cached for the process."""
    return solve(open_deal(number).position)


def small_position(chance: Random) -> Position:
    """Return a position with at most eight columns and a small reserve, stock and waste."""
    base, heights = chance.randint(1, 13), [FULL] * len(SUITS)
    for place in chance.sample(range(len(SUITS)), 5):
        heights[place] -= chance.randint(2, 5)
    cards = [
        Card((base - 1 + step) % FULL + 1, suit)
        for suit, height in zip(SUITS, heights, strict=True)
        for step in range(height, FULL)
    ]
    deep = {card: (card.rank - base) % FULL + chance.randint(0, 3) for card in cards}
    cards.sort(key=lambda card: deep[card])
    columns = tuple((card,) for card in cards[-COLUMNS:])
    rest = cards[:-COLUMNS]
    at, to = sorted(chance.randint(0, len(rest)) for _cut in range(2))
    return Position(
        base=base,
        heights=tuple(heights),
        reserve=tuple(rest[:at]),
        columns=columns + ((),) * (COLUMNS - len(columns)),
        stock=tuple(rest[to:]),
        waste=tuple(rest[at:to]),
        redeal_left=chance.random() < 0.2,
    )


def careless_position(number: int, chance: Random, before: int) -> Position:
    """Return a position of a carelessly played deal, this many moves before no card can move."""
    past = [open_deal(number).position]
    while len(past) < LONGEST and (moves := list(card_moves(past[-1]))):
        bold = [move for move in moves if not isinstance(move, Turn)]
        move = chance.choice(bold) if bold and chance.random() < 0.55 else moves[0]
        past.append(apply_move(past[-1], move))
    return past[-before:][0]


def can_be_won(position: Position) -> bool | None:
    """Return whether any line of play wins, or None if there are too many lines to try."""
    seen, left = {_unordered_key(position)}, [position]
    while left:
        here = left.pop()
        if here.is_won:
            return True
        for move in card_moves(here):
            after = apply_move(here, move)
            if (key := _unordered_key(after)) not in seen:
                seen.add(key)
                left.append(after)
        if len(seen) > MOST_POSITIONS:
            return None
    return False


def _unordered_key(position: Position) -> object:
    """Return the identity of a position without the order of its columns."""
    columns = tuple(sorted("".join(card.code for card in column) for column in position.columns))
    return (columns, position.reserve, position.stock, position.waste, position.redeal_left)


def position_after(position: Position, line: Iterable[Move]) -> Position:
    """Return the position after a line, and check that each move is legal."""
    state = State(1, position)
    for move in line:
        state = GAME.play(state, move)
    return state.position


def test_verdicts_match_an_exhaustive_search() -> None:
    """The solver's verdicts on small positions are those of exhaustive search.

    They are the same with a beam of one position, as the search returns to the others later.
    """
    chance = Random(13)
    positions = [small_position(chance) for _position in range(few_or_all(12, 25))]
    positions += [careless_position(number, chance, before) for number in DEALS for before in (8, 12)]
    verdicts = Counter[Verdict]()
    for position in positions:
        truth = can_be_won(position)
        if truth is None:
            continue
        solution = solve(position)
        verdicts[solution.verdict] += 1
        assert solution.verdict is (Verdict.WON if truth else Verdict.LOST), position
        assert position_after(position, solution.line).is_won is truth
        assert solve(position, stages=(SearchStage(1, STRICT, None),)).verdict is solution.verdict
    assert min(verdicts[Verdict.WON], verdicts[Verdict.LOST]) > few_or_all(5, 15), verdicts


def test_winning_lines_are_legal_and_win() -> None:
    """Every returned line wins and is legal from its first move to its last."""
    won = 0
    for number in DEALS:
        position = open_deal(number).position
        solution = solution_of(number)
        if solution.verdict is Verdict.WON:
            assert position_after(position, solution.line).is_won
            won += 1
    assert won >= len(DEALS) - 1


@pytest.mark.parametrize("number", [1, 4, 7])
def test_the_solver_wins_from_the_middle_of_a_winning_line(number: int) -> None:
    """The solver also wins from the middle of a winning line."""
    position = open_deal(number).position
    line = solution_of(number).line
    for move in line[: len(line) // 2]:
        position = apply_move(position, move)  # type: ignore[arg-type]  # the solver moves single cards and runs
    assert solve(position).verdict is Verdict.WON


@pytest.mark.parametrize("number", [1, further_example(2), further_example(3)])
def test_the_best_line_contains_only_offered_moves(number: int) -> None:
    """Par counts moves that a player can press, so each move of the best line is offered."""
    state = open_deal(number)
    line = best_line(state.position)
    assert 0 < len(line) < len(shorten_line(state.position, solution_of(number).line))
    for move in line:
        assert move in GAME.legal_moves(state)
        state = GAME.play(state, move)
    assert state.position.is_won


@pytest.mark.parametrize("number", [5, 6, 69])
def test_a_shortened_line_contains_only_offered_moves(number: int) -> None:
    """A shortened line wins in fewer moves, each of which the player can press."""
    state = open_deal(number)
    line = solution_of(number).line
    single = sum(move.count if isinstance(move, Turn) else 1 for move in line)
    short = shorten_line(state.position, line)
    assert len(short) < single * 3 / 4
    for move in short:
        assert move in GAME.legal_moves(state)
        state = GAME.play(state, move)
    assert state.position.is_won


def test_the_solver_stops_at_its_budget() -> None:
    """The solver examines no more positions than its budget allows, and then returns no verdict."""
    position = open_deal(OPEN_DEAL).position
    for nodes in (1, 50, 3000):
        solution = solve(position, nodes=nodes)
        assert solution.verdict is Verdict.UNKNOWN
        assert solution.line == ()
        assert solution.nodes == nodes


def test_a_narrow_search_proves_no_loss() -> None:
    """A search that dropped positions does not prove that the deal is lost."""
    solution = solve(open_deal(LOST_DEAL).position, stages=(SearchStage(2, STRICT, 8),))
    assert solution.verdict is Verdict.UNKNOWN
    assert solution.nodes < NODES, "it came to its end"

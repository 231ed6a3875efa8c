"""The compact round beside the readable rules, which are the law."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.cards import PACK
from bot.engine.shuffle import shuffled
from bot.games.toad import rules
from bot.games.toad.compact import DECLARE, DISCARD, ENDED, GAP, KIND, NUMBER, WORTH, Round, readable
from bot.games.toad.compact import TAKING as TAKE_PHASE
from bot.games.toad.match import open_match
from bot.games.toad.options import completing, is_toad
from bot.games.toad.state import Deal, Phase, State

MOVES = 250


def compact_of(state: State) -> Round:
    """Return a round that was just dealt, with the reshuffles that the match's seed will give it."""
    made = [0]

    def shuffle(cards: list[int]) -> list[int]:
        made[0] += 1
        purpose = f"round {state.round} reshuffle {made[0]}"
        new = shuffled([PACK[card] for card in cards], state.seed, purpose)
        return [NUMBER[card] for card in reversed(new)]

    return Round(
        lives=list(state.lives),
        full=state.full,
        hands=[[NUMBER[card] for card in hand] for hand in state.hands],
        stock=[NUMBER[card] for card in state.stock if card],
        draw=[NUMBER[card] for card in reversed(state.draw)],
        discards=[],
        safe=0,
        passed=0,
        turn=state.turn,
        phase=TAKE_PHASE,
        loose=0,
        shuffle=shuffle,
    )


def some_move(chance: Random, moves: list[int], taking: float) -> int:
    """Return a move; with ``taking`` likely one that brings cards in, which empties the draw pile."""
    cards = [move for move in moves if move < DISCARD and move != DECLARE]
    return chance.choice(cards if cards and chance.random() < taking else moves)


@pytest.mark.parametrize("match", range(25))
def test_compact_round_is_the_readable_one(match: int) -> None:
    """The compact round offers the same moves, and they lead to the same table, turn and lives."""
    chance = Random(match)
    taking = chance.choice((0.0, 0.5, 0.9, 1.0))
    state = open_match(chance.randint(2, 6), chance.randint(1, 5), chance.randbytes(32))
    compact = compact_of(state)
    for _ in range(MOVES):
        moves = compact.legal_moves()
        assert set(map(readable, moves)) == set(rules.legal_moves(state))
        claims = is_toad(compact.worth[compact.turn]) and chance.random() < 0.9
        move = DECLARE if claims else some_move(chance, moves, taking)
        before = compact.copy()
        compact.play(move)
        assert before.legal_moves() == moves, "a copy is not changed by what is played elsewhere"
        state = rules.play(state, readable(move))
        assert tuple(compact.lives) == state.lives
        assert (compact.phase == ENDED) is (state.phase in (Phase.DEAL, Phase.OVER))
        if state.phase is Phase.OVER:
            return
        if state.phase is Phase.DEAL:
            state = rules.play(state, Deal())
            compact = compact_of(state)
        assert compact.turn == state.turn
        assert [None if card == GAP else PACK[card] for card in compact.stock] == list(state.stock)
        assert [set(map(NUMBER.__getitem__, hand)) for hand in state.hands] == list(
            map(set, compact.hands)
        )


@pytest.mark.parametrize("hand", range(40))
def test_completing_kinds_are_those_that_do(hand: int) -> None:
    """A card completes a hand if taking it, with one discard or none, makes ten red and ten black."""
    chance = Random(hand)
    held = chance.sample(range(len(PACK)), chance.randint(2, 6))
    worth = sum(WORTH[card] for card in held)
    for card in set(range(len(PACK))) - set(held):
        with_it = worth + WORTH[card]
        done = is_toad(with_it) or any(is_toad(with_it - WORTH[other]) for other in held)
        assert bool(completing(worth) >> KIND[card] & 1) is done

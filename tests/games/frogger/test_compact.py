"""The compact search state compared with the readable rules, which are authoritative."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.decktet import BASIC
from bot.engine.shuffle import shuffle_items
from bot.games.frogger import rules
from bot.games.frogger.search_state import NUMBER, PLAY, SearchState, bits_of, course_of, readable
from bot.games.frogger.state import Space, State

MOVES = 400


def search_state(state: State) -> SearchState:
    """Return a newly dealt match, with the reshuffles that its seed will give it."""
    made = [0]

    def shuffle(cards: list[int]) -> list[int]:
        made[0] += 1
        new = shuffle_items([BASIC[card] for card in cards], state.seed, f"reshuffle {made[0]}")
        return [NUMBER[card] for card in reversed(new)]

    return SearchState(
        course=course_of(state.corridor),
        frogs=[0] * state.seats,
        start=[frogs.start for frogs in state.frogs],
        home=[0] * state.seats,
        hands=[bits_of(hand) for hand in state.hands],
        market=bits_of(state.market),
        draw=[NUMBER[card] for card in reversed(state.draw)],
        discards=[],
        turn=state.turn,
        done=0,
        gone=0,
        shuffle=shuffle,
    )


def frog_path(pond: SearchState, seat: int) -> tuple[Space, ...]:
    """Return the spaces of a seat's frogs, the rearmost first."""
    spaces = pond.course.spaces
    return tuple(sorted(space for place, space in enumerate(spaces) if pond.frogs[seat] >> place & 1))


@pytest.mark.parametrize("match", range(12))
def test_the_compact_state_matches_the_readable_state(match: int) -> None:
    """The compact state offers the same moves, which lead to the same frogs, market and winner."""
    chance = Random(match)
    playing = chance.random()
    state = rules.deal(chance.randint(2, 5), {}, chance.randbytes(32))
    pond = search_state(state)
    for _ in range(MOVES):
        moves = pond.legal_moves()
        assert {readable(pond.course, move) for move in moves} == set(rules.legal_moves(state))
        if not moves:
            break
        plays = [move for move in moves if move[0] == PLAY]
        move = chance.choice(plays if plays and chance.random() < playing else moves)
        before = pond.copy()
        pond.play(move)
        assert before.legal_moves() == moves, "a copy is not changed by what is played elsewhere"
        state = rules.play(state, readable(pond.course, move))
        assert pond.winner == state.winner
        assert pond.winner is not None or pond.turn == state.turn
        assert pond.market == bits_of(state.market)
        for seat, frogs in enumerate(state.frogs):
            assert (pond.start[seat], pond.home[seat], frog_path(pond, seat)) == (
                frogs.start,
                frogs.home,
                frogs.path,
            )

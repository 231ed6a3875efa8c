"""What a seat of Frogger remembers, beside what is true."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.decktet import BASIC
from bot.engine.thinking import Lots
from bot.games.frogger import GAME
from bot.games.frogger.compact import bits_of, cards_in, readable
from bot.games.frogger.memory import Memory, recall, world
from bot.games.frogger.state import State

MOVES = 200


def watched(match: int) -> list[tuple[State, tuple[Memory, ...]]]:
    """Return the states of a match of random moves, with what each seat remembers in them."""
    chance = Random(match)
    seats = chance.randint(2, 5)
    state = GAME.deal(seats, {}, chance.randbytes(32))
    memories: list[Memory | None] = [None] * seats
    found = []
    for number in range(MOVES):
        memories = [recall(memory, GAME.view(state, seat)) for seat, memory in enumerate(memories)]
        found.append((state, tuple(memory for memory in memories if memory is not None)))
        if GAME.to_move(state) is None:
            break
        if number == MOVES // 2 and len(state.playing) > 2:
            state = GAME.withdraw(state, state.playing[-1])
        else:
            state = GAME.play(state, chance.choice(GAME.legal_moves(state)))
    return found


@pytest.mark.parametrize("match", range(6))
def test_true_cards_fit_the_memory(match: int) -> None:
    """The cards that a seat has not seen are where it may think them; those returned are drawn again."""
    for state, memories in watched(match):
        for seat, memory in enumerate(memories):
            assert memory.returned <= set(state.draw)
            assert set(memory.discards) <= set(state.discards)
            held = {card for at, hand in enumerate(state.hands) if at != seat for card in hand}
            known = {card for shown in memory.view.seats for card in shown.known}
            assert held - known <= set(memory.unseen)
            assert set(state.draw) <= set(memory.unseen) | memory.returned
            assert not set(memory.unseen) & {*state.hands[seat], *state.market}


@pytest.mark.parametrize("match", range(6))
def test_worlds_fit_the_views(match: int) -> None:
    """A world has the own hand, known cards and counts as shown, no card twice, and the same moves."""
    for state, memories in watched(match)[::4]:
        for seat, memory in enumerate(memories):
            pond = world(memory, Lots(bytes([match])))
            assert [hand.bit_count() for hand in pond.hands] == [len(hand) for hand in state.hands]
            assert pond.hands[seat] == bits_of(state.hands[seat])
            assert len(pond.draw) == len(state.draw)
            cards = [card for hand in pond.hands for card in cards_in(hand)]
            cards += [*cards_in(pond.market), *pond.draw, *pond.discards]
            assert len(cards) == len(set(cards)) <= len(BASIC)
            if seat == GAME.to_move(state):
                moves = {readable(pond.course, move) for move in pond.legal_moves()}
                assert moves == set(GAME.legal_moves(state))

"""A seat's memory in Frogger, compared with the true cards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.engine.decktet import BASIC
from bot.engine.lots import Lots
from bot.games.frogger import GAME
from bot.games.frogger.opponent import recall, world
from bot.games.frogger.search_state import bits_of, cards_in, readable
from bot.games.frogger.state import State
from tests.games.memories import states_with_memories

MOVES = 200


def random_match_states(match: int) -> Iterator[State]:
    """Yield the states of a match of random moves. A seat leaves half way if three are left."""
    chance = Random(match)
    state = GAME.deal(chance.randint(2, 5), {}, chance.randbytes(32))
    for number in range(MOVES):
        yield state
        if GAME.to_move(state) is None:
            return
        if number == MOVES // 2 and len(state.playing) > 2:
            state = GAME.withdraw(state, state.playing[-1])
        else:
            state = GAME.play(state, chance.choice(GAME.legal_moves(state)))


@pytest.mark.parametrize("match", range(6))
def test_memory_is_consistent_with_the_true_cards(match: int) -> None:
    """The unseen cards are in places that the memory allows, and reshuffled cards can be drawn again."""
    for state, memories in states_with_memories(GAME, recall, random_match_states(match)):
        for seat, memory in enumerate(memories):
            assert memory.returned <= set(state.draw)
            assert set(memory.discards) <= set(state.discards)
            held = {card for at, hand in enumerate(state.hands) if at != seat for card in hand}
            known = {card for shown in memory.view.seats for card in shown.known}
            assert held - known <= set(memory.unseen)
            assert set(state.draw) <= set(memory.unseen) | memory.returned
            assert not set(memory.unseen) & {*state.hands[seat], *state.market}


@pytest.mark.parametrize("match", range(6))
def test_sampled_worlds_are_consistent_with_the_view(match: int) -> None:
    """A sampled world has the view's own hand, known cards, counts and moves, and no card twice."""
    for state, memories in states_with_memories(GAME, recall, random_match_states(match))[::4]:
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

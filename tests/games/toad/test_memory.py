"""A seat's memory in Toad, compared with the true cards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.engine.cards import PACK
from bot.engine.lots import Lots
from bot.engine.opponent import Strength
from bot.games.toad import GAME
from bot.games.toad.opponent import THINKING
from bot.games.toad.search_state import NUMBER, Memory, recall, world
from bot.games.toad.state import EventType, Phase, State
from tests.examples import few_or_all, further_example
from tests.games.memories import states_with_memories

MOVES = 160


def random_match_states(match: int) -> Iterator[State]:
    """Yield the states of a match of random moves.

    Most seats take a card if they can, so that the draw pile is emptied and reshuffled.
    """
    chance = Random(match)
    state = GAME.deal(chance.randint(2, 4), {"lives": 3}, chance.randbytes(32))
    for _ in range(MOVES):
        yield state
        if GAME.to_move(state) is None:
            return
        moves = GAME.legal_moves(state)
        cards = [move for move in moves if GAME.write(move).split()[0] in ("take", "draw", "discard")]
        state = GAME.play(state, chance.choice(cards if cards and chance.random() < 0.95 else moves))


@pytest.mark.parametrize("match", range(8))
def test_memory_is_consistent_with_the_true_cards(match: int) -> None:
    """A seat counts exactly the hidden cards as unseen, and seen cards are in the remembered places."""
    for state, memories in states_with_memories(GAME, recall, random_match_states(match)):
        for seat, memory in enumerate(memories):
            hidden = {*state.draw}
            for other in set(state.playing) - {seat}:
                assert memory.known[other] <= set(state.hands[other])
                hidden |= set(state.hands[other]) - memory.known[other]
            if state.phase not in (Phase.DEAL, Phase.OVER):
                assert set(memory.unseen) == hidden
                assert memory.discards == state.discards
                assert memory.passed == state.passed


@pytest.mark.parametrize("match", range(8))
def test_sampled_worlds_are_consistent_with_the_view(match: int) -> None:
    """A sampled world deals every card once, with the view's own hand, known cards and counts."""
    for state, memories in states_with_memories(GAME, recall, random_match_states(match))[::5]:
        if state.phase in (Phase.DEAL, Phase.OVER):
            continue
        for seat, memory in enumerate(memories):
            hands, draw = world(memory, Lots(bytes([match])))
            assert [len(hand) for hand in hands] == [len(hand) for hand in state.hands]
            assert len(draw) == len(state.draw)
            assert set(hands[seat]) == {NUMBER[card] for card in state.hands[seat]}
            for hand, known in zip(hands, memory.known, strict=True):
                assert {NUMBER[card] for card in known} <= set(hand)
            table = [NUMBER[card] for card in (*state.discards, *state.stock) if card]
            dealt = sorted([*table, *draw, *(card for hand in hands for card in hand)])
            assert dealt == list(range(len(PACK)))


@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("seats", [further_example(2), 3])
def test_computer_players_never_claim_falsely(strength: Strength, seats: int) -> None:
    """No computer player claims a toad falsely, and it claims each toad that it holds."""
    state = GAME.deal(seats, {"lives": few_or_all(1, 2)}, bytes([seats]) * 32)
    memories: list[Memory | None] = [None] * seats
    toads = 0
    for number in range(2000):
        seat = GAME.to_move(state)
        if seat is None:
            break
        remembered = [recall(memory, GAME.view(state, at)) for at, memory in enumerate(memories)]
        memories = [*remembered]
        lots = Lots(number.to_bytes(2, "big"))
        state = GAME.play(state, THINKING.choose(remembered[seat], strength, lots))
        assert EventType.FALSE_CLAIM not in {event.what for event in state.events}
        toads = sum(tally.toads for tally in state.tallies)
    assert GAME.outcome(state) is not None
    assert toads

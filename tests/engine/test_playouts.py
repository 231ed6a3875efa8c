"""Computer players that try moves by the rules alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.engine.cards import PACK, cards_of
from bot.engine.game import Game
from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import Strength
from bot.engine.playout_opponent import LONGEST, STEPS, by_playouts
from tests.computer_matches import play_match
from tests.examples import few_or_all
from tests.guests import leap, splash

SEED = bytes(range(32))
MATCHES = few_or_all(12, 24)


def guess_state(view: splash.View, lots: Lots) -> splash.State:
    """Return a state of Splash that fits the mover's view, with the other hands dealt at random."""
    seen = {*view.hand, *(card for _seat, card in view.pond)}
    unseen, hands = iter(lots.shuffle_items([card for card in PACK if card not in seen])), []
    for seat, held in enumerate(view.held):
        hands.append(view.hand if seat == view.turn else tuple(next(unseen) for _card in range(held)))
    return splash.State(tuple(hands), view.splashes, view.turn, view.pond)


SPLASHING = by_playouts(splash.GAME, guess_state)


@pytest.mark.parametrize("strength", Strength)
def test_hidden_cards_do_not_affect_the_move(strength: Strength) -> None:
    """The move is legal and depends only on the view and the lot, not on the other hands."""
    state = splash.deal(3, {"cards": 5}, SEED)
    state = splash.play(state, splash.legal_moves(state)[2])
    others = replace(
        state, hands=(state.hands[2][:4], state.hands[1], state.hands[0] + state.hands[2][4:])
    )
    moves = {
        SPLASHING.choose(SPLASHING.recall(None, splash.view(each, 1)), strength, Lots(lot_of(SEED, 1)))
        for each in (state, state, others)
    }
    assert len(moves) == 1
    assert moves < {*splash.legal_moves(state)}


def test_the_computer_player_finds_the_winning_move() -> None:
    """The computer player wins the splash over a jack with the king, and keeps the ten."""
    jack, hand = cards_of("JD")[0], cards_of("TS KS")
    state = splash.State((cards_of("2C"), hand), (0, 0), 1, ((0, jack),), (jack,))
    chosen = SPLASHING.choose(splash.view(state, 1), Strength.TOAD, Lots(lot_of(SEED, 1)))
    assert chosen == splash.Jump(hand[1])


def test_longer_thinking_wins_more_matches() -> None:
    """A toad wins more matches of Leap than a tadpole, over deals played from both seats."""
    won = Counter[Strength]()
    for n in range(MATCHES):
        strengths = [Strength.TOAD, Strength.TADPOLE][:: 1 if n % 2 else -1]
        states, _moves = play_match(leap.GAME, strengths, (n // 2).to_bytes(32))
        outcome = leap.outcome(states[-1])
        assert outcome is not None
        won.update(strengths[seat] for seat in outcome.winners)
    assert won[Strength.TOAD] > 1.3 * won[Strength.TADPOLE]


@pytest.mark.parametrize("strength", Strength)
def test_a_search_plays_a_limited_number_of_moves(strength: Strength) -> None:
    """A playout plays a limited number of moves and at most one match more for each legal move.

    With a single legal move it plays none.
    """
    made = list[leap.Leap]()

    def play(state: leap.State, move: leap.Leap) -> leap.State:
        made.append(move)
        return leap.play(state, move)

    counting: Game[leap.State, leap.Leap, leap.View] = replace(leap.RULES, play=play)
    thinking, state = by_playouts(counting), leap.deal(2, {}, SEED)
    thinking.choose(leap.View(state, 0), strength, Lots(b"lot"))
    assert STEPS[strength] <= len(made) < STEPS[strength] + 2 * LONGEST
    made.clear()
    last = leap.State(state.row[:1], (state.row[1:5], state.row[5:]))
    assert thinking.choose(leap.View(last, 1), strength, Lots(b"lot")) == leap.LEFT
    assert made == []

"""Reviews of a match of Toad name only turns that would have been better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations

import pytest

from bot.engine.cards import card_of
from bot.engine.opponent import Strength
from bot.engine.review import MissedMove, worst_moments
from bot.games.toad import GAME
from bot.games.toad.review import REVIEW
from bot.games.toad.state import Move, Phase, State, is_toad
from tests.computer_matches import hint_lots, play_match
from tests.examples import further_example
from tests.games.toad.tables import new_state, play_moves

STRENGTHS = (Strength.TADPOLE, Strength.TADPOLE, Strength.FROGLET)


def review_of(state: State, *texts: str) -> list[MissedMove]:
    """Return the review of seat 0 after these moves from a state."""
    states, moves = [state], list[Move | None]()
    for text in texts:
        moves.append(GAME.read(text, states[-1]))
        states.append(play_moves(states[-1], text))
    return list(missed_moves(states, moves, 0))


def missed_moves(
    states: Sequence[State], moves: Sequence[Move | None], seat: int
) -> Iterable[MissedMove]:
    return REVIEW.moments(states, moves, seat, hint_lots(len(moves)))


def miss_text(state: State, moment: MissedMove) -> str:
    return REVIEW.miss_text(state, moment)


def test_a_player_that_gives_up_before_a_turn_missed_nothing() -> None:
    """A life lost without a turn in the round counts as lost by giving up."""
    state = new_state("8H 2D", "3H 4H", stock="AC KD QD JD", turn=1)
    after = GAME.withdraw(state, 0)
    assert list(missed_moves([state, after], [None], 0)) == []


def test_a_review_names_a_false_claim_without_a_cost() -> None:
    """A review names a false claim even if it cost nothing."""
    state = new_state("8H 2D", "3H 4H", stock="AC KD QD JD")
    [moment] = review_of(state, "ribit")
    assert (moment.n, moment.better) == (0, ())
    assert "without a toad" in miss_text(state, moment)


def test_an_interrupted_turn_is_reviewed_as_one_turn() -> None:
    """A turn that another player's giving up interrupts is reviewed as one turn."""
    state = new_state("8H 2D 9S 7C", "3H 4H", "5H 6H", stock="AC KD QD JD", lives=(1, 1, 1), full=1)
    states, moves = [state], list[Move | None]()
    for text in ("take 1", None, "end", "end", "end"):
        before = states[-1]
        moves.append(None if text is None else GAME.read(text, before))
        states.append(GAME.withdraw(before, 2) if text is None else play_moves(before, text))
    found = {moment.n: moment.better for moment in missed_moves(states, moves, 0)}
    assert found[0] == ("take 1", "discard 7C", "ribit")
    assert 2 not in found


def test_a_review_names_an_unclaimed_toad() -> None:
    """A toad held at a turn's end and not claimed is a missed toad."""
    state = new_state("8H 2D 9S", "3H 4H", stock="AC KD QD JD", lives=(1, 1), full=1)
    first, *_later = review_of(state, "take 1", "end", "end", "end")
    assert (first.n, first.kind, first.better) == (0, "unsaid", ("ribit",))
    assert "didn't say" in miss_text(state, first)


def test_a_review_names_a_toad_in_sight() -> None:
    """A review names a toad that a visible card would have made, and its discard."""
    state = new_state("8H 2D 9S 7C", "3H 4H", stock="AC KD QD JD", lives=(1, 1), full=1)
    (moment, *_later) = review_of(state, "take nothing", "end", "end")
    assert moment.better == ("take 1", "discard 7C", "ribit")
    assert (
        miss_text(state, moment) == "Round 1: You could have had a toad: take A♣︎, discard 7♣︎, say Ribit."
    )


def test_a_safe_player_missed_nothing() -> None:
    """A player who was safe at the end of a round missed nothing in it."""
    state = new_state("8H 2D 9S", "3H 4H", stock="AC KD QD JD", lives=(1, 1), full=1)
    assert review_of(state, "take 1", "ribit") == []


def test_only_the_pass_that_ended_the_round_is_the_last() -> None:
    """T13: Only the pass that ended the round is called the last pass.

    An earlier turn took a card and cost nothing, though it had a better option too.
    """
    state = new_state("8H 3D", "3H 4H", stock="6C KD QD JD", turn=1)
    [moment] = review_of(state, "end", "take 1", "end", "end", "end")
    assert (moment.n, moment.kind) == (4, "last pass")


@pytest.mark.parametrize("number", [0, further_example(1), 2, further_example(3)])
def test_reviews_report_only_real_mistakes(number: int) -> None:
    """In whole matches the cards named as visible or left lying would have made a toad."""
    states, moves = play_match(GAME, STRENGTHS, bytes([number]) * 32, lives=2)
    found = [moment for seat in range(3) for moment in missed_moves(states, moves, seat)]
    assert found
    for moment in found:
        state = states[moment.n]
        seat = state.turn
        after = play_moves(state, *moment.better) if moment.kind != "unsaid" else state
        assert REVIEW.miss_text(state, moment)
        if moment.kind in ("in sight", "on the pile"):
            assert seat in after.safe or after.phase is Phase.DEAL
        if moment.kind == "left lying":
            card = card_of(moment.facts[0])
            assert card is not None
            hand = (*after.hands[seat], card)
            kept = chain(combinations(hand, len(hand)), combinations(hand, len(hand) - 1))
            assert any(map(is_toad, kept))
            assert card in state.stock
    assert len(worst_moments(found)) <= 3

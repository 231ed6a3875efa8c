"""Positions in which just going in circles now (A11), and the search that finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.alt_text import describe
from bot.engine.cards import KING, Card, Suit
from bot.games.american_toad import GAME, deadlock
from bot.games.american_toad.card_moves import apply_move, card_moves
from bot.games.american_toad.deadlock import only_circles
from bot.games.american_toad.state import FOUNDATIONS, Position, Shift, State
from tests.games.american_toad.positions import foundation_heights, new_position, play_moves

SHUTTLE = "6H 5H|6H|KD|QC|TC|9S|4D|2D"
"""Columns in which a five only moves between two sixes."""


def is_circular(state: State) -> bool:
    return only_circles(GAME.view(state, 0))


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (new_position(SHUTTLE, base=7, redeal=False), True),
        (new_position(SHUTTLE, base=7, redeal=False, reserve="3S", waste="3C"), True),
        (new_position(SHUTTLE, base=7, stock="3S"), False),
        (new_position(SHUTTLE, base=7, waste="3S"), False),
        (new_position(SHUTTLE, base=7, redeal=False, waste="5H"), False),
        (new_position(SHUTTLE, base=5, redeal=False), False),
        (new_position(SHUTTLE, base=7, redeal=False, reserve="7S"), False),
        (new_position("6H 5H|6H|KD|QC|JC|9S|4D|4H", base=7, redeal=False, reserve="3S"), False),
        (
            new_position(
                "6H 5H|6H|KD|QC|JC|9S|4D|2D", base=6, heights=foundation_heights(H=0), redeal=False
            ),
            False,
        ),
        (new_position("KC|KC|KC|KC|KC|KC|KC|KC", redeal=False), False),
    ],
    ids=[
        "a shuttle",
        "nothing helps the waste or the reserve",
        "a stock",
        "a redeal",
        "the waste fits",
        "a card goes up",
        "the reserve goes up",
        "a column gets empty for the reserve",
        "a card goes up after a shift",
        "nothing moves at all",
    ],
)
def test_circular_moves_make_no_progress(state: State, *, expected: bool) -> None:
    """A circle is any sequence of moves that moves no card up, into play or into sight."""
    assert is_circular(state) is expected


def test_the_player_is_notified_if_only_circular_moves_are_left() -> None:
    """The text and the alt text report that only circular moves are left.

    The player may then ask where the deal was lost.
    """
    rescue = next(question for question in GAME.questions if question.key == "rescue")
    state = new_position(SHUTTLE, base=7, redeal=False, reserve="3S", waste="3C")
    for there in (state, play_moves(state, "1 to 2 x1"), play_moves(state, "1 to 2 x1", "2 to 1 x1")):
        view = GAME.view(there, None)
        assert "just going in circles now" in GAME.words(view, ["Ann"]).headline
        assert "just going in circles now" in describe(GAME.scene(view, ["Ann"]))
        assert rescue.fits(view)
    goes_on = GAME.view(new_position(SHUTTLE, base=7, stock="3S"), None)
    assert "circle" not in GAME.words(goes_on, ["Ann"]).headline
    assert not rescue.fits(goes_on)


def is_circular_by_search(position: Position) -> bool:
    """Return the same answer by trying all legal moves.

    Positions are compared without the order of columns.
    """
    seen, left = {position}, [position]
    if not any(card_moves(position)):
        return False
    while left:
        here = left.pop()
        for move in card_moves(here):
            there = apply_move(here, move)
            there = replace(there, columns=tuple(sorted(there.columns, key=repr)))
            if not isinstance(move, Shift) or len(there.reserve) < len(here.reserve):
                return False
            if there not in seen:
                seen.add(there)
                left.append(there)
    return True


SUITS_USED = (Suit.HEARTS, Suit.SPADES)
cards_drawn = st.builds(Card, st.integers(1, KING), st.sampled_from(SUITS_USED))


def _descending_column(top: Card, length: int) -> tuple[Card, ...]:
    return tuple(Card((top.rank - 1 + step) % KING + 1, top.suit) for step in reversed(range(length)))


runs = st.builds(_descending_column, cards_drawn, st.integers(0, 3))


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Return a small position with few runs and columns between which nothing moves."""
    columns: Sequence[tuple[Card, ...]] = draw(st.lists(runs, min_size=2, max_size=3))
    still = tuple((Card(rank, suit),) for suit in (Suit.CLUBS, Suit.DIAMONDS) for rank in (2, 5, 8))
    columns = (*columns, *still, *still)[:8]
    reserve = draw(st.lists(cards_drawn, max_size=2)) if all(columns) else []
    high = draw(st.lists(st.integers(0, KING), min_size=FOUNDATIONS, max_size=FOUNDATIONS))
    is_closed = draw(st.sampled_from([True, True, False]))
    return Position(
        draw(st.integers(1, KING)),
        tuple(KING if closed else height for height, closed in zip(high, [is_closed] * 8, strict=True)),
        tuple(reserve),
        tuple(columns),
        tuple(draw(st.lists(cards_drawn, max_size=1))) if draw(st.integers(0, 4)) == 0 else (),
        tuple(draw(st.lists(cards_drawn, max_size=2))),
        redeal_left=draw(st.integers(0, 3)) == 0,
    )


found = set[bool]()


@settings(max_examples=300)
@given(small_positions())
def test_the_cycle_check_matches_brute_force(position: Position) -> None:
    """On small positions the check agrees with a search of all sequences of legal moves."""
    state = State(1, position)
    if position.is_won:
        return
    expected = is_circular_by_search(position)
    found.add(expected)
    assert is_circular(state) == expected


def test_the_small_positions_cover_both_answers() -> None:
    """The small positions include some with only circles left and some with more."""
    assert found == {True, False}


def test_a_slow_cycle_check_reports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says nothing if the search would take too long for a click."""
    columns = "KH QH JH TH 9H 8H 7H|KS QS JS TS 9S 8S 7S|KC QC JC TC 9C 8C|KD QD JD TD 9D 8D||||"
    many = new_position(columns, base=1, heights=(4,) * FOUNDATIONS, redeal=False)
    assert not is_circular(many)
    monkeypatch.setattr(deadlock, "MOST_POSITIONS", 50_000)
    assert is_circular(many)

"""Positions with every legal move and its landings, worked out by hand.

The corridor of all of them is 2MK 7ML PMYK AS 3LY PWLY CW 6SY PMSL 9WY PSWK 8MS.
"""

from __future__ import annotations

import pytest

from bot.games.frogger.state import State
from tests.games.frogger.tables import frog_spaces, legal_move_texts, new_state, play_moves

POSITIONS: dict[str, tuple[State, dict[str, str]]] = {}


def moves_back(frog: str, to: str, cards: str, after: str) -> dict[str, str]:
    """Return a move back with each of the cards that may be taken with it."""
    return {f"back {frog} to {to} take {card}": after for card in cards.split()}


POSITIONS["two seats, the first action"] = (
    new_state("AM 4YK", "2SY", at=["2L 3Y", "1M 2M"], market="CL 7SK 5SW 8YK 2WL 9MS"),
    {
        "play AM M from start": "2L 3M",  # the Ace sends the own frog on the wyrm of card 3 back
        "play AM M from 2L": "3M",
        "play AM M from 3Y": "2L 9M",
        "play 4YK Y from start": "2L 3Y 5Y",
        "play 4YK Y from 2L": "3Y 5Y",
        "play 4YK Y from 3Y": "2L 5Y",
        "play 4YK K from start": "1K 2L 3Y",
        "play 4YK K from 2L": "3K 3Y",
        "play 4YK K from 3Y": "2L 11K",
        **moves_back("2L", "1K", "CL 5SW 2WL 9MS", "1K 3Y"),
        **moves_back("3Y", "1K", "CL 5SW 2WL 9MS", "1K 2L"),  # card 2 is full
    },
)
POSITIONS["three seats, the second action, no frog on the Excuse"] = (
    new_state(
        "AK", "5ML", "2SY", at=["9M 12M", "9L 10Y +4", "8S 10W +1"], market="9LK 2WL", turn=1, done=1
    ),
    {
        "play 5ML M from 9L": "10Y +5",  # the only moon ahead is taken
        "play 5ML M from 10Y": "9L +5",
        "play 5ML L from 9L": "10Y +5",
        "play 5ML L from 10Y": "9L +5",
        **moves_back("9L", "8Y", "9LK 2WL", "8Y 10Y +4"),
        **moves_back("10Y", "9S", "9LK 2WL", "9L 9S +4"),
        "end": "9L 10Y +4",
    },
)
POSITIONS["two seats, a landing with nothing to take"] = (
    new_state("CS", "AK", at=["3K 8S +4", "12M 12S 8Y"], market="9LK 2WL"),
    {
        "play CS S from 3K": "4S 8S +4",
        "play CS S from 8S": "3K 9S +4",
        **moves_back("3K", "2M", "9LK 2WL", "2M 8S +4"),
        "back 3K to 2L": "2L 8S +4",  # both cards of the market bear leaves
        **moves_back("8S", "7W", "9LK", "3K 7W +4"),
    },
)
POSITIONS["four seats, a Crown, and back to the Excuse"] = (
    new_state(
        "AK",
        "2WL",
        "5ML",
        "CS 2SY",
        at=["1M 8Y", "9S 9L", "12S +1", "1K 4S +2"],
        market="CM AW",
        turn=3,
        done=2,
    ),
    {
        "play CS S from start": "1K 4S 8S +2",
        "play CS S from 1K": "4S 8S +2",
        "play CS S from 4S": "1K 8S +2",
        "play 2SY S from start": "1K 4S 8S +2",
        "play 2SY S from 1K": "4S 8S +2",
        "play 2SY S from 4S": "1K 8S +2",
        "play 2SY Y from start": "1K 3Y 4S +2",
        "play 2SY Y from 1K": "3Y 4S +2",
        "play 2SY Y from 4S": "1K 5Y +2",
        **moves_back("1K", "start", "CM AW", "4S +2"),
        **moves_back("4S", "3M", "AW", "1K 3M +2"),
        **moves_back("4S", "3Y", "CM AW", "1K 3Y +2"),
        **moves_back("4S", "3K", "CM AW", "1K 3K +2"),
        "end": "1K 4S +2",
    },
)
POSITIONS["five seats, no cards, and a full way back"] = (
    new_state(
        "2SY",
        "2WL",
        "5ML",
        "4YK",
        "",
        at=["1M 2M", "1K 2L", "3M", "", "3Y 4S +4"],
        market="AM AW AL AY AK CM",
        turn=4,
    ),
    {
        **moves_back("3Y", "start", "AM AW AL AY AK CM", "4S +4"),
        **moves_back("4S", "3K", "AM AW AL AY CM", "3K 3Y +4"),
    },
)
POSITIONS["five seats, blocked"] = (
    new_state("2SY", "2WL", "", "4YK", "5ML", at=["1M", "", "+5"], market="AM CK 3SK", turn=2),
    {"take AM": "+5", "take CK": "+5", "take 3SK": "+5"},
)
POSITIONS["three seats, the last frog before a taken corridor's end"] = (
    new_state(
        "AK", "6MW AW", "2SY", at=["11W 12M", "10W +5", "9M 9S 9L"], market="7SK 5SW", turn=1, done=1
    ),
    {
        "play 6MW M from 10W": "+6",
        "play 6MW W from 10W": "+6",
        "play AW W from 10W": "+6",
        "back 10W to 8S": "8S +5",  # both cards of the market bear suns
        **moves_back("10W", "8Y", "7SK 5SW", "8Y +5"),
        "end": "10W +5",
    },
)


@pytest.mark.parametrize("name", POSITIONS)
def test_each_position_has_exactly_its_legal_moves(name: str) -> None:
    """F4 to F8, F11: The legal moves are exactly these, and each puts the frogs on these spaces."""
    state, moves = POSITIONS[name]
    assert legal_move_texts(state) == list(moves)
    assert {text: frog_spaces(play_moves(state, text), state.turn) for text in moves} == moves


def test_the_positions_cover_all_seat_counts() -> None:
    """The positions include all seat counts from two to five."""
    assert {state.seats for state, _moves in POSITIONS.values()} == {2, 3, 4, 5}

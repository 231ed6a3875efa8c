"""Positions worked out by hand, with moves in notation."""

from __future__ import annotations

from bot.engine.cards import Card, card_of
from bot.games.american_toad import GAME
from bot.games.american_toad.state import FOUNDATIONS, SUITS, Position, State

NONE = (0,) * FOUNDATIONS
META = {"undo", "redo", "all up", "turn on", "turn on, up"}


def parse_cards(codes: str) -> tuple[Card, ...]:
    found = [card_of(code) for code in codes.split()]
    return tuple(card for card in found if card is not None)


def new_position(
    columns: str = "|||||||",
    *,
    base: int = 5,
    heights: tuple[int, ...] = NONE,
    reserve: str = "",
    stock: str = "",
    waste: str = "",
    redeal: bool = True,
) -> State:
    """Return a position. Columns are separated by bars, and the last card of a pile is its top."""
    laid = tuple(parse_cards(column) for column in columns.split("|"))
    assert len(laid) == 8
    return State(
        1,
        Position(
            base,
            heights,
            parse_cards(reserve),
            laid,
            parse_cards(stock),
            parse_cards(waste),
            redeal_left=redeal,
        ),
    )


def legal_card_moves(state: State) -> set[str]:
    """Return the written legal moves of cards."""
    return {GAME.write(move) for move in GAME.legal_moves(state)} - META


def play_moves(state: State, *moves: str) -> State:
    for text in moves:
        state = GAME.play(state, GAME.read(text, state))
    return state


def foundation_heights(**of: int) -> tuple[int, ...]:
    """Return foundation heights, such as ``H=3`` for the first foundation of hearts."""
    made = list(NONE)
    for suit, height in of.items():
        made[[each.value for each in SUITS].index(suit)] = height
    return tuple(made)

"""Toad's moves in writing, such as ``take 3``, ``draw``, ``take discard``, ``discard 7S``, ``ribit``."""

from __future__ import annotations

from typing import assert_never

from bot.engine.cards import card_of
from bot.engine.errors import UnreadableMoveError
from bot.engine.words import _
from bot.games.toad.state import (
    STOCK_SIZE,
    Deal,
    Declare,
    Discard,
    Draw,
    EndTurn,
    Move,
    State,
    TakeDiscard,
    TakeNothing,
    TakeStock,
)

_PLAIN: dict[str, Move] = {
    "draw": Draw(),
    "take discard": TakeDiscard(),
    "take nothing": TakeNothing(),
    "end": EndTurn(),
    "ribit": Declare(),
    "deal": Deal(),
}
_PLAIN_TEXT = {move: text for text, move in _PLAIN.items()}
_TAKE = {f"take {place + 1}": TakeStock(place) for place in range(STOCK_SIZE)}


def write(move: Move) -> str:
    """Return the move in writing; stock places are counted from 1."""
    match move:
        case TakeStock(place):
            return f"take {place + 1}"
        case Discard(card):
            return f"discard {card.code}"
        case Draw() | TakeDiscard() | TakeNothing() | EndTurn() | Declare() | Deal():
            return _PLAIN_TEXT[move]
        case _:
            assert_never(move)


def read(text: str, _state: State) -> Move:
    """Return the move that the text writes, or raise UnreadableMoveError."""
    verb, _space, rest = text.partition(" ")
    card = card_of(rest) if verb == "discard" else None
    move = Discard(card) if card else _PLAIN.get(text) or _TAKE.get(text)
    if move is None:
        raise UnreadableMoveError(_("“{text}” is not a move of Toad.").format(text=text[:40]))
    return move

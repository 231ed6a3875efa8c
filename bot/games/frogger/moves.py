"""Frogger's moves in writing, such as ``play 7ML L from 3M``, ``back 5K to 3M take AS``, ``end``.

A space is the number of its corridor card, from 1, and the letter of its suit.
"""

from __future__ import annotations

import re
from typing import assert_never

from bot.engine.decktet import DecktetCard, DecktetSuit, decktet_card_of
from bot.engine.errors import UnreadableMoveError
from bot.engine.words import _
from bot.games.frogger.state import Back, EndTurn, Move, Play, Space, State, Take

_CARD, _SPACE = r"[A-Z0-9]{2,4}", r"start|[1-9][0-9]?[MSWLYK]"
_PLAY = re.compile(rf"play (?P<card>{_CARD}) (?P<suit>[MSWLYK]) from (?P<frog>{_SPACE})")
_BACK = re.compile(rf"back (?P<frog>{_SPACE}) to (?P<to>{_SPACE})( take (?P<card>{_CARD}))?")
_TAKE = re.compile(rf"take (?P<card>{_CARD})")


def write(move: Move) -> str:
    """Return the move in writing."""
    match move:
        case Play(card, suit, frog):
            return f"play {card.code} {suit.value} from {_name(frog)}"
        case Back(frog, to, card):
            taken = "" if card is None else f" take {card.code}"
            return f"back {_name(frog)} to {_name(to)}{taken}"
        case Take(card):
            return f"take {card.code}"
        case EndTurn():
            return "end"
        case _:
            assert_never(move)


def read(text: str, _state: State) -> Move:
    """Return the move that the text writes, or raise UnreadableMoveError."""
    move = _read(text)
    if move is None:
        raise UnreadableMoveError(_("“{text}” is not a move of Frogger.").format(text=text[:40]))
    return move


def _read(text: str) -> Move | None:
    if text == "end":
        return EndTurn()
    for pattern in (_PLAY, _BACK, _TAKE):
        if found := pattern.fullmatch(text):
            parts = found.groupdict()
            card = decktet_card_of(parts["card"] or "")
            if parts["card"] and card is None:
                return None
            return _move(parts, card)
    return None


def _move(parts: dict[str, str | None], card: DecktetCard | None) -> Move | None:
    """Return the move of the parts of a text, or None where they do not fit each other."""
    suit = parts.get("suit")
    if suit is not None and card is not None:
        return Play(card, DecktetSuit(suit), _space(parts["frog"]))
    if "to" in parts:
        frog = _space(parts["frog"])
        return Back(frog, _space(parts["to"]), card) if frog else None
    return Take(card) if card is not None else None


def _name(space: Space | None) -> str:
    return "start" if space is None else f"{space.place + 1}{space.letter}"


def _space(name: str | None) -> Space | None:
    return None if name is None or name == "start" else Space(int(name[:-1]) - 1, name[-1])

"""American Toad's moves in writing: ``turn x5``, ``waste up``, ``reserve to 3``, ``5 to 2 x4``."""

from __future__ import annotations

import re
from typing import assert_never

from bot.engine.errors import UnreadableMoveError
from bot.engine.words import _
from bot.games.american_toad.state import (
    Advice,
    AllUp,
    Move,
    Pile,
    Place,
    Redeal,
    Redo,
    Rescue,
    Shift,
    State,
    Turn,
    TurnOn,
    Undo,
    Up,
)

_PLAIN: dict[str, Move] = {
    "turn": Turn(),
    "turn on": TurnOn(),
    "turn on, up": TurnOn(up=True),
    "redeal": Redeal(),
    "all up": AllUp(),
    "undo": Undo(),
    "redo": Redo(),
}
_PLAIN_TEXT = {move: text for text, move in _PLAIN.items()}
_UP = re.compile(r"(?P<source>waste|reserve|[1-8]) up")
_PLACE = re.compile(r"(?P<source>waste|reserve) to (?P<column>[1-8])")
_SEVERAL = re.compile(r"(?P<verb>turn|undo) x(?P<count>[2-9]|[1-9][0-9]{1,2})")
_TURN_UP = re.compile(r"turn x(?P<count>[1-9][0-9]?), up")
_TOLD = re.compile(r"(?P<kind>hint|peek): (?P<move>.+)")
_RESCUE = re.compile(r"winnable after (?P<moves>0|[1-9][0-9]{0,5})")
_NOTHING = "nothing"
_NEVER = "winnable never"
_SHIFT = re.compile(r"(?P<source>[1-8]) to (?P<column>[1-8]) x(?P<count>[1-9][0-9]?)")


def write(move: Move) -> str:
    """Return the move in writing; columns are counted from 1."""
    match move:
        case Up(source):
            return f"{_source(source)} up"
        case Place(source, column):
            return f"{source.value} to {column + 1}"
        case Shift(source, column, count):
            return f"{source + 1} to {column + 1} x{count}"
        case Turn(count, up=True):
            return f"turn x{count}, up"
        case Turn(count) | Undo(count) if count > 1:
            return f"{'turn' if isinstance(move, Turn) else 'undo'} x{count}"
        case Turn() | TurnOn() | Redeal() | AllUp() | Undo() | Redo():
            return _PLAIN_TEXT[move]
        case Advice(told, peeked):
            return f"{'peek' if peeked else 'hint'}: {write(told) if told else _NOTHING}"
        case Rescue(None):
            return _NEVER
        case Rescue(moves):
            return f"winnable after {moves}"
        case _:
            assert_never(move)


def read(text: str, state: State) -> Move:
    """Return the move that the text writes, or raise UnreadableMoveError."""
    if found := _TOLD.fullmatch(text):
        told = None if found["move"] == _NOTHING else read(found["move"], state)
        if not isinstance(told, Undo | Redo | Advice | Rescue):
            return Advice(told, peeked=found["kind"] == "peek")
    if text == _NEVER:
        return Rescue(None)
    if found := _RESCUE.fullmatch(text):
        return Rescue(int(found["moves"]))
    if text in _PLAIN:
        return _PLAIN[text]
    if found := _SEVERAL.fullmatch(text):
        several = Turn if found["verb"] == "turn" else Undo
        return several(int(found["count"]))
    if found := _TURN_UP.fullmatch(text):
        return Turn(int(found["count"]), up=True)
    if found := _UP.fullmatch(text):
        name = found["source"]
        return Up(int(name) - 1 if name.isdigit() else Pile(name))
    if found := _PLACE.fullmatch(text):
        return Place(Pile(found["source"]), int(found["column"]) - 1)
    if found := _SHIFT.fullmatch(text):
        return Shift(int(found["source"]) - 1, int(found["column"]) - 1, int(found["count"]))
    raise UnreadableMoveError(_("“{text}” is not a move of American Toad.").format(text=text[:40]))


def _source(source: Pile | int) -> str:
    return source.value if isinstance(source, Pile) else str(source + 1)

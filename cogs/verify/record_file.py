"""The record of a match: all that it can be verified by, in a file, as docs/verifying.md has it."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from bot.engine.errors import RibitError
from bot.engine.shuffle import SEED_BYTES, Draw
from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.matches.commitment import Opened, Seat

T = TypeVar("T")

FORM = "ribit match"
VERSION = 2
"""One more with every change after which an earlier Ribit would read the file wrongly."""

MOST_BYTES = 4 * 1024 * 1024
"""More than any match takes; what is larger is not read."""

_MOST_DIGITS = 20
"""An id of Discord's has 64 bits."""


@frozen
class RecordedDraw:
    """A shuffle or lot of a match, with its cards in writing, and after how many moves it was."""

    after: int
    draw: Draw


@frozen
class RecordedMove:
    """A move; ``lot`` is the lot of a computer player's, in hexadecimal digits, else empty."""

    seat: int
    text: str
    lot: str = ""


@frozen
class Record(Opened):
    """All that a match can be verified by: what it was dealt by, what came of that, and its moves.

    ``winners`` is None for a match that was closed before its end.
    """

    draws: tuple[RecordedDraw, ...] = ()
    moves: tuple[RecordedMove, ...] = ()
    winners: tuple[int, ...] | None = None


class VerificationError(RibitError):
    """The file cannot be read as the record of a match."""


def written(record: Record) -> bytes:
    """Return the file of a record."""
    document = {
        "form": FORM,
        "version": VERSION,
        **record.opening,
        "commitment": record.commitment,
        "secret": _hex(record.secret),
        "interactions": [str(each) for each in record.interactions],
        "seed": _hex(record.seed),
        "draws": [_draw(each) for each in record.draws],
        "moves": [
            {"seat": move.seat, "move": move.text} | ({"lot": move.lot} if move.lot else {})
            for move in record.moves
        ],
        "winners": None if record.winners is None else list(record.winners),
    }
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


def _hex(secret: bytes | None) -> str | None:
    return None if secret is None else secret.hex()


def _draw(drawn: RecordedDraw) -> dict[str, Any]:
    draw = drawn.draw
    what: dict[str, Any] = {"after": drawn.after, "purpose": draw.purpose}
    if draw.choices:
        return {**what, "choices": draw.choices, "drawn": draw.drawn}
    return {**what, "cards": list(draw.items), "order": list(draw.order)}


def read(file: bytes) -> Record:
    """Return the record that a file holds; raises VerificationError for what is none, or is cut."""
    try:
        document = json.loads(file) if len(file) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("form") != FORM:
        raise VerificationError(
            "This file is not the record of a match, or is cut. Take the file that Download gives under "
            "/verify once more."
        )
    if document.get("version") != VERSION:
        raise VerificationError(
            f"This file is of another version than {VERSION}, which this Ribit reads. Verify it with "
            "the Ribit that gave it."
        )
    try:
        record = _record(document)
        listed = [_id(each) for each in _of(document["interactions"], list)]
    except (KeyError, TypeError, ValueError) as error:
        raise VerificationError(
            f"Something in this file is missing or of another form ({error}): it was changed, or cut."
        ) from None
    if tuple(listed) != record.interactions:
        raise VerificationError(
            "The interactions listed in this file are not those of its seats and its start: it was "
            "changed."
        )
    return record


def _record(document: dict[str, Any]) -> Record:
    winners = document["winners"]
    return Record(
        match_id=_of(document["match"], str),
        game=_of(document["game"], str),
        rules_version=_number(document["rules"]),
        thinking_version=_number(document["thinking"]),
        options={key: _number(value) for key, value in _of(document["options"], dict).items()},
        seats=tuple(_seat(_of(each, dict)) for each in _of(document["seats"], list)),
        started_by=_id(document["started_by"]),
        secret=_bytes(document["secret"]),
        commitment=_of(document["commitment"], str),
        seed=_bytes(document["seed"]),
        draws=tuple(_recorded(_of(each, dict)) for each in _of(document["draws"], list)),
        moves=tuple(_move(_of(each, dict)) for each in _of(document["moves"], list)),
        winners=None if winners is None else tuple(map(_number, _of(winners, list))),
        opened_by=_id(document["opened_by"]),
    )


def _of(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise ValueError(f"{str(value)[:40]!r} is no {kind.__name__}")
    return value


def _number(value: Any) -> int:
    if _of(value, int) < 0:
        raise ValueError(f"{value} is less than 0")
    return int(value)


def _id(value: Any) -> int:
    text = str(value) if type(value) is int else _of(value, str)
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise ValueError(f"{text[:40]!r} is no id")
    return int(text)


def _bytes(value: Any) -> bytes | None:
    if value is None:
        return None
    # Zeros behind a secret would give its seed under another commitment.
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", _of(value, str)):
        raise ValueError(f"{value[:40]!r} are not {SEED_BYTES} bytes in hexadecimal digits")
    return bytes.fromhex(value)


def _seat(seat: dict[str, Any]) -> Seat:
    if "computer" in seat:
        return Seat(strength=Strength(seat["computer"]))
    return Seat(_id(seat["interaction"]))


def _recorded(drawn: dict[str, Any]) -> RecordedDraw:
    after, purpose = _number(drawn["after"]), _of(drawn["purpose"], str)
    if "choices" in drawn:
        draw = Draw(purpose, choices=_number(drawn["choices"]), drawn=_number(drawn["drawn"]))
    else:
        cards, order = (tuple(_of(drawn[key], list)) for key in ("cards", "order"))
        draw = Draw(purpose, cards, order)
    return RecordedDraw(after, draw)


def _move(move: dict[str, Any]) -> RecordedMove:
    return RecordedMove(_number(move["seat"]), _of(move["move"], str), _of(move.get("lot", ""), str))

"""JSON file with a match's record, from which anyone can verify the match.

docs/verifying.md describes the file's format.
"""

from __future__ import annotations

import json
from typing import Any

from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.shuffle import SEED_BYTES, SeedUse
from bot.matches.commitment import DealTerms, SeatTerms

FORM = "ribit match"
VERSION = 2
"""Version of the file format. Increase it if older releases would misread new files."""

MOST_BYTES = 4 * 1024 * 1024
"""Maximum size of a file in bytes. Larger files are rejected. No valid file is that large."""

_IDS = range(2**64)
"""Valid Discord IDs. They have 64 bits."""


@frozen
class RecordedDraw:
    """A shuffle or random number that was drawn from a match's seed.

    Attributes:
        after: The number of moves made before the draw.
        draw: The draw. Its cards are written in the game's notation.
    """

    after: int
    draw: SeedUse


@frozen
class RecordedMove:
    """A move in a match's record.

    Attributes:
        seat: The seat of the player who moved.
        text: The move in the game's notation.
        lot: The random data from which a computer player chose the move, in hexadecimal digits. Empty if
            a person made the move.
        is_simple: True if a computer player moved at the level *froglet* whatever its strength. It does
            so if no person is left in the match, or if no worker process answers in time.
    """

    seat: int
    text: str
    lot: str = ""
    is_simple: bool = False


@frozen
class Record(DealTerms):
    """The record of a match, from which anyone can verify it.

    It has the values from which the deal was computed, and the match's draws, moves and winners.

    Attributes:
        draws: All shuffles and random numbers drawn for the deal and the moves, in order.
        moves: All moves in order.
        winners: The seats that won. None if the match was closed before its end.
    """

    draws: tuple[RecordedDraw, ...] = ()
    moves: tuple[RecordedMove, ...] = ()
    winners: tuple[int, ...] | None = None


class VerificationError(RibitError):
    """Raised when a file does not contain a valid match record."""


def serialize_record(record: Record) -> bytes:
    return json.dumps(_document(record), indent=1, ensure_ascii=False).encode()


def _document(record: Record) -> dict[str, Any]:
    return {
        "form": FORM,
        "version": VERSION,
        **record.opening,
        "commitment": record.commitment,
        "secret": record.secret and record.secret.hex(),
        "interactions": [str(interaction_id) for interaction_id in record.interactions],
        "seed": record.seed and record.seed.hex(),
        "draws": [_draw(draw) for draw in record.draws],
        "moves": [
            {"seat": move.seat, "move": move.text}
            | ({"lot": move.lot} if move.lot else {})
            | ({"simple": True} if move.is_simple else {})
            for move in record.moves
        ],
        "winners": None if record.winners is None else list(record.winners),
    }


def _draw(drawn: RecordedDraw) -> dict[str, Any]:
    draw = drawn.draw
    what: dict[str, Any] = {"after": drawn.after, "purpose": draw.purpose}
    if draw.choices:
        return {**what, "choices": draw.choices, "drawn": draw.drawn}
    return {**what, "cards": list(draw.items), "order": list(draw.order)}


def read(file: bytes) -> Record:
    """Parse a JSON file and return the match's record that it contains.

    Raises:
        VerificationError: The file contains no record, is incomplete or has an unknown version.
    """
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
        return _record(document)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        raise VerificationError(
            "Something in this file is missing or of another form: it was changed, or cut."
        ) from None


def _record(document: dict[str, Any]) -> Record:
    winners = document["winners"]
    record = Record(
        match_id=str(document["match"]),
        game=str(document["game"]),
        rules_version=int(document["rules"]),
        thinking_version=int(document["thinking"]),
        options={key: int(value) for key, value in document["options"].items()},
        seats=tuple(map(_seat, document["seats"])),
        started_by=_id(document["started_by"]),
        secret=_bytes(document["secret"]),
        commitment=str(document["commitment"]),
        seed=_bytes(document["seed"]),
        draws=tuple(map(_parse_draw, document["draws"])),
        moves=tuple(map(_move, document["moves"])),
        winners=None if winners is None else tuple(map(int, winners)),
        opened_by=_id(document["opened_by"]),
    )
    if _canonical(_document(record)) != _canonical(document):
        raise ValueError("what was of another kind is written otherwise")
    return record


def _canonical(document: Any) -> str:
    """Return a document as JSON text, by which two documents can be compared strictly.

    A comparison of the Python values would not be strict, because ``3 == 3.0`` and ``1 == True``.
    """
    return json.dumps(document, sort_keys=True)


def _id(text: str) -> int:
    return _IDS.index(int(text))


def _bytes(digits: str | None) -> bytes | None:
    value = None if digits is None else bytes.fromhex(digits)
    # Otherwise, a secret with zeros appended would give the same seed with a different commitment.
    if value is not None and len(value) != SEED_BYTES:
        raise ValueError(digits)
    return value


def _seat(seat: dict[str, Any]) -> SeatTerms:
    if "computer" in seat:
        return SeatTerms(strength=Strength(seat["computer"]))
    return SeatTerms(_id(seat["interaction"]))


def _parse_draw(drawn: dict[str, Any]) -> RecordedDraw:
    purpose = str(drawn["purpose"])
    if "choices" in drawn:
        draw = SeedUse(purpose, choices=int(drawn["choices"]), drawn=int(drawn["drawn"]))
    else:
        draw = SeedUse(purpose, tuple(map(str, drawn["cards"])), tuple(map(str, drawn["order"])))
    return RecordedDraw(int(drawn["after"]), draw)


def _move(move: dict[str, Any]) -> RecordedMove:
    lot, is_simple = str(move.get("lot", "")), bool(move.get("simple", False))
    return RecordedMove(int(move["seat"]), str(move["move"]), lot, is_simple)

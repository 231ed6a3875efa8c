"""A commitment: what a deal is drawn by is fixed before, and can be known by all when it is over.

A table shows the hash of a secret before anybody sits down. The seed is made of that secret, of the
ids that Discord gives to what people press, which no player can choose, and of what is played by whom.
docs/verifying.md has all of it.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from bot.engine.game import Option
from bot.engine.immutable import frozen
from bot.engine.shuffle import lot
from bot.engine.thinking import Strength
from bot.matches.match import Match
from bot.matches.match_type import FOUND, MatchType, committed

_TERMS = json.JSONEncoder(sort_keys=True, separators=(",", ":"))

SHORT = 24
"""So many hexadecimal digits are compared: nobody finds another table that has the same."""


def commitment_to(secret: bytes) -> str:
    """Return the commitment to a secret, in hexadecimal digits: the secret cannot be found from it."""
    return sha256(secret).hexdigest()


def deal_seed(secret: bytes, terms: str) -> bytes:
    """Return the seed of a match, from its secret and the terms that it is dealt on."""
    return hmac.digest(secret, terms.encode(), "sha256")


def secret_of_day(secret: bytes, game: str, day: int) -> bytes:
    """Return the secret of one day's deal, which tells nothing of any other day's."""
    return hmac.digest(secret, f"{game} {day}".encode(), "sha256")


def number_by_lot(option: Option, seed: bytes) -> int:
    """Return a value of an option that is drawn by lot: any but the least, which stands for none."""
    return option.least + 1 + lot(option.most - option.least, seed, f"{option.key} number")


@frozen
class Seat:
    """A seat: the id of the interaction by which a person sat down, or how well a frog plays there."""

    interaction: int = 0
    strength: Strength | None = None


@frozen
class Opened:
    """What a match is dealt by. It names nobody: a seat is a number.

    Without a ``secret`` its deal was chosen by its number.
    """

    match_id: str
    game: str
    rules_version: int
    thinking_version: int
    options: Mapping[str, int]
    seats: tuple[Seat, ...]
    opened_by: int
    started_by: int
    secret: bytes | None
    commitment: str
    seed: bytes | None

    @property
    def type(self) -> MatchType:
        return MatchType.parse(self.options)

    @property
    def opening(self) -> dict[str, Any]:
        return {
            "match": self.match_id,
            "game": self.game,
            "rules": self.rules_version,
            "thinking": self.thinking_version,
            "options": dict(self.options),
            "opened_by": str(self.opened_by),
            "seats": [
                {"computer": seat.strength.value}
                if seat.strength
                else {"interaction": str(seat.interaction)}
                for seat in self.seats
            ],
            "started_by": str(self.started_by),
        }

    @property
    def terms(self) -> str:
        """All that goes into the seed beside the secret, in one text; nothing of a day's deal does."""
        if self.type.day:
            return ""
        options = {key: value for key, value in self.options.items() if key not in FOUND}
        return _TERMS.encode(self.opening | {"options": options})

    @property
    def digest(self) -> str:
        """What a table shows at its start; a day's deal is committed by its secret alone."""
        if self.type.day:
            return self.commitment[:SHORT]
        return sha256((self.commitment + self.terms).encode()).hexdigest()[:SHORT]

    @property
    def interactions(self) -> tuple[int, ...]:
        """The ids that went into the seed: of each seat, and of the start; none of a day's deal."""
        each = (*(seat.interaction for seat in self.seats), self.started_by)
        return tuple(dict.fromkeys(filter(None, each)))


def interactions_of(match: Match) -> tuple[int, ...]:
    return opened_record(match).interactions


def opened_record(match: Match) -> Opened:
    seats = tuple(
        Seat(each.interaction)
        if each.interaction or not each.is_computer_player
        else Seat(strength=each.strength)
        for each in match.players
    )
    return Opened(
        match_id=match.id,
        game=match.game,
        rules_version=match.rules_version,
        thinking_version=match.thinking_version,
        options=committed(match.options),
        seats=seats,
        opened_by=match.opened_by,
        started_by=match.started_by,
        secret=match.secret,
        commitment=commitment_to(match.secret) if match.secret is not None else "",
        seed=match.seed if match.secret is not None else None,
    )

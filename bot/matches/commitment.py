"""Commitments: hashes published in advance, so that players can check that a deal was not manipulated.

Before anyone joins, Ribit publishes the hash of a secret. The seed for shuffling is derived from this
secret, the IDs of the players' interactions, and the terms of the match (such as its options). Discord
chooses the interaction IDs, so players cannot influence them. See docs/verifying.md for details.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import GameOption
from bot.engine.opponent import Strength
from bot.engine.shuffle import lot
from bot.matches.match import Match
from bot.matches.match_type import LATER_OPTIONS, MatchType, board_terms, recorded_options

_TERMS = json.JSONEncoder(sort_keys=True, separators=(",", ":"))

SHORT = 24
"""The number of hexadecimal digits that players compare. A collision is infeasible at this length."""


def commitment_to(secret: bytes) -> str:
    """Return the SHA-256 hash of a secret as hexadecimal digits. Ribit publishes it before the match."""
    return sha256(secret).hexdigest()


def deal_seed(secret: bytes, terms: str) -> bytes:
    """Derive the seed for shuffling from a match's secret and its terms."""
    return hmac.digest(secret, terms.encode(), "sha256")


def secret_of_day(secret: bytes, game: str, day: int) -> bytes:
    """Derive the secret for the deal of one day. It does not reveal the secrets for other days."""
    return hmac.digest(secret, f"{game} {day}".encode(), "sha256")


def number_by_lot(option: GameOption, seed: bytes) -> int:
    """Choose a pseudorandom value for a game option, derived from the seed.

    The option's smallest value is never chosen, because it means *none*.
    """
    return option.least + 1 + lot(option.most - option.least, seed, f"{option.key} number")


@frozen
class SeatTerms:
    """The part of a match's terms that describes one seat.

    Attributes:
        interaction: The ID of the interaction by which the person joined, or 0 if there is none.
        strength: The strength of the computer player, or None for a person.
    """

    interaction: int = 0
    strength: Strength | None = None


@frozen
class DealTerms:
    """Everything that determines a match's deal. It identifies players by their seats only.

    Attributes:
        game: The key of the game.
        rules_version: The version of the rules.
        thinking_version: The version of the computer players.
        seats: The seats, in order.
        opened_by: The ID of the interaction that opened the match.
        started_by: The ID of the interaction that started the match.
        secret: The secret from which the seed is derived, or None if the player chose the deal by its
            number.
        commitment: The hash of the secret, or an empty string if there is no secret.
        seed: The seed for shuffling, derived from the secret, or None if there is no secret.
    """

    match_id: str
    game: str
    rules_version: int
    thinking_version: int
    options: Mapping[str, int]
    seats: tuple[SeatTerms, ...]
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
        """The terms of the match as text. The seed is derived from this text and the secret.

        It is empty for a daily deal. For a board of the daily duels it contains only the board's number,
        so that all players get the same board.
        """
        if self.type.is_duel:
            return board_terms(self.type.board)
        if self.type.day:
            return ""
        options = {key: value for key, value in self.options.items() if key not in LATER_OPTIONS}
        return _TERMS.encode(self.opening | {"options": options})

    @property
    def digest(self) -> str:
        """The hash that players are shown when the match starts.

        It covers the secret and the terms of the match. For a daily deal or a board of the daily duels,
        it covers only the secret.
        """
        if self.type.day or self.type.is_duel:
            return self.commitment
        return sha256((self.commitment + self.terms).encode()).hexdigest()

    @property
    def interactions(self) -> tuple[int, ...]:
        """The IDs of all interactions that the seed depends on, without duplicates.

        They are the interactions by which people joined and the one that started the match. A daily deal
        may have none.
        """
        ids = (*(seat.interaction for seat in self.seats), self.started_by)
        return tuple(dict.fromkeys(filter(None, ids)))


def interactions_of(match: Match) -> tuple[int, ...]:
    return opened_record(match).interactions


def opened_record(match: Match) -> DealTerms:
    seats = tuple(
        SeatTerms(player.interaction)
        if player.interaction or not player.is_computer_player
        else SeatTerms(strength=player.strength)
        for player in match.players
    )
    return DealTerms(
        match_id=match.id,
        game=match.game,
        rules_version=match.rules_version,
        thinking_version=match.thinking_version,
        options=recorded_options(match.options),
        seats=seats,
        opened_by=match.opened_by,
        started_by=match.started_by,
        secret=match.secret,
        commitment=commitment_to(match.secret) if match.secret is not None else "",
        seed=match.seed if match.secret is not None else None,
    )

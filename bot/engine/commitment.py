"""A commitment: what a deal is drawn by is fixed before, and can be known by all when it is over.

A table shows the hash of a secret before anybody sits down. The seed is made of that secret, of what
the bot could not choose, the ids that Discord gives to what people press, and of what is played by whom.
docs/verifying.md has all of it.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256

from bot.engine.game import Option
from bot.engine.match import Match
from bot.engine.shuffle import lot


def commitment_to(secret: bytes) -> str:
    """Return the commitment to a secret, in hexadecimal digits: the secret cannot be found from it."""
    return sha256(secret).hexdigest()


def deal_seed(secret: bytes, terms: str) -> bytes:
    """Return the seed of a match, from its secret and the terms that it is dealt on."""
    return hmac.digest(secret, terms.encode(), "sha256")


def contributions(sat_down: Iterable[int], started_by: int) -> tuple[int, ...]:
    """Return the ids that go into a seed: of what people sat down by, and of the start.

    There are none of computer players, nor at a day's deal, which is the same for all.
    """
    return tuple(dict.fromkeys(filter(None, (*sat_down, started_by))))


def interactions_of(match: Match) -> tuple[int, ...]:
    """Return the ids that go into the seed of a match, as far as it has come."""
    return contributions((player.interaction for player in match.players), match.started_by)


def secret_of_day(secret: bytes, game: str, day: int) -> bytes:
    """Return the secret of one day's deal, which tells nothing of any other day's."""
    return hmac.digest(secret, f"{game} {day}".encode(), "sha256")


def number_by_lot(option: Option, seed: bytes) -> int:
    """Return a value of an option that is drawn by lot: any but the least, which stands for none."""
    return option.least + 1 + lot(option.most - option.least, seed, f"{option.key} number")

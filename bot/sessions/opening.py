"""A match before it is stored: what was chosen for a table that is to be opened, and a new match."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from bot.engine.game import AnyGame, Info
from bot.engine.match import BANK, HINTS, Match, Player
from bot.engine.server import LONGEST_BANK, LONGEST_TURN, SHORTEST_TURN
from bot.engine.thinking import Strength
from bot.engine.values import frozen

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


@frozen
class Opening:
    """What was chosen: a game, how many may sit down, its options, the time of a turn, and frogs."""

    game: str
    limit: int
    options: Mapping[str, int]
    turn_seconds: int = 0
    frogs: tuple[Strength, ...] = ()

    def fits(self, game: AnyGame) -> bool:
        """Return whether a game has such a table: what a button carries may be old, or made up."""
        info, seconds = game.info, self.turn_seconds
        bounds = {option.key: (option.least, option.most) for option in info.options} | {
            HINTS: (0, 1),
            BANK: (0, LONGEST_BANK),
        }
        return (
            not info.is_solo
            and info.fewest <= self.limit <= info.most
            and len(self.frogs) < self.limit
            and (not self.frogs or game.thinking is not None)
            and all(
                key in bounds and bounds[key][0] <= value <= bounds[key][1]
                for key, value in self.options.items()
            )
            and all(option.key in self.options for option in info.options)
            and (seconds == 0 or (game.has_clock and SHORTEST_TURN <= seconds <= LONGEST_TURN))
        )


def new_match_id() -> str:
    """Return an id that no match has."""
    return "".join(secrets.choice(_ID_ALPHABET) for _letter in range(_ID_LENGTH))


def new_match(
    info: Info,
    guild_id: int | None,
    channel_id: int,
    host: Player,
    limit: int,
    options: Mapping[str, int],
    opened_at: int,
) -> Match:
    """Return a lobby of a game, not stored yet, in which only its host is seated."""
    return Match(
        id=new_match_id(),
        game=info.key,
        rules_version=info.rules_version,
        guild_id=guild_id,
        channel_id=channel_id,
        host_id=host.id,
        players=(host,),
        limit=limit,
        options=options,
        opened_at=opened_at,
    )


def place_of(channel_id: int, player_id: int | None = None) -> str:
    """Return the name of a place that holds one live match: a channel, or a player's own in it."""
    return f"channel {channel_id}" if player_id is None else f"channel {channel_id} player {player_id}"


def lesson_of(game: str, player_id: int) -> str:
    """Return the name of the place of a player's lesson in a game, which is in no channel."""
    return f"lesson {game} player {player_id}"

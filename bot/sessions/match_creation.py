"""Creation of matches: the ID, the players, the options and the seed. All functions are pure."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Info
from bot.engine.opponent import Strength
from bot.matches.commitment import deal_seed, interactions_of, opened_record
from bot.matches.match import Match, Player
from bot.matches.match_type import BANK, HINTS
from bot.matches.server_settings import LONGEST_BANK, LONGEST_TURN, SHORTEST_TURN

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


_ID_LENGTH = 8


@frozen
class Opening:
    """The choices that a host makes when opening a table.

    Attributes:
        game: The key of the game.
        limit: The number of seats.
        options: The options by key.
        turn_seconds: The time limit of a turn in seconds. 0 means no limit.
        computer_players: The strengths of the computer players.
    """

    game: str
    limit: int
    options: Mapping[str, int]
    turn_seconds: int = 0
    computer_players: tuple[Strength, ...] = ()

    def fits(self, game: AnyGame) -> bool:
        """Return whether the game allows these choices.

        They may come from an outdated button or a forged request.
        """
        info, seconds = game.info, self.turn_seconds
        needed = {option.key: (option.least, option.most) for option in info.options}
        bounds = needed | {HINTS: (0, 1), BANK: (0, LONGEST_BANK)}
        return (
            not info.is_solo
            and info.fewest <= self.limit <= info.most
            and len(self.computer_players) < self.limit
            and (not self.computer_players or game.thinking is not None)
            and needed.keys() <= self.options.keys() <= bounds.keys()
            and all(bounds[key][0] <= value <= bounds[key][1] for key, value in self.options.items())
            and (seconds == 0 or (game.has_clock and SHORTEST_TURN <= seconds <= LONGEST_TURN))
        )


def new_match_id() -> str:
    return "".join(secrets.choice(_ID_ALPHABET) for _letter in range(_ID_LENGTH))


def new_match(
    info: Info,
    guild_id: int | None,
    channel_id: int,
    host: Player,
    limit: int,
    options: Mapping[str, int],
) -> Match:
    """Return a new match in its lobby stage, with the host as its only player. It is not stored yet."""
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
        opened_at=0,
    )


def place_of(channel_id: int, player_id: int | None = None) -> str:
    """Return the key of a match's location in a channel. Two live matches cannot have the same key.

    Each channel can hold one table, and one solitaire deal per player.

    Args:
        channel_id: The channel.
        player_id: The player of a solitaire deal, or None for a table.
    """
    return f"channel {channel_id}" if player_id is None else f"channel {channel_id} player {player_id}"


def place_of_try(game: str, day: int, guild_id: int | None, who: str = "first") -> str:
    """Return the key of a private attempt at a daily deal. Two live matches cannot have the same key.

    Args:
        game: The key of the game.
        day: The day, such as 20261121.
        guild_id: The server, or None for DMs.
        who: The name of the attempt, which is different for each player. The attempt named ``first``
            also carries the server's public notice about all attempts at this deal.
    """
    return f"day {day} {game} server {guild_id or 0} {who}"


def add_seed(match: Match, game: AnyGame, seed: bytes, interaction: int) -> Match:
    """Return a match that is about to start, with its seed for shuffling.

    If the match has a secret, the seed is derived from the secret and the terms of the match. Otherwise,
    the given seed is used.
    """
    thinking = game.thinking.version if game.thinking else 0
    match = replace(match, started_by=interaction, thinking_version=thinking)
    if match.opened_by:  # of two simultaneous requests, the later may have been pressed first
        match = replace(match, opened_by=min((match.opened_by, *interactions_of(match))))
    if match.secret is not None:
        seed = deal_seed(match.secret, opened_record(match).terms)
    return replace(match, seed=seed)

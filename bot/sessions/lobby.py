"""Rules for opening tables and for lobbies, as pure functions.

A lobby is a table whose match has not started.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Info, Retry
from bot.engine.opponent import Strength
from bot.engine.translation import _, ngettext
from bot.matches.commitment import deal_seed, interactions_of, opened_record
from bot.matches.match import Match, Player, Stage, without_ids
from bot.matches.match_type import BANK, HINTS
from bot.matches.preferences import LONGEST_BANK, LONGEST_TURN, SHORTEST_TURN
from bot.sessions.errors import TableError, not_seated
from bot.sessions.table import Table
from bot.sessions.turn_clock import waiting

HOST_SECONDS = 10 * 60  # an idle host's rights pass to all seated players after this time
KEPT_SECONDS = 2 * 60  # seats of a rematch are reserved for the former players for this time
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


def strength_of(word: str) -> Strength:
    """Convert a name such as ``tadpole`` to a computer player's strength.

    Raise TableError if unknown.
    """
    try:
        return Strength(word)
    except ValueError:
        raise no_such_computer_player() from None


def no_such_computer_player() -> TableError:
    return TableError(_("There's no such frog. Choose a tadpole, a froglet or a toad."))


def check_computer_players(game: AnyGame, limit: int, count: int) -> None:
    """Raise TableError if a table cannot have this number of computer players.

    At least one seat must be left for a person.

    Args:
        game: The game.
        limit: The number of seats.
        count: The number of computer players.
    """
    if count and game.thinking is None:
        raise TableError(no_computer_players())
    if not 0 <= count < limit:
        words = ngettext(
            "The table has {seats} seats, so there's room for you and {n} frog.",
            "The table has {seats} seats, so there's room for you and {n} frogs.",
            limit - 1,
        )
        raise TableError(words.format(seats=limit, n=limit - 1))


def no_computer_players() -> str:
    return _("Frogs don't play this game.")


def begun(table: Table, seed: bytes, now: int, interaction: int = 0) -> Table:
    match, bank = add_seed(table.match, table.game, seed, interaction), bank_of(table.match)
    match = replace(
        match,
        stage=Stage.PLAYING,
        players=tuple(replace(player, bank=bank) for player in match.players),
        rests_since=None,
        turn_ends_at=now + match.turn_seconds + bank if match.turn_seconds else None,
        active_at=now,
    )
    return waiting(Table.deal(match, table.game), now)


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


def bank_of(match: Match) -> int:
    """Return each player's extra seconds for the whole match.

    They are used when a turn's time is over.
    """
    return match.type.bank if match.turn_seconds else 0


def check_may_go_back(table: Table, player_id: int) -> Retry[Any, Any]:
    """Check that a player may continue a match that the player gave up.

    Return the game's functions for this.

    Raises:
        TableError: The player did not give up this match.
    """
    if table.match.seat_of(player_id) is None:
        raise TableError(not_seated(table))
    retry, outcome = table.game.retry, table.outcome
    if retry is None or outcome is None or outcome.winners:
        raise TableError(_("You can only go back in a deal you've given up."))
    return retry


def check_may_rematch(match: Match, player_id: int) -> None:
    """Raise TableError if a user may not request a rematch of a match.

    The match must have ended, and the user must have had a seat. If it has no people left, any user may
    request a rematch.
    """
    if match.stage.is_live:
        raise TableError(_("This match isn't over yet."))
    if match.people and match.seat_of(player_id) is None:
        raise TableError(_("Only players from this table can ask for a rematch."))


def host_absent_at(match: Match) -> int:
    """Return the Unix time from which the host of a lobby counts as idle.

    After this time, every player in the lobby may act as the host.
    """
    return (match.rests_since or match.opened_at or 0) + HOST_SECONDS


def hosts(table: Table, player_id: int, now: int) -> bool:
    """Return whether a player has the rights of the host.

    If the host of a lobby is idle, all players in it have these rights. If the host is out of a match in
    progress, all players still in the match have them.
    """
    match, seat = table.match, table.match.seat_of(player_id)
    if seat is None or player_id == match.host_id:
        return seat is not None
    if table.is_lobby:
        return now >= host_absent_at(match)
    return match.seat_of(match.host_id) not in table.people and seat in table.people


def kept_seats(match: Match, now: int) -> tuple[int, ...]:
    """Return the IDs of the players of the previous match for whom a lobby still reserves seats.

    Players who have joined are left out. Two minutes after the lobby was opened, no seats are reserved.
    """
    if now >= (match.opened_at or 0) + KEPT_SECONDS:
        return ()
    awaited = without_ids(match.roster.invited, match.roster.removed)
    return tuple(each for each in awaited if match.seat_of(each) is None)

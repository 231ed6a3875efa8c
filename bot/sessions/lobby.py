"""Rules for lobbies, as pure functions.

A lobby is a table whose match has not started.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine.game import AnyGame, Retry
from bot.engine.opponent import Strength
from bot.engine.translation import _, ngettext
from bot.matches.match import Match, Stage, without_ids
from bot.sessions.errors import TableError, not_seated
from bot.sessions.match_creation import add_seed
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import waiting

HOST_SECONDS = 10 * 60  # an idle host's rights pass to all seated players after this time
KEPT_SECONDS = 2 * 60  # seats of a rematch are reserved for the former players for this time


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
    return tuple(player_id for player_id in awaited if match.seat_of(player_id) is None)

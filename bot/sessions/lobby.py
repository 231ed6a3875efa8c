"""What somebody may do who sits down, gets up, starts or ends a table. All pure."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Any

from bot.engine.game import AnyGame, Retry
from bot.engine.match import Match, Player, Stage, another_frog
from bot.engine.server import ServerSettings, Stoppers
from bot.engine.thinking import Strength
from bot.engine.words import _, ngettext
from bot.sessions.errors import TableError
from bot.sessions.refusals import not_seated, over_or_begun
from bot.sessions.table import Table
from bot.sessions.turn_clock import REST_SECONDS, waiting


class Joining(Enum):
    """What a join comes to: a seat in a lobby, or the seat that its player was away from."""

    SIT = "sit"
    COME_BACK = "come back"


class Leaving(Enum):
    """What leaving comes to: a free seat in a lobby, or a seat given up in a match."""

    STAND = "stand"
    GIVE_UP = "give up"


def joining(table: Table, player_id: int) -> Joining:
    """Return what a player does who joins; raises TableError where there is nothing to join."""
    is_seated = table.match.seat_of(player_id) is not None
    if table.is_playing and is_seated:
        return Joining.COME_BACK
    if is_seated:
        raise TableError(_("You already have a seat at this table."))
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    return Joining.SIT


def leaving(table: Table, player_id: int) -> tuple[Leaving, int]:
    """Return what a player does who leaves, and from which seat; raises TableError otherwise."""
    seat = table.match.seat_of(player_id)
    if seat is None:
        raise TableError(_("You're not at this table."))
    if table.is_lobby:
        return Leaving.STAND, seat
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    return Leaving.GIVE_UP, seat


def starts(table: Table, player_id: int) -> bool:
    """Return whether a player starts the lobby now; False where that was done by the same click.

    Raises TableError where the player may not, or somebody is missing yet.
    """
    if table.is_playing and player_id == table.match.host_id:
        return False  # a doubled click counts once
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if player_id != table.match.host_id:
        raise TableError(_("Only the host can start the match."))
    fewest = table.game.info.fewest
    if len(table.match.players) < fewest:
        raise TableError(
            _("It takes {n} players to start. Ask somebody to press **Join**.").format(n=fewest)
        )
    return True


def strength_of(word: str) -> Strength:
    """Return the strength of this name; raises TableError where there is none."""
    for strength in Strength:
        if strength.value == word:
            return strength
    raise no_such_frog()


def no_such_frog() -> TableError:
    """Return what is said to who asks for a strength that there is not."""
    return TableError(_("There is no such frog. Choose a tadpole, a froglet or a toad."))


def check_frogs(game: AnyGame, limit: int, frogs: int) -> None:
    """Raise TableError unless so many frogs find a seat beside somebody at a table of a game."""
    if frogs and game.thinking is None:
        raise TableError(_no_frogs())
    if not 0 <= frogs < limit:
        words = ngettext(
            "The table has {seats} seats: there's room for {n} frog besides you.",
            "The table has {seats} seats: there's room for {n} frogs besides you.",
            limit - 1,
        )
        raise TableError(words.format(seats=limit, n=limit - 1))


def new_frog(table: Table, player_id: int, strength: str) -> Player:
    """Return the frog that a player adds to a lobby; raises TableError where that is not possible."""
    _check_seats_frogs(table, player_id)
    frog = another_frog(table.match.id, table.match.players, strength_of(strength))
    if len(table.match.players) >= table.match.limit:
        raise TableError(no_room())
    return frog


def check_takes_away(table: Table, player_id: int, frog_id: int) -> None:
    """Raise TableError unless this player may take this frog away from a lobby."""
    _check_seats_frogs(table, player_id)
    seat = table.match.seat_of(frog_id)
    if seat is None or not table.match.players[seat].is_frog:
        raise TableError(_("That frog isn't at this table any more."))


def _check_seats_frogs(table: Table, player_id: int) -> None:
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if player_id != table.match.host_id:
        raise TableError(_("Only the host can add frogs or send them away."))
    if table.game.thinking is None:
        raise TableError(_no_frogs())


def _no_frogs() -> str:
    return _("Frogs don't play this game.")


def no_room() -> str:
    """Return what is said where a frog finds no seat."""
    return _("All seats are taken, so there's no room for a frog.")


def closes_at(now: int) -> int:
    """Return when a lobby has to be looked at, in which somebody has done something now."""
    return now + REST_SECONDS


def begun(table: Table, seed: bytes, now: int) -> Table:
    """Return the table of a lobby that is started now with this seed."""
    match = replace(
        table.match,
        stage=Stage.PLAYING,
        seed=seed,
        rests_since=None,
        turn_ends_at=now + table.match.turn_seconds if table.match.turn_seconds else None,
    )
    return waiting(Table.dealt(match, table.game), now)


def taken_words() -> str:
    """Return what is said to who would open a table where one stands."""
    return _("There is already a table in this channel.")


def check_may_go_back(table: Table, player_id: int) -> Retry[Any, Any]:
    """Return how a match is gone back to; raises TableError unless this player gave it up."""
    if table.match.seat_of(player_id) is None:
        raise TableError(not_seated(table))
    retry, outcome = table.game.retry, table.outcome
    if retry is None or outcome is None or outcome.winners:
        raise TableError(_("You can only go back in a deal that you gave up."))
    return retry


def check_may_rematch(match: Match, player_id: int) -> None:
    """Raise TableError unless the match is over and this player sat at it, or nobody did any more."""
    if match.stage.is_live:
        raise TableError(_("This match is not over yet."))
    if match.people and match.seat_of(player_id) is None:
        raise TableError(_("Only somebody who sat at this table can call for a rematch."))


def check_may_stop(table: Table, settings: ServerSettings, player_id: int, *, may_manage: bool) -> None:
    """Raise TableError unless the table is live and this player may end it.

    ``may_manage``: the player may manage messages, which is enough whatever the settings.
    """
    if not table.match.stage.is_live:
        raise TableError(over_or_begun(table))
    if may_manage:
        return
    match settings.stoppers:
        case Stoppers.HOST if player_id != table.match.host_id:
            raise TableError(_("Only the host or a moderator can close the table."))
        case Stoppers.SEATED if table.match.seat_of(player_id) is None:
            raise TableError(_("Only a player at the table or a moderator can close it."))
        case Stoppers.MANAGERS:
            raise TableError(_("In this server, only moderators can close a table."))

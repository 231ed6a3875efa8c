"""What somebody may do who sits down, gets up, starts or ends a table. All pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine.game import AnyGame, Retry
from bot.engine.match import Match, Stage
from bot.engine.server import Stoppers
from bot.engine.thinking import Strength
from bot.engine.words import _, ngettext
from bot.sessions.errors import TableError
from bot.sessions.refusals import not_seated, over_or_begun
from bot.sessions.table import Table
from bot.sessions.turn_clock import waiting


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
        raise TableError(no_frogs())
    if not 0 <= frogs < limit:
        words = ngettext(
            "The table has {seats} seats: there's room for {n} frog besides you.",
            "The table has {seats} seats: there's room for {n} frogs besides you.",
            limit - 1,
        )
        raise TableError(words.format(seats=limit, n=limit - 1))


def no_frogs() -> str:
    """Return what is said where a game has no computer players."""
    return _("Frogs don't play this game.")


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


def check_may_stop(table: Table, stoppers: Stoppers, player_id: int, *, may_manage: bool) -> None:
    """Raise TableError unless the table is live and this player may end it.

    ``may_manage``: the player may manage messages, which is enough whatever the settings.
    """
    if not table.match.stage.is_live:
        raise TableError(over_or_begun(table))
    if may_manage:
        return
    match stoppers:
        case Stoppers.HOST if player_id != table.match.host_id:
            raise TableError(_("Only the host or a moderator can close the table."))
        case Stoppers.SEATED if table.match.seat_of(player_id) is None:
            raise TableError(_("Only a player at the table or a moderator can close it."))
        case Stoppers.MANAGERS:
            raise TableError(_("In this server, only moderators can close a table."))

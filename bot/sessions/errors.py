"""What a table refuses, in the words its player reads."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.errors import RibitError
from bot.engine.words import _
from bot.matches.match import Match, Stage
from bot.sessions.table import Table


class TableError(RibitError):
    """The table does not allow that now, or not to this player."""


class MovedOnError(TableError):
    """The click was made on a state of the table that is no more; nothing was changed by it."""


class TableTakenError(TableError):
    """The channel has a live table already, or a deal of the player's; ``match_id`` is its match."""

    def __init__(self, match_id: str, *, is_deal: bool = False) -> None:
        words = _("There is already a table in this channel.")
        super().__init__(_("You already have a deal in this channel.") if is_deal else words)
        self.match_id = match_id


class TriedError(TableError):
    """The player has had, or is having, the one try of a day's deal."""


class TooManyError(TableError):
    """Somebody hosts as many live ``matches`` as one person may, so that one of them has to end first.

    ``is_solo``: they are deals of games for one.
    """

    def __init__(self, matches: Sequence[Match], *, is_solo: bool) -> None:
        tables = _("You host as many tables as you may. Finish one or close it first:")
        deals = _("You have as many deals under way as you may. Finish one or give it up first:")
        super().__init__(deals if is_solo else tables)
        self.matches = tuple(matches)


def not_seated(table: Table) -> str:
    if table.is_lobby:
        return _("You're not at this table. Press **Join** first.")
    return _("You're not at this table; you're welcome to watch.")


def not_at_table() -> str:
    return _("You're not at this table.")


def ended(table: Table) -> str:
    if table.is_unreadable:
        return _("I can no longer read the moves of this match, so it can't go on. Start a new one.")
    if not table.match.unfinished:
        return _("This table was closed.")
    if table.match.seed is None:
        return _("This table was closed: nobody came back for a week.")
    if not table.match.counts:
        return _("This practice match was closed: it had no move for three days.")
    return _("This match was left unfinished: nobody came back for a week.")


def over_or_begun(table: Table) -> str:
    match table.match.stage:
        case Stage.LOBBY:
            return _("This match has not started yet.")
        case Stage.PLAYING:
            return _("This match has already begun; you're welcome to watch.")
        case Stage.FINISHED:
            return _("This match is over.")
        case Stage.STOPPED:
            return ended(table)

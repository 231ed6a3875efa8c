"""Errors for requests that a table refuses, with sentences for the player."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.errors import RibitError
from bot.engine.translation import _
from bot.matches.match import Match, Stage
from bot.sessions.table import Table


class TableError(RibitError):
    """A request that the table does not allow now, or not for this player."""


class MovedOnError(TableError):
    """A click on an outdated state of the table. It changed nothing."""


class TableTakenError(TableError):
    """A request for a table where there already is a live one.

    Attributes:
        match_id: The live match of the channel, or the player's deal there.
    """

    def __init__(self, match_id: str, *, is_deal: bool = False) -> None:
        words = _("There is already a table in this channel.")
        super().__init__(_("You already have a deal in this channel.") if is_deal else words)
        self.match_id = match_id


class TriedError(TableError):
    """A second attempt at a day's deal, of which each player has one."""


class TooManyError(TableError):
    """A request by a user who already hosts the most live matches allowed.

    Attributes:
        matches: The live matches, one of which must end first. They are all deals of solitaire games or
            all tables.
    """

    def __init__(self, matches: Sequence[Match], *, is_solo: bool) -> None:
        tables = _("You can't host more tables. Finish one or close one first:")
        deals = _("You can't have more open deals. Finish one or give one up first:")
        super().__init__(deals if is_solo else tables)
        self.matches = tuple(matches)


def not_seated(table: Table) -> str:
    if table.is_lobby:
        return _("You're not at this table. Press **Join** first.")
    return _("You're not at this table; you're welcome to watch.")


def not_at_table() -> str:
    return _("You're not at this table.")


def ended_words(match: Match, state: object) -> str:
    """Return how a match was closed. ``state`` is a state or view of the game, or None for none."""
    if match.seed is not None and state is None:
        return _("I can no longer read the moves of this match, so it can't go on. Start a new one.")
    if not match.unfinished:
        return _("This table was closed.")
    if match.seed is None:
        return _("This table was closed: nobody came back for a week.")
    if not match.counts:
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
            return ended_words(table.match, table.state)

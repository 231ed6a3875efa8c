"""Errors for requests that a table does not allow. Players read their messages."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.errors import RibitError
from bot.engine.translation import _
from bot.matches.match import Match, Stage
from bot.sessions.table_state import Table


class TableError(RibitError):
    """Raised when a table does not allow a player's request. The message tells the player why."""


class OutdatedClickError(TableError):
    """Raised when the message that was clicked showed an earlier state of the table. Nothing changes."""


class TableTakenError(TableError):
    """Raised when the channel already has a live table, or the player already has a live deal there.

    Attributes:
        match_id: The ID of the existing table or deal.
    """

    def __init__(self, match_id: str, *, is_deal: bool = False) -> None:
        words = _("There's already a table in this channel.")
        super().__init__(_("You already have a deal in this channel.") if is_deal else words)
        self.match_id = match_id


class AlreadyTriedError(TableError):
    """Raised when a player requests a second attempt at a daily deal.

    Each player has only one attempt.
    """


class TooManyError(TableError):
    """Raised when a user wants to open a match but has reached the limit of live matches.

    Attributes:
        matches: The user's live matches, one of which must end first. They are either all solitaire
            deals or all tables.
    """

    def __init__(self, matches: Sequence[Match], *, is_solo: bool) -> None:
        tables = _("You can't host more tables. Finish one or close one first:")
        deals = _("You can't have more open deals. Finish one or give one up first:")
        super().__init__(deals if is_solo else tables)
        self.matches = tuple(matches)


def not_seated(table: Table) -> str:
    if table.is_lobby:
        return _("You're not at this table. Press **Join** first.")
    return _("You're not at this table, but you're welcome to watch.")


def not_at_table() -> str:
    return _("You're not at this table.")


def ended_words(match: Match, state: object) -> str:
    """Return a sentence that tells players why a match was closed.

    Args:
        match: The match.
        state: A state or view of the game. None if the match has not started or its moves cannot be
            read.
    """
    if match.seed is not None and state is None:
        return _("I can no longer read the moves of this match, so it can't go on. Start a new one.")
    if not match.unfinished:
        return _("This table was closed.")
    if match.seed is None:
        return _("This table was closed: nobody came back for a week.")
    if not match.counts:
        return _("This practice match was closed, because nobody had moved for three days.")
    return _("This match was left unfinished: nobody came back for a week.")


def over_or_begun(table: Table) -> str:
    match table.match.stage:
        case Stage.LOBBY:
            return _("This match hasn't started yet.")
        case Stage.PLAYING:
            return _("This match has already begun, but you're welcome to watch.")
        case Stage.FINISHED:
            return _("This match is over.")
        case Stage.STOPPED:
            return ended_words(table.match, table.state)

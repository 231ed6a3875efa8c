"""What is said to who asks for what a match does not allow in its stage."""

from __future__ import annotations

from bot.engine.match import Stage
from bot.engine.words import _
from bot.sessions.table import Table


def not_seated(table: Table) -> str:
    """Return what somebody is told who does not sit at a table."""
    if table.is_lobby:
        return _("You're not at this table. Press **Join** first.")
    return _("You're not at this table; you're welcome to watch.")


def not_at_table() -> str:
    """Return what somebody is told who would leave a table at which they do not sit."""
    return _("You're not at this table.")


def ended(table: Table) -> str:
    """Return how a table ended without a result."""
    if table.is_unreadable:
        return _("I can no longer read the moves of this match, so it can't go on. Start a new one.")
    if not table.match.unfinished:
        return _("This table was closed.")
    if table.match.seed is None:
        return _("This table was closed: nobody came back for a week.")
    return _("This match was left unfinished: nobody came back for a week.")


def over_or_begun(table: Table) -> str:
    """Return why a table does not take what would fit another stage of it."""
    match table.match.stage:
        case Stage.LOBBY:
            return _("This match has not started yet.")
        case Stage.PLAYING:
            return _("This match has already begun; you're welcome to watch.")
        case Stage.FINISHED:
            return _("This match is over.")
        case Stage.STOPPED:
            return ended(table)

"""The ``Decision`` type: the effect of an event on a table."""

from __future__ import annotations

from bot.engine.frozen import frozen
from bot.engine.translation import _
from bot.matches.match import Change, Entry, Result
from bot.sessions.errors import OutdatedClickError
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import waiting


@frozen
class Decision:
    """The effect of an event on a table: the resulting table, and the change to store.

    Attributes:
        table: The table after the event.
        change: The change to store before the new table is shown, or None if nothing changes.
    """

    table: Table
    change: Change | None = None


def change_table(
    before: Table,
    after: Table,
    now: int,
    *,
    entry: Entry | None = None,
    results: tuple[Result, ...] = (),
) -> Decision:
    """Return a decision that replaces a table. Its version and its next timed event are updated.

    Args:
        before: The table before the event.
        after: The table after the event, without the new version number and time.
        now: The current Unix time.
        entry: The move that the event made, or None.
        results: The results of the seats if the match has ended, otherwise empty.
    """
    after = waiting(after, now).having(version=before.match.version + 1)
    is_learned = entry is not None and after.is_learned
    return Decision(after, Change(before.match, after.match, entry, results, is_learned))


def moved_on_error() -> OutdatedClickError:
    return OutdatedClickError(_("The table has moved on. Have another look."))

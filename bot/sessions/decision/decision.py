"""What is decided: how a table stands after an event, and the change that makes it so."""

from __future__ import annotations

from bot.engine.match import Change, Entry, Result, Stage
from bot.engine.values import frozen
from bot.engine.words import _
from bot.sessions.errors import MovedOnError
from bot.sessions.table import Table
from bot.sessions.turn_clock import waiting


@frozen
class Decision:
    """How a table stands once ``change`` is stored; without one it stands so already."""

    table: Table
    change: Change | None = None


def changed(
    before: Table,
    after: Table,
    now: int,
    *,
    entry: Entry | None = None,
    results: tuple[Result, ...] = (),
) -> Decision:
    """Return the decision that a table stands so from now on, and is looked at when that is due."""
    after = waiting(after, now).having(version=before.match.version + 1)
    is_learned = entry is not None and after.is_learned
    return Decision(after, Change(before.match, after.match, entry, results, is_learned))


def closed(table: Table, now: int, after: Table | None = None, *, unfinished: bool = False) -> Decision:
    """Return the decision that a table ends without a result; ``after`` has what else is so then."""
    after = (after or table).having(
        stage=Stage.STOPPED, ended_at=now, turn_ends_at=None, unfinished=unfinished
    )
    return changed(table, after, now)


def moved_on() -> MovedOnError:
    """Return what is said where another was faster."""
    return MovedOnError(_("The table has moved on. See how it stands now."))

"""What is decided: how a table stands after an event, and the change that makes it so."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.change import Change
from bot.engine.match import Entry, Player, Result, Stage
from bot.engine.values import frozen
from bot.engine.words import _
from bot.sessions.errors import MovedOnError
from bot.sessions.table import Table
from bot.sessions.turn_clock import Mover, waiting


@frozen
class Decision:
    """How a table stands once ``change`` is stored; without one it stands so already.

    ``mover`` is who made the move of the change, if it has one.
    """

    table: Table
    change: Change | None = None
    mover: Mover | None = None


def changed(
    before: Table,
    after: Table,
    now: int,
    *,
    entry: Entry | None = None,
    results: tuple[Result, ...] = (),
    mover: Mover | None = None,
) -> Decision:
    """Return the decision that a table stands so from now on, and is looked at when that is due."""
    after = waiting(after, now)
    after = replace(after, match=replace(after.match, version=before.match.version + 1))
    is_learned = entry is not None and after.is_learned
    return Decision(after, Change(before.match, after.match, entry, results, is_learned), mover)


def closed(
    table: Table, now: int, *, unfinished: bool = False, players: tuple[Player, ...] | None = None
) -> Decision:
    """Return the decision that a table ends without a result; ``players`` are who sits there then."""
    match = replace(
        table.match,
        players=table.match.players if players is None else players,
        stage=Stage.STOPPED,
        ended_at=now,
        turn_ends_at=None,
        unfinished=unfinished,
    )
    return changed(table, replace(table, match=match), now)


def moved_on() -> MovedOnError:
    """Return what is said where another was faster."""
    return MovedOnError(_("The table has moved on. See how it stands now."))

"""The clock of a table that cannot be played: it stands, and nobody loses time by that. All pure."""

from __future__ import annotations

from dataclasses import replace

from bot.sessions.table import Table

LOOK_SECONDS, LONGEST_LOOK_SECONDS, LOOK_SHARE = 60, 60 * 60, 4
"""When a table that cannot be played is looked at, where nothing tells that it can be again.

That is a minute later, and then when it has stood for a quarter more, or an hour.
"""


def stopped_or_going(table: Table, since: int | None, now: int) -> Table:
    """Return the table with its clock as it has to be: standing ``since`` then, or going on with None.

    Time in which a table could not be played, whatever the reason, is nobody's: when it can be played
    again the turn has left what it had, and of one without a limit its player is silent no longer than
    that. Up to its last move it could be played.
    """
    match, stood_since = table.match, table.match.stands_since
    if since is not None:
        since = max(since, match.active_at or since)
        stands = stood_since is not None and stood_since <= since
        is_waited_for = match.turn_ends_at is not None or (table.people[1:] and not match.turn_seconds)
        if stands or not is_waited_for or not table.is_playing or table.rests:
            return table
        return replace(table, match=replace(match, stands_since=since))
    if stood_since is None:
        return table
    stood = now - stood_since
    if match.turn_ends_at is not None:
        match = replace(match, turn_ends_at=match.turn_ends_at + stood)
    elif match.active_at is not None and not match.turn_seconds:
        match = replace(match, active_at=min(now, match.active_at + stood))
    return replace(table, match=replace(match, stands_since=None))


def next_look(table: Table, now: int) -> int:
    """Return when a table that cannot be played is looked at next."""
    stood = now - (table.match.stands_since or now)
    return now + min(max(LOOK_SECONDS, stood // LOOK_SHARE), LONGEST_LOOK_SECONDS)

"""Decisions on all events at a table, as pure functions of the table, the event and the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.sessions import events
from bot.sessions.decision import closing, lobby, moves
from bot.sessions.decision.closing import Decision, moved_on
from bot.sessions.table import Table

__all__ = ["Decision", "decide", "moved_on"]

DECIDED_BY: Mapping[type[events.Event], Callable[[Table, Any, int], Decision]] = {
    events.Opened: lobby.opened,
    events.Dealt: lobby.dealt,
    events.Joined: lobby.joined,
    events.Renamed: lobby.renamed,
    events.FrogAdded: lobby.frog_added,
    events.FrogRemoved: lobby.frog_removed,
    events.Left: lobby.left,
    events.Removed: lobby.removed,
    events.Started: lobby.started,
    events.Clicked: moves.clicked,
    events.Thought: moves.thought,
    events.Answered: moves.answered,
    events.TakenUp: moves.taken_up,
    events.GaveUp: moves.gave_up,
    events.Rang: moves.rang,
    events.StoodIn: moves.stood_in,
    events.CameBack: moves.came_back,
    events.WentOn: moves.went_on,
    events.ShutOut: moves.was_shut_out,
    events.Stopped: closing.stopped,
    events.PlayedOn: closing.played_on,
    events.Ended: closing.ended,
}


def decide(table: Table, event: events.Event, now: int) -> Decision:
    """Return the consequence of an event.

    Raises:
        MovedOnError: The event is about an outdated state.
        TableError: The table does not allow the event.
        IllegalMoveError: The rules do not allow the move.
    """
    return DECIDED_BY[type(event)](table, event, now)

"""Decisions: pure functions that apply an event to a table at a given time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.sessions import events
from bot.sessions.decision import closing, lobby, moves
from bot.sessions.decision.closing import Decision, moved_on_error
from bot.sessions.table import Table

__all__ = ["Decision", "decide", "moved_on_error"]

DECIDED_BY: Mapping[type[events.Event], Callable[[Table, Any, int], Decision]] = {
    events.Opened: lobby.open_lobby,
    events.Dealt: lobby.deal_match,
    events.Joined: lobby.join,
    events.Renamed: lobby.rename,
    events.FrogAdded: lobby.frog_added,
    events.FrogRemoved: lobby.frog_removed,
    events.Left: lobby.leave,
    events.Removed: lobby.remove_player,
    events.Started: lobby.start,
    events.Clicked: moves.decide_click,
    events.Thought: moves.play_thought,
    events.Answered: moves.answer_question,
    events.TakenUp: moves.continue_elsewhere,
    events.GaveUp: moves.gave_up,
    events.Rang: moves.fire_timer,
    events.StoodIn: moves.substitute,
    events.CameBack: moves.came_back,
    events.WentOn: moves.resume,
    events.ShutOut: moves.was_shut_out,
    events.Stopped: closing.stop,
    events.PlayedOn: closing.refuse_close,
    events.Ended: closing.end_match,
}


def decide(table: Table, event: events.Event, now: int) -> Decision:
    """Apply an event to a table, and return the resulting table and the change to store.

    Raises:
        MovedOnError: The event refers to an outdated state.
        TableError: The table does not allow the event.
        IllegalMoveError: The rules do not allow the move.
    """
    return DECIDED_BY[type(event)](table, event, now)

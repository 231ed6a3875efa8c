"""Decisions: pure functions that compute the effect of an event on a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.sessions import events
from bot.sessions.decision import absence, closing, dealing, lobby, moves
from bot.sessions.decision.decision import Decision, moved_on_error
from bot.sessions.table_state import Table

__all__ = ["Decision", "decide", "moved_on_error"]

DECIDED_BY: Mapping[type[events.TableEvent], Callable[[Table, Any, int], Decision]] = {
    events.Opened: lobby.open_lobby,
    events.Dealt: dealing.deal_match,
    events.Joined: lobby.join,
    events.Renamed: lobby.rename,
    events.ComputerAdded: lobby.add_computer_player,
    events.ComputerRemoved: lobby.remove_computer_player,
    events.Left: lobby.leave,
    events.Removed: lobby.remove_player,
    events.Started: lobby.start,
    events.Clicked: moves.decide_click,
    events.ComputerMoveChosen: moves.play_chosen_move,
    events.QuestionAnswered: moves.answer_question,
    events.DealContinued: moves.continue_elsewhere,
    events.GaveUp: moves.give_up,
    events.TimerFired: absence.fire_timer,
    events.Substituted: absence.substitute,
    events.PlayerReturned: absence.return_player,
    events.Resumed: absence.resume,
    events.AccessLost: absence.remove_access,
    events.CloseRequested: closing.stop,
    events.CloseRefused: closing.refuse_close,
    events.TableEnded: closing.end_match,
}


def decide(table: Table, event: events.TableEvent, now: int) -> Decision:
    """Compute the effect of an event on a table: the resulting table, and the change to store.

    Raises:
        OutdatedClickError: The event refers to an earlier state of the table.
        TableError: The table does not allow the event.
        IllegalMoveError: The rules do not allow the move.
    """
    return DECIDED_BY[type(event)](table, event, now)

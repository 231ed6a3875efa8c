"""Everything that can happen at a table, decided: pure, from the table, the event and the time."""

from __future__ import annotations

from bot.sessions.decision import clock, closing, lobby, moves
from bot.sessions.decision.decision import Decision, closed, moved_on
from bot.sessions.events import (
    Answered,
    CameBack,
    Clicked,
    Ended,
    Event,
    FrogAdded,
    FrogRemoved,
    GaveUp,
    Joined,
    Left,
    PlayedOn,
    Rang,
    Removed,
    Renamed,
    ShutOut,
    Started,
    StoodIn,
    Stopped,
    TakenUp,
    Thought,
)
from bot.sessions.table import Table

__all__ = ["Decision", "decide", "moved_on"]


def decide(table: Table, event: Event, now: int) -> Decision:
    """Return what comes of something that happened at a table, ``now`` in seconds since 1970.

    Raises MovedOnError for a stale click, TableError or IllegalMoveError for what is not allowed.
    """
    match event:
        case Clicked():
            return moves.clicked(table, event, now)
        case Thought():
            return moves.thought(table, event, now)
        case Answered():
            return moves.answered(table, event, now)
        case TakenUp():
            return moves.taken_up(table, event, now)
        case GaveUp():
            return moves.gave_up(table, event, now)
        case Rang():
            return clock.rang(table, event, now)
        case StoodIn():
            return clock.stood_in(table, event, now)
        case CameBack():
            return clock.came_back(table, event, now)
        case ShutOut():
            return clock.was_shut_out(table, event, now)
        case Joined():
            return lobby.joined(table, event, now)
        case Renamed():
            return lobby.renamed(table, event, now)
        case FrogAdded():
            return lobby.frog_added(table, event, now)
        case FrogRemoved():
            return lobby.frog_removed(table, event, now)
        case Left():
            return lobby.left(table, event, now)
        case Removed():
            return (
                lobby.removed(table, event, now) if table.is_lobby else moves.removed(table, event, now)
            )
        case Started():
            return lobby.started(table, event, now)
        case Stopped():
            return closing.stopped(table, event, now)
        case PlayedOn():
            return closing.played_on(table, event, now)
        case Ended():
            return closed(table, now) if table.match.stage.is_live else Decision(table)

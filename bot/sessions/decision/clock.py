"""What a table does by itself once it is looked at, and who is away, back, or stood in for. All pure."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.match import with_id
from bot.engine.thinking import Mover, Strength
from bot.engine.words import _
from bot.sessions.decision.closing import Decision, changed, closed
from bot.sessions.decision.moves import made
from bot.sessions.errors import TableError, not_seated, over_or_begun
from bot.sessions.events import CameBack, Rang, ShutOut, StoodIn
from bot.sessions.table import Table
from bot.sessions.turn_clock import Due, absent, come_back, due, fallen_asleep, stopped_or_going
from bot.sessions.turn_clock import stood_in as with_stand_in

STAND_IN = Strength.FROGLET
"""How well the bot plays for somebody who is away."""


def rang(table: Table, what: Rang, now: int) -> Decision:
    clocked = stopped_or_going(table, what.stands_since, now)
    if clocked is not table:
        return changed(table, clocked, now)
    wakes_at = table.match.wakes_at
    if wakes_at is None or now < wakes_at:
        return Decision(table)
    match due(table, now):
        case Due.NOTHING:
            return Decision(table) if table.stands else changed(table, table, now)
        case Due.CLOSE:
            return closed(table, now, unfinished=True)
        case Due.PASS:
            asleep = fallen_asleep(table, now)
            if asleep is not None:
                return changed(table, asleep, now)
            return made(table, table.game.passing(table.state), Mover.CLOCK, now)
        case Due.AWAY:
            assert table.to_move is not None, "somebody is silent"
            return changed(table, absent(table, table.to_move, now), now)
        case Due.MOVE:
            return made(table, table.game.automatic(table.state), Mover.TABLE, now)
        case Due.THINK:
            return Decision(table)  # the frog moves when it has thought


def stood_in(table: Table, what: StoodIn, now: int) -> Decision:
    own, seat = table.match.seat_of(what.player_id), what.seat
    if own is None or not table.is_playing:
        raise TableError(not_seated(table) if table.is_playing else over_or_begun(table))
    if table.game.thinking is None:
        raise TableError(_("Frogs don't play this game."))
    if seat not in table.people:
        raise TableError(_("That seat is out of the match already."))
    if seat in table.match.computer_seats:
        raise TableError(_("A frog is already playing for that seat."))
    if seat != own and seat not in table.away:
        raise TableError(_("A frog can only play for somebody who is away."))
    after = with_stand_in(table, seat, STAND_IN, now)
    if seat == own:
        handed_over = with_id(after.match.roster.handed_over, what.player_id)
        after = after.having(roster=replace(after.match.roster, handed_over=handed_over))
    return changed(table, after, now)


def was_shut_out(table: Table, what: ShutOut, now: int) -> Decision:
    seat = table.match.seat_of(what.player_id)
    if seat is None or seat not in table.remaining:
        return Decision(table)
    roster = table.match.roster
    out = replace(roster, shut_out=with_id(roster.shut_out, what.player_id))
    after = absent(table.having(roster=out), seat, now)
    return Decision(table) if after.match == table.match else changed(table, after, now)


def came_back(table: Table, what: CameBack, now: int) -> Decision:
    seat = table.match.seat_of(what.player_id)
    if seat is None or not table.is_playing:
        raise TableError(not_seated(table) if table.is_playing else over_or_begun(table))
    if seat not in table.remaining:
        raise TableError(_("You are already out of this match."))
    if seat not in table.away:
        raise TableError(_("You're not away: your turns are waiting for you."))
    return changed(table, come_back(table, seat, now), now)

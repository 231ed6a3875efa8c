"""Decisions on turn timers, and on inactive or returning players. All functions are pure."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.opponent import Mover, Strength
from bot.engine.translation import _
from bot.matches.match import with_id
from bot.sessions import events
from bot.sessions.decision.closing import close
from bot.sessions.decision.decision import Decision, change_table
from bot.sessions.decision.moves import make_move, seat_asking
from bot.sessions.errors import TableError, not_seated
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import (
    Due,
    absent,
    come_back,
    due,
    fallen_asleep,
    stopped_or_going,
)
from bot.sessions.turn_clock import substitute_seat as with_stand_in

STAND_IN = Strength.FROGLET  # the strength of computer players that replace inactive players


def fire_timer(table: Table, what: events.TimerFired, now: int) -> Decision:
    clocked = stopped_or_going(table, what.stands_since, now)
    if clocked is not table:
        return change_table(table, clocked, now)
    wakes_at = table.match.wakes_at
    if wakes_at is None or now < wakes_at:
        return Decision(table)
    match due(table, now):
        case Due.NOTHING:
            return Decision(table) if table.is_unplayable else change_table(table, table, now)
        case Due.CLOSE:
            return close(table, now, unfinished=True)
        case Due.PASS:
            asleep = fallen_asleep(table, now)
            if asleep is not None:
                return change_table(table, asleep, now)
            return make_move(table, table.game.passing(table.state), Mover.CLOCK, now)
        case Due.AWAY:
            assert table.to_move is not None, "somebody is silent"
            return change_table(table, absent(table, table.to_move, now), now)
        case Due.MOVE:
            return make_move(table, table.game.automatic(table.state), Mover.TABLE, now)
        case Due.THINK:
            return Decision(table)  # the computer player moves once its choice arrives


def substitute(table: Table, what: events.Substituted, now: int) -> Decision:
    own, seat = seat_asking(table, what.player_id), what.seat
    if table.game.thinking is None:
        raise TableError(_("Frogs don't play this game."))
    if table.match.type.is_duel:
        raise TableError(_("A frog can't play your duels for you."))
    if seat not in table.people:
        raise TableError(_("That player is already out of the match."))
    if seat in table.match.computer_seats:
        raise TableError(_("A frog is already playing for that player."))
    if seat != own and seat not in table.inactive_seats:
        raise TableError(_("A frog can only play for a player who's away."))
    after = with_stand_in(table, seat, STAND_IN, now)
    if seat == own:
        handed_over = with_id(after.match.roster.handed_over, what.player_id)
        after = after.having(roster=replace(after.match.roster, handed_over=handed_over))
    return change_table(table, after, now)


def remove_access(table: Table, what: events.AccessLost, now: int) -> Decision:
    seat = table.match.seat_of(what.player_id)
    if seat is None or seat not in table.remaining:
        return Decision(table)
    roster = table.match.roster
    out = replace(roster, shut_out=with_id(roster.shut_out, what.player_id))
    after = absent(table.having(roster=out), seat, now)
    return Decision(table) if after.match == table.match else change_table(table, after, now)


def resume(table: Table, what: events.Resumed, now: int) -> Decision:
    """Record that a player has dismissed the banner that explains the last move.

    The computer player moves as soon as all active players have dismissed it.
    """
    if table.match.seat_of(what.player_id) is None:
        raise TableError(not_seated(table))
    roster = table.match.roster
    new_roster = replace(roster, going_on=with_id(roster.going_on, what.player_id))
    if not table.shows_banner or new_roster == roster:
        return Decision(table)
    return change_table(table, table.having(roster=new_roster), now)


def return_player(table: Table, what: events.PlayerReturned, now: int) -> Decision:
    seat = seat_asking(table, what.player_id)
    if seat not in table.remaining:
        raise TableError(_("You're already out of this match."))
    if seat not in table.inactive_seats:
        raise TableError(_("You're not away: your turns are waiting for you."))
    return change_table(table, come_back(table, seat, now), now)

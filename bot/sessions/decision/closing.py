"""Decisions on events that close a table. All functions are pure."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.translation import _
from bot.matches.match import Stage, with_id
from bot.matches.server_settings import Stoppers
from bot.sessions.decision.decision import Decision, change_table
from bot.sessions.errors import TableError, not_seated, over_or_begun
from bot.sessions.events import CloseRefused, CloseRequested, TableEnded
from bot.sessions.lobby import hosts
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import closable_at


def close(table: Table, now: int, after: Table | None = None, *, unfinished: bool = False) -> Decision:
    """Return a decision that closes a table without a result.

    Args:
        table: The table.
        now: The current Unix time.
        after: The table with other changes that the event made, or None if there are none.
        unfinished: True if the table is closed because no player came back.
    """
    after = (after or table).having(
        stage=Stage.STOPPED, ended_at=now, turn_ends_at=None, unfinished=unfinished
    )
    return change_table(table, after, now)


def closes_at_once(table: Table, player_id: int, now: int, *, may_manage: bool) -> bool:
    if may_manage or not table.is_playing or _is_deserted(table, player_id, now):
        return True
    return is_agreed(table, with_id(table.match.roster.closing, player_id))


def is_agreed(table: Table, agreed: tuple[int, ...]) -> bool:
    """Return whether all people who are still in the match agree to close it.

    If a player who did not agree leaves the match, a move can make this true too.
    """
    return bool(agreed) and all(table.match.players[seat].id in agreed for seat in table.people)


def check_may_stop(
    table: Table, stoppers: Stoppers, player_id: int, now: int, *, may_manage: bool
) -> None:
    """Raise an error unless a player may close a table, or ask the other players to close it.

    Moderators may close any live table except a duel. A player who is out of the match may not.

    Raises:
        TableError: The player may not close the table, or it is not live.
    """
    if not table.match.stage.is_live:
        raise TableError(over_or_begun(table))
    if table.match.type.is_duel:
        raise TableError(_("Press **Give up** instead."))
    if may_manage:
        return
    seat, roster = table.match.seat_of(player_id), table.match.roster
    if table.is_playing:
        if seat is None or table.is_solo:
            raise TableError(not_seated(table) if seat is None else _("Press **Give up** instead."))
        if seat not in table.people:
            raise TableError(_("You're out of this match, so the others decide."))
        if roster.closing or _is_deserted(table, player_id, now):
            return
        if player_id in roster.refused:
            raise TableError(
                _("The others want to play on. You can give up your seat with `/{game} leave`.").format(
                    game=table.game.info.command
                )
            )
    _check_asks(table, stoppers, player_id, now)


def _check_asks(table: Table, stoppers: Stoppers, player_id: int, now: int) -> None:
    match stoppers:
        case Stoppers.HOST if not hosts(table, player_id, now):
            raise TableError(_("Only the host or a moderator can close the table."))
        case Stoppers.SEATED if table.match.seat_of(player_id) is None:
            raise TableError(_("Only a player at the table or a moderator can close it."))
        case Stoppers.MANAGERS:
            raise TableError(_("In this server, only moderators can close a table."))


def stop(table: Table, what: CloseRequested, now: int) -> Decision:
    check_may_stop(table, what.stoppers, what.player_id, now, may_manage=what.may_manage)
    if closes_at_once(table, what.player_id, now, may_manage=what.may_manage):
        return close(table, now)
    roster = table.match.roster
    agreed = with_id(roster.closing, what.player_id)
    if agreed == roster.closing:
        return Decision(table)
    return change_table(table, table.having(roster=replace(roster, closing=agreed)), now)


def end_match(table: Table, _what: TableEnded, now: int) -> Decision:
    return close(table, now) if table.match.stage.is_live else Decision(table)


def refuse_close(table: Table, what: CloseRefused, now: int) -> Decision:
    """Record a player's vote against closing the match.

    The player who asked to close it cannot ask again.
    """
    roster, seat = table.match.roster, table.match.seat_of(what.player_id)
    if seat is None or seat not in table.people:
        raise TableError(not_seated(table) if seat is None else over_or_begun(table))
    if not roster.closing:
        return Decision(table)
    refused = with_id(roster.refused, roster.closing[0])
    return change_table(table, table.having(roster=replace(roster, closing=(), refused=refused)), now)


def _is_deserted(table: Table, player_id: int, now: int) -> bool:
    """Return whether a waiting player may close the table.

    This is possible if the player to move has been silent for days and turns have no time limit.
    """
    at, stage, seat = closable_at(table), table.match.stage, table.match.seat_of(player_id)
    is_waiting = stage is Stage.PLAYING and seat in table.people and seat != table.to_move
    return at is not None and now >= at and is_waiting

"""Decisions on moves and automatic actions. All functions are pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine.name_sanitizing import inert
from bot.engine.opponent import Mover
from bot.engine.translation import _
from bot.matches.match import LEAVES, Entry, Stage
from bot.sessions import events
from bot.sessions.decision.closing import is_agreed
from bot.sessions.decision.decision import Decision, change_table, moved_on_error
from bot.sessions.errors import OutdatedClickError, TableError, not_at_table, not_seated, over_or_begun
from bot.sessions.match_creation import place_of
from bot.sessions.table_state import MOST_SOLO_MOVES, Table
from bot.sessions.turn_clock import (
    set_clock,
)


def decide_click(table: Table, what: events.Clicked, now: int) -> Decision:
    """Make the move that a player has clicked. A click that only leads to another step changes nothing.

    Raises:
        OutdatedClickError: The message that was clicked showed an earlier state.
        TableError: The click is not allowed.
        IllegalMoveError: The rules do not allow the move.
    """
    click, seat = what.click, table.match.seat_of(what.player_id)
    if seat is None:
        raise TableError(not_seated(table))
    if click.seen != table.n and what.made and (what.made.seat, what.made.choice) == (seat, click.key):
        return Decision(table)  # a repeated click, which has been handled already
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    if click.seen != table.n:
        raise moved_on_error()
    if table.match.players[seat].strength is not None and seat in table.remaining:
        raise TableError(_("A frog is playing for you. Press **Join** to take your seat back."))
    if seat != table.to_move and table.to_move is not None:
        raise TableError(_not_awaited(table, table.to_move))
    if click.path == (events.FIRST_STEP,):
        return Decision(table)
    choice = click.choice(table, seat)
    if choice is None:
        raise OutdatedClickError(_("That choice is gone. Have a look at the table."))
    if choice.move is None:
        return Decision(table)
    text = table.game.write(table.game.recorded(table.state, choice.move))
    first = _decide_move(table, Entry(table.n, seat, text, now, click.key), Mover.PLAYER, now)
    if choice.then is not None:
        return _decide_two(first, table.game.write(choice.then), now)
    return _ended_by_last(first, now)


def _ended_by_last(first: Decision, now: int) -> Decision:
    """Give up a solitaire match if the given move was the last one that is allowed (A14)."""
    table = first.table
    is_last = table.is_solo and table.is_playing and table.n >= MOST_SOLO_MOVES
    return _decide_two(first, LEAVES, now) if is_last else first


def _decide_two(first: Decision, text: str, now: int) -> Decision:
    """Add a second move to a decision on a move, so that both are stored in one change."""
    table, change = first.table, first.change
    assert change is not None, "it is a move"
    entry = Entry(table.n, table.last_seat or 0, text, now)
    second = _decide_move(table, entry, Mover.PLAYER, now)
    assert second.change is not None, "it is a move, too"
    after = second.table.having(version=change.after.version)
    then = second.change.entry
    both = replace(second.change, before=change.before, after=after.match, entry=change.entry, then=then)
    return Decision(after, both)


def answer_question(table: Table, what: events.QuestionAnswered, now: int) -> Decision:
    seat = seat_asking(table, what.player_id)
    if what.seen != table.n:
        raise moved_on_error()
    move = table.game.read(what.text, table.state)
    if table.game.play(table.state, move) == table.state:  # the player already has this answer
        return Decision(table)
    decision = _decide_move(table, Entry(table.n, seat, what.text, now), Mover.PLAYER, now)
    decision.table.answers.update(table.answers)  # the position that was asked about is unchanged
    return _ended_by_last(decision, now)


def seat_asking(table: Table, player_id: int) -> int:
    """Return the player's seat in a match that is in progress.

    Raises:
        TableError: The player has no seat, or the match is not in progress.
    """
    seat = table.match.seat_of(player_id)
    if seat is None:
        raise TableError(not_seated(table))
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    return seat


def _host_after(before: Table, after: Table, full: frozenset[int]) -> int:
    """Return the ID of the host after a move.

    If the host is now out of the match, the first remaining player who is not in ``full`` becomes the
    host. If there is no such player, the host stays the same.
    """
    host_id, players = before.match.host_id, after.match.players
    host = before.match.seat_of(host_id)
    if host not in before.people or host in after.people:
        return host_id
    return next((players[seat].id for seat in after.people if players[seat].id not in full), host_id)


def _not_awaited(table: Table, to_move: int) -> str:
    if table.pauses:
        return _("The match goes on in a moment.")
    if table.rests:
        return _("Everybody is away, so the table is paused. Press **Wake** there to play on.")
    player = table.match.players[to_move]
    name = inert(player.title) if player.is_computer_player else f"<@{player.id}>"
    return _("It's {name}'s turn. I'll tell you when it's yours.").format(name=name)


def give_up(table: Table, what: events.GaveUp, now: int) -> Decision:
    seat = table.match.seat_of(what.player_id)
    if seat is None:
        raise TableError(not_at_table())
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    return _decide_move(table, Entry(table.n, seat, LEAVES, now), Mover.PLAYER, now, what.full)


def remove_player(table: Table, what: events.Removed, now: int) -> Decision:
    if not what.may_manage:
        raise TableError(_("Only a moderator can remove a player from a match."))
    seat = table.match.seat_of(what.player_id)
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    if seat is None or seat not in table.people:
        raise TableError(_("That player isn't in this match."))
    return _decide_move(table, Entry(table.n, seat, LEAVES, now), Mover.PLAYER, now, what.full)


def continue_elsewhere(table: Table, what: events.DealContinued, now: int) -> Decision:
    """Move a player's deal to another channel, where the player continues it.

    This is possible for a daily deal, and for a deal in a server or group that Ribit is not a member of.
    """
    seat_asking(table, what.player_id)
    if not table.match.day and not table.match.guest:
        raise TableError(_("Only a deal of the day can be continued elsewhere."))
    if (what.guild_id, what.channel_id) == (table.match.guild_id, table.match.channel_id):
        return Decision(table)
    there = table.having(guild_id=what.guild_id, channel_id=what.channel_id, guest=what.guest)
    moved = change_table(table, there, now)
    assert moved.change is not None, "it has moved"
    place = place_of(what.channel_id, what.player_id)
    return replace(moved, change=replace(moved.change, place=place))


def play_chosen_move(table: Table, what: events.ComputerMoveChosen, now: int) -> Decision:
    """Make the move that a computer player has chosen.

    If the table has changed while the computer player was choosing, nothing changes.
    """
    if table.computer is None or (table.n, table.to_move) != (what.n, what.seat):
        return Decision(table)
    return make_move(table, table.game.read(what.text, table.state), _computer_mover(table, what), now)


def _computer_mover(table: Table, what: events.ComputerMoveChosen) -> Mover:
    player = table.match.players[what.seat]
    if player.is_computer_player:
        is_simple = what.is_simple or table.computer is not player.strength
        return Mover.SIMPLE if is_simple else Mover.FROG
    return Mover.HANDED_OVER if player.id in table.match.roster.handed_over else Mover.STAND_IN


def make_move(table: Table, move: Any, mover: Mover, now: int) -> Decision:
    seat = table.to_move
    assert seat is not None, "a move is due only where one is awaited"
    offered = (choice.key for choice in table.panel(seat).choices() if choice.move == move)
    text = table.game.write(table.game.recorded(table.state, move))
    entry = Entry(table.n, seat, text, now, next(offered, None))
    return _decide_move(table, entry, mover, now)


def _decide_move(
    table: Table, entry: Entry, mover: Mover, now: int, full: frozenset[int] = frozenset()
) -> Decision:
    """Make a move, and update the host, the clock and the stage of the match accordingly.

    If all people who remain after the move have agreed to close the match, it is closed.
    """
    entry = replace(entry, mover=mover)
    after = table.after_move(entry)
    roster = replace(after.match.roster, going_on=())
    after = after.having(host_id=_host_after(table, after, full), active_at=now, roster=roster)
    results = after.results
    if after.outcome is not None:
        after = after.having(stage=Stage.FINISHED, ended_at=now)
    elif is_agreed(after, after.match.roster.closing):
        after = after.having(stage=Stage.STOPPED, ended_at=now)
    after = set_clock(table, after, mover, now)
    return change_table(table, after, now, entry=entry, results=results)

"""Turn clocks, inactive players and paused tables.

All functions are pure, and all points in time are Unix times. A player who misses several turns in a row
becomes inactive. If all its players are inactive, a table is paused. If players cannot reach the bot,
for example during an outage, a table is unplayable and its clock is stopped.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from bot.engine.name_sanitizing import is_forgotten
from bot.engine.opponent import Mover, Strength
from bot.matches.match import without_ids
from bot.sessions.table_state import AWAY_AFTER, Table

PAUSE_SECONDS = 8  # time to look at the end of a round before the table continues automatically
# the delay before a computer player's turn, 1 to 2 s because times are whole seconds
COMPUTER_PLAYER_SECONDS = 2
BANNER_SECONDS = 8  # 7 to 8 s with a banner, because its picture takes a while to load
REST_SECONDS = 7 * 24 * 60 * 60  # a lobby, or a table with only inactive players, is closed after this
SILENT_SECONDS = 24 * 60 * 60  # without a turn limit, a silent player becomes inactive after this
DESERTED_SECONDS = 3 * 24 * 60 * 60  # without a turn limit, waiting players may close the table then
PRACTICE_SECONDS = 3 * 24 * 60 * 60  # an uncounted match without a move is closed after this
MOST_PASSES = 5  # the most moves that the clock makes in one turn after its time has run out
NUDGE_SHARE = 4  # a player is reminded in the last quarter of the turn's time,
LONGEST_NUDGE_SECONDS = 3 * 60 * 60  # but at most this long before its end

LOOK_SECONDS, LONGEST_LOOK_SECONDS, LOOK_SHARE = 60, 60 * 60, 4
"""Interval between two checks of an unplayable table.

The interval is a quarter of the time since the table became unplayable, but at least a minute and at
most an hour.
"""


class Due(Enum):
    """The type of automatic action that is due at a table now."""

    NOTHING = "nothing"
    PASS = "pass"  # noqa: S105 — a pass in a game, not a password
    MOVE = "move"  # after a pause
    THINK = "think"  # before a computer player's move
    AWAY = "away"  # a player without a time limit has been silent for too long
    CLOSE = "close"


class Call(Enum):
    """The type of notification that is due to the player to move.

    ``TURN`` says that the player's turn has begun, and ``NUDGE`` that its time is running out.
    """

    TURN = "turn"
    NUDGE = "nudge"


def set_clock(before: Table, after: Table, mover: Mover, now: int) -> Table:
    """Return the table after a move, with a new turn clock and the player's count of missed turns.

    If a player's move ends the turn, the count is reset. If the clock ends the turn, the count
    increases, even if the player has moved during the turn. If an inactive player makes a move that does
    not end the turn, the player is active again, but the next missed turn makes the player inactive.
    """
    after = _with_spent_bank(before, after, now)
    seat, match = after.last_seat, after.match
    assert seat is not None, "a move was made"
    missed = match.players[seat].missed
    if mover is Mover.PLAYER and (after.began == after.n or not match.turn_seconds):
        missed = 0
    elif mover is Mover.PLAYER:
        missed = min(missed, AWAY_AFTER - 1)
    elif mover is Mover.CLOCK and after.began == after.n:
        missed += 1
    after = after.with_player(seat, missed=missed)
    return _wound(after, now, is_new_turn=after.began != before.began)


def _with_spent_bank(before: Table, after: Table, now: int) -> Table:
    seat, ends_at = before.to_move, before.match.turn_ends_at
    if seat is None or ends_at is None or seat in before.inactive_seats or after.began == before.began:
        return after
    player, stood_since = after.match.players[seat], before.match.stands_since
    over = (now if stood_since is None else stood_since) - (ends_at - player.bank)
    if over <= 0 or not player.bank:
        return after
    return after.with_player(seat, bank=max(0, player.bank - over))


def come_back(table: Table, seat: int, now: int) -> Table:
    """Return the table after an inactive player has come back.

    The player's turn gets its full time again.
    """
    match = table.match
    roster, gone = match.roster, [match.players[seat].id]
    shut_out = without_ids(roster.shut_out, gone)
    handed_over = without_ids(roster.handed_over, gone)
    back = table.having(roster=replace(roster, shut_out=shut_out, handed_over=handed_over))
    back = back.with_player(seat, missed=0, strength=None)
    return _wound(back, now, is_new_turn=table.to_move == seat)


def substitute_seat(table: Table, seat: int, strength: Strength, now: int) -> Table:
    return _wound(absent(table, seat, now).with_player(seat, strength=strength), now, is_new_turn=False)


def absent(table: Table, seat: int, now: int) -> Table:
    away = table.with_player(seat, missed=max(AWAY_AFTER, table.match.players[seat].missed))
    return _wound(away, now, is_new_turn=False)


def fallen_asleep(table: Table, now: int) -> Table | None:
    """Count a missed turn. If all players are inactive now, return the paused table, otherwise None.

    The turn of a paused table stays with the same seat.
    """
    seat = table.to_move
    assert seat is not None, "a turn runs out"
    table = table.with_player(seat, missed=table.match.players[seat].missed + 1)
    table = _wound(table, now, is_new_turn=False)
    return table if table.rests else None


def _wound(table: Table, now: int, *, is_new_turn: bool) -> Table:
    """Return the table with its turn clock set for the player to move.

    Pause it if all players are inactive.
    """
    match, away = table.match, table.inactive_seats
    if away and len(away) == len(table.people) and not table.is_left_to_computer_players:
        since = now if match.rests_since is None else match.rests_since
        return table.having(turn_ends_at=None, rests_since=since)
    if match.rests_since is not None:
        table = table.having(rests_since=None)
    ends_at = match.turn_ends_at
    if not match.turn_seconds or not table.is_playing or table.pauses or table.computer is not None:
        ends_at = None
    elif table.to_move in away:
        ends_at = now
    elif is_new_turn or ends_at is None:
        ends_at = now + match.turn_seconds + _bank(table)
    if ends_at == match.turn_ends_at and not is_new_turn:
        return table
    stands_since = now if table.is_unplayable else None
    return table.having(turn_ends_at=ends_at, stands_since=stands_since)


def stopped_or_going(table: Table, since: int | None, now: int) -> Table:
    """Return the table with its clock stopped if it cannot be played, or restarted if it can.

    Players lose no time while the table cannot be played. After the restart, the turn has as much time
    left as before. If turns have no time limit, the stopped time does not count as the player's silence.
    The clock never stops at a time before the table's last move.

    Args:
        table: The table.
        since: The Unix time since which the table cannot be played, or None if it can.
        now: The current Unix time.
    """
    match, stood_since = table.match, table.match.stands_since
    if since is not None:
        since = max(since, match.active_at or since)
        stands = stood_since is not None and stood_since <= since
        is_waited_for = match.turn_ends_at is not None or (table.people[1:] and not match.turn_seconds)
        if stands or not is_waited_for or not table.is_playing or table.rests:
            return table
        return table.having(stands_since=since)
    if stood_since is None:
        return table
    stopped_seconds = now - stood_since
    if match.turn_ends_at is not None:
        table = table.having(turn_ends_at=match.turn_ends_at + stopped_seconds)
    elif match.active_at is not None and not match.turn_seconds:
        table = table.having(active_at=min(now, match.active_at + stopped_seconds))
    return table.having(stands_since=None)


def next_check_at(table: Table, now: int) -> int:
    stopped_seconds = now - (table.match.stands_since or now)
    return now + min(max(LOOK_SECONDS, stopped_seconds // LOOK_SHARE), LONGEST_LOOK_SECONDS)


def nudge_at(table: Table) -> int | None:
    """Return the Unix time of the warning that a player's time is running out, or None."""
    match = table.match
    if match.turn_ends_at is None or table.to_move in table.inactive_seats or table.is_unplayable:
        return None
    share = min(match.turn_seconds // NUDGE_SHARE, LONGEST_NUDGE_SECONDS)
    return match.turn_ends_at - _bank(table) - share


def _bank(table: Table) -> int:
    """Return the extra seconds for the whole match that the player to move has left."""
    return 0 if table.to_move is None else table.match.players[table.to_move].bank


def silent_at(table: Table) -> int | None:
    """Return the Unix time at which the player to move becomes inactive after a long silence, or None.

    This applies only if turns have no time limit and other people are waiting.
    """
    match, is_person = (
        table.match,
        table.to_move in table.people and table.to_move not in table.inactive_seats,
    )
    if match.turn_seconds or match.active_at is None or not is_person or table.computer is not None:
        return None
    return None if table.pauses or len(table.people) == 1 else match.active_at + SILENT_SECONDS


def closable_at(table: Table) -> int | None:
    """Return the Unix time from which a waiting player may close the match without the others, or None.

    This applies only if turns have no time limit.
    """
    match = table.match
    if match.turn_seconds or match.active_at is None or not table.is_playing:
        return None
    return match.active_at + DESERTED_SECONDS


def call(table: Table, now: int) -> Call | None:
    """Return the type of notification that is due to the player to move, or None.

    For example, nothing is due if the player is inactive or has already made a move in this turn.
    """
    ends_at, acted_at, nudge = table.match.turn_ends_at, table.acted_at, nudge_at(table)
    if table.to_move is None or table.is_solo or table.pauses or table.computer is not None:
        return None
    is_over = ends_at is not None and now >= ends_at and not table.is_unplayable
    if table.to_move in table.inactive_seats or is_over:
        return None
    if is_forgotten(table.match.players[table.to_move].id):
        return None
    if nudge is not None and now >= nudge:
        return Call.NUDGE if acted_at is None or acted_at < nudge else None
    return Call.TURN if acted_at is None else None


def next_seat(table: Table) -> int | None:
    """Return the seat whose turn would follow if the clock ended the current turn now, or None."""
    state, game = table.state, table.game
    if table.to_move is None or table.pauses or table.rests:
        return None
    for _move in range(MOST_PASSES):
        move = game.passing(state)
        if move is None:
            return None
        state = game.play(state, move)
        if game.to_move(state) != table.to_move:
            return None if game.automatic(state) is not None else game.to_move(state)
    return None


def closes_at(table: Table) -> int | None:
    """Return the Unix time at which the bot closes an idle table, or None if it never does."""
    match = table.match
    if table.is_lobby and match.rests_since is None:
        since = match.opened_at
    else:
        since = (match.rests_since or match.stands_since) if match.stage.is_live else None
    ends = [] if since is None else [since + REST_SECONDS]
    if table.is_playing and not match.counts and match.active_at is not None:
        ends.append(match.active_at + PRACTICE_SECONDS)
    return min(ends, default=None)


def waiting(table: Table, now: int) -> Table:
    return table.having(wakes_at=_next_wake(table, now))


def _next_wake(table: Table, now: int) -> int | None:
    """Compute the Unix time of the table's next timed event, or None if it only waits for a player."""
    if table.pauses:
        return now if table.is_left_to_computer_players else now + PAUSE_SECONDS
    if table.computer is not None:
        if table.is_left_to_computer_players:
            return now
        if table.shows_banner:
            return max(now, (table.match.active_at or now) + BANNER_SECONDS)
        return now + COMPUTER_PLAYER_SECONDS if table.began == table.n else now
    if table.is_unplayable:
        return next_check_at(table, now)
    nudge, silent = nudge_at(table), silent_at(table)
    if silent is not None:
        return silent
    if nudge is not None and now < nudge:
        return nudge
    return closes_at(table) if table.match.turn_ends_at is None else table.match.turn_ends_at


def next_event_at(table: Table, now: int) -> int | None:
    """Return the Unix time of the table's next timed event, or None if there is none.

    If the table cannot be played, this is the time of the next check, which is not stored.
    """
    wakes_at = table.match.wakes_at
    if (
        wakes_at is None
        or now < wakes_at
        or due(table, now) is not Due.NOTHING
        or not table.is_unplayable
    ):
        return wakes_at
    return next_check_at(table, now)


def due(table: Table, now: int) -> Due:
    closing = closes_at(table)
    if closing is not None and now >= closing:
        return Due.CLOSE
    if (table.is_lobby or table.rests) and not table.is_unplayable:
        return Due.NOTHING
    if table.pauses:
        return Due.MOVE
    if table.computer is not None:
        return Due.THINK
    if table.is_unplayable:
        return Due.NOTHING
    ends_at, silent = table.match.turn_ends_at, silent_at(table)
    if silent is not None and now >= silent:
        return Due.AWAY
    return Due.PASS if ends_at is not None and now >= ends_at else Due.NOTHING


def thinks(table: Table, now: int) -> bool:
    wakes_at = table.match.wakes_at
    return wakes_at is not None and now >= wakes_at and due(table, now) is Due.THINK

"""What a click, a clock or a leaving seat does to a table: what is stored, and how it then stands.

All pure: the table, what happened and the time (in seconds since 1970) are given, nothing is asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine.match import LEAVES, Entry, Result, Stage
from bot.engine.names import inert
from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.engine.words import _
from bot.sessions.click import FIRST_STEP
from bot.sessions.errors import MovedOnError, TableError
from bot.sessions.events import (
    Answered,
    CameBack,
    Clicked,
    Ended,
    Event,
    GaveUp,
    Rang,
    StoodIn,
    Thought,
)
from bot.sessions.refusals import not_seated, over_or_begun
from bot.sessions.table import Table
from bot.sessions.turn_clock import Due, Mover, come_back, due, fallen_asleep, stood_in, timed, waiting

STAND_IN = Strength.FROGLET
"""How well a frog plays for somebody who is away."""

# ---- what comes of it ------------------------------------------------------------------------------


@frozen
class Move:
    """A move to be stored, with the clock it sets; with results, also the end of the match."""

    entry: Entry
    mover: Mover
    results: tuple[Result, ...] = ()


@frozen
class Clock:
    """Another time of the clock, or when the table has to be looked at, to be stored without a move."""


@frozen
class Close:
    """The end of the match without a result, to be stored; ``since`` says since when it has rested.

    None for one that was ended by somebody, rested or not.
    """

    since: int | None = None


@frozen
class Decision:
    """How the table stands once this is stored; where nothing is to be stored, it stands so already."""

    table: Table
    stored: Move | Clock | Close | None = None


def decide(table: Table, what: Event, now: int) -> Decision:
    """Return what comes of something that happened at a table.

    Raises MovedOnError for a stale click, TableError or IllegalMoveError for what is not allowed.
    """
    match what:
        case Clicked():
            return _clicked(table, what, now)
        case Rang():
            return _rang(table, now)
        case Thought():
            return _thought(table, what, now)
        case StoodIn(seat, player_id):
            _check_stands_in(table, seat, player_id)
            return Decision(_changed(stood_in(table, seat, STAND_IN, now), now), Clock())
        case GaveUp(seat):
            if not table.is_playing:
                raise TableError(over_or_begun(table))
            return _moved(table, Entry(table.n, seat, LEAVES, now), Mover.PLAYER, now)
        case CameBack(player_id):
            back = come_back(table, _seat_away(table, player_id), now)
            return Decision(_changed(back, now), Clock())
        case Answered():
            return _answered(table, what, now)
        case Ended():
            return _closed(table, Close(), now) if table.match.stage.is_live else Decision(table)


def moved_on() -> MovedOnError:
    """Return what is said where another was faster."""
    return MovedOnError(_("The table has moved on. See how it stands now."))


# ---- a click ---------------------------------------------------------------------------------------


def _clicked(table: Table, what: Clicked, now: int) -> Decision:
    click, seat = what.click, table.match.seat_of(what.player_id)
    if seat is None:
        raise TableError(not_seated(table))
    if click.seen != table.n and _is_double(what, seat):
        return Decision(table)
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    if click.seen != table.n:
        raise moved_on()
    if table.match.players[seat].strength is not None and seat in table.remaining:
        raise TableError(_("A frog is playing for you. Press **Join** to take your seat back."))
    if seat != table.to_move and table.to_move is not None:
        raise TableError(_not_awaited(table, table.to_move))
    if click.path == (FIRST_STEP,):
        return Decision(table)
    choice = click.choice(table, seat)
    if choice is None:
        raise MovedOnError(_("That choice is gone. See how the table stands now."))
    if choice.move is None:
        return Decision(table)
    text = table.game.write(table.game.recorded(table.state, choice.move))
    return _moved(table, Entry(table.n, seat, text, now, click.key), Mover.PLAYER, now)


def _answered(table: Table, what: Answered, now: int) -> Decision:
    """Return what comes of an answer: it counts for the moment that was asked about."""
    seat = seat_asking(table, what.player_id)
    if what.seen != table.n:
        raise moved_on()
    move = table.game.read(what.text, table.state)
    if table.game.play(table.state, move) == table.state:  # the player has been told that already
        return Decision(table)
    told = _moved(table, Entry(table.n, seat, what.text, now), Mover.PLAYER, now)
    told.table.answers.update(table.answers)  # to be told something changes nothing that was asked about
    return told


def seat_asking(table: Table, player_id: int) -> int:
    """Return the seat of a player who may ask something, or raise TableError."""
    seat = table.match.seat_of(player_id)
    if seat is None:
        raise TableError(not_seated(table))
    if not table.is_playing:
        raise TableError(over_or_begun(table))
    return seat


def _is_double(what: Clicked, seat: int) -> bool:
    """Return whether the click is the same player's same choice that was carried out already."""
    made = what.made
    return made is not None and (made.seat, made.choice) == (seat, what.click.key)


def _not_awaited(table: Table, to_move: int) -> str:
    """Return what a player is told who is not the one to move."""
    if table.pauses:
        return _("The table goes on by itself in a moment.")
    if table.rests:
        return _("Everybody is away, so the table is paused. Press **Wake** there to go on.")
    player = table.match.players[to_move]
    name = inert(player.title) if player.is_frog else f"<@{player.id}>"
    return _("It's {name}'s turn. I'll tell you when it's yours.").format(name=name)


# ---- the clock -------------------------------------------------------------------------------------


def _rang(table: Table, now: int) -> Decision:
    """Return what the table does by itself, once it was woken; nothing where that was too soon."""
    wakes_at = table.match.wakes_at
    if wakes_at is None or now < wakes_at:
        return Decision(table)
    match due(table, now):
        case Due.NOTHING:
            return Decision(_changed(table, now), Clock())
        case Due.CLOSE:
            match = table.match
            since = match.opened_at if match.rests_since is None else match.rests_since
            return _closed(table, Close(since), now)
        case Due.PASS:
            asleep = fallen_asleep(table, now)
            if asleep is not None:
                return Decision(_changed(asleep, now), Clock())
            return _made(table, table.game.passing(table.state), Mover.CLOCK, now)
        case Due.MOVE:
            return _made(table, table.game.automatic(table.state), Mover.TABLE, now)
        case Due.THINK:
            return Decision(table)  # the frog moves when it has thought


def thinks(table: Table, now: int) -> bool:
    """Return whether it is time for a frog at the table to think of its move."""
    wakes_at = table.match.wakes_at
    return wakes_at is not None and now >= wakes_at and due(table, now) is Due.THINK


def _thought(table: Table, what: Thought, now: int) -> Decision:
    """Return what comes of a frog's thought; nothing where the table went on while it thought."""
    if table.frog is None or (table.n, table.to_move) != (what.n, what.seat):
        return Decision(table)
    return _made(table, table.game.read(what.text, table.state), Mover.FROG, now)


def _check_stands_in(table: Table, seat: int, player_id: int) -> None:
    """Raise TableError unless this player may have a frog play for a seat."""
    own = table.match.seat_of(player_id)
    if own is None or not table.is_playing:
        raise TableError(not_seated(table) if table.is_playing else over_or_begun(table))
    if table.game.thinking is None:
        raise TableError(_("Frogs don't play this game."))
    if seat not in table.people:
        raise TableError(_("That seat is out of the match already."))
    if seat in table.match.frogs:
        raise TableError(_("A frog is already playing for that seat."))
    if seat != own and seat not in table.away:
        raise TableError(_("A frog can only play for somebody who is away."))


def _made(table: Table, move: Any, mover: Mover, now: int) -> Decision:
    """Return what comes of a move that the table makes for the seat to move."""
    seat = table.to_move
    assert seat is not None, "a move is due only where one is awaited"
    offered = (choice.key for choice in table.panel(seat).choices() if choice.move == move)
    text = table.game.write(table.game.recorded(table.state, move))
    entry = Entry(table.n, seat, text, now, next(offered, None))
    return _moved(table, entry, mover, now)


def _seat_away(table: Table, player_id: int) -> int:
    """Return the seat of a player who is away; raises TableError for anybody else."""
    seat = table.match.seat_of(player_id)
    if seat is None or not table.is_playing:
        raise TableError(not_seated(table) if table.is_playing else over_or_begun(table))
    if seat not in table.remaining:
        raise TableError(_("You are already out of this match."))
    if seat not in table.away:
        raise TableError(_("You're not away: your turns are waiting for you."))
    return seat


# ---- moves and ends --------------------------------------------------------------------------------


def _moved(table: Table, entry: Entry, mover: Mover, now: int) -> Decision:
    """Return what comes of a move: the table after it, its clock, and the end where it was the last."""
    after = table.after(entry)
    results = after.results
    if after.outcome is not None:
        after = _over(after, Stage.FINISHED, now)
    after = _changed(timed(table, after, mover, now), now)
    return Decision(after, Move(entry, mover, results))


def _closed(table: Table, close: Close, now: int) -> Decision:
    after = _over(table, Stage.STOPPED, now)
    is_unfinished = close.since is not None
    match = replace(
        after.match,
        turn_ends_at=None,
        wakes_at=None,
        unfinished=is_unfinished,
        version=after.match.version + 1,
    )
    return Decision(replace(after, match=match), close)


def _over(table: Table, stage: Stage, now: int) -> Table:
    return replace(table, match=replace(table.match, stage=stage, ended_at=now))


def _changed(table: Table, now: int) -> Table:
    """Return the table as it stands after one more change of its match."""
    table = waiting(table, now)
    return replace(table, match=replace(table.match, version=table.match.version + 1))

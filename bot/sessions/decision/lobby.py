"""What comes of events in a lobby: who sits down, gets up, hands it over and starts it. All pure."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.computer_players import another_computer_player
from bot.engine.match import with_id
from bot.engine.words import _
from bot.sessions.decision import moves
from bot.sessions.decision.clock import came_back
from bot.sessions.decision.closing import Decision, changed, closed
from bot.sessions.errors import TableError, not_at_table, over_or_begun
from bot.sessions.events import CameBack, FrogAdded, FrogRemoved, Joined, Left, Removed, Renamed, Started
from bot.sessions.lobby import (
    KEPT_SECONDS,
    begun,
    host_absent_at,
    hosts,
    kept_seats,
    no_frogs,
    strength_of,
)
from bot.sessions.table import Table


def joined(table: Table, what: Joined, now: int) -> Decision:
    match, player = table.match, what.player
    if what.is_barred:
        raise TableError(_("You can't sit down at tables in this server. Its admins can change that."))
    if match.seat_of(player.id) is not None:
        if table.is_playing:
            return came_back(table, CameBack(player.id), now)
        raise TableError(_("You already have a seat at this table."))
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if player.id in match.roster.removed:
        raise TableError(_("You were sent away from this table. You can sit down at another one."))
    if len(match.players) >= match.limit:
        raise TableError(_("All seats are taken. You can watch, or start a table elsewhere."))
    _check_not_kept(table, player.id, now)
    later = (n for n, each in enumerate(match.players) if each.interaction > player.interaction)
    seat = next(later, len(match.players))  # whoever pressed first, not whoever was heard first
    players = (*match.players[:seat], player, *match.players[seat:])
    return _seated(table, table.having(players=players), now)


def renamed(table: Table, what: Renamed, now: int) -> Decision:
    match, seat = table.match, table.match.seat_of(what.player.id)
    if seat is None or not match.stage.is_live:
        return Decision(table)
    called = table.with_player(seat, name=what.player.name, user_name=what.player.user_name)
    return Decision(table) if called.match == match else changed(table, called, now)


def frog_added(table: Table, what: FrogAdded, now: int) -> Decision:
    _check_seats_frogs(table, what.player_id, now)
    match, strength = table.match, strength_of(what.strength)
    if len(match.players) >= match.limit:
        raise TableError(_("All seats are taken, so there's no room for a frog."))
    _check_not_kept(table, what.player_id, now)
    frog = another_computer_player(match.id, match.players, strength)
    return _seated(table, table.having(players=(*match.players, frog)), now, what.player_id)


def frog_removed(table: Table, what: FrogRemoved, now: int) -> Decision:
    _check_seats_frogs(table, what.player_id, now)
    if what.frog_id not in {player.id for player in table.match.players if player.is_computer_player}:
        raise TableError(_("That frog isn't at this table any more."))
    return _seated(table, _without(table, what.frog_id), now, what.player_id)


def left(table: Table, what: Left, now: int) -> Decision:
    """Return what comes of a player who gets up: a host hands over to the next who has room.

    Without a next host the lobby closes. In a match that has begun since, this gives no seat up.
    """
    if table.match.seat_of(what.player_id) is None:
        raise TableError(not_at_table())
    if not table.is_lobby:
        return Decision(table)
    return _got_up(table, table, what, now)


def removed(table: Table, what: Removed, now: int) -> Decision:
    """Return what comes of a host or a moderator who sends a player away, who cannot join again."""
    if not table.is_lobby:
        return moves.removed(table, what, now)
    match = table.match
    if not what.may_manage and what.by_id != match.host_id:
        raise TableError(_("Only the host or a moderator can send somebody away."))
    if what.player_id not in {player.id for player in match.people}:
        raise TableError(_("That player isn't at this table."))
    if what.player_id == what.by_id:
        raise TableError(_("Press **Leave** to get up yourself."))
    roster = replace(match.roster, removed=with_id(match.roster.removed, what.player_id))
    return _got_up(table, table.having(roster=roster), what, now, what.by_id)


def _got_up(
    table: Table, after: Table, what: Left | Removed, now: int, by_id: int | None = None
) -> Decision:
    after = _without(after, what.player_id)
    people = [player.id for player in after.match.people]
    if after.match.host_id not in people:
        heirs = [each for each in people if each not in what.full]
        if not heirs:
            return closed(table, now, after)
        by_id = heirs[0]
        after = after.having(host_id=by_id)
    return _seated(table, after, now, by_id)


def started(table: Table, what: Started, now: int) -> Decision:
    """Return what comes of a host who starts the match; nothing where the same click did already."""
    if table.is_playing and table.match.seat_of(what.player_id) is not None:
        return Decision(table)
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if not hosts(table, what.player_id, now):
        words = _("Only the host can start the match; anybody at the table can from {when} on.")
        raise TableError(words.format(when=f"<t:{host_absent_at(table)}:t>"))
    fewest = table.game.info.fewest
    if len(table.match.players) < fewest:
        raise TableError(
            _("It takes {n} players to start. Ask somebody to press **Join**.").format(n=fewest)
        )
    if 0 < what.interaction < max(player.interaction for player in table.match.players):
        words = _("Somebody sat down after you pressed **Start**. See who is there, and press it again.")
        raise TableError(words)
    return changed(table, begun(table, what.seed, now, what.interaction), now)


def _check_not_kept(table: Table, player_id: int, now: int) -> None:
    """Raise TableError where all free seats are kept for others, who just played."""
    match, kept = table.match, kept_seats(table, now)
    if player_id not in kept and len(match.players) + len(kept) >= match.limit:
        until = f"<t:{(match.opened_at or 0) + KEPT_SECONDS}:R>"
        raise TableError(
            _("The free seats are kept for those who just played. They open {when}.").format(when=until)
        )


def _check_seats_frogs(table: Table, player_id: int, now: int) -> None:
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if not hosts(table, player_id, now):
        raise TableError(_("Only the host can add frogs or send them away."))
    if table.game.thinking is None:
        raise TableError(no_frogs())


def _seated(table: Table, after: Table, now: int, by_id: int | None = None) -> Decision:
    """Return the decision that these sit in a lobby; what its host does keeps it open for its time."""
    match = after.match
    since = now if by_id == match.host_id else match.rests_since
    return changed(table, after.having(rests_since=since), now)


def _without(table: Table, player_id: int) -> Table:
    return table.having(players=tuple(each for each in table.match.players if each.id != player_id))

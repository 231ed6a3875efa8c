"""Decisions on events that open or change a lobby. All functions are pure.

A lobby is a table whose match has not started.
"""

from __future__ import annotations

from dataclasses import replace

from bot.engine.name_sanitizing import is_forgotten
from bot.engine.translation import _
from bot.matches.match import (
    Roster,
    another_computer_player,
    with_id,
)
from bot.sessions import events
from bot.sessions.decision import absence, moves
from bot.sessions.decision.closing import close
from bot.sessions.decision.decision import Decision, change_table
from bot.sessions.errors import TableError, not_at_table, over_or_begun
from bot.sessions.lobby import (
    KEPT_SECONDS,
    begun,
    check_computer_players,
    host_absent_at,
    hosts,
    kept_seats,
    no_computer_players,
    strength_of,
)
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import waiting


def open_lobby(table: Table, what: events.Opened, now: int) -> Decision:
    """Open a lobby. If computer players fill all seats, start the match immediately."""
    match = table.match
    check_computer_players(table.game, match.limit, len(what.computer_players))
    computer_players = [player for player in what.company if player.is_computer_player]
    people = [
        player.id
        for player in what.company
        if player not in computer_players and not is_forgotten(player.id)
    ]
    players = [
        *match.players,
        *(replace(computer_player, missed=0, hints=0, bank=0) for computer_player in computer_players),
    ]
    for strength in what.computer_players:
        players.append(another_computer_player(match.id, players, strength))
    roster = Roster(invited=tuple(people))
    table = table.having(players=tuple(players), roster=roster, opened_at=now, rests_since=now)
    if 1 < len(players) == match.limit:
        return Decision(begun(table, b"", now, players[0].interaction))
    return Decision(waiting(table, now))


def join(table: Table, what: events.Joined, now: int) -> Decision:
    match, player = table.match, what.player
    if what.is_barred:
        raise TableError(_("You can't join tables in this server. Its admins can change that."))
    if match.seat_of(player.id) is not None:
        if table.is_playing:
            return absence.return_player(table, events.PlayerReturned(player.id), now)
        raise TableError(_("You already have a seat at this table."))
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if player.id in match.roster.removed:
        raise TableError(_("You were removed from this table, but you can join another one."))
    if len(match.players) >= match.limit:
        raise TableError(_("All seats are taken. You can watch, or start a table elsewhere."))
    _check_not_kept(table, player.id, now)
    later = (n for n, other in enumerate(match.players) if other.interaction > player.interaction)
    seat = next(later, len(match.players))  # ordered by the time of the click, not of its arrival
    players = (*match.players[:seat], player, *match.players[seat:])
    return _change_seats(table, table.having(players=players), now)


def rename(table: Table, what: events.Renamed, now: int) -> Decision:
    match, seat = table.match, table.match.seat_of(what.player.id)
    if seat is None or not match.stage.is_live:
        return Decision(table)
    called = table.with_player(seat, name=what.player.name, user_name=what.player.user_name)
    return Decision(table) if called.match == match else change_table(table, called, now)


def add_computer_player(table: Table, what: events.ComputerAdded, now: int) -> Decision:
    _check_may_seat(table, what.player_id, now)
    match, strength = table.match, strength_of(what.strength)
    if len(match.players) >= match.limit:
        raise TableError(_("All seats are taken, so there's no room for a frog."))
    _check_not_kept(table, what.player_id, now)
    computer_player = another_computer_player(match.id, match.players, strength)
    return _change_seats(
        table, table.having(players=(*match.players, computer_player)), now, what.player_id
    )


def remove_computer_player(table: Table, what: events.ComputerRemoved, now: int) -> Decision:
    _check_may_seat(table, what.player_id, now)
    if what.computer_player_id not in {
        player.id for player in table.match.players if player.is_computer_player
    }:
        raise TableError(_("That frog isn't at this table any more."))
    return _change_seats(table, _table_without(table, what.computer_player_id), now, what.player_id)


def leave(table: Table, what: events.Left, now: int) -> Decision:
    """Remove a player who leaves a lobby.

    If the host leaves, another person becomes the host, if one may host another table. Otherwise the
    lobby is closed. If the match has already started, nothing changes.
    """
    if table.match.seat_of(what.player_id) is None:
        raise TableError(not_at_table())
    if not table.is_lobby:
        return Decision(table)
    return _got_up(table, table, what, now)


def remove_player(table: Table, what: events.Removed, now: int) -> Decision:
    """Remove a player from a table at the request of the host or a moderator.

    A player who is removed from a lobby cannot join it again.
    """
    if not table.is_lobby:
        return moves.remove_player(table, what, now)
    match = table.match
    if not what.may_manage and what.by_id != match.host_id:
        raise TableError(_("Only the host or a moderator can remove a player."))
    if what.player_id not in {player.id for player in match.people}:
        raise TableError(_("That player isn't at this table."))
    if what.player_id == what.by_id:
        raise TableError(_("To leave the table yourself, press **Leave**."))
    roster = replace(match.roster, removed=with_id(match.roster.removed, what.player_id))
    return _got_up(table, table.having(roster=roster), what, now, what.by_id)


def _got_up(
    table: Table, after: Table, what: events.Left | events.Removed, now: int, by_id: int | None = None
) -> Decision:
    after = _table_without(after, what.player_id)
    people = [player.id for player in after.match.people]
    if after.match.host_id not in people:
        heirs = [person_id for person_id in people if person_id not in what.full]
        if not heirs:
            return close(table, now, after)
        by_id = heirs[0]
        after = after.having(host_id=by_id)
    return _change_seats(table, after, now, by_id)


def start(table: Table, what: events.Started, now: int) -> Decision:
    """Start the match of a lobby.

    If a repeated click asks for this, the match has started and nothing changes.
    """
    if table.is_playing and table.match.seat_of(what.player_id) is not None:
        return Decision(table)
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if not hosts(table, what.player_id, now):
        words = _(
            "Only the host can start the match before {when}. After that, anybody at the table can."
        )
        raise TableError(words.format(when=f"<t:{host_absent_at(table.match)}:t>"))
    fewest = table.game.info.fewest
    if len(table.match.players) < fewest:
        raise TableError(
            _("You need {n} players to start. Ask someone to press **Join**.").format(n=fewest)
        )
    if 0 < what.interaction < max(player.interaction for player in table.match.players):
        words = _(
            "A player joined just before you pressed **Start**. See who it is, then press it again."
        )
        raise TableError(words)
    return change_table(table, begun(table, what.seed, now, what.interaction), now)


def _check_not_kept(table: Table, player_id: int, now: int) -> None:
    """Raise TableError if every free seat is reserved for a player of the previous match."""
    match, reserved_ids = table.match, kept_seats(table.match, now)
    if player_id not in reserved_ids and len(match.players) + len(reserved_ids) >= match.limit:
        until = f"<t:{(match.opened_at or 0) + KEPT_SECONDS}:R>"
        raise TableError(
            _(
                "The free seats are reserved for players from the last match. They open up {when}."
            ).format(when=until)
        )


def _check_may_seat(table: Table, player_id: int, now: int) -> None:
    if not table.is_lobby:
        raise TableError(over_or_begun(table))
    if not hosts(table, player_id, now):
        raise TableError(_("Only the host can add or remove frogs."))
    if table.game.thinking is None:
        raise TableError(no_computer_players())


def _change_seats(table: Table, after: Table, now: int, by_id: int | None = None) -> Decision:
    """Change the seats of a lobby.

    If the host made the change, the time until the host counts as idle restarts.
    """
    match = after.match
    since = now if by_id == match.host_id else match.rests_since
    return change_table(table, after.having(rests_since=since), now)


def _table_without(table: Table, player_id: int) -> Table:
    return table.having(
        players=tuple(player for player in table.match.players if player.id != player_id)
    )

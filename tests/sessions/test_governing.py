"""Pure rules for closing tables, removing players, absent hosts and clocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.matches.match import LEAVES, Match, Player, Roster, Stage
from bot.matches.match_type import BANK
from bot.matches.server_settings import Stoppers
from bot.sessions.decision import Decision, decide
from bot.sessions.errors import TableError
from bot.sessions.events import (
    AccessLost,
    CloseRefused,
    CloseRequested,
    ComputerAdded,
    GaveUp,
    Joined,
    PlayerReturned,
    Removed,
    Started,
    Substituted,
    TableEvent,
    TimerFired,
)
from bot.sessions.lobby import HOST_SECONDS, KEPT_SECONDS
from bot.sessions.table_state import AWAY_AFTER, Table
from bot.sessions.turn_clock import DESERTED_SECONDS, SILENT_SECONDS
from tests.sessions.test_decisions import (
    ADA,
    BO,
    CY,
    LIMIT,
    NOW,
    TILLY,
    new_click,
    new_table,
    new_toad_table,
    player_to_move,
)
from tests.sessions.test_lobbies import new_lobby

HOST = Stoppers.HOST


def table_after(table: Table, *whats: TableEvent, now: int = NOW) -> Table:
    """Return the table after these events in order."""
    for what in whats:
        table = decide(table, what, now).table
    return table


def error_of(act: Callable[[], object]) -> str:
    """Return the error of an action."""
    with pytest.raises(TableError) as caught:
        act()
    return str(caught.value)


def denial_of(table: Table, what: TableEvent, now: int = NOW) -> str:
    """Return the error of an action that is not allowed at this table."""
    return error_of(lambda: decide(table, what, now))


def table_with(table: Table, **changes: Any) -> Table:
    """Return the table with changed fields of its match."""
    return replace(table, match=replace(table.match, **changes))


def waiting_player(table: Table) -> Player:
    """Return a player who is not to move."""
    return next(player for player in table.match.players if player != player_to_move(table))


# ---- closing ---------------------------------------------------------------------------------------


def test_a_match_closes_once_all_players_agree() -> None:
    """The host asks, and the last player to agree closes the match without a result."""
    asked = table_after(new_toad_table(ADA, BO, CY), CloseRequested(ADA.id, HOST))
    assert asked.is_playing
    assert asked.match.roster.closing == (ADA.id,)
    assert decide(asked, CloseRequested(ADA.id, HOST), NOW) == Decision(asked), "said already"
    almost = table_after(asked, CloseRequested(BO.id, HOST))
    assert almost.is_playing
    over = table_after(almost, CloseRequested(CY.id, HOST))
    assert (over.match.stage, over.results) == (Stage.STOPPED, ())


def test_giving_up_completes_a_request_to_close_the_match() -> None:
    """Players who are missing give up once all others agree, and the last of two players wins."""
    almost = table_after(
        new_toad_table(ADA, BO, CY), CloseRequested(ADA.id, HOST), CloseRequested(BO.id, HOST)
    )
    for what in (GaveUp(CY.id), Removed(CY.id, 9, may_manage=True)):
        over = table_after(almost, what)
        assert (over.match.stage, over.results) == (Stage.STOPPED, ())
        assert (over.match.turn_ends_at, over.match.wakes_at) == (None, None)
    won = table_after(new_toad_table(ADA, BO), CloseRequested(ADA.id, HOST), GaveUp(BO.id))
    assert won.match.stage is Stage.FINISHED
    assert table_after(
        new_toad_table(ADA, BO, CY), CloseRequested(ADA.id, HOST), GaveUp(CY.id)
    ).is_playing


def test_one_refusal_ends_a_request_to_close_the_match() -> None:
    """One refusal ends the request, and the same player cannot ask again, but another player can."""
    asked = table_after(new_toad_table(ADA, BO), CloseRequested(ADA.id, Stoppers.SEATED))
    on = table_after(asked, CloseRefused(BO.id))
    assert on.match.roster == Roster(refused=(ADA.id,))
    assert denial_of(on, CloseRequested(ADA.id, Stoppers.SEATED)).startswith(
        "The others want to play on."
    )
    over = table_after(
        on, CloseRequested(BO.id, Stoppers.SEATED), CloseRequested(ADA.id, Stoppers.SEATED)
    )
    assert over.match.stage is Stage.STOPPED
    assert decide(on, CloseRefused(BO.id), NOW) == Decision(on), "nobody asks"
    assert denial_of(asked, CloseRefused(CY.id)).startswith("You're not at this table")


def test_an_eliminated_player_cannot_vote_on_closing() -> None:
    """A player who is out can neither ask nor agree nor refuse, and has handed the match on."""
    left = table_after(new_toad_table(ADA, BO, CY), GaveUp(ADA.id))
    assert left.match.host_id == BO.id
    out = "You're out of this match, so the others decide."
    assert denial_of(left, CloseRequested(ADA.id, HOST)) == out
    asked = table_after(left, CloseRequested(BO.id, HOST))
    assert denial_of(asked, CloseRequested(ADA.id, HOST)) == out
    assert error_of(lambda: decide(asked, CloseRefused(ADA.id), NOW))
    assert table_after(asked, CloseRequested(CY.id, HOST)).match.stage is Stage.STOPPED


def test_the_server_setting_limits_requests_to_close() -> None:
    """The server's setting decides which players may ask to close a match.

    A moderator closes at once, and a player against computer players needs no consent.
    """
    table = new_toad_table(ADA, BO)
    assert (
        denial_of(table, CloseRequested(BO.id, HOST))
        == "Only the host or a moderator can close the table."
    )
    only = "In this server, only moderators can close a table."
    assert denial_of(table, CloseRequested(ADA.id, Stoppers.MANAGERS)) == only
    assert denial_of(table, CloseRequested(CY.id, HOST)).startswith("You're not at this table")
    moderated = table_after(table, CloseRequested(CY.id, Stoppers.MANAGERS, may_manage=True))
    assert moderated.match.stage is Stage.STOPPED
    assert (
        table_after(new_toad_table(ADA, TILLY), CloseRequested(ADA.id, HOST)).match.stage
        is Stage.STOPPED
    )
    alone = new_table("american_toad", ADA)
    assert denial_of(alone, CloseRequested(ADA.id, HOST)) == "Press **Give up** instead."


def test_a_leaving_host_hands_over_the_match() -> None:
    """A leaving host hands the match to the next player with room for it.

    If no player has room, the host stays the same and the players may still ask.
    """
    handed = table_after(new_toad_table(ADA, BO, CY), GaveUp(ADA.id, frozenset({BO.id})))
    assert handed.match.host_id == CY.id
    stays = table_after(new_toad_table(ADA, BO, CY), GaveUp(ADA.id, frozenset({BO.id, CY.id})))
    assert stays.match.host_id == ADA.id
    assert table_after(stays, CloseRequested(CY.id, HOST)).match.roster.closing == (CY.id,)


# ---- taken away ------------------------------------------------------------------------------------


def test_a_player_removed_from_a_lobby_cannot_rejoin() -> None:
    """The host may remove any other player from a lobby. That player cannot join again.

    A moderator may remove the host too.
    """
    sent = table_after(new_lobby(ADA, BO, TILLY), Removed(BO.id, ADA.id, may_manage=False))
    assert sent.match.players == (ADA, TILLY)
    assert denial_of(sent, Joined(BO)).startswith(
        "You were removed from this table, but you can join another one."
    )
    assert table_after(sent, Joined(CY)).match.players == (ADA, TILLY, CY)
    handed = table_after(new_lobby(ADA, BO), Removed(ADA.id, CY.id, may_manage=True))
    assert (handed.match.players, handed.match.host_id) == ((BO,), BO.id)
    for by, whom, said in (
        (BO, ADA, "Only the host or a moderator can remove a player."),
        (ADA, CY, "That player isn't at this table."),
        (ADA, TILLY, "That player isn't at this table."),
        (ADA, ADA, "To leave the table yourself, press **Leave**."),
    ):
        assert denial_of(new_lobby(ADA, BO, TILLY), Removed(whom.id, by.id, may_manage=False)) == said


def test_only_a_moderator_can_remove_a_player_from_a_match() -> None:
    """A removed player counts as having given up. Computer players cannot be removed."""
    table = new_toad_table(ADA, BO, CY)
    decision = decide(table, Removed(BO.id, 99, may_manage=True), NOW)
    assert decision.change is not None
    assert decision.change.entry is not None
    assert decision.change.entry.text == LEAVES
    assert len(decision.table.remaining) == 2
    only = "Only a moderator can remove a player from a match."
    assert denial_of(table, Removed(BO.id, ADA.id, may_manage=False)) == only
    gone = "That player isn't in this match."
    assert denial_of(decision.table, Removed(BO.id, 99, may_manage=True)) == gone
    assert denial_of(new_toad_table(ADA, TILLY), Removed(TILLY.id, 99, may_manage=True)) == gone


def test_a_banned_player_can_neither_join_nor_return() -> None:
    """A banned player can neither join a table in the server nor return to a seat."""
    for table in (new_lobby(ADA), new_toad_table(ADA, replace(BO, missed=AWAY_AFTER))):
        assert denial_of(table, Joined(BO, is_barred=True)).startswith("You can't join tables")


def test_losing_access_makes_a_player_inactive() -> None:
    """A player who loses access to the table is inactive at once, and may return as usual."""
    table = new_toad_table(ADA, BO)
    out = table_after(table, AccessLost(BO.id))
    assert (out.inactive_seats, out.match.roster.shut_out) == ((1,), (BO.id,))
    assert decide(out, AccessLost(BO.id), NOW) == Decision(out)
    assert decide(out, AccessLost(CY.id), NOW) == Decision(out)
    back = table_after(out, PlayerReturned(BO.id))
    assert (back.inactive_seats, back.match.roster) == ((), Roster())


# ---- an absent host, and absent players ------------------------------------------------------------


def recent_lobby() -> Table:
    """Return a lobby whose host has acted now."""
    return table_with(new_lobby(ADA, BO, limit=3), rests_since=NOW)


def test_seated_players_can_manage_a_lobby_without_its_host() -> None:
    """After ten minutes without the host, any seated player may start, add computer players or close."""
    table, later = recent_lobby(), NOW + HOST_SECONDS
    for what in (Started(BO.id, bytes(32)), ComputerAdded(BO.id, "toad"), CloseRequested(BO.id, HOST)):
        assert denial_of(table, what, later - 1).startswith("Only the host")
        assert decide(table, what, later).change is not None
    for what in (Started(CY.id, bytes(32)), ComputerAdded(CY.id, "toad"), CloseRequested(CY.id, HOST)):
        assert denial_of(table, what, later).startswith("Only the host")
    with_computer_player = table_after(table, ComputerAdded(BO.id, "toad"), now=later)
    assert table_after(with_computer_player, Started(BO.id, bytes(32)), now=later + 1).is_playing
    there = table_after(table, ComputerAdded(ADA.id, "toad"), now=later)
    assert denial_of(there, Started(BO.id, bytes(32)), later + 1).startswith("Only the host")
    joined = table_after(table, Joined(CY), now=later - 1)
    assert table_after(joined, Started(CY.id, bytes(32)), now=later).is_playing


def untimed_table(*players: Player) -> Table:
    """Return a table of Toad without a time limit for turns."""
    table = new_toad_table(*players)
    ends: dict[str, Any] = {"turn_seconds": 0, "turn_ends_at": None, "active_at": NOW}
    return table_with(table, **ends, wakes_at=NOW + SILENT_SECONDS)


def test_a_player_without_a_time_limit_is_inactive_after_a_day() -> None:
    """Without a time limit a player is inactive after a day, until a move or a return."""
    table = untimed_table(ADA, BO)
    silent, other = player_to_move(table), waiting_player(table)
    assert table.to_move is not None
    assert denial_of(table, Substituted(table.to_move, other.id)).startswith(
        "A frog can only play for a player"
    )
    assert decide(table, TimerFired(), NOW + SILENT_SECONDS - 1) == Decision(table)
    away = table_after(table, TimerFired(), now=NOW + SILENT_SECONDS)
    assert away.inactive_seats == (table.to_move,)
    assert away.to_move == table.to_move, "no turn is passed"
    assert not away.rests
    assert (
        table_after(away, Substituted(table.to_move, other.id), now=NOW + SILENT_SECONDS).computer
        is not None
    )
    assert table_after(away, PlayerReturned(silent.id)).inactive_seats == ()
    panel = away.panel(away.to_move)
    key = next(choice.key for choice in panel.choices() if choice.move is not None)
    assert table_after(away, new_click(away, key), now=NOW + SILENT_SECONDS + 9).inactive_seats == ()


def test_a_table_of_one_person_and_computer_players_never_rests() -> None:
    """A table of one person and computer players never rests."""
    both = (untimed_table(ADA, TILLY), untimed_table(TILLY, ADA))
    table = next(table for table in both if table.computer is None)
    assert table_after(table, TimerFired(), now=NOW + SILENT_SECONDS).inactive_seats == ()


def test_waiting_players_can_close_a_deserted_match() -> None:
    """Waiting players may close a match after three days, whatever the settings.

    The awaited player may not.
    """
    table = untimed_table(ADA, BO, CY)
    for player in table.match.players:
        what = CloseRequested(player.id, Stoppers.MANAGERS)
        assert denial_of(table, what, NOW + DESERTED_SECONDS - 1).startswith("In this server")
        if player == player_to_move(table):
            assert denial_of(table, what, NOW + DESERTED_SECONDS).startswith("In this server")
        else:
            assert table_after(table, what, now=NOW + DESERTED_SECONDS).match.stage is Stage.STOPPED
    limited = table_with(table, turn_seconds=LIMIT, turn_ends_at=NOW + LIMIT)
    what = CloseRequested(waiting_player(table).id, Stoppers.MANAGERS)
    assert denial_of(limited, what, NOW + DESERTED_SECONDS).startswith("In this server")


# ---- the clock -------------------------------------------------------------------------------------


def table_after_half_move(table: Table) -> Table:
    """Return the table after a move that does not end the turn."""
    panel = table.panel(table.to_move)
    for choice in panel.choices():
        if choice.move is not None:
            after = table_after(table, new_click(table, choice.key), now=NOW + LIMIT - 1)
            if after.is_playing and after.began == table.began:
                return after
    raise AssertionError("a turn of Toad has more than one move")


def test_a_partial_move_does_not_reset_the_missed_turns() -> None:
    """A row of missed turns goes on if the clock had to end the turn, even after half a move."""
    table = new_toad_table(*(replace(player, missed=1) for player in (ADA, BO)))
    seat = table.to_move
    assert seat is not None
    half = table_after_half_move(table)
    assert half.match.players[seat].missed == 1
    while half.to_move == seat:
        half = decide(table_with(half, wakes_at=NOW), TimerFired(), NOW + LIMIT).table
    assert half.match.players[seat].missed == 2


def table_with_bank(bank: int) -> Table:
    """Return a table in its first turn with a time bank for each player."""
    waiting = table_with(new_lobby(ADA, BO), turn_seconds=LIMIT, options={"lives": 5, BANK: bank})
    return table_after(waiting, Started(ADA.id, bytes(32)))


def match_after_timeout(table: Table, now: int) -> Match:
    """Return the match after the clock has ended the turn."""
    seat = table.to_move
    while table.to_move == seat:
        table = decide(table_with(table, wakes_at=now), TimerFired(), now).table
    return table.match


def test_an_overlong_turn_takes_time_from_the_bank() -> None:
    """A turn takes its time over the limit from the bank. The clock ends it when the bank is empty."""
    table = table_with_bank(600)
    assert table.to_move is not None
    assert [player.bank for player in table.match.players] == [600, 600]
    assert table.match.turn_ends_at == NOW + LIMIT + 600
    ended = match_after_timeout(table, NOW + LIMIT + 600)
    assert ended.players[table.to_move].bank == 0
    assert ended.turn_ends_at == NOW + LIMIT + 600 + LIMIT + 600, "the other's is whole"
    assert table_with_bank(0).match.turn_ends_at == NOW + LIMIT


def test_a_turn_within_its_limit_takes_nothing_from_the_bank() -> None:
    """A turn within its limit takes nothing from the bank."""
    table = table_with_bank(600)
    seat = table.to_move
    assert seat is not None
    for after_seconds, left in ((LIMIT - 1, 600), (LIMIT + 100, 500)):
        on = table
        while on.to_move == seat:
            key = next(c.key for c in on.panel(seat).choices() if "nd turn" in c.label)
            on = table_after(on, new_click(on, key), now=NOW + after_seconds)
        assert on.match.players[seat].bank == left


# ---- a rematch -------------------------------------------------------------------------------------


def test_a_rematch_reserves_seats_for_the_former_players() -> None:
    """A rematch keeps seats for two minutes for the former players.

    Other free seats are open to all.
    """
    table = table_with(new_lobby(ADA, limit=2), roster=Roster(invited=(ADA.id, BO.id)))
    kept = denial_of(table, Joined(CY), NOW + KEPT_SECONDS - 1)
    assert kept.startswith("The free seats are reserved for players from the last match.")
    assert table_after(table, Joined(BO)).match.players == (ADA, BO)
    assert table_after(table, Joined(CY), now=NOW + KEPT_SECONDS).match.players == (ADA, CY)
    roomy = table_with(table, limit=3)
    assert table_after(roomy, Joined(CY)).match.players == (ADA, CY)


def test_a_computer_player_cannot_take_a_reserved_seat() -> None:
    """The host adds a computer player to a free seat that is not kept, or waits.

    A player who was removed from the lobby has no kept seat.
    """
    table = table_with(new_lobby(ADA, limit=2), roster=Roster(invited=(ADA.id, BO.id)))
    tadpole = ComputerAdded(ADA.id, "tadpole")
    assert denial_of(table, tadpole).startswith(
        "The free seats are reserved for players from the last match."
    )
    assert len(table_after(table, tadpole, now=NOW + KEPT_SECONDS).match.players) == 2
    assert len(table_after(table_with(table, limit=3), tadpole).match.players) == 2
    away = table_after(table, Joined(BO), Removed(BO.id, ADA.id, may_manage=False))
    assert len(table_after(away, tadpole).match.players) == 2


def test_a_stopped_clock_takes_no_time() -> None:
    """A stopped clock takes no time from the turn or the bank, even if a player moves meanwhile."""
    table = table_with_bank(600)
    ends_at = table.match.turn_ends_at
    assert ends_at is not None
    late = NOW + LIMIT + 60
    stands = table_after(table, TimerFired(late), TimerFired(late + 9), now=late + 99)
    assert (stands.match.stands_since, stands.match.turn_ends_at) == (late, ends_at)
    assert table_after(stands, TimerFired(late), now=ends_at + 9) is stands, "no turn is passed"
    goes = table_after(stands, TimerFired(None), now=late + 5000)
    assert (goes.match.stands_since, goes.match.turn_ends_at) == (None, ends_at + 5000)
    key = next(
        choice.key for choice in table.panel(table.to_move).choices() if choice.label == "End turn"
    )
    after = table_after(stands, new_click(stands, key), now=late + 5000)
    assert after.match.players[table.to_move or 0].bank == 540, "a minute over, and no more"
    assert after.match.stands_since == late + 5000

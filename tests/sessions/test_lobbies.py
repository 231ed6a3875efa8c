"""Rules for joining, leaving, starting, computer players, going back, rematches and closing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.match import Change, Match, Player, Stage
from bot.matches.server_settings import Stoppers
from bot.sessions.decision import Decision, decide
from bot.sessions.decision.closing import check_may_stop
from bot.sessions.errors import TableError
from bot.sessions.events import (
    CloseRequested,
    ComputerAdded,
    ComputerRemoved,
    GaveUp,
    Joined,
    Left,
    Started,
    TableEvent,
    TimerFired,
)
from bot.sessions.lobby import begun, check_computer_players, check_may_go_back, check_may_rematch
from bot.sessions.table_state import AWAY_AFTER, Table
from bot.sessions.turn_clock import REST_SECONDS, SILENT_SECONDS
from tests.games.american_toad.positions import new_position, play_moves
from tests.sessions.test_decisions import ADA, BO, CY, LIMIT, NOW, TILLY, new_table, new_toad_table

TOAD, SOLITAIRE = games()["toad"], games()["american_toad"]
ENDED, BEGUN = "This match is over.", "This match has already begun, but you're welcome to watch."


def new_lobby(*players: Player, limit: int = 6) -> Table:
    """Return a lobby of Toad with the first player as its host."""
    match = replace(new_toad_table(*players).match, stage=Stage.LOBBY, seed=None, turn_ends_at=None)
    return Table(replace(match, limit=limit), TOAD)


def ended_table(table: Table, stage: Stage = Stage.FINISHED) -> Table:
    return replace(table, match=replace(table.match, stage=stage))


def error_of(act: Callable[[], object]) -> str:
    """Return the error of an action."""
    with pytest.raises(TableError) as caught:
        act()
    return str(caught.value)


def denial_of(table: Table, what: TableEvent) -> str:
    """Return the error of an action that is not allowed at this table."""
    return error_of(lambda: decide(table, what, NOW))


def match_after(table: Table, what: TableEvent) -> Match:
    """Return the match after an event, which must be one change."""
    decision = decide(table, what, NOW + 9)
    assert decision.change == Change(table.match, decision.table.match)
    assert decision.table.match.version == table.match.version + 1
    return decision.table.match


def test_free_players_join_lobbies_and_inactive_players_return() -> None:
    """A free player joins a lobby and an inactive one returns to a match. Other players cannot join."""
    assert match_after(new_lobby(ADA), Joined(BO)).players == (ADA, BO)
    away = replace(BO, missed=AWAY_AFTER)
    assert match_after(new_toad_table(ADA, away), Joined(BO)).players == (ADA, BO)
    full = "All seats are taken. You can watch, or start a table elsewhere."
    for table, player, said in (
        (new_lobby(ADA), ADA, "You already have a seat at this table."),
        (new_lobby(ADA, TILLY, limit=2), BO, full),
        (new_toad_table(ADA, BO), CY, BEGUN),
        (new_toad_table(ADA, BO), BO, "You're not away: your turns are waiting for you."),
        (ended_table(new_toad_table(ADA, BO)), CY, ENDED),
    ):
        assert denial_of(table, Joined(player)) == said


def test_leaving_a_lobby_moves_the_other_seats_up() -> None:
    """Leaving a lobby moves the other seats up, and leaving does not give a match up."""
    left = match_after(new_lobby(ADA, BO, CY), Left(BO.id))
    assert (left.players, left.host_id, left.stage) == ((ADA, CY), ADA.id, Stage.LOBBY)
    for table in (new_toad_table(ADA, BO), ended_table(new_toad_table(ADA, BO))):
        assert decide(table, Left(BO.id), NOW) == Decision(table), "it was started in that moment"
    for table in (new_lobby(ADA), new_toad_table(ADA, BO)):
        for leaves in (Left(CY.id), GaveUp(CY.id)):
            assert denial_of(table, leaves) == "You're not at this table."
    assert denial_of(ended_table(new_toad_table(ADA, BO)), GaveUp(BO.id)) == ENDED


def test_the_next_person_with_room_becomes_the_host() -> None:
    """The next person with room for another table becomes the host, and never a computer player."""
    for full, host in (((), BO), ((BO.id,), CY)):
        handed = match_after(new_lobby(ADA, TILLY, BO, CY), Left(ADA.id, frozenset(full)))
        assert (handed.players, handed.host_id) == ((TILLY, BO, CY), host.id)
        assert handed.stage is Stage.LOBBY
    kept = match_after(new_lobby(ADA, BO), Left(BO.id, frozenset({ADA.id})))
    assert (kept.host_id, kept.stage) == (ADA.id, Stage.LOBBY), "who hosts it goes on with it"


@pytest.mark.parametrize(("stays", "full"), [((), ()), ((TILLY,), ()), ((BO, CY), (BO.id, CY.id))])
def test_a_lobby_without_a_possible_host_closes(
    stays: tuple[Player, ...], full: tuple[int, ...]
) -> None:
    """A lobby closes at once if no player can host it, and its channel is free again."""
    ended = match_after(new_lobby(ADA, *stays), Left(ADA.id, frozenset(full)))
    assert (ended.players, ended.stage, ended.unfinished) == (stays, Stage.STOPPED, False)
    assert (ended.ended_at, ended.wakes_at) == (NOW + 9, None)


def test_only_actions_of_the_host_extend_a_lobby() -> None:
    """A lobby's week starts at its host's last action or at a change of host, not at others' actions."""
    table = new_lobby(ADA, BO, TILLY)
    table = replace(table, match=replace(table.match, rests_since=NOW))
    for what, since in (
        (Joined(CY), NOW),
        (Left(BO.id), NOW),
        (Left(ADA.id), NOW + 9),
        (ComputerRemoved(ADA.id, TILLY.id), NOW + 9),
    ):
        match = match_after(table, what)
        assert (match.rests_since, match.wakes_at) == (since, since + REST_SECONDS)


def test_an_old_lobby_without_a_deadline_closes_after_a_week() -> None:
    """An old lobby without a clock is closed as unfinished after a week."""
    old = replace(
        new_lobby(ADA, BO), match=replace(new_lobby(ADA, BO).match, wakes_at=0, rests_since=None)
    )
    assert decide(old, TimerFired(), NOW + REST_SECONDS - 1).table.match.stage is Stage.LOBBY
    left = decide(old, TimerFired(), NOW + REST_SECONDS).table.match
    assert (left.stage, left.unfinished) == (Stage.STOPPED, True)


def test_only_the_host_can_start_a_lobby() -> None:
    """The host starts once, with enough players, and a doubled click is not an error."""
    begins = match_after(new_lobby(ADA, BO), Started(ADA.id, bytes(32)))
    assert (begins.stage, begins.seed) == (Stage.PLAYING, bytes(32))
    assert decide(new_toad_table(ADA, BO), Started(ADA.id, b"a"), NOW) == Decision(
        new_toad_table(ADA, BO)
    )
    few = "You need 2 players to start. Ask someone to press **Join**."
    for table, player, said in (
        (new_toad_table(ADA, BO), CY, BEGUN),
        (ended_table(new_toad_table(ADA, BO)), ADA, ENDED),
        (new_lobby(ADA, BO), BO, "Only the host can start the match before"),
        (new_lobby(ADA), ADA, few),
    ):
        start = Started(player.id, bytes(32))
        assert denial_of(table, start).startswith(said)
    assert "seed" not in repr(Started(ADA.id, bytes(32)))


def test_seats_follow_the_order_of_the_clicks() -> None:
    """Seats are in the order of the clicks, even if the clicks arrive in another order.

    A start applies to the players that the host saw, and the first click of a rematch opened its table.
    """
    host, bo, cy = (replace(each, interaction=each.id) for each in (BO, CY, ADA))
    waits = new_lobby(host, TILLY)
    waits = replace(waits, match=replace(waits.match, opened_by=20, secret=bytes(32)))
    for joins in (bo, cy):
        waits = decide(waits, Joined(joins), NOW).table
    assert [player.id for player in waits.match.players] == [cy.id, host.id, TILLY.id, bo.id]
    early = Started(host.id, b"", bo.interaction - 1)
    assert denial_of(waits, early).startswith("A player joined just before you pressed **Start**.")
    begins = match_after(waits, Started(host.id, b"", bo.interaction + 1))
    assert (begins.opened_by, begins.started_by) == (cy.interaction, bo.interaction + 1)


def test_computer_players_can_fill_all_other_seats() -> None:
    """The other seats may all be computer players, and none if the game has no computer players."""
    for count in (0, 5):
        check_computer_players(TOAD, 6, count)
    check_computer_players(SOLITAIRE, 1, 0)
    one = "The table has 2 seats, so there's room for you and 1 frog."
    many = "The table has 6 seats, so there's room for you and 5 frogs."
    assert error_of(lambda: check_computer_players(TOAD, 2, 2)) == one
    assert error_of(lambda: check_computer_players(TOAD, 6, 6)) == many
    assert error_of(lambda: check_computer_players(TOAD, 6, -1)) == many
    assert error_of(lambda: check_computer_players(SOLITAIRE, 1, 1)) == "Frogs don't play this game."


def test_the_host_can_add_and_remove_computer_players() -> None:
    """The host of a lobby adds a computer player of a strength to a free seat, and removes it."""
    [_ada, computer_player] = match_after(new_lobby(ADA, limit=2), ComputerAdded(ADA.id, "toad")).players
    assert computer_player.strength is Strength.TOAD
    gone = match_after(new_lobby(ADA, TILLY, BO), ComputerRemoved(ADA.id, TILLY.id))
    assert gone.players == (ADA, BO)
    gone_before = "That frog isn't at this table any more."
    host = "Only the host can add or remove frogs."
    full = "All seats are taken, so there's no room for a frog."
    alone = replace(new_lobby(ADA), game=SOLITAIRE)
    for table, what, said in (
        (new_lobby(ADA, BO, limit=2), ComputerAdded(ADA.id, "toad"), full),
        (new_lobby(ADA, BO), ComputerAdded(BO.id, "toad"), host),
        (new_lobby(ADA, BO), ComputerAdded(ADA.id, "pike"), "There's no such frog."),
        (new_toad_table(ADA, BO), ComputerAdded(ADA.id, "toad"), BEGUN),
        (ended_table(new_toad_table(ADA, BO)), ComputerAdded(ADA.id, "toad"), ENDED),
        (alone, ComputerAdded(ADA.id, "toad"), "Frogs don't play this game."),
        (new_lobby(ADA, TILLY, BO), ComputerRemoved(BO.id, TILLY.id), host),
        (new_toad_table(ADA, TILLY), ComputerRemoved(ADA.id, TILLY.id), BEGUN),
        (new_lobby(ADA, TILLY), ComputerRemoved(ADA.id, -7), gone_before),
        (new_lobby(ADA, BO), ComputerRemoved(ADA.id, BO.id), gone_before),
    ):
        assert denial_of(table, what).startswith(said)


@pytest.mark.parametrize(("limit", "ends_at"), [(LIMIT, NOW + 9 + LIMIT), (0, None)])
def test_a_started_lobby_deals_by_its_seed_and_sets_a_deadline(limit: int, ends_at: int | None) -> None:
    """A started match is dealt by the seed, and its first turn has its whole time."""
    waiting = new_lobby(ADA, BO)
    waiting = replace(waiting, match=replace(waiting.match, rests_since=NOW, turn_seconds=limit))
    table = begun(waiting, bytes(32), NOW + 9)
    assert table.is_playing
    assert table.state == TOAD.deal(2, waiting.match.options, bytes(32))
    assert (table.match.seed, table.match.rests_since) == (bytes(32), None)
    assert table.match.turn_ends_at == ends_at
    assert table.match.wakes_at == (NOW + 9 + LIMIT - LIMIT // 4 if limit else NOW + 9 + SILENT_SECONDS)


def test_only_its_own_player_can_resume_a_given_up_deal() -> None:
    """A player cannot go back in a deal in play or a won deal, nor in a game without this option."""
    deal = new_table("american_toad", ADA)
    given_up = replace(deal, state=deal.game.withdraw(deal.state, 0), match=ended_table(deal).match)
    assert check_may_go_back(given_up, ADA.id) is deal.game.retry
    assert error_of(lambda: check_may_go_back(given_up, BO.id)).startswith("You're not at this table")
    only = "You can only go back in a deal you've given up."
    assert error_of(lambda: check_may_go_back(deal, ADA.id)) == only
    last = new_position("4H|||||||", base=5, heights=(13,) * 4 + (12, 13, 13, 13))
    won = replace(deal, state=play_moves(last, "1 up"), match=ended_table(deal).match)
    assert error_of(lambda: check_may_go_back(won, ADA.id)) == only
    left = new_toad_table(ADA, BO)
    left = replace(left, state=left.game.withdraw(left.state, 0))
    assert error_of(lambda: check_may_go_back(left, ADA.id)) == only


def test_any_player_of_a_finished_match_can_request_a_rematch() -> None:
    """Other users are refused, unless only computer players played. An unfinished match is refused."""
    match = ended_table(new_toad_table(ADA, BO)).match
    check_may_rematch(match, BO.id)
    check_may_rematch(replace(match, players=(TILLY,)), CY.id)
    only = "Only players from this table can ask for a rematch."
    assert error_of(lambda: check_may_rematch(match, CY.id)) == only
    assert (
        error_of(lambda: check_may_rematch(new_toad_table(ADA, BO).match, BO.id))
        == "This match isn't over yet."
    )


@pytest.mark.parametrize(
    ("stoppers", "may", "may_not", "said"),
    [
        (Stoppers.HOST, ADA, BO, "Only the host or a moderator can close the table."),
        (Stoppers.SEATED, BO, CY, "Only a player at the table or a moderator can close it."),
        (Stoppers.MANAGERS, None, ADA, "In this server, only moderators can close a table."),
    ],
)
def test_the_server_setting_limits_closing_a_lobby(
    stoppers: Stoppers, may: Player | None, may_not: Player, said: str
) -> None:
    """The server's setting decides who closes a lobby.

    A moderator always may, and no one closes a finished table.
    """
    table = new_lobby(ADA, BO)
    if may is not None:
        check_may_stop(table, stoppers, may.id, NOW, may_manage=False)
        assert match_after(table, CloseRequested(may.id, stoppers)).stage is Stage.STOPPED
    assert match_after(table, CloseRequested(CY.id, stoppers, may_manage=True)).ended_at == NOW + 9
    assert denial_of(table, CloseRequested(may_not.id, stoppers)) == said
    ended = CloseRequested(ADA.id, stoppers, may_manage=True)
    assert denial_of(ended_table(table), ended) == ENDED

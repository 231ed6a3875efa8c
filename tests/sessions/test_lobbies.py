"""Who may sit down, get up, start, bring frogs, go back, call for a rematch, and close a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.engine.match import Player, Stage
from bot.engine.server import ServerSettings, Stoppers
from bot.engine.thinking import Strength
from bot.games import games
from bot.sessions.errors import TableError
from bot.sessions.lobby import (
    Joining,
    Leaving,
    begun,
    check_frogs,
    check_may_go_back,
    check_may_rematch,
    check_may_stop,
    check_takes_away,
    joining,
    leaving,
    new_frog,
    starts,
    strength_of,
)
from bot.sessions.table import Table
from tests.games.american_toad.positions import at, play
from tests.sessions.test_decisions import ADA, BO, CY, LIMIT, NOW, TILLY, dealt, toad

TOAD, SOLITAIRE = games()["toad"], games()["american_toad"]
ENDED, BEGUN = "This match is over.", "This match has already begun; you're welcome to watch."


def lobby(*players: Player, limit: int = 6) -> Table:
    """Return a lobby of Toad; the first player is its host."""
    return Table(replace(toad(*players).match, stage=Stage.LOBBY, limit=limit), TOAD)


def over(table: Table, stage: Stage = Stage.FINISHED) -> Table:
    return replace(table, match=replace(table.match, stage=stage))


def refused(act: Callable[[], object]) -> str:
    """Return what is said to somebody who tries something."""
    with pytest.raises(TableError) as caught:
        act()
    return str(caught.value)


def test_who_joins() -> None:
    """A free player sits down in a lobby, a seated one comes back to a match, nobody else joins."""
    assert joining(lobby(ADA), BO.id) is Joining.SIT
    assert joining(toad(ADA, BO), BO.id) is Joining.COME_BACK
    assert refused(lambda: joining(lobby(ADA), ADA.id)) == "You already have a seat at this table."
    assert refused(lambda: joining(toad(ADA, BO), CY.id)) == BEGUN
    assert refused(lambda: joining(over(toad(ADA, BO)), CY.id)) == ENDED


def test_who_leaves() -> None:
    """From a lobby one stands up, from a match one gives up, each from the own seat."""
    assert leaving(lobby(ADA, BO), BO.id) == (Leaving.STAND, 1)
    assert leaving(toad(ADA, BO), BO.id) == (Leaving.GIVE_UP, 1)
    assert refused(lambda: leaving(lobby(ADA), BO.id)) == "You're not at this table."
    assert refused(lambda: leaving(over(toad(ADA, BO)), BO.id)) == ENDED


def test_who_starts() -> None:
    """The host, once, with as many as the game needs; the host's doubled click is no fault."""
    assert starts(lobby(ADA, BO), ADA.id)
    assert not starts(toad(ADA, BO), ADA.id)
    assert refused(lambda: starts(toad(ADA, BO), BO.id)) == BEGUN
    assert refused(lambda: starts(over(toad(ADA, BO)), ADA.id)) == ENDED
    assert refused(lambda: starts(lobby(ADA, BO), BO.id)) == "Only the host can start the match."
    few = "It takes 2 players to start. Ask somebody to press **Join**."
    assert refused(lambda: starts(lobby(ADA), ADA.id)) == few


def test_how_many_frogs_fit() -> None:
    """Beside one person, so many as the table has seats left; none where frogs do not play."""
    for frogs in (0, 5):
        check_frogs(TOAD, 6, frogs)
    check_frogs(SOLITAIRE, 1, 0)
    one = "The table has 2 seats: there's room for 1 frog besides you."
    many = "The table has 6 seats: there's room for 5 frogs besides you."
    assert refused(lambda: check_frogs(TOAD, 2, 2)) == one
    assert refused(lambda: check_frogs(TOAD, 6, 6)) == many
    assert refused(lambda: check_frogs(TOAD, 6, -1)) == many
    assert refused(lambda: check_frogs(SOLITAIRE, 1, 1)) == "Frogs don't play this game."


def test_frogs_come_and_go() -> None:
    """The host of a lobby seats a frog of a strength where there is room, and takes that frog away."""
    assert new_frog(lobby(ADA, limit=2), ADA.id, "toad").strength is Strength.TOAD
    check_takes_away(lobby(ADA, TILLY), ADA.id, TILLY.id)
    gone = "That frog isn't at this table any more."
    host = "Only the host can add frogs or send them away."
    full = "All seats are taken, so there's no room for a frog."
    for act, said in (
        (lambda: new_frog(lobby(ADA, BO, limit=2), ADA.id, "toad"), full),
        (lambda: new_frog(lobby(ADA, BO), BO.id, "toad"), host),
        (lambda: new_frog(toad(ADA, BO), ADA.id, "toad"), BEGUN),
        (lambda: new_frog(over(toad(ADA, BO)), ADA.id, "toad"), ENDED),
        (lambda: check_takes_away(lobby(ADA, TILLY, BO), BO.id, TILLY.id), host),
        (lambda: check_takes_away(toad(ADA, TILLY), ADA.id, TILLY.id), BEGUN),
        (lambda: check_takes_away(lobby(ADA, TILLY), ADA.id, -7), gone),
        (lambda: check_takes_away(lobby(ADA, BO), ADA.id, BO.id), gone),
        (lambda: strength_of("pike"), "There is no such frog."),
    ):
        assert refused(act).startswith(said)
    alone = replace(lobby(ADA), game=SOLITAIRE)
    assert refused(lambda: new_frog(alone, ADA.id, "toad")) == "Frogs don't play this game."


@pytest.mark.parametrize(("limit", "ends_at"), [(LIMIT, NOW + 9 + LIMIT), (0, None)])
def test_a_lobby_that_is_started(limit: int, ends_at: int | None) -> None:
    """It is dealt by the seed, nothing rests any more, and the first turn has all of its time."""
    waiting = lobby(ADA, BO)
    waiting = replace(waiting, match=replace(waiting.match, rests_since=NOW, turn_seconds=limit))
    table = begun(waiting, bytes(32), NOW + 9)
    assert table.is_playing
    assert table.state == TOAD.deal(2, waiting.match.options, bytes(32))
    assert (table.match.seed, table.match.rests_since) == (bytes(32), None)
    assert table.match.turn_ends_at == ends_at
    assert (table.match.wakes_at is None) == (limit == 0)


def test_who_goes_back() -> None:
    """Who gave a deal up, and nobody into one that goes on, was won, or is a game without that."""
    deal = dealt("american_toad", ADA)
    given_up = replace(deal, state=deal.game.withdraw(deal.state, 0), match=over(deal).match)
    assert check_may_go_back(given_up, ADA.id) is deal.game.retry
    assert refused(lambda: check_may_go_back(given_up, BO.id)).startswith("You're not at this table")
    only = "You can only go back in a deal that you gave up."
    assert refused(lambda: check_may_go_back(deal, ADA.id)) == only
    last = at("4H|||||||", base=5, heights=(13,) * 4 + (12, 13, 13, 13))
    won = replace(deal, state=play(last, "1 up"), match=over(deal).match)
    assert refused(lambda: check_may_go_back(won, ADA.id)) == only
    left = toad(ADA, BO)
    left = replace(left, state=left.game.withdraw(left.state, 0))
    assert refused(lambda: check_may_go_back(left, ADA.id)) == only


def test_who_calls_for_a_rematch() -> None:
    """Who sat at a match that is over; anybody where nobody sits there any more."""
    match = over(toad(ADA, BO)).match
    check_may_rematch(match, BO.id)
    check_may_rematch(replace(match, players=(TILLY,)), CY.id)
    only = "Only somebody who sat at this table can call for a rematch."
    assert refused(lambda: check_may_rematch(match, CY.id)) == only
    assert (
        refused(lambda: check_may_rematch(toad(ADA, BO).match, BO.id)) == "This match is not over yet."
    )


@pytest.mark.parametrize(
    ("stoppers", "may", "may_not", "said"),
    [
        (Stoppers.HOST, ADA, BO, "Only the host or a moderator can close the table."),
        (Stoppers.SEATED, BO, CY, "Only a player at the table or a moderator can close it."),
        (Stoppers.MANAGERS, None, ADA, "In this server, only moderators can close a table."),
    ],
)
def test_who_closes_a_table(stoppers: Stoppers, may: Player | None, may_not: Player, said: str) -> None:
    """As the server has it; a moderator always; nobody one that is over."""
    settings, table = ServerSettings(stoppers=stoppers), toad(ADA, BO)
    if may is not None:
        check_may_stop(table, settings, may.id, may_manage=False)
    check_may_stop(table, settings, CY.id, may_manage=True)
    assert refused(lambda: check_may_stop(table, settings, may_not.id, may_manage=False)) == said
    assert refused(lambda: check_may_stop(over(table), settings, ADA.id, may_manage=True)) == ENDED

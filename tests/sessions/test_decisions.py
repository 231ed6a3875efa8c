"""Decisions as a pure function of a table, an event and the time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.opponent import Mover, Strength
from bot.games import games
from bot.matches.match import LEAVES, Entry, Match, Player, Result, Stage
from bot.matches.match_type import AGAIN, REPLAY
from bot.sessions.decision import DECIDED_BY, Decision, decide
from bot.sessions.errors import OutdatedClickError, TableError
from bot.sessions.events import (
    FIRST_STEP,
    AccessLost,
    Click,
    Clicked,
    ComputerMoveChosen,
    GaveUp,
    PlayerEvent,
    PlayerReturned,
    QuestionAnswered,
    Resumed,
    Substituted,
    TableEnded,
    TableEvent,
    TimerFired,
)
from bot.sessions.table_state import AWAY_AFTER, MOST_SOLO_MOVES, Table
from bot.sessions.turn_clock import (
    BANNER_SECONDS,
    COMPUTER_PLAYER_SECONDS,
    PAUSE_SECONDS,
    PRACTICE_SECONDS,
    REST_SECONDS,
    thinks,
    waiting,
)

NOW, LIMIT = 1_800_000_000, 60
ADA, BO, CY = Player(10, "Ada"), Player(20, "Bo"), Player(30, "Cy")
TILLY = Player(-1, "Tilly", strength=Strength.TADPOLE)


def new_toad_table(*players: Player) -> Table:
    """Return a table of Toad at its first turn, with a clock."""
    match = Match(
        id="m1",
        game="toad",
        rules_version=1,
        guild_id=1,
        channel_id=2,
        host_id=players[0].id,
        players=players,
        limit=6,
        options={"lives": 5},
        stage=Stage.PLAYING,
        seed=bytes(32),
        opened_at=NOW,
        turn_seconds=LIMIT,
        turn_ends_at=NOW + LIMIT,
        wakes_at=NOW + LIMIT,
    )
    return Table.deal(match, games()["toad"])


def new_table(key: str, *players: Player) -> Table:
    """Return a table of another game at its first move, without a clock."""
    game, like = games()[key], new_toad_table(*players).match
    options = {option.key: option.default for option in game.info.options} | {"deal": 7}
    match = replace(
        like, game=key, rules_version=game.info.rules_version, options=options, turn_seconds=0
    )
    return Table.deal(replace(match, turn_ends_at=None, wakes_at=None), game)


def player_to_move(table: Table) -> Player:
    assert table.to_move is not None
    return table.match.players[table.to_move]


def new_click(table: Table, *path: str, by: Player | None = None, seen: int | None = None) -> Clicked:
    """Return a click on the public panel of this table or an older one.

    It is by the player to move unless another is given.
    """
    click = Click(table.match.id, table.n if seen is None else seen, True, path)
    return Clicked(click, (by or player_to_move(table)).id)


def stored_move(decision: Decision) -> Entry:
    """Return the stored move of a decision."""
    assert decision.change is not None
    assert decision.change.after == decision.table.match
    assert decision.change.entry is not None
    return decision.change.entry


def match_results(decision: Decision) -> tuple[Result, ...]:
    """Return the results of the match."""
    assert decision.change is not None
    return decision.change.results


def has_no_move(decision: Decision) -> bool:
    """Return whether the decision stores something without a move."""
    return decision.change is not None and decision.change.entry is None


def test_a_click_stores_a_move_and_sets_the_next_deadline() -> None:
    """A click stores the move and what was clicked, and sets the next clock."""
    table = new_toad_table(ADA, BO)
    decision = decide(table, new_click(table, "end"), NOW + 5)
    stored = stored_move(decision)
    assert (stored.n, stored.text, stored.choice) == (0, "end", "end")
    assert (stored.at, stored.mover, match_results(decision)) == (NOW + 5, Mover.PLAYER, ())
    assert (decision.table.n, decision.table.match.version) == (1, table.match.version + 1)
    assert decision.table.match.turn_ends_at == NOW + 5 + LIMIT
    assert table.n == 0, "the table before is as it was"
    assert decide(table, new_click(table, "end"), NOW + 5) == decision, "the same again is the same"


def test_selection_steps_store_nothing() -> None:
    """The steps before a move, forward and back, store nothing."""
    table = new_toad_table(ADA, BO)
    assert decide(table, new_click(table, FIRST_STEP), NOW) == Decision(table)


def test_a_duplicate_click_is_recognised_by_its_move() -> None:
    """A doubled click is recognised by its move and answered with the current table."""
    table = new_toad_table(ADA, BO)
    click = new_click(table, "end")
    first = decide(table, click, NOW + LIMIT)
    stored = stored_move(first)
    assert stored_move(first).mover is Mover.PLAYER
    again = decide(first.table, replace(click, made=stored), NOW + LIMIT)
    assert again == Decision(first.table)
    for stale in (new_click(table, "draw"), replace(click, player_id=player_to_move(first.table).id)):
        with pytest.raises(OutdatedClickError, match="moved on"):
            decide(first.table, replace(stale, made=stored), NOW + LIMIT)


def test_an_invalid_click_is_refused() -> None:
    """A click by a player who is not seated or not to move, or on a missing choice, gets an error."""
    table = new_toad_table(ADA, BO)
    other = BO if player_to_move(table) == ADA else ADA
    for click, word in (
        (new_click(table, "end", by=CY), "not at this table"),
        (new_click(table, "end", by=other), "turn"),
        (new_click(table, "s9"), "choice is gone"),
        (new_click(table, "end", seen=1), "moved on"),
    ):
        with pytest.raises(TableError, match=word):
            decide(table, click, NOW)


def test_a_turn_is_passed_at_its_deadline_and_counts_as_missed() -> None:
    """The clock's move counts as a missed turn."""
    table = new_toad_table(ADA, BO)
    assert decide(table, TimerFired(), NOW + LIMIT - 1) == Decision(table)
    decision = decide(table, TimerFired(), NOW + LIMIT)
    assert (stored_move(decision).text, stored_move(decision).mover) == ("pass", Mover.CLOCK)
    assert table.to_move is not None
    assert decision.table.match.players[table.to_move].missed == 1


def test_a_nudge_only_sets_the_next_deadline() -> None:
    """A nudge sets the clock to the end of the turn and makes no move."""
    table = new_toad_table(ADA, BO)
    table = replace(table, match=replace(table.match, wakes_at=NOW + LIMIT - 15))
    nudged = decide(table, TimerFired(), NOW + LIMIT - 15)
    assert has_no_move(nudged)
    assert (nudged.table.n, nudged.table.match.wakes_at) == (0, NOW + LIMIT)
    assert nudged.table.match.version == table.match.version + 1


def test_fallback_moves_of_computer_players_are_marked_as_simple() -> None:
    """A simple move is one that no worker chose in time, or one of a match without people."""
    table = new_toad_table(TILLY, ADA, replace(TILLY, id=-2))
    while table.to_move != 0:
        table = decide(table, TimerFired(), table.match.wakes_at or NOW).table
        if table.to_move == 2:
            table = decide(table, ComputerMoveChosen(table.n, 2, "end"), NOW).table
    for what in (
        ComputerMoveChosen(table.n, 0, "end"),
        ComputerMoveChosen(table.n, 0, "end", is_simple=True),
    ):
        mover = stored_move(decide(table, what, NOW)).mover
        assert mover is (Mover.SIMPLE if what.is_simple else Mover.FROG)
    left = decide(table, GaveUp(ADA.id), NOW).table
    assert left.is_playing
    assert stored_move(decide(left, ComputerMoveChosen(left.n, 0, "end"), NOW)).mover is Mover.SIMPLE


def test_a_table_without_active_players_closes_after_a_week() -> None:
    """A table without active players rests without passing the last turn, and closes after a week.

    A player who returns in time has a full turn.
    """
    asleep, now = Decision(new_toad_table(ADA, BO)), NOW
    while not asleep.table.rests:
        now += LIMIT
        asleep = decide(asleep.table, TimerFired(), now)
    assert has_no_move(asleep)
    assert len(asleep.table.inactive_seats) == 2
    awake = decide(asleep.table, PlayerReturned(player_to_move(asleep.table).id), now + 9)
    assert has_no_move(awake)
    assert awake.table.match.turn_ends_at == now + 9 + LIMIT
    since = asleep.table.match.rests_since
    assert (since, asleep.table.match.wakes_at) == (now, now + REST_SECONDS)
    early = decide(asleep.table, TimerFired(), now + REST_SECONDS - 1)
    assert early == Decision(asleep.table)
    closed = decide(asleep.table, TimerFired(), now + REST_SECONDS)
    assert has_no_move(closed)
    assert (closed.table.match.stage, closed.table.match.unfinished) == (Stage.STOPPED, True)
    assert closed.table.match.ended_at == now + REST_SECONDS


def test_two_missed_turns_do_not_make_a_player_inactive() -> None:
    """A player is inactive from the third missed turn on. Until then turns are passed."""
    table = new_toad_table(replace(ADA, missed=AWAY_AFTER - 2), replace(BO, missed=AWAY_AFTER))
    if player_to_move(table).id == BO.id:
        table = decide(table, TimerFired(), NOW + LIMIT).table
        assert table.match.turn_ends_at == NOW + 2 * LIMIT
    decision = decide(table, TimerFired(), NOW + 2 * LIMIT)
    assert (stored_move(decision).text, decision.table.rests) == ("pass", False)
    assert decision.table.match.players[0].missed == AWAY_AFTER - 1


def test_a_click_out_of_turn_reports_the_mover_or_the_pause() -> None:
    """Another player's click gets an error that mentions the mover or names the pause."""
    table = new_toad_table(ADA, BO)
    other = next(player for player in table.match.players if player != player_to_move(table))
    for before, words in (
        (table, f"It's <@{player_to_move(table).id}>'s turn"),
        (replace(table, match=replace(table.match, rests_since=NOW)), "paused. Press"),
    ):
        with pytest.raises(TableError, match=words):
            decide(before, new_click(before, "end", by=other), NOW)
    for _turn in range(2):
        table = decide(table, new_click(table, "end"), NOW).table
    assert table.pauses
    other = next(player for player in table.match.players if player != player_to_move(table))
    with pytest.raises(TableError, match="goes on in a moment"):
        decide(table, new_click(table, "end", by=other), NOW)


def test_the_next_round_is_dealt_automatically() -> None:
    """The next round is dealt by the table after a pause, without a missed turn for any player."""
    table = new_toad_table(ADA, BO)
    for _turn in range(2):
        table = decide(table, new_click(table, "end"), NOW).table
    dealt = decide(table, TimerFired(), NOW + PAUSE_SECONDS)
    assert (stored_move(dealt).text, stored_move(dealt).mover) == ("deal", Mover.TABLE)
    assert [player.missed for player in dealt.table.match.players] == [0, 0]
    assert dealt.table.match.turn_ends_at == NOW + PAUSE_SECONDS + LIMIT


def test_a_confirmation_question_makes_no_move() -> None:
    """A question before a move makes no move.

    At a table that counts, Ribit asks first on a hand that is no toad, wherever it is pressed.
    """
    table = new_toad_table(ADA, BO)
    assert table.to_move is not None
    for in_public in (True, False):
        click = Click(table.match.id, table.n, in_public, ("ribit",))
        assert decide(table, Clicked(click, player_to_move(table).id), NOW) == Decision(table)
        sure = replace(click, path=("ribit", "yes"), in_public=False)
        assert stored_move(decide(table, Clicked(sure, player_to_move(table).id), NOW)).text == "ribit"


@pytest.mark.parametrize("missed", [0, AWAY_AFTER])
def test_only_an_inactive_player_can_rejoin_a_match(missed: int) -> None:
    """Join in a match is for an inactive player whose seat is still in it."""
    table = new_toad_table(replace(ADA, missed=missed), BO, CY)
    if not missed:
        with pytest.raises(TableError, match="not away"):
            decide(table, PlayerReturned(ADA.id), NOW)
    else:
        assert decide(table, PlayerReturned(ADA.id), NOW).table.inactive_seats == ()
    with pytest.raises(TableError, match="not at this table"):
        decide(table, PlayerReturned(99), NOW)
    left = decide(table, GaveUp(ADA.id), NOW).table
    with pytest.raises(TableError, match="already out"):
        decide(left, PlayerReturned(ADA.id), NOW)
    over = decide(table, TableEnded(), NOW).table
    with pytest.raises(TableError, match="was closed"):
        decide(over, PlayerReturned(ADA.id), NOW)


def test_the_match_ends_when_one_player_remains() -> None:
    """If one player gives up, the move, the other's win and the end are one change."""
    decision = decide(new_toad_table(ADA, BO), GaveUp(ADA.id), NOW + 7)
    stored = stored_move(decision)
    assert (stored.text, stored_move(decision).mover) == (LEAVES, Mover.PLAYER)
    assert [(result.seat, result.won) for result in match_results(decision)] == [(0, False), (1, True)]
    match = decision.table.match
    assert (match.stage, match.ended_at, match.turn_ends_at) == (Stage.FINISHED, NOW + 7, None)
    with pytest.raises(TableError, match="is over"):
        decide(decision.table, GaveUp(BO.id), NOW + 8)


def test_a_table_ends_only_once() -> None:
    """A table ends once, and stores nothing after that."""
    decision = decide(new_toad_table(ADA, BO), TableEnded(), NOW)
    assert has_no_move(decision)
    match = decision.table.match
    assert (match.stage, match.unfinished, match.ended_at) == (Stage.STOPPED, False, NOW)
    assert (match.turn_ends_at, match.wakes_at) == (None, None)
    assert decide(decision.table, TableEnded(), NOW) == Decision(decision.table)


# ---- who plays alone -------------------------------------------------------------------------------


def test_turning_the_stock_stores_the_number_of_cards() -> None:
    """A turn of the stock until a card fits is stored with the number of cards."""
    table = new_table("american_toad", ADA)
    stored = stored_move(decide(table, new_click(table, "turn_on"), NOW))
    assert stored.choice == "turn_on"
    assert stored.text.split(" x")[0] == "turn"


def test_an_outdated_answer_or_another_users_answer_is_refused() -> None:
    """An answer is a move of the asker, and is refused to others or after the table has moved on."""
    table = new_table("american_toad", ADA)
    asked = QuestionAnswered(ADA.id, table.n, "hint: turn")
    answered = decide(table, asked, NOW + 3)
    assert (stored_move(answered).text, stored_move(answered).mover) == ("hint: turn", Mover.PLAYER)
    assert stored_move(answered).at == NOW + 3
    with pytest.raises(OutdatedClickError, match="moved on"):
        decide(answered.table, asked, NOW + 4)
    with pytest.raises(TableError, match="not at this table"):
        decide(table, replace(asked, player_id=BO.id), NOW)
    with pytest.raises(TableError, match="was closed"):
        decide(decide(table, TableEnded(), NOW).table, asked, NOW)


# ---- computer players ---------------------------------------------------------------------------------


def table_with_computer_player() -> Table:
    """Return a table of Ada and a computer player that is to begin its turn."""
    table = new_toad_table(ADA, TILLY)
    if player_to_move(table) == ADA:
        table = decide(table, new_click(table, "end"), NOW).table
    else:
        table = replace(table, match=replace(table.match, wakes_at=NOW + COMPUTER_PLAYER_SECONDS))
    return table


def test_a_computer_players_turn_has_a_pause_and_no_deadline() -> None:
    """A computer player moves after a pause and has no time limit."""
    table = table_with_computer_player()
    assert table.match.wakes_at == NOW + COMPUTER_PLAYER_SECONDS
    assert not thinks(table, NOW + COMPUTER_PLAYER_SECONDS - 1)
    assert thinks(table, NOW + COMPUTER_PLAYER_SECONDS)
    assert decide(table, TimerFired(), NOW + 2 * LIMIT) == Decision(table)


def test_a_computer_player_makes_all_moves_of_its_turn_at_once() -> None:
    """A computer player makes all moves of its turn without a pause.

    The next player's turn has its clock.
    """
    table = table_with_computer_player()
    seat = table.match.players.index(TILLY)
    drawn = decide(table, ComputerMoveChosen(table.n, seat, "draw"), NOW + 5)
    assert stored_move(drawn).mover is Mover.FROG
    assert drawn.table.match.wakes_at == NOW + 5
    ended = decide(drawn.table, ComputerMoveChosen(drawn.table.n, seat, "end"), NOW + 5)
    assert player_to_move(ended.table) == ADA
    assert ended.table.match.turn_ends_at == NOW + 5 + LIMIT


def test_computer_players_wait_until_a_banner_is_dismissed() -> None:
    """A banner is shown for eight seconds or until all active players have continued.

    A player who left the seat to a computer player need not continue.
    """
    order = [ADA, TILLY, BO]
    while player_to_move(table := new_toad_table(*order)) != ADA:
        order = order[1:] + order[:1]
    ribit = Clicked(Click(table.match.id, table.n, False, ("ribit", "yes")), ADA.id)
    claimed = decide(table, ribit, NOW).table
    computer_player, bo = map(order.index, (TILLY, BO))
    assert claimed.to_move == computer_player
    assert claimed.match.wakes_at == NOW + BANNER_SECONDS
    one = decide(claimed, Resumed(ADA.id), NOW + 3).table
    assert one.match.wakes_at == NOW + BANNER_SECONDS, "nobody waits longer for it"
    assert decide(one, Resumed(ADA.id), NOW + 3) == Decision(one)
    both = decide(one, Resumed(BO.id), NOW + 3).table
    assert both.match.wakes_at == NOW + 3 + COMPUTER_PLAYER_SECONDS
    with pytest.raises(TableError, match="not at this table"):
        decide(claimed, Resumed(CY.id), NOW)
    alone = decide(claimed, Substituted(bo, BO.id), NOW).table
    assert (
        decide(alone, Resumed(ADA.id), NOW + 3).table.match.wakes_at == NOW + 3 + COMPUTER_PLAYER_SECONDS
    )
    drawn = decide(both, ComputerMoveChosen(both.n, computer_player, "draw"), NOW + 5).table
    assert drawn.match.roster.going_on == ()
    assert decide(drawn, Resumed(ADA.id), NOW + 5) == Decision(drawn)


def test_a_substituted_seat_stays_marked_until_its_player_moves() -> None:
    """A computer player's first move marks a seat as played by it, until the player moves again."""
    table = new_toad_table(ADA, BO)
    own = player_to_move(table)
    seat = table.match.players.index(own)
    left = decide(table, Substituted(seat, own.id), NOW).table
    assert left.substituted_seats == frozenset()
    drawn = decide(left, ComputerMoveChosen(left.n, seat, "draw"), NOW).table
    assert drawn.substituted_seats == {seat}
    back = decide(drawn, PlayerReturned(own.id), NOW).table
    assert decide(back, new_click(back, "end"), NOW).table.substituted_seats == frozenset()


def test_no_single_button_makes_a_multi_click_computer_move() -> None:
    """No single button makes a computer player's move that takes several clicks, as at Frogger."""
    table = new_table("frogger", TILLY, ADA)
    assert player_to_move(table) == TILLY
    text = table.game.write(table.game.legal_moves(table.state)[0])
    decision = decide(table, ComputerMoveChosen(0, 0, text), NOW)
    stored = stored_move(decision)
    assert (stored.text, stored.choice, stored_move(decision).mover) == (text, None, Mover.FROG)


def test_a_discard_and_the_end_of_the_turn_are_one_click() -> None:
    """A discard and the end of the turn are stored together, and a doubled click loses nothing."""
    table = new_toad_table(ADA, BO)
    seat, own = table.match.players.index(player_to_move(table)), player_to_move(table)
    drawn = decide(table, new_click(table, "draw"), NOW).table
    pressed = Clicked(Click(drawn.match.id, drawn.n, False, ("e1",)), own.id)
    decision = decide(drawn, pressed, NOW)
    change, first = decision.change, stored_move(decision)
    assert change is not None
    assert change.then is not None
    assert first.text.startswith("discard ")
    assert [(one.n, one.seat, one.choice) for one in (first, change.then)] == [
        (drawn.n, seat, "e1"),
        (drawn.n + 1, seat, None),
    ]
    assert change.then.text == "end"
    assert (change.before, change.after.version) == (drawn.match, drawn.match.version + 1)
    assert (decision.table.n, player_to_move(decision.table)) == (
        drawn.n + 2,
        next(p for p in (ADA, BO) if p != own),
    )
    assert decision.table.state == drawn.after_move(first).after_move(change.then).state
    assert decide(decision.table, replace(pressed, made=first), NOW) == Decision(decision.table)


def test_a_click_on_a_card_played_by_a_substitute_shows_the_move() -> None:
    """A player who clicks a card at the moment when a computer player plays it is shown the move."""
    table = new_toad_table(ADA, BO)
    seat, own = table.match.players.index(player_to_move(table)), player_to_move(table)
    stood_in = decide(table, Substituted(seat, own.id), NOW).table
    drawn = decide(stood_in, ComputerMoveChosen(table.n, seat, "draw"), NOW).table
    card = next(choice for choice in drawn.panel(seat).choices() if choice.key == "e2")
    late = decide(drawn, ComputerMoveChosen(drawn.n, seat, drawn.game.write(card.move)), NOW)
    click = Click(drawn.match.id, drawn.n, False, ("e2",))
    pressed = Clicked(click, own.id, made=stored_move(late))
    assert decide(late.table, pressed, NOW) == Decision(late.table)
    other = replace(pressed, click=replace(click, path=("e1",)))
    with pytest.raises(OutdatedClickError, match="moved on"):
        decide(late.table, other, NOW)


def test_an_outdated_computer_move_is_ignored() -> None:
    """A computer player's move counts only at the position that it was asked for."""
    table = table_with_computer_player()
    seat = table.match.players.index(TILLY)
    for late in (
        ComputerMoveChosen(table.n + 1, seat, "draw"),
        ComputerMoveChosen(table.n, 1 - seat, "draw"),
    ):
        assert decide(table, late, NOW + 5) == Decision(table)


def test_a_returning_player_cancels_the_pending_computer_move() -> None:
    """A computer player's move is dropped if the player has taken the seat back."""
    table = new_toad_table(ADA, BO)
    seat, own = table.match.players.index(player_to_move(table)), player_to_move(table)
    stood_in = decide(table, Substituted(seat, own.id), NOW).table
    thought = ComputerMoveChosen(stood_in.n, seat, "draw")
    drawn = decide(stood_in, thought, NOW)
    assert stored_move(drawn).mover is Mover.HANDED_OVER
    assert drawn.table.handed_over == {seat}
    back = decide(stood_in, PlayerReturned(own.id), NOW).table
    assert decide(back, thought, NOW) == Decision(back)
    assert back.handed_over == frozenset(), "no frog has moved"
    # and again, chosen by another player
    away = decide(new_toad_table(ADA, BO), Substituted(seat, own.id), NOW).table
    away = decide(away, PlayerReturned(own.id), NOW).table
    players = tuple(replace(each, missed=AWAY_AFTER * (each == own)) for each in away.match.players)
    away = replace(away, match=replace(away.match, players=players))
    other = next(each.id for each in (ADA, BO) if each != own)
    stood_in = decide(away, Substituted(seat, other), NOW).table
    assert stored_move(decide(stood_in, thought, NOW)).mover is Mover.STAND_IN


def test_computer_players_alone_move_without_pauses() -> None:
    """Without people, strong computer players move at once as froglets, and the table is not paused."""
    strong = replace(TILLY, strength=Strength.TOAD)
    table = new_toad_table(ADA, strong, replace(strong, id=-2, name="Hugo"))
    left = decide(table, GaveUp(ADA.id), NOW).table
    assert left.computer is Strength.FROGLET
    assert left.match.wakes_at == NOW
    assert not left.rests


def test_a_computer_player_can_replace_an_inactive_player() -> None:
    """A computer player may replace an inactive player or oneself.

    The returning player gets the seat back.
    """
    away = replace(BO, missed=AWAY_AFTER)
    table = new_toad_table(ADA, away, CY)
    stood_in = decide(table, Substituted(1, ADA.id), NOW + 9).table
    assert stood_in.match.players[1].strength is not None
    assert has_no_move(decide(table, Substituted(1, ADA.id), NOW + 9))
    assert stood_in.inactive_seats == (1,)
    assert player_to_move(table) != away
    assert stood_in.match.turn_ends_at == NOW + LIMIT, "the turn of another goes on"
    with pytest.raises(TableError, match="A frog is playing for you"):
        decide(stood_in, new_click(stood_in, "end", by=BO), NOW)
    back = decide(stood_in, PlayerReturned(BO.id), NOW).table
    assert back.match.players[1] == BO
    for seat, player_id, word in ((2, ADA.id, "away"), (1, 99, "not at this table"), (5, ADA.id, "out")):
        with pytest.raises(TableError, match=word):
            decide(table, Substituted(seat, player_id), NOW)
    with pytest.raises(TableError, match="already"):
        decide(stood_in, Substituted(1, CY.id), NOW)
    over = decide(table, TableEnded(), NOW).table
    for where, seat, word in (
        (over, 1, "was closed"),
        (new_table("american_toad", ADA), 0, "don't play"),
    ):
        with pytest.raises(TableError, match=word):
            decide(where, Substituted(seat, ADA.id), NOW)


def test_the_table_rests_if_the_last_player_hands_over_a_seat() -> None:
    """The table rests at once if the last active player leaves the seat to a computer player."""
    table = new_toad_table(ADA, replace(BO, missed=AWAY_AFTER))
    rests = decide(table, Substituted(0, ADA.id), NOW + 9).table
    assert rests.rests
    assert rests.match.rests_since == NOW + 9
    assert rests.match.turn_ends_at is None


@pytest.mark.parametrize(("rings", "is_closed"), [(REST_SECONDS - 1, False), (REST_SECONDS, True)])
def test_a_resting_table_closes_only_after_a_full_week(rings: int, is_closed: bool) -> None:
    """A resting table closes at the end of the week, and not if its clock rings early."""
    table = new_toad_table(ADA, replace(BO, missed=AWAY_AFTER))
    rests = decide(table, Substituted(0, ADA.id), NOW).table
    decision = decide(rests, TimerFired(), NOW + rings)
    assert (decision.change is not None) == is_closed
    assert decision.table.match.stage.is_live != is_closed


@pytest.mark.parametrize("option", [AGAIN, REPLAY])
def test_a_practice_match_closes_three_days_after_the_last_move(option: str) -> None:
    """A practice match closes three days after the last move of its player.

    Moves of computer players do not count.
    """
    table = new_toad_table(ADA, TILLY).having(
        turn_seconds=0, turn_ends_at=None, wakes_at=None, active_at=NOW
    )
    table = table.having(options={**table.match.options, option: 1})
    if player_to_move(table) != ADA:
        assert thinks(waiting(table, NOW), NOW + COMPUTER_PLAYER_SECONDS)
        table = decide(table, ComputerMoveChosen(table.n, table.to_move or 0, "end"), NOW).table
    moved = decide(table, new_click(table, "draw"), NOW + 100).table
    assert moved.match.wakes_at == NOW + 100 + PRACTICE_SECONDS
    assert decide(moved, TimerFired(), NOW + 99 + PRACTICE_SECONDS).change is None
    over = decide(moved, TimerFired(), NOW + 100 + PRACTICE_SECONDS).table.match
    assert (over.stage, over.unfinished) == (Stage.STOPPED, True)


@pytest.mark.parametrize("gone", [(ADA,), (ADA, BO)])
def test_a_player_inactive_since_an_outage_is_not_awaited(gone: tuple[Player, ...]) -> None:
    """A player who becomes inactive during an outage is not awaited after it.

    That is so even if another player returns meanwhile.
    """
    day, table = 86_400, decide(new_toad_table(ADA, BO), TimerFired(NOW + 5), NOW + 10).table
    assert player_to_move(table) == ADA
    for player in gone:
        table = decide(table, AccessLost(player.id), NOW + day).table
    if table.rests:
        table = decide(table, PlayerReturned(BO.id), NOW + day).table
    assert decide(table, TimerFired(), NOW + 2 * day).table.match.turn_ends_at == NOW + 2 * day
    over = decide(table, GaveUp(ADA.id), NOW + day).table.match
    assert (over.stage, over.stands_since) == (Stage.FINISHED, None), "nothing stands that is over"


def test_turn_errors_name_the_mover() -> None:
    """The error mentions a person by ID, and gives a computer player's title."""
    table = new_toad_table(ADA, BO)
    other = next(player for player in (ADA, BO) if player != player_to_move(table))
    with pytest.raises(TableError, match=f"^It's <@{player_to_move(table).id}>'s turn"):
        decide(table, new_click(table, "end", by=other), NOW)
    with pytest.raises(TableError, match=f"^It's {TILLY.title}'s turn"):
        decide(table_with_computer_player(), new_click(table_with_computer_player(), "end", by=ADA), NOW)


@pytest.mark.parametrize("made", [0, 4_000])
def test_the_last_allowed_move_of_a_deal_gives_it_up(made: int) -> None:
    """A deal's last allowed move also gives it up, even if an earlier version allowed more moves.

    A hint is such a move too. At a table of several players the limit does not apply.
    """
    table = replace(new_table("american_toad", ADA), n=MOST_SOLO_MOVES - 2 + made)
    if not made:
        table = decide(table, new_click(table, "turn"), NOW).table
        assert table.is_playing
    for what in (new_click(table, "turn"), QuestionAnswered(ADA.id, table.n, "hint: turn")):
        last = decide(table, what, NOW)
        change, entry = last.change, stored_move(last)
        assert change is not None
        assert change.then == Entry(table.n + 1, 0, LEAVES)
        assert (entry.n, change.after.stage, change.after.version) == (
            table.n,
            Stage.FINISHED,
            2 - bool(made),
        )
        assert [result.won for result in change.results] == [False]
    several = replace(new_toad_table(ADA, BO), n=MOST_SOLO_MOVES + made)
    assert decide(several, new_click(several, "end"), NOW).table.is_playing


def test_every_event_type_has_a_decision() -> None:
    """Every type of event is in the list of decided events."""
    events = {each.__name__ for each in (*TableEvent.__subclasses__(), *PlayerEvent.__subclasses__())}
    assert events - {"PlayerEvent"} == {each.__name__ for each in DECIDED_BY}

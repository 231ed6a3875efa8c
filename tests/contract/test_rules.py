"""Rules that hold in every state of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.matches.match import LEAVES, fold
from tests.contract.playouts import (
    Playout,
    Table,
    each_game,
    each_table,
    for_each_playout,
    law,
    playout_strategy,
)
from tests.contract.traversal import nested_values, reachable_panels
from tests.examples import few_or_all
from tests.guests import games_with_guests


@for_each_playout
def test_cards_are_conserved(playout: Playout) -> None:
    """No card is lost or added between the first state of a match and the last."""
    counts = [Counter(playout.game.every_card(state)) for state in playout.states]
    assert counts[0].total() > 0
    assert all(count == counts[0] for count in counts)


@for_each_playout
def test_states_are_hashable_and_immutable(playout: Playout) -> None:
    """A state is hashable with all its parts, and no query changes it."""
    game, names = playout.game, playout.table.names
    for state in playout.states[:: few_or_all(-3, -1)]:
        assert list(nested_values(state))
        before = hash(state)
        for viewer in playout.table.viewers:
            view = game.view(state, viewer)
            seen = hash(view)
            game.scene(view, names)
            game.words(view, names)
            list(reachable_panels(partial(game.panel, view)))
            assert hash(view) == seen
        for move in game.legal_moves(state):
            game.play(state, move)
        game.tally(state)
        assert hash(state) == before


@for_each_playout
def test_a_seat_is_to_move_until_there_is_an_outcome(playout: Playout) -> None:
    """A seat is to move exactly while there is no outcome, and then has a legal move."""
    game = playout.game
    for state in playout.states:
        seat, outcome, moves = game.to_move(state), game.outcome(state), game.legal_moves(state)
        assert (seat is None) == (outcome is not None) == (moves == ())
        assert len(set(moves)) == len(moves)
        assert seat is None or 0 <= seat < playout.table.seats
        assert game.automatic(state) is None or game.automatic(state) in moves
        if outcome:
            assert tuple(sorted(set(outcome.winners))) == outcome.winners
            assert set(outcome.winners) <= set(range(playout.table.seats))


@each_table
@law
@given(data=st.data())
def test_only_legal_moves_can_be_played(table: Table, data: st.DataObject) -> None:
    """A move of another state is refused with a sentence, and every legal move can be played."""
    game, playout = table.game, data.draw(playout_strategy(table))
    known = list(dict.fromkeys(move for state in playout.states for move in game.legal_moves(state)))
    offset = data.draw(st.integers(0, len(known)))
    for number, state in enumerate(playout.states):
        legal = game.legal_moves(state)
        for move in legal:
            game.play(state, move)
        illegal = [move for move in known if move not in legal]
        for move in (illegal * 2)[(number + offset) % (len(illegal) or 1) :][:6]:
            with pytest.raises(IllegalMoveError) as refusal:
                game.play(state, move)
            assert refusal.value.sentence.strip()


@for_each_playout
def test_no_move_is_legal_after_the_match(playout: Playout) -> None:
    """After the outcome every move and giving up are refused, and no move is automatic."""
    game = playout.game
    state = playout.states[-1]
    if game.can_be_left:
        state = _state_after_giving_up(game, state, playout.table.seats)
    while game.outcome(state) is None:  # a game that nobody can leave is played out
        state = game.play(state, game.legal_moves(state)[0])
    assert game.automatic(state) is None
    for move in {move for past in playout.states for move in game.legal_moves(past)}:
        with pytest.raises(IllegalMoveError):
            game.play(state, move)
    for seat in range(playout.table.seats):
        with pytest.raises(IllegalMoveError):
            game.withdraw(state, seat)


def _state_after_giving_up(game: AnyGame, state: object, seats: int) -> object:
    """Return the state after seats gave up one after the other until the match ended."""
    for seat in range(seats):
        if game.outcome(state) is None:
            with suppress(IllegalMoveError):  # this one gave up, or went out, before
                state = game.withdraw(state, seat)
    assert game.outcome(state) is not None, "everybody gave up and the match goes on"
    return state


@for_each_playout
def test_a_seat_that_gave_up_cannot_move_or_win(playout: Playout) -> None:
    """A seat that gave up, in or out of turn, is never to move again, and cannot give up or win."""
    game, gone = playout.game, set[int]()
    for _before, entry, after in playout.turns():
        if entry.text == LEAVES:
            assert entry.seat not in gone
            gone.add(entry.seat)
        assert game.to_move(after) not in gone
        outcome = game.outcome(after)
        assert not (outcome and gone & set(outcome.winners))
        for seat in gone:
            with pytest.raises(IllegalMoveError):
                game.withdraw(after, seat)


@for_each_playout
def test_seed_and_journal_reproduce_a_match(playout: Playout) -> None:
    """Folding the journal over the seed gives the same state as playing."""
    for length in {0, len(playout.entries) // 2, len(playout.entries)}:
        folded = fold(playout.game, playout.table.match(playout.seed), playout.entries[:length])
        assert folded == playout.states[length]
        assert hash(folded) == hash(playout.states[length])


@each_table
def test_different_seeds_deal_different_matches(table: Table) -> None:
    """The seed determines the cards, unless an option names the deal."""
    assert table.deal(b"a" * 32) == table.deal(b"a" * 32)
    if dict(table.options).get("deal"):
        return
    firsts = {table.game.every_card(table.deal(bytes([number]) * 32)) for number in range(8)}
    assert len(firsts) == 8


@for_each_playout
def test_moves_round_trip_through_their_notation(playout: Playout) -> None:
    """Legal moves have different notations of at most 60 printable characters."""
    game = playout.game
    for state in playout.states:
        moves = game.legal_moves(state)
        written = [game.write(move) for move in moves]
        assert len(set(written)) == len(moves)
        for move, text in zip(moves, written, strict=True):
            assert game.read(text, state) == move
            assert text.isprintable()
            assert 0 < len(text) <= 60
            assert text == text.strip() != LEAVES


NUMBERS = (-1, 0, 1, 2, 9, 10, 13, 75, 99, 100, 999, 1000, 99_999)


def _move_variants(move: Any) -> Iterator[Any]:
    """Yield variants of a move with one number or truth value changed."""
    for each in fields(move):
        value = getattr(move, each.name)
        if isinstance(value, int):
            others = (not value,) if isinstance(value, bool) else NUMBERS
            yield from (replace(move, **{each.name: other}) for other in others)


@for_each_playout
def test_every_accepted_move_can_be_read(playout: Playout) -> None:
    """The journal can read every move that the rules accept, whatever numbers it has."""
    game = playout.game
    for state in playout.states[:: max(1, len(playout.states) // 8)]:
        late = game.passing(state)
        known = {*game.legal_moves(state), *(() if late is None else (late,))}
        for move in known.union(*map(_move_variants, known)):
            with suppress(IllegalMoveError):
                game.play(state, move)
                assert game.read(game.write(move), state) == move


@for_each_playout
def test_the_record_of_a_move_reproduces_it(playout: Playout) -> None:
    """The record of a legal move is readable and leads to the same state as the move."""
    game = playout.game
    for state in playout.states[::5]:
        for move in game.legal_moves(state):
            text = game.write(game.recorded(state, move))
            assert game.play(state, game.read(text, state)) == game.play(state, move)


@for_each_playout
def test_unreadable_text_is_refused_with_a_message(playout: Playout) -> None:
    """Text that is not a move is refused with a sentence."""
    game = playout.game
    for state in playout.states[:: max(1, len(playout.states) // 5)]:
        written = [game.write(move) for move in game.legal_moves(state)]
        garbled = [f"{text} x" for text in written] + [f" {text}" for text in written]
        for text in ("", " ", LEAVES, "xyzzy", "\n", "🐸", "\x00" * 5000, *garbled):
            with pytest.raises(UnreadableMoveError) as refusal:
                game.read(text, state)
            assert refusal.value.sentence.strip()
            assert len(refusal.value.sentence) < 500


@cache
def _dealt_state(key: str) -> Any:
    """Return the first state of a match with the default options."""
    game = games_with_guests()[key]
    options = {option.key: option.default for option in game.info.options}
    return game.deal(game.info.fewest, options, b"s" * 32)


@each_game
@law
@given(text=st.text(max_size=60))
def test_a_move_is_parsed_losslessly_or_raises_a_known_error(game: AnyGame, text: str) -> None:
    """Reading raises no other error, and a move that was read is written the same way."""
    try:
        move = game.read(text, _dealt_state(game.info.key))
    except UnreadableMoveError:
        return
    assert game.write(move) == text


@for_each_playout
def test_metrics_are_counted_for_each_seat(playout: Playout) -> None:
    """The tally has a whole number for each statistic of the game and each seat."""
    keys = {figure.key for figure in playout.game.info.figures}
    for state in playout.states:
        tally = playout.game.tally(state)
        assert len(tally) == playout.table.seats
        assert all(set(figures) == keys for figures in tally)
        assert all(value >= 0 for figures in tally for value in figures.values())

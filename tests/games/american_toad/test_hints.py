"""Hints, peeks and the last winnable position of a lost deal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.game import UNTOLD
from bot.games.american_toad import GAME
from bot.games.american_toad.hints import NODES, hint, last_moment, peek
from bot.games.american_toad.rules import open_deal, position_after
from bot.games.american_toad.solver import Verdict, best_line, solve
from bot.games.american_toad.state import State
from tests.examples import few_or_all
from tests.games.american_toad.positions import new_position, play_moves

PEEKS = few_or_all(5, 10)


def state_after_moves(number: int, moves: int) -> State:
    """Return a deal after a number of moves, each the first one offered or a turn of the stock."""
    state = open_deal(number)
    for _move in range(moves):
        choices = [choice for choice in GAME.panel(GAME.view(state, 0)).rows[0].choices if choice.move]
        legal = {GAME.write(move): move for move in GAME.legal_moves(state)}
        other = legal.get("turn on, up") or legal.get("redeal") or legal.get("all up")
        move = choices[0].move if choices else other
        if move is None:
            break
        state = GAME.play(state, move)
    return state


@pytest.mark.parametrize(("number", "moves"), [(2, 0), (3, 6), (11, 25), (12, 40)])
def test_a_hint_uses_no_hidden_card(number: int, moves: int) -> None:
    """A hint can be played, and it stays the same if the hidden cards are dealt differently."""
    state = state_after_moves(number, moves)
    position, chance = state.position, Random(5)
    hidden = [*position.reserve[:-1], *(position.stock if position.redeal_left else ())]
    chance.shuffle(hidden)
    covered = max(len(position.reserve) - 1, 0)
    reserve = (*hidden[:covered], *position.reserve[-1:])
    stock = tuple(hidden[covered:]) if position.redeal_left else position.stock
    other = replace(state, position=replace(position, reserve=reserve, stock=stock))
    assert other != state
    told = hint(GAME.view(state, 0))
    assert told in GAME.legal_moves(state)
    assert hint(GAME.view(other, 0)) == told


def test_playing_only_hints_wins_an_easy_deal() -> None:
    """Playing only hints wins a deal that is not hard."""
    state = state_after_moves(25, few_or_all(33, 20))
    while (move := hint(GAME.view(state, 0))) is not None and state.moves < 150:
        state = GAME.play(state, move)
    assert state.position.is_won


def test_a_stuck_player_gets_no_hint() -> None:
    """A player who is stuck gets no hint."""
    stuck = new_position("KC|KC|KC|KC|KC|KC|KC|KC", reserve="2S", waste="9H", redeal=False)
    assert hint(GAME.view(stuck, 0)) is None


def test_a_peek_keeps_a_winnable_deal_winnable() -> None:
    """A position that can be won can still be won after the peek's move."""
    chance, peeked = Random(2), 0
    state = state_after_moves(2, 30)
    for _move in range(PEEKS):
        legal = GAME.legal_moves(state)
        told = peek(state, nodes=2000).move
        if told is not None:
            peeked += 1
            assert told in legal
            assert solve(GAME.play(state, told).position).verdict is Verdict.WON
        state = GAME.play(state, told if told and chance.random() < 0.6 else chance.choice(legal))
    assert peeked > PEEKS / 2


def test_a_lost_deal_names_its_last_winnable_position() -> None:
    """A lost deal names its last winnable position, with a line that wins from it."""
    state = open_deal(1)
    while turns := {"turn", "redeal"} & {GAME.write(move) for move in GAME.legal_moves(state)}:
        state = play_moves(state, *turns)
    moves = last_moment(state, nodes=NODES)
    assert moves is not None
    assert 0 < moves < state.moves
    assert solve(position_after(state, moves + 1), nodes=NODES).verdict is not Verdict.WON
    back = play_moves(state, f"undo x{state.moves - moves}")
    for move in best_line(position_after(state, moves), nodes=NODES):
        back = GAME.play(back, move)
    assert back.position.is_won


def test_a_deal_that_was_never_winnable_has_no_last_chance() -> None:
    """A deal that is not known to be winnable from the start names no last chance."""
    lost = new_position("KC|KC|KC|KC|KC|KC|KC|KC", reserve="2S", waste="9H", redeal=False)
    assert last_moment(lost) is None


HARD_DEAL = 354945591
"""A deal of which a search from the middle of its own winning line finds no win."""


def test_peeks_follow_one_stored_winning_line() -> None:
    """Playing only peeks wins along one line. It is searched for once and stored in the journal."""
    peeks = next(question for question in GAME.questions if question.key == "peek")
    options = {option.key: option.default for option in GAME.info.options} | {
        "deal": HARD_DEAL,
        "any": 1,
    }
    journal, state = list[str](), GAME.deal(1, options, bytes(32))
    while GAME.to_move(state) is not None:
        told = GAME.write(peeks.answer(state))
        assert (UNTOLD in told) == (not journal), "thought out at first, and then no more"
        journal += [told, told.removeprefix("peek: ").partition(UNTOLD)[0]]
        state = GAME.deal(1, options, bytes(32))
        for text in journal:
            state = GAME.play(state, GAME.read(text, state))
        if len(journal) == 24:
            away = GAME.play(state, GAME.read("undo x12", state))
            assert last_moment(GAME.play(state, GAME.read("turn", state)), nodes=9) == state.moves
            assert GAME.write(peeks.answer(away)) == journal[0].partition(UNTOLD)[0]
    assert state.position.is_won

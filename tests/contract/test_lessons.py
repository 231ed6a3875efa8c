"""Lessons explain a game's rules one by one, and the coach comments on every move."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from bot.engine.game import AnyGame
from bot.engine.lesson import PUPIL, SEATS, AnyLesson, Progress, progress, remarks
from bot.engine.opponent import Strength
from bot.engine.translation import speaking
from bot.games import games
from bot.languages import load_languages
from tests.computer_matches import choose_move, update_memory
from tests.contract.playouts import Playout, Table, law, playout_strategy
from tests.contract.traversal import card_types, cards_in, exchange_cards
from tests.examples import few_or_all

GAMES = [game for game in games().values() if game.lesson is not None]
each_taught_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.key)

MET = {
    "american_toad": {
        "base",
        "wrap",
        "run",
        "reserve",
        "turn",
        "place",
        "redeal",
        "stuck",
        "undo",
        "won",
    },
    "toad": {"take", "draw", "pile", "discard", "end", "false", "toad", "last one", "over"},
    "frogger": {
        "play",
        "skip",
        "home",
        "clear",
        "back",
        "excuse",
        "actions",
        "end",
        "refill",
        "blocked",
    },
}
"""The rules that a pupil meets by following the coach."""

MOVES_MOST = 60


def lesson_of(game: AnyGame) -> AnyLesson:
    """Return a game's lesson."""
    assert game.lesson is not None
    return game.lesson


def lesson_table(game: AnyGame) -> Table:
    """Return the table of a lesson."""
    options = {option.key: option.default for option in game.info.options}
    options |= lesson_of(game).options
    return Table(game, min(SEATS, game.info.most), tuple(options.items()))


def progress_after(playout: Playout, states: tuple[Any, ...], end: int) -> Progress:
    """Return the pupil's progress after this many moves."""
    game, lesson = playout.game, lesson_of(playout.game)
    far = progress(lesson, None, game.view(states[0], PUPIL))
    for entry, state in zip(playout.entries[:end], states[1 : end + 1], strict=True):
        far = progress(lesson, far, game.view(state, PUPIL), is_own=entry.seat == PUPIL)
    return far


def coach_texts(game: AnyGame, state: Any, far: Progress) -> tuple[str, ...]:
    """Return all texts of the coach at a moment."""
    lesson = lesson_of(game)
    why = (lesson.tip(far.view, far.met).why,) if game.to_move(state) == PUPIL else ()
    return (*remarks(lesson, far), *why, *lesson.rest(far.met))


@each_taught_game
@limits(law, max_examples=few_or_all(8, 20))
@given(data=st.data())
def test_the_coach_comments_on_every_move(game: AnyGame, data: st.DataObject) -> None:
    """Each move gets a remark, and each tip before the pupil's move suggests a legal move."""
    lesson = lesson_of(game)
    playout = data.draw(playout_strategy(lesson_table(game)))
    for end, state in enumerate(playout.states):
        far = progress_after(playout, playout.states, end)
        assert far.met <= lesson.rules.keys()
        assert all(sentence.strip() for sentence in coach_texts(game, state, far))
        assert remarks(lesson, far)
        if game.to_move(state) == PUPIL:
            assert lesson.tip(far.view, far.met).move in game.legal_moves(state)


@each_taught_game
@limits(law, max_examples=few_or_all(5, 10))
@given(data=st.data())
def test_the_coach_uses_only_cards_the_pupil_has_seen(game: AnyGame, data: st.DataObject) -> None:
    """The coach says the same if the cards that the pupil never saw are dealt differently."""
    playout = data.draw(playout_strategy(lesson_table(game)))
    end = data.draw(st.integers(0, len(playout.states) - 1))
    kinds = card_types(game, playout.states[0])
    views = [game.view(state, PUPIL) for state in playout.states[: end + 1]]
    seen = set().union(*(cards_in(view, kinds) for view in views))
    unseen = sorted(set(game.every_card(playout.states[0])) - seen, key=str)
    others = dict(zip(unseen, Random(end).sample(unseen, len(unseen)), strict=True))
    anew = tuple(exchange_cards(state, others, kinds) for state in playout.states[: end + 1])
    before = coach_texts(game, playout.states[end], progress_after(playout, playout.states, end))
    assert coach_texts(game, anew[end], progress_after(playout, anew, end)) == before


@each_taught_game
def test_following_the_coach_teaches_every_rule_and_wins(game: AnyGame) -> None:
    """A pupil who follows the coach meets every rule soon, with the offered buttons, and wins.

    The opponent is the real tadpole, and no comment repeats endlessly.
    """
    lesson, key = lesson_of(game), game.info.key
    table = lesson_table(game)
    state = table.deal(lesson.seed)
    far = progress(lesson, None, game.view(state, PUPIL))
    memory, made, moved, clicks, said_before = None, 0, 0, 0, Counter[str]()
    assert game.to_move(state) == PUPIL
    while (seat := game.to_move(state)) is not None:
        if table.seats > 1:
            memory = update_memory(key, memory, game.view(state, 1 - PUPIL))
        if seat == PUPIL:
            tip = lesson.tip(far.view, far.met)
            found = (choice for choice in game.panel(far.view).choices() if choice.move == tip.move)
            then = next((choice.then for choice in found), None)
            moves = [tip.move] if then is None else [tip.move, then]
            said_before[tip.why] += 1
            clicks += not lesson.is_done(far.met)
        else:
            text = choose_move(key, Strength.TADPOLE, memory, game.lot(lesson.seed, made, seat, moved))
            moves, moved = [game.read(text, state)], moved + 1
        for place, move in enumerate(moves):
            state = game.play(state, game.recorded(state, move))
            is_own = seat == PUPIL and not place
            far = progress(lesson, far, game.view(state, PUPIL), is_own=is_own)
        made += len(moves)
        assert made < MOVES_MOST
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == (PUPIL,)
    assert far.met >= MET[key]
    assert lesson.is_done(far.met)
    assert 5 <= clicks <= 12
    assert max(said_before.values()) < 6


@each_taught_game
def test_every_rule_has_a_german_translation(game: AnyGame) -> None:
    """Every rule's sentence has a German translation."""
    load_languages()
    lesson = lesson_of(game)
    for rule in lesson.rules:
        far = Progress(None, (rule,))
        with speaking("de"):
            assert remarks(lesson, far) != (lesson.rules[rule],)

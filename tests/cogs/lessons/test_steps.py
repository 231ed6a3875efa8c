"""The text of each step of a lesson, for a pupil who does as the coach says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from bot.engine.lesson import PUPIL
from bot.engine.opponent import Strength
from bot.engine.translation import speaking
from bot.games import games
from bot.languages import load_languages
from bot.matches.match import Entry
from bot.matches.match_type import LESSON
from bot.messages.button_rows import mark_choice
from bot.messages.components import Button, Content, Row, Text
from bot.messages.table_view import table_view
from bot.sessions.table_state import Table
from cogs.lessons.cog import lesson_content
from tests.computer_matches import choose_move, update_memory
from tests.examples import few_or_all
from tests.messages.tables import new_players, new_table, text_of

GAMES = [key for key, game in games().items() if game.lesson is not None]
each_taught_game = pytest.mark.parametrize("key", GAMES)

MARK = "💡"
STEP_WORDS = {"en": 25, "de": 31}


@cache
def lesson_tables(key: str) -> tuple[Table, ...]:
    """Return the table of a lesson at each move of the pupil, who does as the coach says."""
    return tuple(_lesson_steps(key))


def _lesson_steps(key: str) -> Iterator[Table]:
    game = games()[key]
    assert game.lesson is not None
    ann, rival = new_players("Ann", "Basil")
    seated = (ann,) if game.info.is_solo else (ann, replace(rival, strength=Strength.TADPOLE))
    table = new_table(key, seated, {LESSON: 1, **game.lesson.options})
    table = Table.deal(replace(table.match, seed=game.lesson.seed), table.game)
    memory, frog_moves = None, 0
    while (seat := table.to_move) is not None:
        if not game.info.is_solo:
            memory = update_memory(key, memory, game.view(table.state, 1 - PUPIL))
        if seat == PUPIL:
            yield table
            assert table.progress is not None
            move = game.lesson.tip(table.progress.view, table.progress.met).move
            choices = (each for each in table.panel(seat).choices() if each.move == move)
            then = next((each.then for each in choices), None)
            moves = [move] if then is None else [move, then]
        else:
            lot = game.lot(game.lesson.seed, table.n, seat, frog_moves)
            moves = [game.read(choose_move(key, Strength.TADPOLE, memory, lot), table.state)]
            frog_moves += 1
        for move in moves:
            text = game.write(game.recorded(table.state, move))
            table = table.after_move(Entry(table.n, seat, text, choice="pressed"))


def step_words(content: Content) -> list[str]:
    """Return the words of a step, without the names of the game and of the choice to press."""
    lines = (line for line in text_of(content).splitlines() if not line.startswith(MARK))
    plain = " ".join(lines)
    for game in games().values():
        plain = plain.replace(game.info.name, "")
    return re.sub(r"[^\w\s]", "", plain).split()


def highlighted_buttons(content: Content) -> list[Button]:
    items = (item for part in content.parts if isinstance(part, Row) for item in part.items)
    return [item for item in items if isinstance(item, Button) and item.emoji == MARK]


@each_taught_game
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_step_has_few_words_and_one_marked_button(key: str, language: str) -> None:
    """Each step has at most 25 words, or 31 in German, and points at one button."""
    load_languages()
    with speaking(language):
        for table in lesson_tables(key):
            content = lesson_content(table_view(table, PUPIL))
            assert content is not None
            assert len(step_words(content)) <= STEP_WORDS[language], text_of(content)
            assert len(highlighted_buttons(content)) == 1


@each_taught_game
def test_a_step_gives_the_reason_for_its_move(key: str) -> None:
    """A step has the first sentence of the reason for its move, unless the lesson is complete."""
    for table in lesson_tables(key):
        game, far = table.game, table.progress
        assert game.lesson is not None
        assert far is not None
        content = lesson_content(table_view(table, PUPIL))
        assert content is not None
        why = game.lesson.tip(far.view, far.met).why
        first = re.split(r"(?<=[.!?])\s", why)[0]
        if table.n and not table.is_learned:
            assert f"➡️ {first}" in text_of(content)


def test_the_first_step_explains_the_aim() -> None:
    """A pupil reads what to play for before the first move."""
    aims = {
        "toad": "exactly 10 red and 10 black spots",
        "frogger": "get all six frogs home",
        "american_toad": "All 104 cards belong on the eight **foundations**",
    }
    assert set(aims) == set(GAMES)
    for key, aim in aims.items():
        content = lesson_content(table_view(lesson_tables(key)[0], PUPIL))
        assert content is not None
        assert aim in text_of(content)


@each_taught_game
def test_a_question_about_a_move_is_the_only_text(key: str) -> None:
    """A question about a move has no further sentence of the coach beside it."""
    for table in lesson_tables(key):
        game, far = table.game, table.progress
        assert game.lesson is not None
        assert far is not None
        panel, _way = mark_choice(table_view(table, PUPIL), game.lesson.tip(far.view, far.met).move)
        [first] = [choice for choice in panel.choices() if choice.emoji == MARK]
        if first.move is None and (note := table.panel(PUPIL, (first.key,)).note):
            content = lesson_content(table_view(table, PUPIL), (first.key,))
            assert content is not None
            assert not {"🎓", "➡️"} & set(re.findall("^(🎓|➡️) ", text_of(content), re.MULTILINE)[1:])
            assert note in text_of(content)


@each_taught_game
def test_every_step_has_text(key: str) -> None:
    """Whatever is played, each step has a text, because Discord refuses an empty one."""
    game, random = games()[key], Random(key)
    assert game.lesson is not None
    seated = new_players("Ann", "Basil")[: 1 if game.info.is_solo else 2]
    for _match in range(few_or_all(2, 5)):
        table = new_table(key, seated, {LESSON: 1, **game.lesson.options})
        table = Table.deal(replace(table.match, seed=random.randbytes(32)), table.game)
        while (seat := table.to_move) is not None and table.n < 60:
            content = lesson_content(table_view(table, PUPIL))
            assert content is not None
            words = [part.words for part in content.parts if isinstance(part, Text)]
            assert len(words) > 1
            assert all(words)
            text = game.write(random.choice(game.legal_moves(table.state)))
            table = table.after_move(Entry(table.n, seat, text, choice="pressed"))

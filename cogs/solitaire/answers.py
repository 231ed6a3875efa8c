"""Worker tasks that answer questions about a solitaire deal, and the content of the answers.

After a player gives up a deal, the bot can show a winning line, a list of moves that would have won.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.engine.worker_task import Task
from bot.games import games
from bot.messages.components import Button, Content, ScenePicture, Text, layout, notice_content, row
from bot.messages.custom_ids import PlainControl, RepeatableControl
from bot.messages.table_view import table_view
from bot.sessions.table_state import Table

LEAP = 10
"""Number of moves that the outer buttons skip while a winning line is shown."""


@frozen
class GoBack(PlainControl):
    """A button that resumes a deal that the player gave up, from the position after ``moves`` moves."""

    kind = "go back"
    form = "w:{0.match_id}:{0.moves}"

    match_id: str
    moves: int


@frozen
class ShowHow(RepeatableControl):
    """A button that shows the position after some moves of a winning line.

    Attributes:
        match_id: The deal that was given up.
        moves: The number of the player's moves after which the winning line begins.
        step: The number of moves of the winning line before the position to show.
    """

    kind = "show how"
    form = "l:{0.match_id}:{0.moves}:{0.step}"

    match_id: str
    moves: int
    step: int


@frozen
class AnswerQuestion(Task[str]):
    """A task that answers a user's question about a position.

    The answer is a move in the game's notation, such as the move that a hint suggests.
    """

    game: str
    question: str
    state: Any
    label = "answer"

    def compute(self) -> str:
        game = games()[self.game]
        question = next(one for one in game.questions if one.key == self.question)
        return game.write(question.answer(self.state))


@frozen
class WinningLine(Task[tuple[str, ...]]):
    """A task that searches for moves that win a deal from the position after its first ``moves`` moves.

    The result is these moves in the game's notation. It is empty if the search finds no way to win.
    """

    game: str
    state: Any
    moves: int
    label = "line"
    is_kept = True

    def compute(self) -> tuple[str, ...]:
        game = games()[self.game]
        assert game.retry is not None, f"{self.game} is not gone back to"
        return tuple(map(game.write, game.retry.line(self.state, self.moves)))


def answer_content(table: Table, answer: str) -> Content:
    """Return a message that answers a user's question about a finished deal.

    ``answer`` is the answer that ``AnswerQuestion`` computed, a move in the game's notation.
    """
    game = table.game
    move, names = game.read(answer, table.state), table_view(table).names
    words = game.words(game.view(game.play(table.state, move), 0), names)
    moves = None if game.retry is None else game.retry.moment(move)
    said = "\n".join(words.story)
    if moves is None:
        return notice_content(said)
    how = Button(ShowHow(table.match.id, moves, 0).custom_id_of("show"), _("Show how"))
    return notice_content(said, row(_back_button(table, moves), how))


def _back_button(table: Table, moves: int) -> Button:
    """Return a button that resumes a deal from the position after ``moves`` moves."""
    retry = table.game.retry
    assert retry is not None, "it is gone back to"
    is_there = all(retry.moment(move) is not None for move in retry.back(table.state, moves))
    words = _("Play on") if is_there else _("Go back to move {n}").format(n=moves)
    return Button(GoBack(table.match.id, moves).custom_id, words, Tone.GOOD)


def line_content(table: Table, moves: int, line: Sequence[str], step: int) -> Content:
    game, last, match_id = table.game, len(line), table.match.id
    assert game.retry is not None, "it has a line"
    step = min(step, last)
    view = game.view(game.retry.shown(table.state, moves, line, step), 0)
    names = (_("The solver"),)
    gallery = ScenePicture(game.scene(view, names))
    words = game.words(view, names)
    where = _("step {n} of {all}").format(n=step, all=last)
    story = "\n".join(f"-# {sentence}" for sentence in words.story)

    def turn(name: str, label: str, to: int) -> Button:
        to = min(max(to, 0), last)
        return Button(ShowHow(match_id, moves, to).custom_id_of(name), label, disabled=to == step)

    return layout(
        Text(f"### {words.headline} · {where}"),
        gallery,
        Text(story),
        row(
            turn("first", f"−{LEAP}", step - LEAP),
            turn("back", "◀", step - 1),
            turn("on", "▶", step + 1),
            turn("far", f"+{LEAP}", step + LEAP),
            _back_button(table, moves),
        ),
    )

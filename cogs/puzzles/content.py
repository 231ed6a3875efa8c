"""Puzzle messages: the question, the answer, the shared result and the leaderboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import Name
from bot.engine.panel import Tone
from bot.engine.puzzle import EASY, HARD, MIDDLE, MOST_WAYS, AnyPuzzles, Puzzle
from bot.engine.translation import N_, _
from bot.matches.leaderboard_rules import PUZZLE_BOARD_DAYS
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import (
    Button,
    Content,
    Menu,
    MenuOption,
    Row,
    ScenePicture,
    Text,
    layout,
    row,
)
from bot.messages.custom_ids import GAME, Control, PlainControl, number_in
from bot.messages.deal_calendar import as_date, is_day
from bot.messages.leaderboard_pages import Board, BoardPage
from bot.messages.streaks import Streak

GRADE_WORDS = {EASY: N_("Easy"), MIDDLE: N_("Medium"), HARD: N_("Hard")}
MOST_MISSED = 25
"""Discord's limit for the number of options in a menu."""

OF_A_DAY = MIDDLE
"""The difficulty of the puzzles of the day."""


@frozen
class PuzzleMenu(Control):
    """A menu from which the user picks an answer to a puzzle.

    A puzzle of the day is identified by its day. Any other puzzle is identified by its difficulty and a
    random number.

    Attributes:
        game: The game's key.
        grade: The difficulty: EASY, MIDDLE or HARD.
        number: The number of a random puzzle, or 0 for a puzzle of the day.
        day: The day, such as 20261121, or 0 for a random puzzle.
        version: The version of the game's puzzle search. Other versions find different puzzles.
        way: The index of the picked answer.
    """

    pattern = re.compile(
        rf"pz:{GAME}:(?P<grade>[123]):(?P<number>\d{{1,10}}):(?P<day>\d{{1,8}})(:(?P<version>\d{{1,4}}))?"
    )
    kind = "solve"

    game: str
    grade: int
    number: int = 0
    day: int = 0
    version: int = 1
    way: int = MOST_WAYS

    @property
    def custom_id(self) -> str:
        return f"pz:{self.game}:{self.grade}:{self.number}:{self.day}:{self.version}"

    @property
    def title(self) -> str:
        return as_date(self.day).isoformat() if self.day else _(GRADE_WORDS[self.grade])

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        way = number_in(values[0], MOST_WAYS - 1) if values else None
        numbers = {part: int(found[part] or 1) for part in ("grade", "number", "day", "version")}
        if way is None or (numbers["day"] and not is_day(numbers["day"])):
            return None
        return cls(found["game"], **numbers, way=way)


@frozen
class PoseToday(PlainControl):
    """A button that poses today's puzzle of a game."""

    kind = "puzzle of the day"
    form = "po:{0.game}"

    game: str


@frozen
class Pose(PlainControl):
    """A button that poses a random puzzle of the given difficulty."""

    kind = "another puzzle"
    form = "pn:{0.game}:{0.grade}"

    game: str
    grade: int


@frozen
class TryDay(PlainControl):
    """A button that poses the puzzle of the given day."""

    kind = "puzzle of a day"
    form = "py:{0.game}:{0.day}"

    game: str
    day: int


@frozen
class ShareDay(PlainControl):
    """A button that posts the user's result for a day's puzzle in the channel."""

    kind = "share a puzzle"
    form = "ps:{0.game}:{0.day}"

    game: str
    day: int


@frozen
class PickMissed(Control):
    """A menu from which the user picks a recent daily puzzle that they answered wrongly."""

    pattern = re.compile(rf"pm:{GAME}")
    kind = "missed puzzle"

    game: str
    day: int


@frozen
class PuzzleStanding:
    """A user's streak and a server's results for a day's puzzle.

    Attributes:
        streak: The user's streak up to and including this day.
        answered: The number of the server's players who have answered the puzzle.
        solved: The number of the server's players whose answer was right.
        missed: Recent days whose puzzle the user answered wrongly, latest first.
        is_open: Whether users can still answer the puzzle. They can until the end of the following day.
    """

    streak: Streak = Streak()
    answered: int = 0
    solved: int = 0
    missed: Sequence[int] = ()
    is_open: bool = False

    @property
    def lines(self) -> list[str]:
        words = _("-# Solved here by {n} of {players}")
        return [words.format(n=self.solved, players=self.answered)] if self.answered else []


def puzzle_content(
    game: AnyGame,
    posed: PuzzleMenu,
    puzzle: Puzzle[Any],
    look: Appearance = PLAIN,
    standing: PuzzleStanding | None = None,
) -> Content:
    puzzles = puzzles_of(game)
    menu = Menu(
        posed.custom_id,
        _(puzzles.choice),
        tuple(
            MenuOption(
                look.emoji_and_label(_capital(puzzles.answer_text(puzzle.state, way)), "", None)[1],
                str(number),
            )
            for number, way in enumerate(puzzle.ways)
        ),
    )
    question = "\n".join((_(puzzles.question), *(standing.lines if standing else ())))
    return layout(*_head(game, posed, puzzle, look), Text(question), Row((menu,)))


def solved_content(
    game: AnyGame,
    posed: PuzzleMenu,
    puzzle: Puzzle[Any],
    standing: PuzzleStanding,
    look: Appearance = PLAIN,
) -> Content:
    """Return a message that shows whether the user's answer was right, and which answer is best."""
    puzzles, way, best = puzzles_of(game), posed.way, puzzle.ranking[0]
    is_right = way == best
    headline = _("✅ **Right: {best}.**") if is_right else _("❌ {picked}. **Best: {best}.**")
    headline = headline.format(
        picked=_capital(puzzles.answer_text(puzzle.state, puzzle.ways[way])),
        best=puzzles.answer_text(puzzle.state, puzzle.ways[best]),
    )
    lines = [look.replace_icons(f"{headline} {puzzles.verdict(puzzle, way)}")]
    if standing.streak.length:
        lines.append(f"📅 {standing.streak.words}")
    lines += standing.lines
    share = Button(ShareDay(posed.game, posed.day).custom_id, _("Share"), emoji="📣")
    again = [
        Button(Pose(posed.game, grade).custom_id, _(words), Tone.PLAIN)
        for grade, words in GRADE_WORDS.items()
    ]
    more = Text(_("Another one:"))
    days = tuple(MenuOption(as_date(day).isoformat(), str(day)) for day in standing.missed)
    missed = [Row((Menu(f"pm:{posed.game}", _("Try again"), days),))] if days else []
    share_rows = [row(share)] if standing.is_open else []
    text = Text("\n".join(lines))
    return layout(*_head(game, posed, puzzle, look), text, *share_rows, more, row(*again), *missed)


def shared_content(game: AnyGame, day: int, player_id: int, streak: Streak) -> Content:
    """Return a post about a player's result for a day's puzzle. It does not reveal the solution."""
    result = f"✅ {streak.words}" if streak.length else _("❌ missed")
    words = f"🐸 **{_(puzzles_of(game).name)}** · {as_date(day)} · <@{player_id}>: {result}"
    return layout(Text(words), row(Button(TryDay(game.info.key, day).custom_id, _("Try it"), Tone.GOOD)))


def _head(
    game: AnyGame, posed: PuzzleMenu, puzzle: Puzzle[Any], look: Appearance
) -> tuple[Text, ScenePicture]:
    names = (_("You"), _("Rival"))
    scene = game.scene(game.view(puzzle.state, 0), names)
    return Text(f"### {_(puzzles_of(game).name)} · {posed.title}"), ScenePicture(look.recolour(scene))


def puzzle_name(game: AnyGame) -> str:
    return _(puzzles_of(game).name)


def item_name(game: AnyGame) -> str:
    """Return the name of a game's puzzle in the daily post."""
    return _("{game}: puzzle").format(game=game.info.command.capitalize())


def today_buttons(game: AnyGame, _day: int) -> tuple[Button]:
    """Return the button in a server's daily post that poses a game's puzzle of the day."""
    return (Button(PoseToday(game.info.key).custom_id, item_name(game), Tone.GOOD),)


def puzzles_of(game: AnyGame) -> AnyPuzzles:
    assert game.puzzles is not None, "they are offered"
    return game.puzzles


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def puzzle_board(game: AnyGame, key: str, server: Name) -> Board:
    return Board(
        title=_("## 🏆 {game} in {server}").format(game=_(puzzles_of(game).name), server=server),
        hint=_("Nobody has answered a puzzle lately. Try today's with `/{command} puzzle`.").format(
            command=game.info.command
        ),
        headings=(_("Solved"), _("Answered"), _("In a row")),
        cells=lambda place: (str(place.wins), str(place.matches), str(place.figures[ROW])),
        turn=lambda number, button: BoardPage(key, number).custom_id_of(button),
        legend=_("-# Puzzles of the last {n} days. Only your first answer to each counts.").format(
            n=PUZZLE_BOARD_DAYS
        ),
    )


ROW = "in a row"
"""Key of the length of a player's current streak, which ends today or yesterday."""

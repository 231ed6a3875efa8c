"""Puzzles: a position, the ways to go on in a menu, and what became of the one that was picked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self

from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.engine.puzzle import EASY, HARD, MIDDLE, MOST_WAYS, AnyPuzzles, Puzzle
from bot.engine.values import frozen
from bot.engine.words import N_, _
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Content, Menu, Option, Picture, Row, Text, layout, row
from bot.messages.custom_ids import GAME, Control, Plain
from bot.messages.daily_deal import as_date

GRADE_WORDS = {EASY: N_("Easy"), MIDDLE: N_("Middle"), HARD: N_("Hard")}
OF_A_DAY = MIDDLE
"""The grade of the puzzles of days."""


@frozen
class Posed(Control):
    """A puzzle, as its menu names it: of a game, that of a ``day``, or of a grade and a ``number``.

    ``version`` is of how the game's puzzles are found; without one they are the first. ``way`` is the
    one that was picked.
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
        picked = values[0] if values else ""
        if not (picked.isdecimal() and int(picked) < MOST_WAYS):
            return None
        numbers = {part: int(found[part] or 1) for part in ("grade", "number", "day", "version")}
        return cls(found["game"], **numbers, way=int(picked))


@frozen
class Pose(Plain):
    """Another puzzle of a game is wanted, of a grade."""

    kind = "another puzzle"
    form = "pn:{0.game}:{0.grade}"

    game: str
    grade: int


def puzzle_content(
    game: AnyGame, posed: Posed, puzzle: Puzzle[Any], look: Appearance = PLAIN
) -> Content:
    puzzles = puzzles_of(game)
    menu = Menu(
        posed.custom_id,
        _(puzzles.choice),
        tuple(
            Option(look.labelled(_capital(puzzles.told(puzzle.state, way)), "", None)[1], str(number))
            for number, way in enumerate(puzzle.ways)
        ),
    )
    return layout(*_head(game, posed, puzzle, look), Text(_(puzzles.question)), Row((menu,)))


def solved_content(
    game: AnyGame, posed: Posed, puzzle: Puzzle[Any], in_a_row: int, look: Appearance = PLAIN
) -> Content:
    """``in_a_row`` are the days whose puzzles were answered rightly up to this one."""
    puzzles, way, best = puzzles_of(game), posed.way, puzzle.ranking[0]
    is_right = way == best
    said = _("✅ **Right: {best}.**") if is_right else _("❌ {picked}. **Best was: {best}.**")
    said = said.format(
        picked=_capital(puzzles.told(puzzle.state, puzzle.ways[way])),
        best=puzzles.told(puzzle.state, puzzle.ways[best]),
    )
    lines = [look.told(f"{said} {puzzles.verdict(puzzle, way)}")]
    if posed.day and in_a_row:
        lines.append("📅 " + _("{n} in a row").format(n=in_a_row))
    if posed.day:
        lines.append(_("To share:") + f"\n```\n{_share(game, posed, in_a_row)}\n```")
    again = [
        Button(Pose(posed.game, grade).custom_id, _(words), Tone.PLAIN)
        for grade, words in GRADE_WORDS.items()
    ]
    more = Text(_("Another one:"))
    return layout(*_head(game, posed, puzzle, look), Text("\n".join(lines)), more, row(*again))


def _head(game: AnyGame, posed: Posed, puzzle: Puzzle[Any], look: Appearance) -> tuple[Text, Picture]:
    names = (_("You"), _("Rival"))
    scene = game.scene(game.view(puzzle.state, 0), names)
    return Text(f"### {_(puzzles_of(game).name)} · {posed.title}"), Picture(look.coloured(scene))


def puzzles_of(game: AnyGame) -> AnyPuzzles:
    assert game.puzzles is not None, "they are offered"
    return game.puzzles


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _share(game: AnyGame, posed: Posed, in_a_row: int) -> str:
    """Return what there is to share of a day: its first answer, which counts, and was right in a row."""
    title = f"🐸 {_(puzzles_of(game).name)} · {posed.title} · {'✅' if in_a_row else '❌'}"
    return " · ".join((title, _("{n} in a row").format(n=in_a_row))) if in_a_row else title

"""Replays: matches that are over are watched, and a part of one is shared as a moving picture.

Workers import this for their tasks, so what needs Discord is in ``cog``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any

from bot.engine.immutable import frozen
from bot.engine.scene import Scene, Subtitles, with_computer_players
from bot.engine.words import _, languages, speaking
from bot.engine.worker_task import OfMatch, Task
from bot.games import rules_of
from bot.languages import learn_languages
from bot.matches.match import Entry, Match, advance
from bot.matches.replay import Course, Replay, course
from bot.messages.player_names import drawn_names
from bot.rendering.drawing import Frame, frame, gif
from bot.sessions.errors import TableError


class ReadCourse(OfMatch[Course]):
    """How a match went, whose rules are known."""

    def made(self, match: Match, entries: Sequence[Entry]) -> Course:
        return course(rules_of(match), match, entries)


MOST_PICTURES, MOST_SOLO_PICTURES = 80, 40
MOST_BYTES = 3 * 2**20

_LINES, _LETTERS = 4, 50
"""How many lines are written below a picture, and how many letters have room in each."""

_LINE, _MARGIN = 1 / 18, 1 / 70
"""Their height, and the margin, as shares of the picture's width."""


def moves_of(replay: Replay, first: int, last: int, *, is_exact: bool = False) -> tuple[int, ...]:
    """Too many are thinned out evenly, or refused (TableError) where exactly these are wanted."""
    if not 0 <= first <= last <= replay.last:
        words = _("This match has the moves 0 to {n}. Name first an earlier one, and then a later one.")
        raise TableError(words.format(n=replay.last))
    most = MOST_SOLO_PICTURES if replay.game.info.is_solo else MOST_PICTURES
    count = last - first + 1
    if is_exact and count > most:
        words = _("That is {n} pictures, and {most} are the most. Choose fewer moves.")
        raise TableError(words.format(n=count, most=most))
    seen = min(count, most)
    return tuple(first + round(place * (count - 1) / max(seen - 1, 1)) for place in range(seen))


@frozen
class Film(Task[bytes]):
    """The GIF of some moves of a match, in a language, which a worker process has to learn first."""

    match: Match
    course: Course
    moves: tuple[int, ...]
    four_colours: bool
    spoken: str
    is_question = False

    @property
    def words(self) -> str:
        words = _("{game}, moves {first} to {last} of match {id}. Watch it all: `/replay {id}`")
        name = rules_of(self.match).info.name
        return words.format(game=name, first=self.moves[0], last=self.moves[-1], id=self.match.id)

    def made(self) -> bytes:
        if self.spoken not in languages():
            learn_languages()
        replay, drawn = Replay(self.match, rules_of(self.match), self.course), list[Frame]()
        begins = max(self.moves[0] - 1, 0)
        before, state = None, replay.state(begins)
        with speaking(self.spoken):
            if not self.moves[0]:
                drawn.append(frame(self._scene(replay, 0, before, state)))
            for n, entry in enumerate(replay.entries(begins, self.moves[-1]), begins + 1):
                before, state = state, advance(replay.game, state, entry)
                if n in self.moves:
                    drawn.append(frame(self._scene(replay, n, before, state)))
        return gif(drawn, MOST_BYTES)

    def _scene(self, replay: Replay, n: int, before: Any, state: Any) -> Scene:
        game, names, view = replay.game, drawn_names(self.match.players), replay.view(state)
        words = game.words(view, names)
        scene = with_computer_players(game.scene(view, names), replay.frogs(n))
        told = words.story
        if before is not None:
            known = game.words(game.view(before, None), names).story
            told = tuple(line for line in words.story if line not in known) or words.story[-1:]
        where = f"{n}/{replay.last} · {words.headline.replace('**', '')}"
        lines = (*told_below(told), where)
        margin, height = scene.width * _MARGIN, scene.width * _LINE * _LINES
        below = Subtitles(margin, scene.height, scene.width - 2 * margin, height, lines, _LINES)
        return replace(
            scene,
            height=scene.height + height + margin,
            items=(*scene.items, below),
            four_colours=self.four_colours,
        )


def told_below(told: Sequence[str]) -> list[str]:
    """Return the lines, as many as have room, that tell what was done.

    Of several things the first led to the others. Of one long turn the beginning says whose it is, and
    the end is what this move brought.
    """
    wrapped = [part for line in told for part in wrap(line.replace("**", ""), _LETTERS)]
    most = _LINES - 1
    if told[1:] or len(wrapped) <= most:
        return wrapped[:most]
    return [f"{wrapped[0][: _LETTERS - 2].rstrip()} …", *wrapped[1 - most :]]

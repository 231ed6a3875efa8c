"""Replays of finished matches, and GIFs of parts of them.

Workers import this module for its tasks, so the code that needs Discord is in ``cog``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from bot.engine.frozen import frozen
from bot.engine.story import Moment
from bot.engine.translation import _, languages, speaking
from bot.engine.worker_task import OfMatch, Task
from bot.games import rules_of
from bot.languages import learn_languages
from bot.matches.match import Entry, Match
from bot.matches.replay import Course, Replay, course, evenly
from bot.messages.computer_player_controls import marked_names, with_computer_players
from bot.messages.player_names import drawn_names, written_names
from bot.rendering.film import LETTERS, LINES, Shot, film


class ReadCourse(OfMatch[Course]):
    """The course of a match whose rules are known."""

    def compute(self, match: Match, entries: Sequence[Entry]) -> Course:
        return course(rules_of(match), match, entries)


MOST_PICTURES, MOST_MOMENTS = 40, 12
MOST_BYTES = 3 * 2**20


def moves_of(replay: Replay, first: int, last: int) -> tuple[int, ...]:
    """Return the numbers of moves after which a film has a picture.

    Key moments come first, and other turns fill the rest of ``MOST_PICTURES``.
    """
    key = {n for n, _moments in replay.key_moments(first, last, MOST_MOMENTS)} | {last}
    plain = [n for n in replay.course.steps if first <= n < last and n not in key]
    return tuple(sorted({*key, *evenly(plain, MOST_PICTURES - len(key))}))


def where(replay: Replay, n: int, *, of_all: bool = False) -> str:
    """Return the turn, counted over the whole match, and the round of the state after ``n`` moves.

    ``of_all`` adds the number of turns of the match.
    """
    number = str(replay.step_of(n))
    if of_all:
        number = _("{n} of {all}").format(n=number, all=replay.step_of(replay.last))
    if replay.game.info.is_solo:
        return _("move {n}").format(n=number)
    if len(replay.course.rounds) == 1:
        return _("turn {n}").format(n=number)
    # A move that deals belongs to the round before.
    round_ = max(sum(begins < n for begins in replay.course.rounds), 1)
    return _("turn {n}, round {round}").format(n=number, round=round_)


@frozen
class Film(Task[bytes]):
    """The GIF of some moves of a match, in a language that the worker may have to load first."""

    match: Match
    course: Course
    moves: tuple[int, ...]
    four_colours: bool
    spoken: str
    is_question = False

    @property
    def words(self) -> str:
        replay = self._replay
        words = (
            _("{game}, moves {first} to {last}")
            if replay.game.info.is_solo
            else _("{game}, turns {first} to {last}")
        )
        first, last = replay.step_of(self.moves[0]), replay.step_of(self.moves[-1])
        return words.format(game=replay.game.info.name, first=first, last=last)

    @property
    def result(self) -> str:
        """The result of the match, or empty if it was closed before its end."""
        replay, names = self._replay, marked_names(self.match, written_names(self.match.players))
        state = replay.state(replay.last)
        if replay.game.outcome(state) is None:
            return ""
        return replay.game.words(replay.view(state), names).headline

    @property
    def _replay(self) -> Replay:
        return Replay(self.match, rules_of(self.match), self.course)

    def compute(self) -> bytes:
        if self.spoken not in languages():
            learn_languages()
        with speaking(self.spoken):
            return film(self.shots(), MOST_BYTES)

    def shots(self) -> list[Shot]:
        replay = self._replay
        moments = dict(replay.key_moments(self.moves[0], self.moves[-1], MOST_MOMENTS))
        return [self._shot(replay, n, moments.get(n, ())) for n in self.moves]

    def _shot(self, replay: Replay, n: int, moments: Sequence[Moment]) -> Shot:
        game, names, view = replay.game, drawn_names(self.match.players), replay.view(replay.state(n))
        scene = with_computer_players(game.scene(view, names), replay.frogs(n))
        below = told_below(replay.told(n, view, names), moment_words(moments, names))
        at = where(replay, n, of_all=True)
        scene = replace(scene, four_colours=self.four_colours)
        return Shot(scene, (*below, at[:1].upper() + at[1:]), held=bool(moments))


def moment_words(moments: Sequence[Moment], names: Sequence[str]) -> str:
    return "; ".join(_(one.words).format(name=names[one.seat], n=one.n) for one in moments)


def told_below(told: Sequence[str], moments: str = "") -> list[str]:
    """Return the lines below a picture, at most as many as fit.

    If the events do not fit, the key moments are shown instead. Of several events, the first ones are
    kept, because they led to the others. Of one long turn, the beginning with the player's name and the
    end with the result are kept.
    """
    most, wrapped = LINES - 1, _wrap(told)
    if moments and len(wrapped) > most:
        wrapped = _wrap([moments])
    elif told[1:]:
        wrapped = wrapped[:most]
    if len(wrapped) <= most:
        return wrapped
    return [f"{wrapped[0][: LETTERS - 2].rstrip()} …", *wrapped[1 - most :]]


def _wrap(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in wrap(line.replace("**", ""), LETTERS)]

"""Worker tasks that load replays and draw GIFs.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from bot.engine.frozen import frozen
from bot.engine.highlights import Highlight
from bot.engine.translation import _, languages, speaking
from bot.engine.worker_task import MatchTask, Task
from bot.games import rules_of
from bot.languages import load_languages
from bot.matches.match import Entry, Match
from bot.matches.replay import Course, Replay, course, evenly
from bot.messages.computer_player_controls import marked_names, with_computer_players
from bot.messages.player_names import drawn_names, written_names
from bot.rendering.animation import LETTERS, LINES, Frame, film


class ReadCourse(MatchTask[Course]):
    """A task that finds the turns, rounds and key moments of a match."""

    def compute(self, match: Match, entries: Sequence[Entry]) -> Course:
        return course(rules_of(match), match, entries)


MOST_PICTURES, MOST_MOMENTS = 40, 12
MOST_BYTES = 3 * 2**20


def moves_of(replay: Replay, first: int, last: int) -> tuple[int, ...]:
    """Return the numbers of the moves to show in a GIF of part of a match.

    The GIF has one picture after each of these moves. They are the key moments, the last move, and
    evenly spaced turns up to a total of ``MOST_PICTURES``.
    """
    key = {n for n, _moments in replay.key_moments(first, last, MOST_MOMENTS)} | {last}
    plain = [n for n in replay.course.steps if first <= n < last and n not in key]
    return tuple(sorted({*key, *evenly(plain, MOST_PICTURES - len(key))}))


def where(replay: Replay, n: int, *, of_all: bool = False) -> str:
    """Describe the position after ``n`` moves, such as "turn 12, round 2".

    Turns are counted from the start of the match. If ``of_all`` is True, it also has the
    total number of turns.
    """
    number = str(replay.step_of(n))
    if of_all:
        number = _("{n} of {all}").format(n=number, all=replay.step_of(replay.last))
    if replay.game.info.is_solo:
        return _("move {n}").format(n=number)
    if len(replay.course.rounds) == 1:
        return _("turn {n}").format(n=number)
    # The move that deals a new round counts as part of the previous round.
    round_ = max(sum(begins < n for begins in replay.course.rounds), 1)
    return _("turn {n}, round {round}").format(n=number, round=round_)


@frozen
class Film(Task[bytes]):
    """A task that draws an animated GIF of a match, with one picture after each of the given moves.

    Attributes:
        match: The match.
        course: The match's turns, rounds and key moments.
        moves: The move numbers, in order.
        four_colours: Whether each suit has its own colour.
        spoken: The language code of the texts. The worker loads the translations if necessary.
    """

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
        """The match's result in words, or an empty string if the match was closed before its end."""
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
            load_languages()
        with speaking(self.spoken):
            return film(self.shots(), MOST_BYTES)

    def shots(self) -> list[Frame]:
        replay = self._replay
        moments = dict(replay.key_moments(self.moves[0], self.moves[-1], MOST_MOMENTS))
        return [self._shot(replay, n, moments.get(n, ())) for n in self.moves]

    def _shot(self, replay: Replay, n: int, moments: Sequence[Highlight]) -> Frame:
        game, names, view = replay.game, drawn_names(self.match.players), replay.view(replay.state(n))
        scene = with_computer_players(game.scene(view, names), replay.computer_players(n))
        below = told_below(replay.event_lines(n, view, names), moment_words(moments, names))
        at = where(replay, n, of_all=True)
        scene = replace(scene, four_colours=self.four_colours)
        return Frame(scene, (*below, at[:1].upper() + at[1:]), held=bool(moments))


def moment_words(moments: Sequence[Highlight], names: Sequence[str]) -> str:
    return "; ".join(_(one.words).format(name=names[one.seat], n=one.n) for one in moments)


def told_below(told: Sequence[str], moments: str = "") -> list[str]:
    """Return the lines of text to draw below a picture, shortened to the space available.

    If the event lines in ``told`` do not fit, ``moments`` is shown instead. If it is empty, several
    events are cut at the end, because the first events led to the others. A single long event is cut in
    the middle, because it begins with the player's name and ends with the result.
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

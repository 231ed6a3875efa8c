"""A lesson as its pupil sees it: the hand, the coach's words, and the choice that they speak of."""

from __future__ import annotations

from bot.engine.game import AnyGame
from bot.engine.lesson import PUPIL, AnyLesson, Progress, remarks
from bot.engine.panel import HINT, Tone
from bot.engine.scene import FROG, with_computer_players
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.button_rows import panel_rows, pointed_out
from bot.messages.components import (
    GOLD,
    POND,
    STONE,
    Button,
    Content,
    Picture,
    Row,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.computer_players import marked
from bot.messages.custom_ids import HAND, Plain, action_id
from bot.messages.player_names import drawn_names, written_names
from bot.sessions.table import Table

COACH = "🎓"
_STORY_LINES = 2


@frozen
class Learn(Plain):
    """A lesson in a game is to begin, or to go on."""

    kind = "lesson"
    form = "l:{0.game}"

    game: str


@frozen
class PlayAfter(Plain):
    """Who has learned a game is to play it: with two frogs, or alone where it is a game for one."""

    kind = "play after lesson"
    form = "l:{0.game}:play"

    game: str


def lesson_content(table: Table, path: tuple[str, ...] = (), look: Appearance = PLAIN) -> Content | None:
    """Return a lesson as it stands, at a step of choosing a move; None for any other match."""
    if not table.match.is_lesson:
        return None
    lesson, far = table.game.lesson, table.progress
    if lesson is None or far is None or not (table.is_playing or table.outcome):
        return _left_content(table)
    match, is_own = table.match, table.is_playing and table.to_move == PUPIL
    words = table.words(PUPIL, marked(match, written_names(match.players)))
    scene = table.scene(PUPIL, drawn_names(match.players))
    gallery = Picture(look.coloured(with_computer_players(scene, match.computer_seats)))
    story = [f"-# {line}" for line in words.story[-_STORY_LINES:]]
    said = [f"{COACH} {line}" for line in remarks(lesson, far)]
    rows: list[Row] = []
    if is_own:
        tip = lesson.tip(far.view, far.met)
        panel, way = pointed_out(table, PUPIL, tip.move, path)
        rows, note = panel_rows(table, panel, HAND, path, look)
        said += [f"➡️ {tip.why}", *([f"{HINT} **{way}**"] if way else []), *([note] if note else [])]
    if table.is_learned and not (table.is_playing and lesson.is_done(far.before)):
        said.append(_farewell(table, lesson, far))  # once, and once more where the match is over
    return layout(
        Text(f"### {words.headline}\n-# {_title(table)}"),
        gallery,
        Text(look.told("\n".join((*story, *said)))),
        *rows,
        row(*_ways_on(table, is_own=is_own)),
        colour=GOLD if table.is_learned else POND if is_own else STONE,
    )


def offer(game: AnyGame) -> Row:
    return row(Button(Learn(game.info.key).custom_id, _("Learn it by playing"), Tone.GOOD, emoji=COACH))


def _told(table: Table, words: str) -> str:
    return words.format(game=table.game.info.name, command=table.game.info.command)


def _title(table: Table) -> str:
    if not table.is_playing:
        return _told(table, _("A lesson in {game}, for you alone."))
    words = _("A lesson in {game}, for you alone. Leave it and come back: `/{command} learn` goes on.")
    return _told(table, words)


def _farewell(table: Table, lesson: AnyLesson, far: Progress) -> str:
    words = _("That's all: now you know how to play {game}.")
    if table.is_playing:
        words = _("You have seen all there is to {game}. Play on to the end, or end the lesson here.")
    return " ".join((f"{COACH} **{_told(table, words)}**", *lesson.rest(far.met), _how_to_start(table)))


def _how_to_start(table: Table) -> str:
    if not table.is_solo:
        return _told(table, _("`/{command} start` opens a table for you and others."))
    words = _("`/{command} start` deals you a whole game, and `/{command} daily` the deal of the day.")
    return _told(table, words)


def _ways_on(table: Table, *, is_own: bool) -> list[Button]:
    match_id, key = table.match.id, table.game.info.key
    rules = Button(action_id(match_id, "rules"), _("How to play"))
    label = _("Play a whole game") if table.is_solo else _("Play two frogs")
    play = Button(PlayAfter(key).custom_id, label, Tone.GOOD, emoji=FROG)
    first = [play] if table.is_learned else []
    if not table.is_playing:
        return [*first, Button(Learn(key).custom_id, _("Once more"), emoji=COACH), rules]
    end = Button(action_id(match_id, "endlesson"), _("End the lesson"))
    look = Button(action_id(match_id, "look"), _("Go on"), Tone.MAIN)
    return [*(() if is_own else (look,)), *first, rules, end]


def _left_content(table: Table) -> Content:
    if table.is_learned:
        words = _told(table, _("The lesson is over: now you know how to play {game}."))
        words = f"{words} {_how_to_start(table)}"
    else:
        words = _told(table, _("The lesson has ended. `/{command} learn` begins it anew."))
    return notice_content(f"{COACH} {words}", row(*_ways_on(table, is_own=False)))

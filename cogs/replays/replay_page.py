"""A match that is over, to be watched in private: the table after any of its moves, every hand open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Self

from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.engine.scene import with_computer_players
from bot.engine.story import with_frog
from bot.engine.thinking import IN_PLACE
from bot.engine.words import N_, _
from bot.matches.match import LEAVES
from bot.matches.replay import Replay
from bot.messages.appearance import PLAIN, Appearance, label_of
from bot.messages.components import Button, Content, Menu, Option, Picture, Row, Text, layout, row
from bot.messages.computer_players import marked
from bot.messages.custom_ids import Plain, Turning
from bot.messages.player_names import drawn_names, written_names
from bot.storage.sql import Record

MARK = "🎬"
LEAP = 10
"""How far the last button goes in a game without rounds."""

MOST_OPTIONS = 25
"""As many as a menu takes."""


@frozen
class Watch(Plain):
    """A match that is over is to be watched by who clicked, from its deal on."""

    kind = "watch"
    form = "v:{0.match_id}"

    match_id: str


@frozen
class TurnTo(Turning):
    """A replay is to go to how its match was after so many moves; a menu's pick says it."""

    kind = "replay"
    form = "v:{0.match_id}:{0.n}"

    match_id: str
    n: int

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        n = values[0] if values else found["n"]
        return cls(found["match_id"], int(n)) if re.fullmatch(r"\d{1,6}", n, re.ASCII) else None


@frozen
class Share(Plain):
    """A part of a match is to be shown to all as a moving picture, from where its replay stands."""

    kind = "share"
    form = "x:{0.match_id}:{0.n}"

    match_id: str
    n: int
    part: str


@frozen
class ShareRange(Plain):
    """A part of a match is to be shown to all, from one move to another, as they were typed."""

    kind = "share range"
    form = "x:{0.match_id}:{0.n}:range"

    match_id: str
    n: int
    first: str
    last: str

    @property
    def moves(self) -> tuple[int, int] | None:
        typed = [text.strip() for text in (self.first, self.last)]
        if not all(re.fullmatch(r"\d{1,6}", text, re.ASCII) for text in typed):
            return None
        return int(typed[0]), int(typed[1])


ROUND, TEN, ALL, RANGE = "round", "ten", "all", "range"
_PARTS = {
    ROUND: N_("This round"),
    TEN: N_("The last ten moves up to here"),
    ALL: N_("The whole match"),
    RANGE: N_("From move to move…"),
}


def part_of(replay: Replay, n: int, part: str) -> tuple[int, int] | None:
    """Return where a part that was picked after so many moves begins and ends; None for no such part."""
    begins, ends = replay.round_at(n)
    ends -= ends in replay.course.rounds  # there the next one is dealt
    parts = {ROUND: (begins, ends), TEN: (max(n - LEAP, 0), n), ALL: (0, replay.last)}
    return parts.get(part)


def watch_button(match_id: str) -> Button:
    return Button(Watch(match_id).custom_id, _("Watch"), emoji=MARK)


def replay_content(replay: Replay, n: int, look: Appearance = PLAIN, note: str = "") -> Content:
    match, game, n = replay.match, replay.game, min(n, replay.last)
    view = replay.view(replay.state(n))
    words = game.words(view, marked(match, written_names(match.players)))
    scene = with_computer_players(game.scene(view, drawn_names(match.players)), replay.frogs(n))
    where = _("{game} · move {n} of {all}").format(game=game.info.name, n=n, all=replay.last)
    story = [f"-# {line}" for line in words.story]
    if not replay.course.is_whole:
        cut = _("I can't read the moves after move {n} of this match any more.")
        story.append(cut.format(n=replay.last))
    head = "\n".join(filter(None, (f"### {MARK} {where}", _made(replay, n), words.headline)))
    return layout(
        Text(look.told(head)),
        Picture(look.coloured(scene)),
        *(Text(look.told("\n".join(lines))) for lines in (story, [note] if note else []) if lines),
        *_controls(replay, n),
    )


def _made(replay: Replay, n: int) -> str:
    if not n:
        return ""
    [entry] = replay.entries(n - 1, n)
    names = marked(replay.match, written_names(replay.match.players))
    if entry.mover in IN_PLACE:
        names = with_frog(names, entry.seat)
    text = _("gives up") if entry.text == LEAVES else f"`{entry.text}`"
    return f"**{names[entry.seat]}:** {text}"


def _controls(replay: Replay, n: int) -> list[Row]:
    match_id, last = replay.match.id, replay.last

    def turn(name: str, label: str, to: int) -> Button:
        to = min(max(to, 0), last)
        return Button(TurnTo(match_id, to).named(name), label, disabled=to == n)

    has_rounds = len(replay.course.rounds) > 1
    far = replay.round_at(n)[1] if has_rounds else n + LEAP
    rows = [
        row(
            turn("first", "⏮", 0),
            turn("back", "◀", n - 1),
            turn("on", "▶", n + 1),
            turn("last", "⏭", last),
            turn("far", _("Next round") if has_rounds else f"+{LEAP}", far),
        )
    ]
    if replay.course.moments:
        prompt, options = _("Key moments"), moment_options(replay, n)
        rows.append(Row((Menu(TurnTo(match_id, n).named("moments"), prompt, options),)))
    parts = [key for key in _PARTS if key != ROUND or has_rounds]
    options = tuple(Option(_(_PARTS[key]), key) for key in parts)
    if last:
        rows.append(Row((Menu(Share(match_id, n, "").custom_id, _("Share a moment"), options),)))
    return rows


def moment_options(replay: Replay, n: int) -> tuple[Option, ...]:
    """Return the key moments as options, those of one move as one; of too many the next from there."""
    names = written_names(replay.match.players)
    of_moves = [(at, list(all_of)) for at, all_of in groupby(replay.course.moments, itemgetter(0))]
    past = sum(at <= n for at, _moments in of_moves)
    first = max(min(past - 1, len(of_moves) - MOST_OPTIONS), 0)
    options = []
    for at, moments in of_moves[first : first + MOST_OPTIONS]:
        told = "; ".join(
            _(moment.words).format(name=names[moment.seat], n=moment.n) for _at, moment in moments
        )
        options.append(Option(label_of(told), str(at), _where(replay, at)))
    return tuple(options)


def _where(replay: Replay, n: int) -> str:
    if len(replay.course.rounds) == 1:
        return _("move {n}").format(n=n)
    # a move that deals is of the round before
    number = sum(begins < n for begins in replay.course.rounds)
    return _("round {round}, move {n}").format(round=number, n=n)


def past_label(past: Record, game: AnyGame) -> str:
    at, outcome = past["ended_at"], _("won") if past["won"] else _("not won")
    ended = "" if at is None else datetime.fromtimestamp(at, UTC).date().isoformat()
    return " · ".join(filter(None, (game.info.name, outcome, ended, past["match_id"])))

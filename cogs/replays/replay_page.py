"""Message content of a replay, and its buttons and menus.

A replay shows the table of a finished match after any of its moves, with all hands open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Self

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.translation import N_, _
from bot.matches.replay import Replay
from bot.messages.appearance import PLAIN, Appearance, label_of
from bot.messages.button_rows import ButtonPlace, feature_buttons
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
from bot.messages.computer_player_controls import marked_names, with_computer_players
from bot.messages.custom_ids import PlainControl, RepeatableControl
from bot.messages.player_names import drawn_names, written_names
from bot.messages.table_view import table_view
from bot.sessions.table_state import Table
from bot.storage.named_queries import Record
from cogs.replays.tasks import MOST_MOMENTS, moment_words, where

MARK = "🎬"
LEAP = 10
"""Number of turns that the last button skips. In a match with rounds, it skips to the next round."""


@frozen
class Watch(PlainControl):
    """A button that opens a finished match's replay at the start of the match."""

    kind = "watch"
    form = "v:{0.match_id}"

    match_id: str


@frozen
class TurnTo(RepeatableControl):
    """A button or menu that moves a replay to the position after ``n`` moves.

    In a menu, ``n`` is the value of the picked option.
    """

    kind = "replay"
    form = "v:{0.match_id}:{0.n}"

    match_id: str
    n: int

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        n = values[0] if values else found["n"]
        return cls(found["match_id"], int(n)) if re.fullmatch(r"\d{1,6}", n, re.ASCII) else None


@frozen
class Share(PlainControl):
    """A menu that shares part of a match as a GIF.

    Attributes:
        n: The number of moves before the position that the replay shows.
        part: The part that the user picked, such as ``ROUND``.
    """

    kind = "share replay"
    form = "x:{0.match_id}:{0.n}"

    match_id: str
    n: int
    part: str


@frozen
class ShareRange(PlainControl):
    """A modal in which the user types the first and the last turn of a GIF."""

    kind = "share range"
    form = "x:{0.match_id}:{0.n}:range"

    match_id: str
    n: int
    first: str
    last: str

    @property
    def numbers(self) -> tuple[int, int]:
        first, last = (
            int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) else -1
            for text in (self.first.strip(), self.last.strip())
        )
        return first, last


ROUND, TEN, ALL, RANGE = "round", "ten", "all", "range"
_PARTS = {
    ROUND: N_("This round"),
    TEN: N_("The ten leading up to this"),
    ALL: N_("The whole match"),
    RANGE: N_("From … to …"),
}


def part_of(replay: Replay, n: int, part: str) -> tuple[int, int] | None:
    """Return the first and the last move number of the part of a match that a GIF shows.

    Args:
        replay: The match's replay.
        n: The number of moves before the current position, to which ``ROUND`` and ``TEN`` refer.
        part: ``ROUND``, ``TEN`` or ``ALL``. For any other value, the function returns None.
    """
    begins, ends = replay.round_at(n)
    ends -= ends in replay.course.rounds  # the move that ends a round also deals the next round
    steps = replay.course.steps
    leap = steps[max(replay.step_of(n) - LEAP, 0)]
    parts = {ROUND: (begins, ends), TEN: (leap, n), ALL: (0, replay.last)}
    return parts.get(part)


def watch_button(match_id: str) -> Button:
    return Button(Watch(match_id).custom_id, _("Watch"), emoji=MARK)


def replay_content(replay: Replay, n: int, look: Appearance = PLAIN, note: str = "") -> Content:
    match, game, n = replay.match, replay.game, min(n, replay.last)
    names, state = marked_names(match, written_names(match.players)), replay.state(n)
    view = replay.view(state)
    scene = with_computer_players(
        game.scene(view, drawn_names(match.players)), replay.computer_players(n)
    )
    at = where(replay, n, of_all=True)
    head, below = (
        [f"### {MARK} {game.info.name} · {at}", *replay.event_lines(n, view, names)],
        list[str](),
    )
    if game.outcome(state) is not None:
        head.append(game.words(view, names).headline)
    if not replay.course.is_whole:
        cut = _("I can no longer read this match's moves after {where}.")
        below.append(cut.format(where=where(replay, replay.last)))
    return layout(
        Text(look.replace_icons("\n".join(head))),
        ScenePicture(look.recolour(scene)),
        *(Text(look.replace_icons(line)) for line in (*below, note) if line),
        *_controls(replay, n),
    )


def _controls(replay: Replay, n: int) -> list[Row]:
    match_id, last, steps = replay.match.id, replay.last, replay.course.steps
    at = replay.step_of(n)  # if n is within a turn, the turn ends after n

    def turn(name: str, label: str, to: int) -> Button:
        to = min(max(to, 0), last)
        return Button(TurnTo(match_id, to).custom_id_of(name), label, disabled=to == n)

    has_rounds = len(replay.course.rounds) > 1
    far = replay.round_at(n)[1] if has_rounds else steps[min(at + LEAP, len(steps) - 1)]
    rows = [
        row(
            turn("first", "⏮", 0),
            turn("back", "◀", steps[max(at - 1, 0)]),
            turn("on", "▶", next((step for step in steps if step > n), last)),
            turn("last", "⏭", last),
            turn("far", _("Next round") if has_rounds else f"+{LEAP}", far),
        )
    ]
    if replay.course.moments:
        prompt, options = _("Key moments"), moment_options(replay)
        rows.append(Row((Menu(TurnTo(match_id, n).custom_id_of("moments"), prompt, options),)))
    parts = [key for key in _PARTS if key != ROUND or has_rounds]
    options = tuple(MenuOption(_(_PARTS[key]), key) for key in parts)
    if last:
        rows.append(Row((Menu(Share(match_id, n, "").custom_id, _("Share a moment"), options),)))
    if buttons := feature_buttons(ButtonPlace.REPLAY, table_view(Table(replay.match, replay.game))):
        rows.append(row(*buttons))
    return rows


def moment_options(replay: Replay) -> tuple[MenuOption, ...]:
    names = [name.plain for name in written_names(replay.match.players)]
    found = replay.key_moments(0, replay.last, MOST_MOMENTS)
    return tuple(
        MenuOption(label_of(moment_words(moments, names)), str(n), where(replay, n))
        for n, moments in found
    )


def past_label(past: Record, game: AnyGame) -> str:
    at, outcome = past["ended_at"], _("won") if past["won"] else _("not won")
    ended = "" if at is None else datetime.fromtimestamp(at, UTC).date().isoformat()
    return " · ".join(filter(None, (game.info.name, outcome, ended, past["match_id"])))

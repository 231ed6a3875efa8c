"""What a player missed in a match that is over: the moments, one after the other, in private."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.panel import Tone
from bot.engine.review import Moment
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Content, Picture, Text, layout, notice_content, row
from bot.messages.custom_ids import Plain, Turning
from bot.messages.player_names import drawn_names
from bot.sessions.table import Table


@frozen
class Missed(Turning):
    """One of the moments in which the player missed something in a match, counted from 0."""

    kind = "missed moment"
    form = "mi:{0.match_id}:{0.number}"

    match_id: str
    number: int


@frozen
class PlayFrom(Plain):
    """A match that is over is to be played again from after so many moves."""

    kind = "play from here"
    form = "pf:{0.match_id}:{0.n}"

    match_id: str
    n: int


def missed_content(
    found: Sequence[tuple[Moment, Table]], seat: int | None, number: int, look: Appearance = PLAIN
) -> Content:
    """Return a moment as its player saw it, and what was missed in it."""
    if not found:
        return notice_content(_("I found nothing that you missed: well played!"))
    number = min(number, len(found) - 1)
    moment, table = found[number]
    review, match_id = table.game.review, table.match.id
    assert review is not None, "it was reviewed"
    title, where = _("What you missed"), _("{n} of {all}").format(n=number + 1, all=len(found))
    picture = Picture(look.coloured(table.scene(seat, drawn_names(table.match.players))))

    def turn(name: str, label: str, to: int) -> Button:
        return Button(Missed(match_id, max(to, 0)).named(name), label, disabled=not 0 <= to < len(found))

    return layout(
        Text(f"### {title} · {where}"),
        picture,
        Text(look.told(review.told(table.state, moment))),
        row(
            *((turn("back", "◀", number - 1), turn("on", "▶", number + 1)) if found[1:] else ()),
            Button(PlayFrom(match_id, moment.n).custom_id, _("Play it from here"), Tone.GOOD),
        ),
        Text("-# " + _("To play it from here is against frogs, and counts nowhere.")),
    )

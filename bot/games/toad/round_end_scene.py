"""The picture of a round's end: every hand turned up, and who pays with a life."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.scene import Align, Caption, Item, Mood, Podium, Reveal, Scene, Standing
from bot.engine.words import N_, _, ngettext
from bot.games.toad.ending import TOADS, missed_by, spots_off
from bot.games.toad.state import Happening, Phase, count_spots, is_maximus, is_toad
from bot.games.toad.view import View, last_hands

WIDTH, MARGIN, GAP = 7.6, 0.1, 0.08
BAND_Y, BAND_HEIGHT = 0.2, 0.44
BELOW_Y = 0.98
ROWS_Y, ROW_HEIGHT = 1.48, 0.96
PODIUM_GAP = 0.14

_LOUD = {
    Happening.WON: (N_("{name} wins the match!"), Mood.PLAIN),
    Happening.DRAWN: (N_("A draw: nobody is left."), Mood.PLAIN),
    Happening.LAST_ONE: (N_("{name} is the last one without a toad."), Mood.BAD),
    Happening.ALL_PASSED: (N_("Everybody passed."), Mood.BAD),
    Happening.SPARED: (N_("{name} gave up: the round is over."), Mood.PLAIN),
}
"""What a round may end by, as everybody reads it."""


def round_end(view: View, names: Sequence[str]) -> Scene:
    said, mood = _said(view, names)
    pot = ngettext("{n} life in the pot", "{n} lives in the pot", view.pot).format(n=view.pot)
    if view.phase is Phase.OVER:
        pot = ngettext("The pot: {n} life", "The pot: {n} lives", view.pot).format(n=view.pot)
    below = _("Round {n}").format(n=view.round) + f" · {pot}"
    podium, y = _podium(view, names)
    rows = tuple(
        _row(view, names, seat, y + place * (ROW_HEIGHT + GAP))
        for place, seat in enumerate(last_hands(view))
    )
    return Scene(
        WIDTH,
        y + len(rows) * (ROW_HEIGHT + GAP) + MARGIN - GAP,
        (
            Caption(said, WIDTH / 2, BAND_Y, BAND_HEIGHT, Align.CENTRE, loud=True, mood=mood),
            Caption(below, WIDTH / 2, BELOW_Y, 0.3, Align.CENTRE),
            *podium,
            *rows,
        ),
    )


def _podium(view: View, names: Sequence[str]) -> tuple[tuple[Item, ...], float]:
    if not view.places:
        return (), ROWS_Y
    best_first = sorted(range(len(names)), key=view.places.__getitem__)
    winners = view.outcome.winners if view.outcome else ()
    standings = tuple(
        Standing(seat, names[seat], view.places[seat], _note(view, seat), crowned=seat in winners)
        for seat in best_first
    )
    podium = Podium(MARGIN, ROWS_Y, WIDTH - 2 * MARGIN, standings)
    return (podium,), ROWS_Y + podium.height + PODIUM_GAP


def _note(view: View, seat: int) -> str:
    if seat in view.lost and (missed := missed_by(hand := view.seats[seat].shown)):
        return missed[0] if len(missed) == 1 else _("{n} spots off").format(n=spots_off(hand))
    n = sum(event.seat == seat and event.what in TOADS for event in view.history)
    return ngettext("{n} toad", "{n} toads", n).format(n=n)


def _said(view: View, names: Sequence[str]) -> tuple[str, Mood]:
    loud = [event for event in view.round_events if event.what in _LOUD]
    if not loud:
        return _("The round is over."), Mood.PLAIN
    last = loud[-1]
    words, mood = _LOUD[last.what]
    if last.what is Happening.ALL_PASSED and any(seen.safe for seen in view.seats):
        words = N_("Everybody else passed.")
    left = [event.seat for event in view.round_events if event.what is Happening.LEFT]
    seat = left[-1] if last.what is Happening.SPARED and left else last.seat
    return _(words).format(name=names[seat]), mood


def _row(view: View, names: Sequence[str], seat: int, y: float) -> Reveal:
    seen = view.seats[seat]
    badge, mood = _badge(view, seat)
    return Reveal(
        seat,
        names[seat],
        MARGIN,
        y,
        WIDTH - 2 * MARGIN,
        ROW_HEIGHT,
        seen.shown,
        *count_spots(seen.shown),
        lives=seen.lives,
        full=view.full,
        lost=seat in view.lost,
        badge=badge,
        mood=mood,
    )


def _badge(view: View, seat: int) -> tuple[str, Mood]:
    seen = view.seats[seat]
    if view.outcome and seat in view.outcome.winners:
        return _("winner"), Mood.PLAIN
    if seat in view.lost:
        return (_("out") if seen.out else _("loses a life")), Mood.BAD
    if seen.safe:
        return (_("Maximus!") if is_maximus(seen.shown) else _("toad")), Mood.GOOD
    return (_("toad") if is_toad(seen.shown) else ""), Mood.PLAIN

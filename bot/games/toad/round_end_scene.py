"""The picture of a round's end: every hand turned up, and who pays with a life."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.scene import Align, Caption, Item, Mood, Podium, Reveal, Scene, Standing
from bot.engine.words import _, ngettext
from bot.games.toad.ending import TOADS, missed_by, spots_off
from bot.games.toad.state import Happening, Phase, count_spots, is_maximus, is_toad
from bot.games.toad.view import View, last_hands

WIDTH, MARGIN, GAP = 7.6, 0.1, 0.08
BAND_Y, BAND_HEIGHT = 0.2, 0.44
BELOW_Y = 0.98
ROWS_Y, ROW_HEIGHT = 1.48, 0.96
PODIUM_GAP = 0.14

_LOUD: dict[Happening, Mood] = {
    Happening.WON: Mood.PLAIN,
    Happening.DRAWN: Mood.PLAIN,
    Happening.LAST_ONE: Mood.BAD,
    Happening.ALL_PASSED: Mood.BAD,
    Happening.SPARED: Mood.PLAIN,
}


def round_end(view: View, names: Sequence[str]) -> Scene:
    """Return how the round or the match ended, with every hand that was in it."""
    said, mood = _said(view, names)
    pot = ngettext("{n} life in the pot", "{n} lives in the pot", view.pot).format(n=view.pot)
    if view.phase is Phase.OVER:
        pot = ngettext("The pot: {n} life", "The pot: {n} lives", view.pot).format(n=view.pot)
    below = _("Round {n}").format(n=view.round) + f" · {pot}"
    podium, y = _podium(view, names, ROWS_Y)
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


def _podium(view: View, names: Sequence[str], y: float) -> tuple[tuple[Item, ...], float]:
    """Return who came in where, if the match is over, and where the next thing may begin."""
    if not view.places:
        return (), y
    best_first = sorted(range(len(names)), key=view.places.__getitem__)
    winners = view.outcome.winners if view.outcome else ()
    standings = tuple(
        Standing(seat, names[seat], view.places[seat], _note(view, seat), crowned=seat in winners)
        for seat in best_first
    )
    podium = Podium(MARGIN, y, WIDTH - 2 * MARGIN, standings)
    return (podium,), y + podium.height + PODIUM_GAP


def _note(view: View, seat: int) -> str:
    """Return by how little a seat was out in the last round, else how many toads it had."""
    if seat in view.lost and (missed := missed_by(hand := view.seats[seat].shown)):
        return missed[0] if len(missed) == 1 else _("{n} spots off").format(n=spots_off(hand))
    n = sum(event.seat == seat and event.what in TOADS for event in view.history)
    return ngettext("{n} toad", "{n} toads", n).format(n=n)


def _said(view: View, names: Sequence[str]) -> tuple[str, Mood]:
    """Return the moment in words that everybody sees."""
    loud = [event for event in view.round_events if event.what in _LOUD]
    if not loud:
        return _("The round is over."), Mood.PLAIN
    name = names[loud[-1].seat]
    is_any_safe = any(seen.safe for seen in view.seats)
    lines = {
        Happening.WON: _("{name} wins the match!").format(name=name),
        Happening.DRAWN: _("A draw: nobody is left."),
        Happening.LAST_ONE: _("{name} is the last one without a toad.").format(name=name),
        Happening.ALL_PASSED: _("Everybody else passed.") if is_any_safe else _("Everybody passed."),
        Happening.SPARED: _("{name} gave up: the round is over.").format(name=_left(view, names)),
    }
    return lines[loud[-1].what], _LOUD[loud[-1].what]


def _left(view: View, names: Sequence[str]) -> str:
    """Return who left last."""
    seats = [event.seat for event in view.round_events if event.what is Happening.LEFT]
    return names[seats[-1]] if seats else ""


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
    """Return what a row says of its seat: won, out, one life less, or what made it safe."""
    seen = view.seats[seat]
    if view.outcome and seat in view.outcome.winners:
        return _("winner"), Mood.PLAIN
    if seat in view.lost:
        return (_("out") if seen.out else _("loses a life")), Mood.BAD
    if seen.safe:
        return (_("Maximus!") if is_maximus(seen.shown) else _("toad")), Mood.GOOD
    return (_("toad") if is_toad(seen.shown) else ""), Mood.PLAIN

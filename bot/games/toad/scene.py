"""The pictures of Toad: the public table, a player's hand, and the example of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Card, cards_of
from bot.engine.scene import Align, Blank, Caption, Item, Mood, Plate, Scene, Tally, Zone
from bot.engine.words import _, ngettext
from bot.games.toad.spots import count_spots
from bot.games.toad.state import GOAL, Happening, Phase
from bot.games.toad.view import SeatView, View

WIDTH = 8.5
MARGIN = 0.12
GAP = 0.1

ROWS: dict[int, tuple[int, int]] = {2: (1, 1), 3: (2, 1), 4: (2, 2), 5: (3, 2), 6: (3, 3)}
"""How many seats sit above and below the cards: round the table, clockwise from the upper left."""
WIDEST_PLATE = 4.0
POT_WIDTH = 0.95

TABLE_HEIGHT = 5.4
PLATE_HEIGHT = 1.42
CARDS_Y = 1.98
BAND_Y, BAND_HEIGHT = 2.35, 0.46

CLAIM_Y, CLAIM_ROOM = 1.71, 0.56

HAND_PLATE_HEIGHT = 0.8
MOST_COLUMNS = 3
HAND_SMALL = 0.82
HAND_LARGE = 1.25
HAND_ROOM = 5.6
FAN_CARDS, FAN_DROP = 10, 1.15
TALLY_WIDTH = 2.3

_LOUD: dict[Happening, Mood] = {
    Happening.WON: Mood.PLAIN,
    Happening.DRAWN: Mood.PLAIN,
    Happening.LAST_ONE: Mood.BAD,
    Happening.ALL_PASSED: Mood.BAD,
}
_CLAIMS: dict[Happening, Mood] = {
    Happening.FALSE_CLAIM: Mood.BAD,
    Happening.TOAD: Mood.GOOD,
    Happening.MAXIMUS: Mood.PLAIN,
}


def scene(view: View, names: Sequence[str]) -> Scene:
    """Return the public table, or what a seated viewer holds in hand with the table beside it."""
    return _table(view, names) if view.viewer is None else _hand(view, names)


def example() -> Scene:
    """Return two hands that are toads (T8)."""
    first, second = cards_of("8H 2D 9S AC"), cards_of("4H KD QH JD 5C 2S QS AC")
    return Scene(
        WIDTH,
        4.0,
        (
            Caption(_("A toad: red 8 + 2, black 9 + 1"), MARGIN, 0.1, 0.25),
            Zone("", MARGIN, 0.5, first, step=(1.05, 0.0)),
            Caption(_("A toad too: red 4 + 2 + 2 + 2, black 5 + 2 + 2 + 1"), MARGIN, 2.05, 0.25),
            Zone("", MARGIN, 2.45, second, step=(1.04, 0.0)),
        ),
    )


def _table(view: View, names: Sequence[str]) -> Scene:
    """Return the public table: seats above and below the cards, or the moment in their place."""
    if view.phase in (Phase.DEAL, Phase.OVER):
        middle, shift = _round_end(view, names), 0.0
    else:
        claim = _claim(view, names)
        shift = CLAIM_ROOM if claim else 0.0
        middle = (*claim, *_middle(view, MARGIN, CARDS_Y + shift, 1.0))
    height = TABLE_HEIGHT + shift
    plates = _plates(view, names, top=MARGIN, bottom=height - MARGIN - PLATE_HEIGHT)
    return Scene(WIDTH, height, (*middle, *plates))


def _claim(view: View, names: Sequence[str]) -> tuple[Item, ...]:
    """Return what the last move claimed, for all to see until the next move; else nothing."""
    claims = [event for event in view.events[-2:] if event.what in _CLAIMS]  # a life back may follow
    last = view.events[-1].what if view.events else None
    if not claims or last not in (*_CLAIMS, Happening.LIFE_BACK):
        return ()
    name = names[claims[-1].seat]
    words = {
        Happening.FALSE_CLAIM: _("{name}: ribit? No toad!").format(name=name),
        Happening.TOAD: _("Ribit! {name} has a toad.").format(name=name),
        Happening.MAXIMUS: _("Toadus Maximus! {name}").format(name=name),
    }
    what = claims[-1].what
    return (Caption(words[what], WIDTH / 2, CLAIM_Y, 0.33, Align.CENTRE, loud=True, mood=_CLAIMS[what]),)


def _round_end(view: View, names: Sequence[str]) -> tuple[Item, ...]:
    """Return how the round or the match ended, in words that everybody sees."""
    last = [event for event in view.events if event.what in _LOUD][-1]
    name = names[last.seat]
    lines = {
        Happening.WON: _("{name} wins the match!").format(name=name),
        Happening.DRAWN: _("A draw: nobody is left."),
        Happening.LAST_ONE: _("{name} is the last without a toad.").format(name=name),
        Happening.ALL_PASSED: _("Everybody passed."),
    }
    pot = ngettext("{n} life in the pot", "{n} lives in the pot", view.pot).format(n=view.pot)
    if last.what is Happening.WON:
        pot = ngettext("The pot: {n} life", "The pot: {n} lives", view.pot).format(n=view.pot)
    below = _("Round {n}").format(n=view.round) + f" · {pot}"
    return (
        Caption(
            lines[last.what],
            WIDTH / 2,
            BAND_Y,
            BAND_HEIGHT,
            Align.CENTRE,
            loud=True,
            mood=_LOUD[last.what],
        ),
        Caption(below, WIDTH / 2, BAND_Y + 0.85, 0.28, Align.CENTRE),
    )


def _middle(view: View, x: float, y: float, size: float) -> tuple[Item, ...]:
    """Return pot, draw pile, stock and discard pile, side by side."""
    step = size * 1.07
    used = POT_WIDTH + size * (3 + 3 * 1.07)
    gap = (WIDTH - MARGIN - x - used) / 3
    left = ngettext("{n} left", "{n} left", view.draw_left).format(n=view.draw_left)
    pile = ngettext("{n} card", "{n} cards", view.discards).format(n=view.discards)
    draw_x = x + POT_WIDTH + gap
    stock_x = draw_x + size + gap
    discard_x = stock_x + 3 * step + size + gap
    pot = ngettext("{n} life", "{n} lives", view.pot).format(n=view.pot)
    return (
        Caption(_("Round {n}").format(n=view.round), x, y + 0.12 * size, 0.25),
        Caption(_("Pot"), x, y + 0.62 * size, 0.25),
        Caption(pot, x, y + 0.62 * size + 0.32, 0.25),
        Zone(_("Draw"), draw_x, y, (Blank.BACK if view.draw_left else Blank.GAP,), size=size, note=left),
        Zone(_("Stock"), stock_x, y, tuple(card or Blank.GAP for card in view.stock), (step, 0.0), size),
        Zone(_("Discards"), discard_x, y, (view.discard or Blank.GAP,), size=size, note=pile),
    )


def _plates(view: View, names: Sequence[str], top: float, bottom: float) -> tuple[Plate, ...]:
    """Return the seats round the table: the upper row from the left, the lower from the right."""
    above, below = ROWS[len(view.seats)]
    upper = [(seat, place, above, top) for place, seat in enumerate(range(above))]
    lower = [(above + place, below - 1 - place, below, bottom) for place in range(below)]
    plates = []
    for seat, place, count, y in (*upper, *lower):
        width = min(WIDEST_PLATE, (WIDTH - 2 * MARGIN - (count - 1) * GAP) / count)
        left = (WIDTH - count * width - (count - 1) * GAP) / 2
        plates.append(_plate(view, names, seat, left + place * (width + GAP), y, width, PLATE_HEIGHT))
    return tuple(plates)


def _plate(
    view: View, names: Sequence[str], seat: int, x: float, y: float, width: float, height: float
) -> Plate:
    seen = view.seats[seat]
    badge, mood = _badge(view, seat, seen)
    return Plate(
        seat=seat,
        name=names[seat],
        x=x,
        y=y,
        width=width,
        height=height,
        lives=seen.lives,
        full=view.full,
        held=seen.held,
        shown=seen.shown,
        badge=badge,
        mood=mood,
        out=seen.out,
        to_move=seat == view.turn and view.phase in (Phase.TAKE, Phase.DISCARD, Phase.CLAIM),
        dealer=seat == view.dealer,
    )


def _badge(view: View, seat: int, seen: SeatView) -> tuple[str, Mood]:
    """Return what a plate says of its seat beside the name."""
    if view.outcome and seat in view.outcome.winners:
        return _("winner"), Mood.PLAIN
    happened = [event.what for event in view.events if event.seat == seat]
    if (
        view.phase in (Phase.DEAL, Phase.OVER)
        and happened
        and happened[-1]
        in (
            Happening.LOST_LIFE,
            Happening.ELIMINATED,
        )
    ):
        return (_("out") if seen.out else _("loses a life")), Mood.BAD
    if seen.out:
        return _("out"), Mood.BAD
    if seen.safe:
        maximus = Happening.MAXIMUS in happened
        return (_("Maximus!") if maximus else _("safe")), Mood.GOOD
    if view.events and view.events[-1].seat == seat and view.events[-1].what is Happening.FALSE_CLAIM:
        return _("no toad"), Mood.BAD
    return "", Mood.PLAIN


def _hand(view: View, names: Sequence[str]) -> Scene:
    """Return the viewer's hand with its spots counted, the table's cards, and the other seats."""
    count = len(view.seats)
    columns = count if count <= MOST_COLUMNS else (count + 1) // 2
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns
    plates = tuple(
        _plate(
            view,
            names,
            seat,
            MARGIN + seat % columns * (width + GAP),
            MARGIN + seat // columns * (HAND_PLATE_HEIGHT + GAP),
            width,
            HAND_PLATE_HEIGHT,
        )
        for seat in range(count)
    )
    y = MARGIN + (count - 1) // columns * (HAND_PLATE_HEIGHT + GAP) + HAND_PLATE_HEIGHT + 0.4
    middle = _middle(view, MARGIN, y, HAND_SMALL)
    y += HAND_SMALL * 1.4 + 0.75
    red, black = count_spots(view.hand)
    fans = _fans(view.hand, y)
    tally_x = WIDTH - MARGIN - TALLY_WIDTH
    own: tuple[Item, ...] = (
        *fans,
        Tally(_("Red spots"), tally_x, y + 0.15, TALLY_WIDTH, red, GOAL, red=True),
        Tally(_("Black spots"), tally_x, y + 0.95, TALLY_WIDTH, black, GOAL),
    )
    bottom = y + FAN_DROP * (len(fans) - 1) + HAND_LARGE * 1.4 + MARGIN
    return Scene(WIDTH, bottom, (*own, *middle, *plates))


def _fans(hand: tuple[Card, ...], y: float) -> list[Zone]:
    """Return the hand in fans, each low enough below the one before to leave its indices free."""
    longest = min(len(hand), FAN_CARDS)
    step = min(HAND_LARGE * 1.06, (HAND_ROOM - HAND_LARGE) / max(longest - 1, 1))
    starts = range(0, max(len(hand), 1), FAN_CARDS)
    return [
        Zone(
            "" if fan else _("Your hand"),
            MARGIN,
            y + FAN_DROP * fan,
            hand[start : start + FAN_CARDS],
            (step, 0.0),
            HAND_LARGE,
        )
        for fan, start in enumerate(starts)
    ]

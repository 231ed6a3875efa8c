"""Layout of Toad's pictures: the public table, a player's hand and the illustrations for the rules.

A plate is the box with a player's name, lives and face-up cards. A strip is a low plate without cards. A
banner announces a player's claim and shows the player's cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bot.engine.cards import cards_of
from bot.engine.game import Viewer
from bot.engine.scene import (
    CARD_HEIGHT,
    Align,
    Blank,
    Caption,
    FrogFace,
    Item,
    Mood,
    Plate,
    Podium,
    ProgressTally,
    Reveal,
    Scene,
    Zone,
    plate_boxes,
    standings,
)
from bot.engine.translation import N_, _, ngettext
from bot.games.toad import rules
from bot.games.toad.match import TOADS, deal, missing_words, spots_off
from bot.games.toad.state import GOAL, Event, EventType, Phase, count_spots, is_maximus, is_toad, read
from bot.games.toad.view import SeatView, View, claim, last_hands, view
from bot.games.toad.words import reward_words

WIDTH = 7.6
MARGIN = 0.1
GAP = 0.1
TITLE, COUNT = 0.4, 0.42
"""The height of a title above cards, and the height of a number below them."""

ROWS: dict[int, tuple[int, int]] = {2: (1, 1), 3: (2, 1), 4: (2, 2), 5: (3, 2), 6: (3, 3)}
"""The numbers of player boxes (plates) above and below the cards, by number of seats.

The plates are in clockwise order, starting at the upper left.
"""
WIDEST_PLATE = 3.7
POT_WIDTH = 0.95
PLATE_HEIGHT = 1.58
CLAIM_HEIGHT = 1.7

STRIP_HEIGHT, MOST_IN_STRIP, MOST_IN_ROW = 0.46, 2, 3
"""The height of a strip in the picture of a hand, and the maximum number of strips or plates per row."""
HAND_SMALL, HAND_LARGE, HAND_LARGEST = 0.8, 1.5, 1.95
FAN_CARDS, FAN_DROP = 10, 0.87
TALLY_ROOM = 0.86
FEW, MOST_BESIDE = 2, 3
"""The maximum hand sizes for drawing cards at full size, and for showing the spots beside them."""
LETTERS_BESIDE = 12
"""The maximum length, in letters, of a spots label beside the cards. Longer labels are below them."""

_CLAIMS = {
    EventType.FALSE_CLAIM: (N_("{name}: ribit? Not a toad!"), Mood.BAD),
    EventType.TOAD: (N_("Ribit! {name} has a toad."), Mood.GOOD),
    EventType.MAXIMUS: (N_("Toadus Maximus! {name}"), Mood.PLAIN),
}


def scene(view: View, names: Sequence[str]) -> Scene:
    """Return the picture for a viewer: the public table, or the player's own hand.

    After a round, all viewers get the same picture.
    """
    if view.phase in (Phase.DEAL, Phase.OVER):
        return round_end(view, names)
    if view.viewer is None:
        return _table(view, names)
    return _hand(view, names)


def _table(view: View, names: Sequence[str]) -> Scene:
    above, below = ROWS[len(view.seats)]
    y = MARGIN
    plates = tuple(_plates(view, names, range(above), y, widest=WIDEST_PLATE))
    y += PLATE_HEIGHT + GAP
    claimed = claim(view.events)
    banner = () if claimed is None else (_banner(claimed, names, y),)
    y += CLAIM_HEIGHT + GAP if banner else 0.0
    middle = _middle(view, y + TITLE, 0.88)
    y += TITLE + 0.88 * CARD_HEIGHT + COUNT + GAP / 2
    from_left = range(above + below - 1, above - 1, -1)
    lower = tuple(_plates(view, names, from_left, y, widest=WIDEST_PLATE))
    return Scene(WIDTH, y + PLATE_HEIGHT + MARGIN, (*banner, *middle, *plates, *lower[::-1]))


def _banner(event: Event, names: Sequence[str], y: float) -> Reveal:
    says, mood = _CLAIMS[event.what]
    return Reveal(
        event.seat,
        names[event.seat],
        MARGIN,
        y,
        WIDTH - 2 * MARGIN,
        CLAIM_HEIGHT,
        event.cards,
        *count_spots(event.cards),
        mood=mood,
        says=_(says),
        crowned=event.what is EventType.MAXIMUS,
    )


def _middle(view: View, y: float, size: float) -> tuple[Item, ...]:
    step = size * 1.05
    used = POT_WIDTH + size * 3 + step * 3
    gap = (WIDTH - 2 * MARGIN - used) / 3
    draw_x = MARGIN + POT_WIDTH + gap
    stock_x = draw_x + size + gap
    discard_x = stock_x + 3 * step + size + gap
    stock = tuple(card or Blank.GAP for card in view.stock)
    pot = ngettext("{n} life", "{n} lives", view.pot).format(n=view.pot)
    back, top = Blank.BACK if view.draw_left else Blank.GAP, view.discard or Blank.GAP
    return (
        Caption(_("Round {n}").format(n=view.round), MARGIN, y - TITLE, 0.3, room=POT_WIDTH),
        Caption(_("Pot:"), MARGIN, y + size * 0.3, 0.3, room=POT_WIDTH),
        Caption(pot, MARGIN, y + size * 0.3 + TITLE, 0.3, room=POT_WIDTH),
        Zone(_("Draw"), draw_x, y, (back,), size=size, count=view.draw_left),
        Zone(_("Stock"), stock_x, y, stock, (step, 0.0), size),
        Zone(_("Discards"), discard_x, y, (top,), size=size, count=view.discards),
    )


def _plates(
    view: View,
    names: Sequence[str],
    seats: Sequence[int],
    y: float,
    height: float = PLATE_HEIGHT,
    *,
    most: int = MOST_IN_ROW,
    widest: float = WIDTH,
) -> Iterator[Plate]:
    boxes = plate_boxes(len(seats), y, height, WIDTH, MARGIN, most, widest)
    for seat, box in zip(seats, boxes, strict=True):
        seat_view, own = view.seats[seat], seat == view.viewer
        badge, mood = _badge(view, seat, seat_view)
        yield Plate(
            seat,
            names[seat],
            *box,
            lives=seat_view.lives,
            full=view.full,
            held=seat_view.held,
            shown=() if own else seat_view.shown,
            badge=badge,
            mood=mood,
            out=seat_view.is_out,
            to_move=seat == view.turn,
            dealer=seat == view.dealer,
            own=own,
        )


def _badge(view: View, seat: int, seen: SeatView) -> tuple[str, Mood]:
    if seen.is_out:
        return _("out"), Mood.BAD
    if seen.safe:
        return (_("Maximus!") if is_maximus(seen.shown) else _("safe")), Mood.GOOD
    if view.events and view.events[-1].seat == seat and view.events[-1].what is EventType.FALSE_CLAIM:
        return _("no toad"), Mood.BAD
    return "", Mood.PLAIN


def _hand(view: View, names: Sequence[str]) -> Scene:
    assert view.viewer is not None
    seats = [(view.viewer + step) % len(view.seats) for step in range(1, len(view.seats) + 1)]
    strip, y = _strip(view, names, seats)
    if view.seats[view.viewer].safe:
        return _triumph(view, names, strip, y)
    middle = _middle(view, y + TITLE, HAND_SMALL)
    y += TITLE + HAND_SMALL * CARD_HEIGHT + COUNT
    hand = _fan(view, y + TITLE)
    rows = max(-(-len(view.hand) // FAN_CARDS), 1)
    y += TITLE + hand.drop * (rows - 1) + hand.size * CARD_HEIGHT + GAP
    if not view.counts:
        return Scene(WIDTH, y + MARGIN, (hand, *middle, *strip))
    spots, y = _spots(view, hand, y)
    return Scene(WIDTH, y + MARGIN, (hand, *spots, *middle, *strip))


def _spots(view: View, hand: Zone, y: float) -> tuple[tuple[ProgressTally, ProgressTally], float]:
    (red, black), high = count_spots(view.hand), hand.size * CARD_HEIGHT
    words = _("Red spots"), _("Black spots")
    width, end = (WIDTH - 2 * MARGIN - 3 * GAP) / 2, y + TALLY_ROOM
    red_at, black_at = (MARGIN, y), (WIDTH - MARGIN - width, y)
    if len(view.hand) <= MOST_BESIDE and max(map(len, words)) <= LETTERS_BESIDE:
        left = hand.x + hand.step[0] * (len(hand.cards) - 1) + hand.size + 3 * GAP
        width, end = WIDTH - MARGIN - left, y
        first = hand.y + (high / 2 - TALLY_ROOM) / 2
        red_at, black_at = (left, first), (left, first + high / 2)
    reds = ProgressTally(*red_at, width, words[0], red, GOAL, red=True)
    return (reds, ProgressTally(*black_at, width, words[1], black, GOAL)), end


def _triumph(view: View, names: Sequence[str], strip: tuple[Plate, ...], y: float) -> Scene:
    """Return the hand picture for a safe player. It shows the player's toad and the reward for it."""
    assert view.viewer is not None
    cards, prize = view.seats[view.viewer].shown, reward_words(view)
    what = EventType.MAXIMUS if is_maximus(cards) else EventType.TOAD
    items: tuple[Item, ...] = (_banner(Event(what, view.viewer, cards), names, y), *strip)
    y += CLAIM_HEIGHT + MARGIN
    if prize:
        y += BAND_Y
        mood, align = Mood.GOOD, Align.CENTRE
        items = (*items, Caption(prize, WIDTH / 2, y, BAND_HEIGHT, align, loud=True, mood=mood))
        y += BAND_ROOM
    return Scene(WIDTH, y, items)


def _strip(view: View, names: Sequence[str], seats: Sequence[int]) -> tuple[tuple[Plate, ...], float]:
    """Return the player boxes (plates) at the top of a hand picture, and the y coordinate below them.

    The boxes are low strips. If another player has face-up cards, all boxes are high enough to show
    cards.
    """
    shows = any(view.seats[seat].shown for seat in seats if seat != view.viewer)
    most, height = (MOST_IN_ROW, PLATE_HEIGHT) if shows else (MOST_IN_STRIP, STRIP_HEIGHT)
    plates = tuple(_plates(view, names, seats, MARGIN, height, most=most))
    return plates, plates[-1].y + height + GAP / 2


def _fan(view: View, y: float) -> Zone:
    hand, longest = view.hand, min(len(view.hand), FAN_CARDS)
    size = HAND_LARGEST if len(hand) <= (FEW if view.counts else MOST_BESIDE) else HAND_LARGE
    step = min(size * 1.04, (WIDTH - 2 * MARGIN - size) / max(longest - 1, 1))
    new = () if view.new is None else (view.new,)
    n = 0 if view.viewer is None else len(view.seats[view.viewer].shown)
    title = _("Your hand ({n} face up for all)").format(n=n) if n else _("Your hand")
    drop = size * FAN_DROP
    return Zone(title, MARGIN, y, hand, (step, 0.0), size, wrap=FAN_CARDS, drop=drop, new=new)


ROW_GAP = 0.08
BAND_Y, BAND_HEIGHT, BAND_ROOM = 0.2, 0.44, 0.8
BELOW_Y = 0.98
ROWS_Y, ROW_HEIGHT = 1.48, 0.96
PODIUM_GAP = 0.14

_LOUD = {
    EventType.WON: (N_("{name} wins the match!"), Mood.PLAIN),
    EventType.DRAWN: (N_("It's a draw: nobody is left."), Mood.PLAIN),
    EventType.LAST_ONE: (N_("{name} is the last one without a toad."), Mood.BAD),
    EventType.ALL_PASSED: (N_("Everybody passed."), Mood.BAD),
    EventType.SPARED: (N_("{name} gave up, so the round is over."), Mood.PLAIN),
}


def round_end(view: View, names: Sequence[str]) -> Scene:
    """Return the picture of a finished round. Banners at the top show each Toadus Maximus."""
    headline, mood = _announcement(view, names)
    pot = ngettext("{n} life in the pot", "{n} lives in the pot", view.pot).format(n=view.pot)
    if view.phase is Phase.OVER:
        pot = ngettext("The pot: {n} life", "The pot: {n} lives", view.pot).format(n=view.pot)
    below = _("Round {n}").format(n=view.round) + f" · {pot}"
    crowned = [event for event in view.round_events if event.what is EventType.MAXIMUS]
    banners = tuple(
        _banner(event, names, MARGIN + at * (CLAIM_HEIGHT + GAP)) for at, event in enumerate(crowned)
    )
    top = len(banners) * (CLAIM_HEIGHT + GAP)
    podium, y = _podium(view, names, top + ROWS_Y)
    rows, high = last_hands(view), ROW_HEIGHT + ROW_GAP
    items = (
        *banners,
        Caption(headline, WIDTH / 2, top + BAND_Y, BAND_HEIGHT, Align.CENTRE, loud=True, mood=mood),
        Caption(below, WIDTH / 2, top + BELOW_Y, 0.3, Align.CENTRE),
        *podium,
        *(_row(view, names, seat, y + place * high) for place, seat in enumerate(rows)),
    )
    return Scene(WIDTH, y + len(rows) * high + MARGIN - ROW_GAP, items)


def _podium(view: View, names: Sequence[str], y: float) -> tuple[tuple[Item, ...], float]:
    if not view.places:
        return (), y
    winners = view.outcome.winners if view.outcome else ()
    best_first = standings(names, view.places, winners, partial(_note, view))
    podium = Podium(MARGIN, y, WIDTH - 2 * MARGIN, best_first)
    return (podium,), y + podium.height + PODIUM_GAP


def _note(view: View, seat: int) -> str:
    if seat in view.lost and (missed := missing_words(hand := view.seats[seat].shown)):
        return missed[0] if len(missed) == 1 else _("{n} spots off").format(n=spots_off(hand))
    n = sum(event.seat == seat and event.what in TOADS for event in view.history)
    return ngettext("{n} toad", "{n} toads", n).format(n=n)


def _announcement(view: View, names: Sequence[str]) -> tuple[str, Mood]:
    loud = [event for event in view.round_events if event.what in _LOUD]
    if not loud:
        return _("The round is over."), Mood.PLAIN
    last = loud[-1]
    words, mood = _LOUD[last.what]
    if last.what is EventType.ALL_PASSED and any(seat_view.safe for seat_view in view.seats):
        words = N_("Everybody else passed.")
    left = [event.seat for event in view.round_events if event.what is EventType.LEFT]
    seat = left[-1] if last.what is EventType.SPARED and left else last.seat
    return _(words).format(name=names[seat]), mood


def _row(view: View, names: Sequence[str], seat: int, y: float) -> Reveal:
    seat_view = view.seats[seat]
    badge, mood = _end_badge(view, seat)
    return Reveal(
        seat,
        names[seat],
        MARGIN,
        y,
        WIDTH - 2 * MARGIN,
        ROW_HEIGHT,
        seat_view.shown,
        *count_spots(seat_view.shown),
        lives=seat_view.lives,
        full=view.full,
        lost=seat in view.lost,
        badge=badge,
        mood=mood,
        look=_look(view, seat),
    )


def _look(view: View, seat: int) -> FrogFace:
    """Return the facial expression of a player's frog after a round.

    The winner of the match laughs. If the match is not over, the player with the first toad laughs. A
    player with a Toadus Maximus always laughs.
    """
    toads = [event.seat for event in view.round_events if event.what in TOADS]
    first = view.outcome.winners if view.outcome else toads[:1]
    if seat in first or (view.seats[seat].safe and is_maximus(view.seats[seat].shown)):
        return FrogFace.LAUGHING
    return FrogFace.SAD if seat in view.lost else FrogFace.WRY if seat in toads[1:2] else FrogFace.PLAIN


def _end_badge(view: View, seat: int) -> tuple[str, Mood]:
    seat_view = view.seats[seat]
    if view.outcome and seat in view.outcome.winners:
        return _("winner"), Mood.PLAIN
    if seat in view.lost:
        return (_("out") if seat_view.is_out else _("loses a life")), Mood.BAD
    if seat_view.safe:
        return (_("Maximus!") if is_maximus(seat_view.shown) else _("toad")), Mood.GOOD
    return (_("toad") if is_toad(seat_view.shown) else ""), Mood.PLAIN


_NAMES = ("Ann", "Ben", "Cleo")
_LIVES, _SEED = 3, b"pages 12"
"""The lives and the seed of the sample match. Ann moves first and has a ten. The stock has one, too."""

_TOAD = ("take 4", "discard AH", "ribit")


def _toads() -> Scene:
    """Return an illustration of two hands that are toads (T8)."""
    first, second = cards_of("8H 2D 9S AC"), cards_of("4H KD QH JD 5C 2S QS AC")
    step, size = (0.93, 0.0), 0.9
    return Scene(
        WIDTH,
        4.0,
        (
            Caption(_("A toad: red 8 + 2, black 9 + 1"), MARGIN, 0.1, 0.3),
            Zone("", MARGIN, 0.58, first, step, size),
            Caption(_("Also a toad: red 4 + 2 + 2 + 2, black 5 + 2 + 2 + 1"), MARGIN, 2.1, 0.3),
            Zone("", MARGIN, 2.58, second, step, size),
        ),
    )


def _scene_after(*texts: str, viewer: Viewer = None) -> Scene:
    state = deal(len(_NAMES), {"lives": _LIVES}, _SEED)
    for text in texts:
        state = rules.play(state, read(text, state))
    return scene(view(state, viewer), _NAMES)


PICTURES: tuple[Callable[[], Scene], ...] = (
    _toads,
    partial(_scene_after, "take 4", "discard AH", "end", "draw"),
    partial(_scene_after, *_TOAD),
    partial(_scene_after, *_TOAD, "end", "end"),
    partial(_scene_after, "take 4", viewer=0),
)
"""The illustrations for the rules, in order.

They show two toads (T8), a turn in progress (T4), a claimed toad (T11), a round that ended by passes,
and a player's hand.
"""

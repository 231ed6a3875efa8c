"""Layout of Frogger's pictures: the public table, a player's hand and the illustrations for the rules.

A stop is a corridor card with its frogs. A camp is the Excuse or home. A plate is the box with a
player's name, frogs at home and cards. A strip is a low plate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from bot.engine.decktet import DecktetCard, decktet_card_of
from bot.engine.game import Viewer
from bot.engine.scene import (
    CARD_HEIGHT,
    PLATE_GAP,
    Align,
    Blank,
    Caption,
    Item,
    Mood,
    PathCard,
    PathEnd,
    Plate,
    Podium,
    Scene,
    Zone,
    plate_boxes,
    standings,
)
from bot.engine.translation import _
from bot.games.frogger import rules
from bot.games.frogger.state import ACTIONS, FROGS, MARKET_SIZE, spaces_of
from bot.games.frogger.view import HOME, SeatView, View, traces, view

MARGIN = 0.11
GAP = 0.07
STOP_WIDTH, STOP_HEIGHT = 0.98, 1.76
ROW = 6
"""The number of corridor cards per row."""
ROW_GAP = 0.1
CAMP_WIDTH = 1.7
WIDTH = 2 * MARGIN + ROW * (STOP_WIDTH + GAP) + CAMP_WIDTH
TEXT = 0.32

MARKET_TITLE, MARKET_CARD, MARKET_STEP, MARKET_DROP = 0.42, 0.94, 0.98, 1.38
BAND, PODIUM_Y = 0.45, 1.1

PLATES_IN_A_ROW, STRIPS_IN_A_ROW = 3, 2
PLATE_HEIGHT, LOW_PLATE_HEIGHT, STRIP_HEIGHT = 1.6, 0.92, 0.48

HAND_LARGE, HAND_STEP = 1.6, 1.04
"""The width of a card in a hand of few cards, and the distance between cards in card widths."""


def scene(view: View, names: Sequence[str]) -> Scene:
    """Return the picture for a viewer: the public table, or the player's own hand.

    After the match, all viewers get the same picture.
    """
    if view.viewer is None or view.outcome is not None:
        return _table(view, names)
    seats = [(view.viewer + step) % len(view.seats) for step in range(1, len(view.seats) + 1)]
    shows = any(view.seats[seat].known for seat in seats[:-1])
    most, height = (PLATES_IN_A_ROW, PLATE_HEIGHT) if shows else (STRIPS_IN_A_ROW, STRIP_HEIGHT)
    strip = tuple(_plates(view, names, seats, MARGIN, height, most))
    y = strip[-1].y + height + PLATE_GAP
    corridor = _corridor(view, y)
    y += 2 * STOP_HEIGHT + ROW_GAP
    counts, y = _counts(view, y), y + TEXT + PLATE_GAP
    market = _market(view, y + MARKET_TITLE, in_row=MARKET_SIZE // 2)
    hand, bottom = _hand(view, y, market.x - 2 * MARGIN)
    rows = -(-len(market.cards) // (MARKET_SIZE // 2))
    low = market.y + MARKET_DROP * (rows - 1) + MARKET_CARD * CARD_HEIGHT + MARGIN
    return Scene(WIDTH, max(low, bottom), (hand, market, *counts, *reversed(strip), *corridor))


def example() -> Scene:
    """Return an illustration of three corridor cards, two frogs and a card to play (F3, F5)."""
    codes, tokens = ("4WL", "PMYK", "7ML"), ((0, None), (None, None, 1), (None, None))
    stops = tuple(
        PathCard(
            1.9 + number * (STOP_WIDTH + GAP), 0.65, STOP_WIDTH, STOP_HEIGHT, number, _card(code), on
        )
        for number, (code, on) in enumerate(zip(codes, tokens, strict=True), 1)
    )
    return Scene(
        WIDTH,
        3.2,
        (
            Caption(_("Its moon takes frog 1 to the moon on card 2."), MARGIN, 0.1, TEXT),
            Zone("", 0.9, 0.8, (_card("2MK"),)),
            *stops,
            Caption(_("Its knot takes it home: no free knot ahead."), MARGIN, 2.6, TEXT),
        ),
    )


def _card(code: str) -> DecktetCard:
    card = decktet_card_of(code)
    assert card is not None, code
    return card


def _table(view: View, names: Sequence[str]) -> Scene:
    if view.outcome is not None:
        return _match_end(view, names)
    corridor = _corridor(view, MARGIN)
    y = MARGIN + 2 * STOP_HEIGHT + ROW_GAP
    market, counts = _market(view, y + MARKET_TITLE), _beside_market(view, y + MARKET_TITLE)
    y += MARKET_TITLE + MARKET_CARD * CARD_HEIGHT + PLATE_GAP
    height = PLATE_HEIGHT if any(seat_view.held for seat_view in view.seats) else LOW_PLATE_HEIGHT
    plates = tuple(_plates(view, names, range(len(view.seats)), y, height))
    return Scene(WIDTH, plates[-1].y + height + MARGIN, (market, *counts, *plates, *corridor))


def _corridor(view: View, y: float) -> tuple[Item, ...]:
    """Return the Excuse, the twelve corridor cards in two rows, and home (F2, F3)."""
    owners = {space: seat for seat, seat_view in enumerate(view.seats) for space in seat_view.frogs.path}
    step, traced = STOP_WIDTH + GAP, traces(view)
    stops = []
    for place, card in enumerate(view.corridor):
        x = MARGIN + step * (place % ROW) + (CAMP_WIDTH + GAP if place < ROW else 0)
        top, spaces = y + place // ROW * (STOP_HEIGHT + ROW_GAP), spaces_of(view.corridor, place)
        tokens, marks = tuple(map(owners.get, spaces)), tuple(map(traced.get, spaces))
        marked = marks if any(marks) else ()
        stops.append(PathCard(x, top, STOP_WIDTH, STOP_HEIGHT, place + 1, card, tokens, marked))
    starts = tuple(0 if seat_view.gone else seat_view.frogs.start for seat_view in view.seats)
    homes = tuple(seat_view.frogs.home for seat_view in view.seats)
    end, low = MARGIN + step * ROW, y + STOP_HEIGHT + ROW_GAP
    return (
        PathEnd(
            MARGIN, y, CAMP_WIDTH, STOP_HEIGHT, _("Excuse"), starts, first=True, mark=traced.get(None)
        ),
        *stops,
        PathEnd(end, low, CAMP_WIDTH, STOP_HEIGHT, _("Home"), homes, mark=traced.get(HOME)),
    )


def _market(view: View, y: float, in_row: int = MARKET_SIZE) -> Zone:
    cards = view.market or (Blank.GAP,)
    x = WIDTH - MARGIN - (in_row - 1) * MARKET_STEP - MARKET_CARD
    step = (MARKET_STEP, 0.0)
    return Zone(_("Market"), x, y, cards, step, MARKET_CARD, wrap=in_row, drop=MARKET_DROP)


def _actions(view: View) -> str:
    return _("{n} of {all}").format(n=1 if view.blocked else ACTIONS - view.done, all=ACTIONS)


def _beside_market(view: View, y: float) -> tuple[Caption, ...]:
    """Return captions for the remaining actions and the sizes of the draw and discard piles (F9)."""
    beside = WIDTH - 3 * MARGIN - (MARKET_SIZE - 1) * MARKET_STEP - MARKET_CARD
    return (
        Caption(_("Actions left:"), MARGIN, y - MARKET_TITLE, TEXT, room=beside),
        Caption(_actions(view), MARGIN, y - 0.02, 0.4),
        Caption(_("Draw pile: {n}").format(n=view.left), MARGIN, y + 0.55, TEXT, room=beside),
        Caption(_("Discards: {n}").format(n=view.discards), MARGIN, y + 0.93, TEXT, room=beside),
    )


def _counts(view: View, y: float) -> tuple[Caption, ...]:
    room = (WIDTH - 4 * MARGIN) / 3
    actions = _("Actions left: {n}").format(n=_actions(view))
    return (
        *([Caption(actions, MARGIN, y, TEXT, room=room)] if view.is_mine else ()),
        Caption(_("Draw pile: {n}").format(n=view.left), WIDTH / 2, y, TEXT, Align.CENTRE, room=room),
        Caption(
            _("Discards: {n}").format(n=view.discards), WIDTH - MARGIN, y, TEXT, Align.RIGHT, room=room
        ),
    )


def _match_end(view: View, names: Sequence[str]) -> Scene:
    banner = Caption(
        _("{name} wins!").format(name=names[view.turn]), WIDTH / 2, 0.2, BAND, Align.CENTRE, loud=True
    )
    ranking = standings(names, view.places, (view.turn,), lambda seat: _progress_text(view.seats[seat]))
    best_first = tuple(replace(standing, token=True) for standing in ranking)
    podium = Podium(MARGIN, PODIUM_Y, WIDTH - 2 * MARGIN, best_first)
    y = PODIUM_Y + podium.height + ROW_GAP
    corridor = _corridor(view, y)
    return Scene(WIDTH, y + 2 * STOP_HEIGHT + ROW_GAP + MARGIN, (banner, podium, *corridor))


def _progress_text(seen: SeatView) -> str:
    return _("gave up") if seen.gone else _("{n} home").format(n=seen.frogs.home)


def _plates(
    view: View,
    names: Sequence[str],
    seats: Sequence[int],
    y: float,
    height: float,
    most: int = PLATES_IN_A_ROW,
) -> Iterator[Plate]:
    for seat, box in zip(seats, plate_boxes(len(seats), y, height, WIDTH, MARGIN, most), strict=True):
        seat_view, own = view.seats[seat], seat == view.viewer
        yield Plate(
            seat,
            names[seat],
            *box,
            lives=seat_view.frogs.home,
            full=FROGS,
            held=seat_view.held,
            shown=() if own else seat_view.known,
            badge=_("out") if seat_view.gone else "",
            mood=Mood.BAD if seat_view.gone else Mood.PLAIN,
            out=seat_view.gone,
            to_move=seat == view.turn,
            token=True,
            counted=_("{n} of {all} home").format(n=seat_view.frogs.home, all=FROGS),
            own=own,
        )


def _hand(view: View, y: float, room: float) -> tuple[Zone, float]:
    """Return the cards in the viewer's hand, and the y coordinate of their lower end.

    The cards do not overlap, so both suits of each card are visible. The cards are as large as possible
    in one row of width ``room``. If they would be smaller than market cards, several rows are used.
    """
    cards = view.hand or (Blank.GAP,)
    size = max(MARKET_CARD, min(HAND_LARGE, room / (HAND_STEP * len(cards))))
    in_row = int(room / (HAND_STEP * size) + 0.001)
    drop, rows = size * CARD_HEIGHT + ROW_GAP, -(-len(cards) // in_row)
    top, step = y + MARKET_TITLE, (size * HAND_STEP, 0.0)
    hand = Zone(_("Your hand"), MARGIN, top, cards, step, size, wrap=in_row, drop=drop, new=view.new)
    return hand, top + drop * rows - ROW_GAP + MARGIN


_NAMES = ("Ann", "Ben", "Cleo")
_SEED = b"pages 1"
_EARLY = 4


def _scene_after(moves: int, viewer: Viewer = None) -> Scene:
    state = rules.deal(len(_NAMES), {}, _SEED)
    for _move in range(moves):
        state = rules.play(state, rules.legal_moves(state)[0])
    return scene(view(state, viewer), _NAMES)


PICTURES: tuple[Callable[[], Scene], ...] = (
    partial(_scene_after, 22),
    partial(_scene_after, _EARLY),
    example,
    partial(_scene_after, 40),
    partial(_scene_after, _EARLY, viewer=1),
)
"""The illustrations for the rules, in order.

They show a race (F1, F3), the table soon after the deal (F2), an example of playing a card, cards that
all players know (F10), and a player's hand.
"""

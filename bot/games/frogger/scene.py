"""The pictures of Frogger: corridor, market and seats, a player's hand, and the rules' example."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.decktet import DecktetCard, decktet_card_of
from bot.engine.scene import Align, Blank, Camp, Caption, Item, Mood, Plate, Scene, Stop, Zone
from bot.engine.words import _
from bot.games.frogger.state import ACTIONS, FROGS, MARKET_SIZE, spaces_of
from bot.games.frogger.view import View

WIDTH = 8.02
MARGIN = 0.11
GAP = 0.07
STOP_WIDTH, STOP_HEIGHT = 1.02, 1.66
ROW = 6
"""How many of the corridor's cards stand in a row; the second row goes on where the first ends."""
ROW_GAP = 0.1
CAMP_WIDTH = 1.25

MARKET_TITLE, MARKET_ROOM = 0.38, 1.58
MARKET_STEP = 1.04
BAND = 0.45

PLATES_IN_A_ROW = 3
PLATE_HEIGHT, LOW_PLATE_HEIGHT = 1.42, 0.78
PLATE_GAP = 0.1

HAND_STEP, HAND_SIZE = 1.08, 1.05


def scene(view: View, names: Sequence[str]) -> Scene:
    """Return the public table, or the viewer's hand above it."""
    y = MARGIN
    hand: tuple[Item, ...] = ()
    if view.viewer is not None:
        hand, y = _hand(view), MARGIN + MARKET_TITLE + HAND_SIZE * 1.4 + 0.14
    corridor = _corridor(view, y)
    y += 2 * STOP_HEIGHT + ROW_GAP
    middle = _moment(view, names, y) or _market(view, y + MARKET_TITLE)
    y += MARKET_TITLE + MARKET_ROOM
    plate_height = PLATE_HEIGHT if view.viewer is None else LOW_PLATE_HEIGHT
    plates = _plates(view, names, y, plate_height)
    bottom = plates[-1].y + plate_height + MARGIN
    return Scene(WIDTH, bottom, (*hand, *corridor, *middle, *plates))


def example() -> Scene:
    """Return three corridor cards and two frogs, and a card that brings one forward (F3, F5)."""
    codes, tokens = ("4WL", "PMYK", "7ML"), ((0, None), (None, None, 1), (None, None))
    stops = tuple(
        Stop(number, _card(code), 1.9 + number * (STOP_WIDTH + GAP), 0.55, STOP_WIDTH, STOP_HEIGHT, on)
        for number, (code, on) in enumerate(zip(codes, tokens, strict=True), 1)
    )
    return Scene(
        WIDTH,
        3.0,
        (
            Caption(_("The Author, played for its moon: frog 1 goes to card 2"), MARGIN, 0.1, 0.25),
            Zone("", 0.6, 0.7, (_card("2MK"),)),
            *stops,
            Caption(
                _("Played for its knot: home, for frog 2 holds the only knot ahead"), MARGIN, 2.5, 0.25
            ),
        ),
    )


def _card(code: str) -> DecktetCard:
    card = decktet_card_of(code)
    assert card is not None, code
    return card


def _corridor(view: View, y: float) -> tuple[Item, ...]:
    """Return the Excuse, the twelve cards in two rows read like text, and home (F2, F3)."""
    held = {space: seat for seat, seen in enumerate(view.seats) for space in seen.frogs.path}
    step = STOP_WIDTH + GAP
    stops = []
    for place, card in enumerate(view.corridor):
        line, column = divmod(place, ROW)
        x = MARGIN + step * column + (CAMP_WIDTH + GAP if line == 0 else 0)
        tokens = tuple(held.get(space) for space in spaces_of(view.corridor, place))
        top = y + line * (STOP_HEIGHT + ROW_GAP)
        stops.append(Stop(place + 1, card, x, top, STOP_WIDTH, STOP_HEIGHT, tokens))
    starts = tuple(0 if seen.gone else seen.frogs.start for seen in view.seats)
    homes = tuple(seen.frogs.home for seen in view.seats)
    end = MARGIN + step * ROW
    return (
        Camp(_("Excuse"), MARGIN, y, CAMP_WIDTH, STOP_HEIGHT, starts, first=True),
        *stops,
        Camp(_("Home"), end, y + STOP_HEIGHT + ROW_GAP, CAMP_WIDTH, STOP_HEIGHT, homes),
    )


def _market(view: View, y: float) -> tuple[Item, ...]:
    """Return the market, and how many cards are left to refill it (F9)."""
    cards = view.market or (Blank.GAP,)
    x = WIDTH - MARGIN - (MARKET_SIZE - 1) * MARKET_STEP - 1.0
    left = 1 if view.blocked else view.actions_left
    return (
        Zone(_("Market"), x, y, cards, (MARKET_STEP, 0.0)),
        Caption(_("Actions left"), MARGIN, y - 0.2, 0.22),
        Caption(_("{n} of {all}").format(n=left, all=ACTIONS), MARGIN, y + 0.05, 0.34),
        Caption(_("Draw pile: {n}").format(n=view.left), MARGIN, y + 0.68, 0.22),
        Caption(_("Discards: {n}").format(n=view.discards), MARGIN, y + 0.98, 0.22),
    )


def _moment(view: View, names: Sequence[str], y: float) -> tuple[Item, ...]:
    """Return who has won, in the place of the market, or nothing."""
    if view.outcome is None:
        return ()
    said = _("{name} wins!").format(name=names[view.turn])
    return (Caption(said, WIDTH / 2, y + 0.7, BAND, Align.CENTRE, loud=True),)


def _plates(view: View, names: Sequence[str], y: float, height: float) -> tuple[Plate, ...]:
    count = len(view.seats)
    rows = -(-count // PLATES_IN_A_ROW)
    columns = -(-count // rows)
    width = (WIDTH - 2 * MARGIN - (columns - 1) * PLATE_GAP) / columns
    return tuple(
        _plate(
            view,
            names,
            seat,
            _plate_x(seat, count, columns, width),
            y + seat // columns * (height + PLATE_GAP),
            width,
            height,
        )
        for seat in range(count)
    )


def _plate_x(seat: int, count: int, columns: int, width: float) -> float:
    """Return the left edge of a seat's plate; a row that is not full stands in the middle."""
    row, column = divmod(seat, columns)
    in_row = min(columns, count - row * columns)
    left = (WIDTH - in_row * width - (in_row - 1) * PLATE_GAP) / 2
    return left + column * (width + PLATE_GAP)


def _plate(
    view: View, names: Sequence[str], seat: int, x: float, y: float, width: float, height: float
) -> Plate:
    seen = view.seats[seat]
    to_move = seat == view.turn and view.outcome is None
    badge, mood = "", Mood.PLAIN
    if view.outcome and seat in view.outcome.winners:
        badge = _("winner")
    elif seen.gone:
        badge, mood = _("out"), Mood.BAD
    return Plate(
        seat=seat,
        name=names[seat],
        x=x,
        y=y,
        width=width,
        height=height,
        lives=seen.frogs.home,
        full=FROGS,
        held=seen.held,
        shown=seen.known,
        badge=badge,
        mood=mood,
        out=seen.gone,
        to_move=to_move,
        token=True,
        counted=_("{n} of {all} home").format(n=seen.frogs.home, all=FROGS),
    )


def _hand(view: View) -> tuple[Item, ...]:
    """Return the viewer's hand, closer together the more cards it has (F10)."""
    room = WIDTH - 2 * MARGIN - HAND_SIZE
    step = min(HAND_STEP, room / max(len(view.hand) - 1, 1))
    cards = view.hand or (Blank.GAP,)
    return (Zone(_("Your hand"), MARGIN, MARGIN + MARKET_TITLE, cards, (step, 0.0), HAND_SIZE),)

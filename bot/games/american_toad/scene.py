"""The picture of American Toad: foundations above, columns below, the piles at the side."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Card, cards_of
from bot.engine.scene import CARD_HEIGHT, Align, Blank, Caption, Item, Mood, Scene, Zone
from bot.engine.words import _, ngettext
from bot.games.american_toad.state import COLUMNS, FULL, SUITS
from bot.games.american_toad.view import View

STEP = 1.08
MARGIN = 0.12
SIDE_X = MARGIN + COLUMNS * STEP + 0.14
WIDTH = SIDE_X + 1.0 + MARGIN
FOUNDATIONS_Y = 0.45
COLUMNS_Y = 2.62
SIDE_STEP = 2.17
FAN, LONGEST = 0.47, 4.2
"""How far one card of a column lies below the other, and how long a column may get."""
NOTE, BELOW, TEXT = 0.36, 0.4, 0.23
BAND, BAND_ROOM = 0.45, 1.0


def scene(view: View, names: Sequence[str]) -> Scene:
    """Return the whole deal; it is the same for every viewer."""
    columns = tuple(_column(cards, place) for place, cards in enumerate(view.columns))
    side = _side(view)
    longest = max(column.step[1] * max(len(column.cards) - 1, 0) for column in columns)
    counts_y = max(COLUMNS_Y + longest, side[-1].y) + CARD_HEIGHT + NOTE
    height = counts_y + BELOW
    moment = _moment(view, names, height)
    items: tuple[Item, ...] = (*_foundations(view), *side, *columns, *_counts(view, counts_y), *moment)
    return Scene(WIDTH, height + BAND_ROOM if moment else height, items)


def example() -> Scene:
    """Return a run that may move, and where it fits (A4, A5)."""
    run, onto = cards_of("3S 2S AS KS"), cards_of("4S")
    return Scene(
        WIDTH,
        3.4,
        (
            Caption(_("Columns build down in suit, King on Ace"), MARGIN, 0.1, 0.27),
            Zone(_("this run, or a part"), 1.2, 0.95, run, (0.45, 0.0)),
            Zone(_("fits here"), 5.2, 0.95, onto),
            Caption(_("Foundations build up in suit, Ace on King"), MARGIN, 2.8, 0.27),
        ),
    )


def _foundations(view: View) -> tuple[Zone, ...]:
    """Return the eight foundations, each with its top card and how far it is (A2)."""
    title = _("Base {rank}").format(rank=Card(view.base, SUITS[0]).index)
    return tuple(
        Zone(
            title,
            MARGIN + STEP * place,
            FOUNDATIONS_Y,
            (card or Blank.GAP,),
            note=f"{height}/{FULL}",
        )
        for place, (card, height) in enumerate(zip(view.foundations, view.heights, strict=True))
    )


def _side(view: View) -> tuple[Zone, ...]:
    """Return reserve, stock and waste, each with its number of cards."""

    def pile(title: str, count: int, card: Card | Blank, place: int) -> Zone:
        shown = card if count else Blank.GAP
        note = ngettext("{n} card", "{n} cards", count).format(n=count)
        return Zone(title, SIDE_X, FOUNDATIONS_Y + SIDE_STEP * place, (shown,), note=note)

    return (
        pile(_("Reserve"), view.reserve_left, view.reserve or Blank.GAP, 0),
        pile(_("Stock pile"), view.stock_left, Blank.BACK, 1),
        pile(_("Waste"), view.waste_left, view.waste or Blank.GAP, 2),
    )


def _counts(view: View, y: float) -> tuple[Caption, ...]:
    """Return, below the cards, what has been done, and whether the waste may be turned over (A10)."""
    moves = ngettext("{n} move", "{n} moves", view.made).format(n=view.made)
    undos = ngettext("{n} undo", "{n} undos", view.undos).format(n=view.undos)
    redeal = _("1 redeal left") if view.redeal_left else _("no redeal left")
    return (
        Caption(f"{moves} · {undos}", MARGIN, y, TEXT),
        Caption(redeal, WIDTH - MARGIN, y, TEXT, Align.RIGHT),
    )


def _column(cards: tuple[Card, ...], place: int) -> Zone:
    """Return a column, fanned down so that every index shows."""
    step = min(FAN, LONGEST / max(len(cards) - 1, 1))
    return Zone(str(place + 1), MARGIN + STEP * place, COLUMNS_Y, cards or (Blank.GAP,), (0.0, step))


def _moment(view: View, names: Sequence[str], y: float) -> tuple[Caption, ...]:
    """Return how the deal ended, or that it is stuck, in a band below the cards (A11)."""
    if view.won:
        words, mood = _("{name} wins deal {n}!"), Mood.PLAIN
    elif view.given_up:
        words, mood = _("{name} gave up deal {n}."), Mood.BAD
    elif view.stuck:
        words, mood = _("{name}: no move left"), Mood.BAD
    else:
        return ()
    said = words.format(name=names[0], n=view.number)
    return (Caption(said, WIDTH / 2, y + BAND_ROOM / 4, BAND, Align.CENTRE, loud=True, mood=mood),)

"""A scene: what there is to see, as plain data, and the same in words.

Lengths are in card widths; a card is 1 wide and ``CARD_HEIGHT`` high; x grows to the right and y
down from the scene's upper left corner. A scene is made from a view, so it holds no more than
its viewer knows: a hidden card is a ``Blank.BACK`` and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias, assert_never

from bot.engine.cards import Card, Suit
from bot.engine.decktet import DecktetCard
from bot.engine.words import _, ngettext

CARD_HEIGHT = 1.4
ALT_TEXT_LIMIT = 1024
SHORT_NAME = 12


Face: TypeAlias = Card | DecktetCard
"""A card of any deck."""


class Blank(Enum):
    """Where a card's face is not seen."""

    BACK = "back"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Awaited:
    """A place without a card yet, marked with the suit that it waits for."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards that lie together: a row, a fan or a pile.

    (x, y) is the upper left corner of the first card, ``step`` the way from one card to the next,
    ``size`` the width of a card. ``title`` stands above the cards, ``note`` below them.
    """

    title: str
    x: float
    y: float
    cards: tuple[Face | Blank | Awaited, ...]
    step: tuple[float, float] = (1.1, 0.0)
    size: float = 1.0
    note: str = ""


class Mood(Enum):
    """How a badge or a caption is meant."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Plate:
    """A seat at the table: name, lives out of ``full``, number of cards held, cards all may see.

    ``badge`` is a word on how it stands, such as safe or out; a seat that is ``out`` is drawn
    faint. A plate too low for a fan of cards gives their number only. Where a seat has tokens on
    the table, ``token`` says so, and ``counted`` what its lives are, such as ``2 of 6 home``.
    """

    seat: int
    name: str
    x: float
    y: float
    width: float
    height: float
    lives: int
    full: int
    held: int
    shown: tuple[Face, ...] = ()
    badge: str = ""
    mood: Mood = Mood.PLAIN
    out: bool = False
    to_move: bool = False
    dealer: bool = False
    token: bool = False
    counted: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """A numbered card of a path. Each of its suits is a space with the seat whose token it holds."""

    number: int
    card: DecktetCard
    x: float
    y: float
    width: float
    height: float
    tokens: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Camp:
    """An end of a path, with room for any number of tokens: how many of each seat, in seat order.

    The ``first`` is where the tokens come from, the other where they go.
    """

    title: str
    x: float
    y: float
    width: float
    height: float
    tokens: tuple[int, ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A count on its way to a goal, such as red spots 7 of 10."""

    label: str
    x: float
    y: float
    width: float
    value: int
    goal: int
    red: bool = False


class Align(Enum):
    """Which point of a caption x names."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text, ``height`` card widths high, its upper edge at y.

    A ``loud`` caption is the moment everybody should see: a band across the scene.
    """

    text: str
    x: float
    y: float
    height: float = 0.25
    align: Align = Align.LEFT
    loud: bool = False
    mood: Mood = Mood.PLAIN


@dataclass(frozen=True, slots=True)
class Chart:
    """A table of figures: a heading for each column, and rows of as many cells.

    ``own`` is the index of the row to mark as the viewer's.
    """

    x: float
    y: float
    width: float
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    own: int | None = None


Item = Zone | Plate | Stop | Camp | Tally | Caption | Chart


@dataclass(frozen=True, slots=True)
class Scene:
    """All there is to see, in the order in which a reader should come to it."""

    width: float
    height: float
    items: tuple[Item, ...] = field(default=())


def describe(scene: Scene) -> str:
    """Return the alt text: everything the picture says, within Discord's 1,024 characters."""
    text = _text(scene)
    if len(text) > ALT_TEXT_LIMIT:  # names may be cut; what lies on the table should not be
        text = _text(replace(scene, items=tuple(map(_with_short_name, scene.items))))
    return text if len(text) <= ALT_TEXT_LIMIT else text[: ALT_TEXT_LIMIT - 1] + "…"


def _text(scene: Scene) -> str:
    return " ".join(sentence for sentence in map(_say, scene.items) if sentence)


def _with_short_name(item: Item) -> Item:
    return replace(item, name=item.name[:SHORT_NAME]) if isinstance(item, Plate) else item


def _say(item: Item) -> str:
    match item:
        case Zone():
            return _say_zone(item)
        case Plate():
            return _say_plate(item)
        case Stop():
            return _say_stop(item)
        case Camp():
            return _say_camp(item)
        case Tally():
            return _("{label}: {value} of {goal}.").format(
                label=item.label, value=item.value, goal=item.goal
            )
        case Caption():
            return item.text if item.text.endswith((".", "!", "?", "…")) else f"{item.text}."
        case Chart():
            return _say_chart(item)
        case _:
            assert_never(item)


def _say_zone(zone: Zone) -> str:
    faces = ", ".join(_say_card(card) for card in zone.cards) or _("none")
    note = f" ({zone.note})" if zone.note else ""
    return f"{zone.title}: {faces}{note}." if zone.title else f"{faces}{note}."


def _say_card(card: Face | Blank | Awaited) -> str:
    if card is Blank.BACK:
        return _("face down")
    if card is Blank.GAP or isinstance(card, Awaited):
        return _("empty")
    return str(card)


def _say_stop(stop: Stop) -> str:
    held = [
        f"{mark_of(seat)}{suit.symbol}"
        for suit, seat in zip(stop.card.suits, stop.tokens, strict=True)
        if seat is not None
    ]
    tokens = f" ({' '.join(held)})" if held else ""
    return f"{stop.number}: {stop.card}{tokens}."


def _say_camp(camp: Camp) -> str:
    held = [f"{mark_of(seat)}×{count}" for seat, count in enumerate(camp.tokens) if count]
    return f"{camp.title}: {' '.join(held) or _('none')}."


def mark_of(seat: int) -> str:
    """Return the number that a seat's tokens wear, in a text: ① to ⑨."""
    return chr(ord("①") + seat)


def _say_plate(plate: Plate) -> str:
    lives = ngettext("{lives} of {full} life", "{lives} of {full} lives", plate.full).format(
        lives=plate.lives, full=plate.full
    )
    parts = [plate.counted or lives]
    if not plate.out:
        parts.append(ngettext("{n} card", "{n} cards", plate.held).format(n=plate.held))
    if plate.badge:
        parts.append(plate.badge)
    if plate.dealer:
        parts.append(_("dealer"))
    if plate.to_move:
        parts.append(_("to move"))
    if plate.shown:
        parts.append(_("shows {cards}").format(cards=" ".join(map(str, plate.shown))))
    token = f"{mark_of(plate.seat)} " if plate.token else ""
    return f"{token}{plate.name}: {', '.join(parts)}."


def _say_chart(chart: Chart) -> str:
    """Say the headings once, then the rows, so that a page of ten and one fits the limit."""
    rows = [f"{row[0]} {row[1]}: {', '.join(row[2:])}." for row in chart.rows]
    return " ".join((", ".join(chart.headings) + ".", *rows))

"""A scene: what there is to see, as plain data, and the same in words.

A scene is made from a view, so it holds no more than its viewer knows: a hidden card is a
``Blank.BACK`` and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field, replace
from typing import assert_never

from bot.engine.items import (
    CARD_HEIGHT,
    Align,
    Awaited,
    Bars,
    Blank,
    Camp,
    Caption,
    Chart,
    Face,
    Item,
    Mark,
    Mood,
    Plate,
    Reveal,
    Stop,
    Subtitles,
    Tally,
    Zone,
)
from bot.engine.values import frozen
from bot.engine.words import N_, _, ngettext

__all__ = [
    "ALT_TEXT_LIMIT",
    "CARD_HEIGHT",
    "SMALLEST_TEXT",
    "Align",
    "Awaited",
    "Bars",
    "Blank",
    "Camp",
    "Caption",
    "Chart",
    "Face",
    "Item",
    "Mark",
    "Mood",
    "Plate",
    "Reveal",
    "Scene",
    "Stop",
    "Subtitles",
    "Tally",
    "Zone",
    "describe",
    "mark_of",
    "with_computer_players",
]

_MARKED = {
    Mark.LEFT: N_("last move from"),
    Mark.REACHED: N_("last move to"),
    Mark.MAY_MOVE: N_("may move:"),
    Mark.LANDING: N_("landing:"),
    Mark.TAKE: N_("hint: take this"),
    Mark.PUT: N_("hint: to here"),
}
"""A mark in words."""

SMALLEST_TEXT = 1 / 26
"""The least height of a text, as a share of the scene's width: 11 or 12 pixels on a phone."""

ALT_TEXT_LIMIT = 1024
SHORT_NAME = 12
FROG = "🐸"


@frozen
class Scene:
    """All there is to see, in the order in which a reader should come to it.

    With ``four_colours`` each suit of a pack of 52 has a colour of its own.
    """

    width: float
    height: float
    items: tuple[Item, ...] = field(default=())
    four_colours: bool = False


def with_computer_players(scene: Scene, seats: Collection[int]) -> Scene:
    """Return the scene with the sign of computer players beside the names of these seats."""
    if not seats:
        return scene
    return replace(
        scene,
        items=tuple(
            replace(item, computer=True)
            if isinstance(item, (Plate, Reveal)) and item.seat in seats
            else item
            for item in scene.items
        ),
    )


def describe(scene: Scene) -> str:
    """Return the alt text: everything the picture says, within Discord's 1,024 characters."""
    text = _text(scene)
    for shorter in (_unmarked, _with_short_name):  # what lies on the table should not be cut
        if len(text) > ALT_TEXT_LIMIT:
            scene = replace(scene, items=tuple(map(shorter, scene.items)))
            text = _text(scene)
    return text if len(text) <= ALT_TEXT_LIMIT else text[: ALT_TEXT_LIMIT - 1] + "…"


def _text(scene: Scene) -> str:
    return " ".join(sentence for sentence in map(_say, scene.items) if sentence)


def _unmarked(item: Item) -> Item:
    """Return a thing without its marks: the story tells of the last move, the buttons of the next."""
    match item:
        case Stop():
            return replace(item, marks=())
        case Camp():
            return replace(item, mark=None)
        case Zone():
            return replace(item, mark=None)
        case _:
            return item


def _with_short_name(item: Item) -> Item:
    match item:
        case Plate() | Reveal():
            return replace(item, name=item.name[:SHORT_NAME])
        case _:
            return item


def _say(item: Item) -> str:
    match item:
        case Zone():
            return _say_zone(item)
        case Plate():
            return _say_plate(item)
        case Reveal():
            return _say_reveal(item)
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
        case Subtitles():
            return " ".join(item.lines)
        case Bars():
            return "; ".join(f"{label}: {value}" for label, value in item.rows) + "."
        case _:
            assert_never(item)


def _say_zone(zone: Zone) -> str:
    faces = ", ".join(_say_card(card, is_new=card in zone.new) for card in zone.cards) or _("none")
    notes = [zone.note] if zone.note else []
    if zone.count is not None:
        notes.append(ngettext("{n} card", "{n} cards", zone.count).format(n=zone.count))
    if zone.mark is not None:
        notes.append(_say_zone_mark(zone.mark, zone.marked))
    note = f" ({', '.join(notes)})" if notes else ""
    return f"{zone.title}: {faces}{note}." if zone.title else f"{faces}{note}."


def _say_zone_mark(mark: Mark, marked: int) -> str:
    """Say a mark on cards; on several it says on how many."""
    if mark is Mark.TAKE and marked > 1:
        return _("hint: take the last {n}").format(n=marked)
    return _(_MARKED[mark])


def _say_card(card: Face | Blank | Awaited, *, is_new: bool) -> str:
    if not isinstance(card, (Blank, Awaited)):
        return _("{card} (new)").format(card=card) if is_new else str(card)
    return _("face down") if card is Blank.BACK else _("empty")


def _say_stop(stop: Stop) -> str:
    held = " ".join(
        f"{mark_of(seat)}{suit.symbol}"
        for suit, seat in zip(stop.card.suits, stop.tokens, strict=True)
        if seat is not None
    )
    marked: dict[Mark, str] = {}
    for suit, mark in zip(stop.card.suits, stop.marks, strict=False):
        if mark is not None:
            marked[mark] = marked.get(mark, "") + suit.symbol
    notes = [held] if held else []
    notes += [f"{_(_MARKED[mark])} {suits}" for mark, suits in marked.items()]
    tokens = f" ({', '.join(notes)})" if notes else ""
    return f"{stop.number}: {stop.card}{tokens}."


def _say_camp(camp: Camp) -> str:
    held = [f"{mark_of(seat)}×{count}" for seat, count in enumerate(camp.tokens) if count]
    mark = f" ({_(_MARKED[camp.mark]).rstrip(':')})" if camp.mark else ""
    return f"{camp.title}: {' '.join(held) or _('none')}{mark}."


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
    name = _("{name} (you)").format(name=plate.name) if plate.own else plate.name
    return f"{token}{_marked(name, computer=plate.computer)}: {', '.join(parts)}."


def _marked(name: str, *, computer: bool) -> str:
    return f"{FROG} {name}" if computer else name


def _say_reveal(reveal: Reveal) -> str:
    """Say a hand that is turned up: the cards, what they count, and how its seat stands."""
    cards = " ".join(map(str, reveal.cards)) or _("none")
    parts = [
        _("{cards} ({red} red, {black} black)").format(cards=cards, red=reveal.red, black=reveal.black)
    ]
    if reveal.badge:
        parts.append(reveal.badge)
    if reveal.full:
        lives = ngettext("{lives} of {full} life", "{lives} of {full} lives", reveal.full)
        parts.append(lives.format(lives=reveal.lives, full=reveal.full))
    who = _marked(reveal.name, computer=reveal.computer)
    head = reveal.says.format(name=who) if reveal.says else who
    colon = "" if head.endswith((".", "!", "?")) else ":"
    return f"{head}{colon} {', '.join(parts)}."


def _say_chart(chart: Chart) -> str:
    """Say the headings once, then the rows, so that a page of ten and one fits the limit."""
    rows = [f"{row[0]} {row[1]}: {', '.join(row[2:])}." for row in chart.rows]
    return " ".join((", ".join(chart.headings) + ".", *rows))

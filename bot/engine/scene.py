"""A scene: what there is to see, as plain data, and the same in words.

A scene is made from a view, so it holds no more than its viewer knows: a hidden card is a
``Blank.BACK`` and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field, replace

from bot.engine.description import DETAILS, sentences
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
from bot.engine.podium import Podium, Standing
from bot.engine.values import frozen

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
    "Podium",
    "Reveal",
    "Scene",
    "Standing",
    "Stop",
    "Subtitles",
    "Tally",
    "Zone",
    "describe",
    "mark_of",
    "with_computer_players",
]

SMALLEST_TEXT = 1 / 26
"""The least height of a text, as a share of the scene's width: 11 or 12 pixels on a phone."""

ALT_TEXT_LIMIT = 1024
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
    return replace(scene, items=tuple(_with_computer_players(item, seats) for item in scene.items))


def _with_computer_players(item: Item, seats: Collection[int]) -> Item:
    match item:
        case Plate() | Reveal() if item.seat in seats:
            return replace(item, computer=True)
        case Podium(standings=standings):
            marked = (replace(each, computer=each.seat in seats) for each in standings)
            return replace(item, standings=tuple(marked))
        case _:
            return item


def describe(scene: Scene, news: Sequence[str] = ()) -> str:
    """Return the alt text: what has just happened, and all that the picture says.

    It is within Discord's 1,024 characters: what lies on the table should not be cut.
    """
    *most, least = DETAILS
    text = ""
    for detail, told in (*((each, news) for each in most), (most[-1], news[-1:]), (least, news[-1:])):
        text = " ".join((*told, *sentences(scene.items, detail)))
        if len(text) <= ALT_TEXT_LIMIT:
            break
    if len(text) <= ALT_TEXT_LIMIT:
        return text
    return text[: ALT_TEXT_LIMIT - 2].rpartition(". ")[0] + ". …"


def mark_of(seat: int) -> str:
    """Return the number that a seat's tokens wear, in a text: ① to ⑨."""
    return chr(ord("①") + seat)

"""Sizes and contrasts of a picture, from its display list."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.decktet import DecktetCard
from bot.engine.scene import Blank, Face, FrogFace, Scene, SuitPlace
from bot.rendering import theme
from bot.rendering.cards import index_px, ink_of
from bot.rendering.display_list import (
    BlockSprite,
    CardSprite,
    FrameSprite,
    OverlapEdge,
    Placed,
    Shape,
    ShapeSprite,
    TextSprite,
    TokenSprite,
)
from bot.rendering.picture import laid_out
from bot.rendering.text import width_of
from bot.rendering.theme import Colour

Pair = tuple[Colour, Colour]
Box = tuple[int, int, int, int]


def face_boxes(scene: Scene) -> list[tuple[Face, int, int, int]]:
    """Return the face-up cards in their order, as left edge, top edge and width in pixels."""
    return [
        (face, left, top, width_px)
        for (face, width_px, *_ground, laps), left, top in card_sprites(laid_out(scene))
        if laps is OverlapEdge.NOTHING and not isinstance(face, Blank | SuitPlace | None)
    ]


def card_sprites(display: tuple[Placed, ...]) -> Iterator[tuple[CardSprite, int, int]]:
    for sprite, left, top in display:
        if isinstance(sprite, CardSprite):
            yield sprite, left, top


def text_boxes(scene: Scene) -> list[tuple[str, Box]]:
    """Return the left, upper, right and lower edge of all texts, in pixels."""
    return [
        (
            sprite.text,
            (left, top, left + width_of(*sprite[:2], narrow=sprite.narrow), top + sprite.size_px),
        )
        for sprite, left, top in laid_out(scene)
        if isinstance(sprite, TextSprite)
    ]


def shown_texts(scene: Scene) -> set[str]:
    return {text for text, _box in text_boxes(scene)}


def truncated_texts(scene: Scene) -> set[str]:
    """Return the texts that were cut for lack of room."""
    return {text.removesuffix("…") for text in shown_texts(scene) if text.endswith("…")}


def smallest_text_height(scene: Scene) -> float:
    """Return the height of the smallest text in pixels, including indices and numbers on frogs."""
    return min((height for sprite in laid_out(scene) for height in _text_heights(sprite)), default=800)


def _text_heights(placed: Placed) -> Iterator[float]:
    match placed.sprite:
        case CardSprite(face=face, width_px=width_px) if not isinstance(face, Blank | SuitPlace | None):
            yield index_px(face, width_px)
        case TokenSprite(size_px=size_px, numbered=True):
            yield size_px * theme.TOKEN_NUMBER
        case TextSprite(size_px=size_px):
            yield size_px


def text_colours(scene: Scene) -> set[Pair]:
    """Return the pairs of background and text colour."""
    found = set[Pair]()
    for sprite, _left, _top in laid_out(scene):
        match sprite:
            case TextSprite(ground=ground, ink=ink):
                found.add((ground, ink))
            case TokenSprite(seat=seat, numbered=True):
                found.add(theme.TOKENS[seat % len(theme.TOKENS)])
    return found


def icon_colours(scene: Scene) -> set[tuple[Colour, tuple[Colour, ...]]]:
    """Return the background and colours of each other meaningful element.

    One of its colours must contrast with the background.
    """
    return {sign for sprite in laid_out(scene) for sign in _icon_colours(sprite)}


def _icon_colours(placed: Placed) -> Iterator[tuple[Colour, tuple[Colour, ...]]]:
    match placed.sprite:
        case CardSprite(face=face, four_colours=four_colours):
            if not isinstance(face, Blank | SuitPlace | None):
                yield from ((theme.IVORY, (ink,)) for ink in _face_inks(face, four_colours=four_colours))
        case TokenSprite(ground=ground):
            yield ground, (theme.WHITE, theme.INK)
        case ShapeSprite(shape=FrogFace(), ground=ground):
            yield ground, (theme.WHITE, theme.INK)
        case ShapeSprite(shape=Shape.FROG | Shape.KING, ground=ground):
            yield ground, (theme.FROG, theme.INK)
        case ShapeSprite(shape=Shape.INTO, ink=ink):
            yield theme.NOW, (ink,)
        case ShapeSprite(ground=ground, ink=ink):
            yield ground, (ink,)
        case FrameSprite():
            yield theme.FELT, (theme.NOW,)
            yield theme.IVORY, (theme.INK,)
        case BlockSprite(fill=fill, ground=theme.IVORY, border=border):  # spots, and rings round spaces
            yield theme.IVORY, (border or fill,)
        case BlockSprite(fill=theme.GOLD, ground=theme.PLATE):  # a bar in its groove
            yield theme.PLATE, (theme.GOLD,)


def _face_inks(face: Face, *, four_colours: bool) -> tuple[Colour, ...]:
    if isinstance(face, DecktetCard):
        return (theme.INK, *(theme.SUITS[suit.name] for suit in face.suits))
    return (ink_of(face, four_colours=four_colours),)

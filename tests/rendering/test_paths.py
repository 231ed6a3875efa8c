"""Pictures of paths of cards and of the Decktet's faces."""

from __future__ import annotations

import pytest

from bot.engine.alt_text import describe
from bot.engine.decktet import BASIC, COURTS, EXCUSE, PAWNS, DecktetCard
from bot.engine.scene import CARD_HEIGHT, PathCard, PathEnd, Plate, Scene, Zone
from bot.engine.spoken_cards import spoken, suit_words
from bot.games.frogger import GAME
from bot.games.frogger.scene import CAMP_WIDTH, STOP_HEIGHT, WIDTH
from bot.games.frogger.state import State, spaces_of
from bot.rendering import draw
from bot.rendering.theme import FAN_CARD, IMAGE_WIDTH_PX, PLATE_BORDER, SUITS, TOKENS
from tests.decktet import decktet_cards_of
from tests.games.frogger.tables import CORRIDOR, new_state, play_moves
from tests.rendering.appearances import assert_small_picture, open_picture
from tests.rendering.legibility import shown_texts, text_boxes

NAMES = ("Ann", "Benjamin the Great of the Pond!!", "Клео", "Dora 🐸", "李小龍")
EVERY = (*BASIC, *PAWNS, *COURTS, EXCUSE)
MARKET = "CL 7SK 5SW 8YK 2WL 9MS"


def full_state(seats: int) -> State:
    """Return a full table with a frog on every symbol and every card known."""
    laid = decktet_cards_of(CORRIDOR)
    spaces = [f"{at + 1}{space.letter}" for at in range(12) for space in spaces_of(laid, at)]
    free = [card.code for card in BASIC if card not in laid][6:]
    return new_state(
        *(" ".join(free[seat::seats]) for seat in range(seats)),
        at=[" ".join(spaces[seat::seats][:6]) for seat in range(seats)],
        market="AM AW AL AY AK 2SY",
        known=" ".join(free),
    )


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_the_largest_tables_are_small_palette_pictures(seats: int, viewer: int | None) -> None:
    """The fullest table draws small for each number of seats, in public and in hand."""
    for state in (GAME.deal(seats, {}, b"p" * 32), full_state(seats)):
        scene = GAME.scene(GAME.view(state, viewer), NAMES[:seats])
        assert_small_picture(draw(scene), scene)


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("viewer", [None, 0])
def test_items_stay_inside_the_scene_and_do_not_overlap(seats: int, viewer: int | None) -> None:
    """Stops, ends, plates and rows of cards lie inside the scene. Plates and stops do not overlap."""
    scene = GAME.scene(GAME.view(full_state(seats), viewer), NAMES[:seats])
    boxes = []
    for item in scene.items:
        if isinstance(item, (PathCard, PathEnd, Plate)):
            boxes.append((item.x, item.y, item.x + item.width, item.y + item.height))
        if isinstance(item, Zone):
            in_row = min(item.wrap or len(item.cards), len(item.cards))
            last = item.x + item.step[0] * (in_row - 1) + item.size
            low = item.y + item.drop * ((len(item.cards) - 1) // in_row) + item.size * 1.4
            boxes.append((item.x, item.y, last, low))
    assert len(boxes) == 12 + 2 + seats + (1 if viewer is None else 2)
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= scene.width + 1e-9
        assert 0 <= top < bottom <= scene.height + 1e-9
        for other in boxes[number + 1 :]:
            apart = right <= other[0] + 1e-9 or other[2] <= left + 1e-9
            assert apart or bottom <= other[1] + 1e-9 or other[3] <= top + 1e-9


def test_a_move_changes_the_picture() -> None:
    """A different space, seat or action makes a different picture."""
    state = new_state("4YK 6MW", "2SY", at=["2L", "3M"], market=MARKET)
    other = new_state("4YK 6MW", "2SY", at=["3M", "2L"], market=MARKET)
    moved = play_moves(state, "play 4YK K from 2L")
    second = new_state("4YK 6MW", "2SY", at=["2L", "3M"], market=MARKET, done=1)
    scenes = [GAME.scene(GAME.view(each, None), NAMES[:2]) for each in (state, other, moved, second)]
    assert len({draw(scene) for scene in scenes}) == 4
    assert draw(scenes[0]) == draw(GAME.scene(GAME.view(state, None), NAMES[:2]))


def test_hidden_cards_do_not_affect_the_public_picture() -> None:
    """Two tables that differ only in hidden cards have the same public picture."""
    state, other = (new_state(hand, "2SY", at=["2L"], market=MARKET) for hand in ("4YK 6MW", "AM 5ML"))
    public = {draw(GAME.scene(GAME.view(each, None), NAMES[:2])) for each in (state, other)}
    assert len(public) == 1
    mine = {draw(GAME.scene(GAME.view(each, 0), NAMES[:2])) for each in (state, other)}
    assert len(mine) == 2, "one's own hand is in the picture"


@pytest.mark.parametrize("size", [1.0, 0.42])
def test_all_decktet_cards_are_distinct_on_a_plate(size: float) -> None:
    """All cards of the Decktet can be distinguished, even at the size that they have on a plate."""
    pictures = {draw(Scene(8.5, 2, (Zone("", 0.2, 0.2, (card,), size=size),))) for card in EVERY}
    assert len(pictures) == len(EVERY)


def test_small_cards_show_two_equal_suits_below_the_rank() -> None:
    """A card at the size that it has on a plate shows its rank and, below it, two suits of one size."""
    (card,) = decktet_cards_of("2MK")
    image = open_picture(draw(Scene(WIDTH, 2, (Zone("", 0.2, 0.2, (card,), size=FAN_CARD),)))).convert(
        "RGB"
    )
    heights = []
    for suit in card.suits:
        rows = {
            y
            for y in range(image.height)
            for x in range(100)
            if image.getpixel((x, y)) == SUITS[suit.name]
        }
        heights.append(max(rows) - min(rows))
        assert max(rows) < (0.2 + FAN_CARD * CARD_HEIGHT - 0.03) * IMAGE_WIDTH_PX / WIDTH
    assert abs(heights[0] - heights[1]) <= 2


@pytest.mark.parametrize("card", [card for card in EVERY if card.suits], ids=lambda card: str(card.code))
def test_every_card_can_be_drawn_and_described_in_a_path(card: DecktetCard) -> None:
    """Every card can lie in a path, with free spaces or frogs, in the picture and the alt text."""
    frogs = tuple(range(len(card.suits)))
    free, full = (
        Scene(3, 3, (PathCard(1, 1, 1.02, 1.66, 7, card, tokens),))
        for tokens in ((None,) * len(card.suits), frogs)
    )
    assert len({draw(free), draw(full), draw(Scene(3, 3))}) == 3
    assert describe(free) == f"7: {spoken(card)}."
    held = [f"player {n}: 7 {suit_words(suit)}." for n, suit in enumerate(card.suits, 1)]
    assert describe(full) == " ".join((describe(free), *held))


def test_frogs_have_their_seats_colour_and_number_everywhere() -> None:
    """A frog has its seat's colour and number, on a card and at both ends."""
    (card,) = decktet_cards_of("AS")
    on_card = {draw(Scene(3, 3, (PathCard(1, 1, 1.02, 1.66, 1, card, (seat,)),))) for seat in range(5)}
    assert len(on_card) == len(TOKENS) == 5
    for first in (True, False):
        ends = {
            draw(Scene(3, 3, (PathEnd(1, 1, 1.25, 1.66, "End", tuple(counts), first=first),)))
            for counts in ([1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 1], [2, 0, 0, 0, 0], [6] * 5)
        }
        assert len(ends) == 5


@pytest.mark.parametrize("seats", range(2, 6))
def test_frog_counts_at_the_ends_are_marked_with_a_times_sign(seats: int) -> None:
    """Counts of one to five frogs read ×1 to ×5, and fit within the end's border."""
    for first in (True, False):
        camp = PathEnd(1, 1, CAMP_WIDTH, STOP_HEIGHT, "End", tuple(range(1, seats + 1)), first)
        scene = Scene(WIDTH, 3, (camp,))
        assert shown_texts(scene) == {"End", *(f"×{count}" for count in range(1, seats + 1))}
        right = (camp.x + camp.width - PLATE_BORDER) * IMAGE_WIDTH_PX / WIDTH
        assert max(line[2] for _text, line in text_boxes(scene)) < right


def test_a_frog_has_only_its_seats_colour() -> None:
    """A frog on a space has the theme's colour of its seat and no other seat's colour."""
    (card,) = decktet_cards_of("AS")
    for seat, (skin, _number) in enumerate(TOKENS):
        image = open_picture(draw(Scene(3, 3, (PathCard(1, 1, 1.02, 1.66, 1, card, (seat,)),)))).convert(
            "RGB"
        )
        counts = {colour: count for count, colour in image.getcolors(1 << 16) or ()}
        assert counts.pop(skin) > image.width * image.height / 200
        assert all(counts.get(other, 0) < 50 for other, _ink in TOKENS), "but for a pixel of an edge"

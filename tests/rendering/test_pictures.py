"""Requirements of every drawn scene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PIL import features

from bot.engine.alt_text import ALT_TEXT_LIMIT, describe
from bot.engine.cards import PACK, Card, card_of, cards_of
from bot.engine.name_sanitizing import Name, isolate_direction
from bot.engine.opponent import Strength
from bot.engine.scene import (
    CARD_HEIGHT,
    Align,
    Blank,
    Caption,
    Chart,
    Item,
    PathEnd,
    Plate,
    Podium,
    ProgressTally,
    Scene,
    Standing,
    Zone,
)
from bot.engine.spoken_cards import describe_cards
from bot.games import games
from bot.games.toad.state import State
from bot.games.toad.view import sorted_hand
from bot.matches.match import Player
from bot.messages.computer_player_controls import with_computer_players
from bot.messages.player_names import drawn_names, written_names
from bot.rendering import draw
from bot.rendering.canvas import Canvas
from bot.rendering.cards import index_px, paint_card
from bot.rendering.display_list import CardSprite
from bot.rendering.fonts import font, runs
from bot.rendering.text import fit_text, readable, width_of
from bot.rendering.theme import (
    FELT,
    IMAGE_WIDTH_PX,
    IVORY,
    NOW,
    PALETTE,
    PLATE,
    RAMPS,
    SMALL_CARD_PX,
    ramp,
)
from tests.rendering.appearances import assert_small_picture, open_picture

NAMES = ("Ann", "Benjamin the Great of the Pond!!", "Клео", "Dora 🐸", "🐸🐸", "ተስፋዬ")
TOAD = games()["toad"]
RUN = "KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH"
BELOW_THE_LINE = 1.1
"""Position of the lower end of a J, as a share of the card's size."""
needs_shaping = pytest.mark.skipif(
    not (features.check("raqm") and features.check("fribidi")), reason="needs the system's FriBiDi"
)


def new_state(seats: int, *moves: str) -> State:
    made = TOAD.deal(seats, {"lives": 3}, b"rendering".ljust(32))
    for text in moves:
        made = TOAD.play(made, TOAD.read(text, made))
    assert isinstance(made, State)
    return made


def hand_of(made: State, seat: int) -> tuple[Card, ...]:
    hand = TOAD.view(made, seat).hand
    assert isinstance(hand, tuple)
    return hand


def full_state() -> State:
    """Return a full table of six with all hands open."""
    made = new_state(6)
    hands = tuple(PACK[8 * seat : 8 * seat + 8] for seat in range(6))
    return replace(
        made, hands=hands, shown=tuple(map(frozenset, hands)), stock=PACK[48:], draw=(), discards=()
    )


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_tables_are_small_palette_pictures(seats: int, viewer: int | None) -> None:
    """A table draws small and in the theme's width for each number of seats, in public and in hand."""
    scene = TOAD.scene(TOAD.view(new_state(seats, "draw", "ribit"), viewer), NAMES[:seats])
    assert_small_picture(draw(scene), scene)


def test_the_largest_table_is_a_small_picture() -> None:
    """A table of six with long names and eight open cards each is small.

    Its description fits the limit of an alt text.
    """
    names = [f"{'Maximilian'[:9]} the {seat}th of the Pond" for seat in range(6)]
    scene = TOAD.scene(TOAD.view(full_state(), None), names)
    assert_small_picture(draw(scene), scene)
    assert len(describe(scene)) <= ALT_TEXT_LIMIT
    assert re.search(r"\b(nine|9) of spades", describe(scene)), "the last card of the last seat"


def test_hidden_cards_do_not_affect_the_public_picture() -> None:
    """Two tables that differ only in hidden cards have the same public picture."""
    made = new_state(3)
    other = replace(made, hands=made.hands[1:] + made.hands[:1], draw=made.draw[::-1])
    pictures = {draw(TOAD.scene(TOAD.view(each, None), NAMES[:3])) for each in (made, other)}
    assert len(pictures) == 1
    seen = {draw(TOAD.scene(TOAD.view(each, 0), NAMES[:3])) for each in (made, other)}
    assert len(seen) == 2, "one's own hand is in the picture"


def test_alt_text_describes_the_whole_table() -> None:
    """The alt text has names, lives, hand sizes, the stock, the piles and the player to move."""
    made = new_state(3, "draw", "end")
    words = describe(TOAD.scene(TOAD.view(made, made.turn), NAMES[:3]))
    for name in NAMES[:3]:
        assert name in words
    for cards in (made.stock, sorted_hand(made.hands[made.turn])):
        assert describe_cards([card for card in cards if card], colours=True) in words
    assert "3 of 3 lives" in words
    assert "to move" in words
    assert f"Draw: {len(made.draw)} cards." in words
    assert "Red spots" in words


def test_letters_without_a_font_are_omitted_or_simplified() -> None:
    """A picture omits letters that no font has, and shows fancy letters as plain ones."""
    assert readable("Dora 🐸") == "Dora"
    assert readable("𝓐𝓷𝓷") == "Ann"
    assert readable("Клео") == "Клео"
    assert readable("ተስፋዬ 🐸\u200b") == ""
    assert readable("தமிழ்") == "", "no sign is left of a letter that is not there"


NAMED = {
    "Ann": ("Ann", "Ann"),
    "🐸 Tilly": ("Tilly", "Tilly"),
    "ተስፋዬ": ("ተስፋዬ", "user_2"),
    "𝓑𝓮𝓷": ("Ben", "Ben"),
    "🐸": ("user_4", "user_4"),
    "\u3164": ("user_5", "user_5"),
    "ተስፋዬ-": ("ተስፋዬ-", "user_6"),
    "★ Star": ("Star", "Star"),
}
"""Names, with their forms in words and in pictures."""


def test_an_undrawable_name_is_replaced_by_the_user_name() -> None:
    """Words use letters of any script. A picture uses the user name if its fonts lack a letter."""
    players = [Player(n, name, user_name=f"user_{n}") for n, name in enumerate(NAMED)]
    assert unescaped_names(written_names(players)) == tuple(words for words, _picture in NAMED.values())
    assert drawn_names(players) == tuple(picture for _words, picture in NAMED.values())


def unescaped_names(names: Sequence[Name]) -> tuple[str, ...]:
    """Return the names without escape characters."""
    return tuple(name.plain for name in names)


def test_a_player_without_a_drawable_name_gets_a_number() -> None:
    """A player without a name that can be drawn gets a number from the user ID.

    The number is the same at every seat and in every row.
    """
    nobody, other = Player(310_042, "\u3164"), Player(4_200_007, "🐸")
    assert (
        unescaped_names(written_names([nobody, other]))
        == drawn_names([nobody, other])
        == ("#10042", "#00007")
    )
    assert drawn_names([Player(1, "Ann"), other, nobody])[1:] == ("#00007", "#10042")


def test_similar_looking_names_are_distinguished() -> None:
    """Names that look equal are distinguished whatever their spelling.

    A computer player's name stays the same.
    """
    long = "Maximilian Mustermann"
    players = [
        Player(1, "Ben", user_name="ben"),
        Player(2, "𝓑en\u2800", user_name="ben_2"),
        Player(3, long, user_name="max"),
        Player(4, long),
        Player(5, "Tilly", user_name="tilly"),
        Player(-1, "Tilly", strength=Strength.TADPOLE),
    ]
    rest = ("Tilly (tilly)", "Tilly")
    bens = ("Ben (ben)", "Ben (ben_2)")
    assert unescaped_names(written_names(players)) == (*bens, f"{long} (max)", f"{long} (#00004)", *rest)
    short = ("Maximilian M… (max)", "Maximilian M… (#00004)")
    assert drawn_names(players) == (*bens, *short, *rest)


@needs_shaping
@pytest.mark.parametrize("name", ["محمد علي", "דוד לוי", "हिन्दी शर्मा", "สวัสดี", "Ali محمد", "שלום 123"])
def test_names_of_many_scripts_are_drawn(name: str) -> None:
    """Arabic, Hebrew, Devanagari and Thai names stay unchanged and are drawn."""
    [shown] = drawn_names([Player(1, name)])
    assert shown == isolate_direction(name)
    texts = ("", name, shown)
    plain, named, called = (draw(Scene(4, 1, (Caption(text, 0.1, 0.1, 0.4),))) for text in texts)
    assert plain != named
    assert called == named, "what isolates a name draws nothing"


@needs_shaping
def test_arabic_and_devanagari_letters_are_shaped() -> None:
    """Joined Arabic letters differ from separate ones, and Devanagari's marks take no extra room."""
    assert width_of("ممم", 40) != 3 * width_of("م", 40)
    assert width_of("हिन्दी", 40) < sum(width_of(letter, 40) for letter in "हिन्दी")


@needs_shaping
def test_right_to_left_names_are_laid_out_correctly() -> None:
    """Digits after a Hebrew name are on its left, and an English sentence keeps its order."""
    for text, parts in (
        ("שלום 123", ["123", "שלום"]),
        ("Ribit! שלום has a toad.", ["Ribit!", "שלום", "has a toad."]),
    ):
        assert [part for _face, part in runs(text) if part.strip()] == parts


def test_the_cjk_extra_draws_chinese_japanese_and_korean_names() -> None:
    """With the extra ``cjk``, Chinese, Japanese and Korean names stay unchanged."""
    pytest.importorskip("manimgx_fonts_cjk")
    names = ("李小龍", "さくら", "김민수")
    assert drawn_names([Player(n, name) for n, name in enumerate(names)]) == names
    assert len({draw(Scene(4, 1, (Caption(name, 0.1, 0.1, 0.4),))) for name in names}) == 3


@pytest.mark.parametrize(
    "text",
    [
        "AVA To W. Ry.",
        "Deal 417/10 · T1A",
        "Бо 7: ход 41",
        "Ærø  fällt 2×",
        "k\u03361\u03362\u0336 \u0332x",
    ],
)
def test_separate_layout_of_words_and_digits_keeps_the_width(text: str) -> None:
    """A line of words and digits laid out separately is as long as one laid out whole."""
    for size in (26, 37):
        assert abs(width_of(text, size) - font(size).getlength(text)) <= 1


def test_overlong_text_ends_in_an_ellipsis() -> None:
    """A text that is too wide ends in an ellipsis, and a text that fits is unchanged."""
    assert fit_text("Ann", 30, 200) == "Ann"
    cut = fit_text("Benjamin the Great of the Pond", 30, 200)
    assert cut.endswith("…")
    assert width_of(cut, 30) <= 200


@pytest.mark.parametrize("count", [1, 5, 12, 25, 40])
def test_a_hand_of_any_size_shows_every_index(count: int) -> None:
    """A hand of any size fits into the picture, and no card covers the next one's index."""
    made = new_state(2)
    made = replace(made, hands=(PACK[:count], ()))
    scene = TOAD.scene(TOAD.view(made, 0), NAMES[:2])
    (fan,) = (item for item in scene.items if isinstance(item, Zone) and item.cards == hand_of(made, 0))
    in_row = min(fan.wrap or count, count)
    assert fan.x + fan.step[0] * (in_row - 1) + fan.size <= scene.width
    assert fan.step[0] * IMAGE_WIDTH_PX / scene.width >= 40
    rows = -(-count // in_row)
    assert fan.y + fan.drop * (rows - 1) + fan.size * CARD_HEIGHT <= scene.height
    assert fan.drop >= fan.size * 0.85, "index and suit of the row above are free"
    assert open_picture(draw(scene)).size[0] == IMAGE_WIDTH_PX


@pytest.mark.parametrize("count", [11, 25])
def test_alt_text_names_the_owner_of_a_multi_row_hand_once(count: int) -> None:
    """A hand of several rows has its name once, followed by all its cards."""
    made = replace(new_state(2), hands=(PACK[:count], ()))
    words = describe(TOAD.scene(TOAD.view(made, 0), NAMES[:2]))
    (hand,) = (sentence for sentence in words.split(". ") if sentence.startswith("Your hand: "))
    assert hand.removeprefix("Your hand: ") == describe_cards(hand_of(made, 0), colours=True)


ITEMS: tuple[Item, ...] = (
    Zone("Pile", 1, 1, (Blank.BACK,), note="9 left"),
    Zone("", 1, 1, (Blank.GAP, PACK[0], PACK[12]), (0.0, 0.3)),
    Zone("Hand", 1, 1, PACK[:3], (0.4, 0.0), new=(PACK[1],)),
    Plate(0, "Ann", 1, 1, 3, 1.4, 2, 3, 4, (PACK[5],), "safe", to_move=True, dealer=True),
    Plate(0, "Ann", 1, 1, 3, 0.5),
    ProgressTally(1, 1, 2, "Red", 12, 10, red=True),
    Caption("A word", 4, 1, 0.3, Align.CENTRE),
    Caption("A loud word", 4, 1, 0.3, loud=True),
    Chart(0.1, 0.1, 7, ("#", "Player", "Wins"), (("1", "Ann", "3"), ("2", "Ben", "1")), own=1),
)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: type(item).__name__)
def test_every_item_type_is_drawn_and_described(item: Item) -> None:
    """Each type of item is drawn and has a sentence in the alt text."""
    scene = Scene(8, 4, (item,))
    assert draw(scene) != draw(Scene(8, 4))
    assert describe(scene).strip()


def test_each_news_sentence_names_its_player() -> None:
    """News in the alt text ends with a full stop. Frogs in the corridor have the podium's names."""
    podium = Podium(1, 1, 6, (Standing(0, "Ann", 1), Standing(1, "Ben", 2)))
    home = PathEnd(1, 1, 1, 1, "Home", (6, 4))
    told = describe(Scene(8, 4, (podium, home)), ("11 of 104 cards up", "Ann wins!"))
    assert told.startswith("11 of 104 cards up. Ann wins! Place 1: Ann.")
    assert "Ann: Home 6. Ben: Home 4." in told


def test_alt_text_lists_lives_and_hand_only_in_games_with_them() -> None:
    """A seat's text lists lives and hand only in games that have them, even if there are none left."""
    plate = Plate(0, "Ann", 1, 1, 3, 1.4)
    assert describe(Scene(8, 4, (plate,))) == "Ann."
    counted, empty = replace(plate, counted="counts 7", to_move=True), replace(plate, full=3, held=0)
    assert describe(Scene(8, 4, (counted,))) == "Ann: counts 7, to move."
    assert describe(Scene(8, 4, (empty,))) == "Ann: 0 of 3 lives, 0 cards."
    assert draw(Scene(8, 4, (plate,))) != draw(Scene(8, 4, (empty,)))


@pytest.mark.parametrize("count", [2, 9, 25])
def test_a_new_cards_frame_is_visible_in_every_position(count: int) -> None:
    """The frame of a new card is visible at every place of a hand, even under other cards."""
    hand = Zone("", 0.2, 0.2, PACK[:count], (0.5, 0.0), wrap=10, drop=1.2)
    plain = draw(Scene(8, 6, (hand,)))
    framed = {draw(Scene(8, 6, (replace(hand, new=(card,)),))) for card in PACK[:count]}
    assert len(framed - {plain}) == count


def test_suits_differ_in_shape() -> None:
    """The four cards of a rank differ even without colour."""

    def grey(code: str) -> bytes:
        card = card_of(code)
        assert card is not None
        return (
            open_picture(draw(Scene(2, 2, (Zone("", 0.2, 0.2, (card,)),))))
            .convert("L")
            .point(lambda level: 255 * (level > 110))
            .tobytes()
        )

    assert len({grey(code) for code in ("7H", "7D", "7S", "7C")}) == 4


def test_all_card_faces_are_distinct_on_a_plate() -> None:
    """All 52 faces can be distinguished, even at the size that they have on a plate."""
    for size in (1.0, 0.42):
        pictures = {draw(Scene(8.5, 2, (Zone("", 0.2, 0.2, (card,), size=size),))) for card in PACK}
        assert len(pictures) == len(PACK)


def test_index_is_large_enough_for_a_phone() -> None:
    """The index on a table is at least 1/25 of the picture's height, which is 16 pixels of 400."""
    canvas = Canvas(8.5)
    size = canvas.px(0.5)
    left, top, right, bottom = font(size).getbbox("8")
    assert bottom - top >= IMAGE_WIDTH_PX / 25
    assert right > left


def test_the_palette_can_draw_text_on_every_background() -> None:
    """The shared palette has at most 256 colours, and text can be drawn on every background."""
    assert len(PALETTE) <= 256
    assert all(len(ramp(ground, ink)) == 256 for ground, ink in RAMPS)
    assert {FELT, PLATE, NOW, IVORY} <= set(PALETTE)
    with pytest.raises(ValueError, match="no ramp"):
        ramp(IVORY, FELT)


def test_cards_keep_their_aspect_ratio() -> None:
    """A card is 1.4 times as high as wide, in the scene and in the picture."""
    image = open_picture(draw(Scene(4, 3, (Zone("", 1, 0.5, (PACK[0],)),)))).convert("RGB")
    unit = IMAGE_WIDTH_PX / 4
    inside = image.getpixel((int(1.5 * unit), int((0.5 + CARD_HEIGHT - 0.05) * unit)))
    outside = image.getpixel((int(1.5 * unit), int((0.5 + CARD_HEIGHT + 0.05) * unit)))
    assert (inside, outside) == (IVORY, FELT)


def test_a_computer_players_seat_is_marked_with_a_frog() -> None:
    """A computer player's seat has a frog in the picture and the words, and other seats have none."""
    scene = TOAD.scene(TOAD.view(new_state(3), None), NAMES[:3])
    marked = with_computer_players(scene, {1})
    assert draw(marked) != draw(scene)
    assert f"frog {NAMES[1]}:" in describe(marked)
    assert describe(marked).count("frog ") == 1
    assert with_computer_players(scene, ()) == scene


def test_small_cards_have_a_gap_between_index_and_suit() -> None:
    """A row of paper separates index and suit, even for letters with descenders."""
    for card in PACK:
        face, _mask = paint_card(CardSprite(card, SMALL_CARD_PX - 7, FELT))
        edge = face.width // 10
        inside = face.crop((edge, edge, face.width - edge, face.height - edge))
        paper = inside.getpixel((inside.width - 1, 0))
        rows = [inside.crop((0, y, inside.width, y + 1)) for y in range(inside.height)]
        bare = [row.getextrema() == (paper, paper) for row in rows]
        printed = [y for y, is_bare in enumerate(bare) if not is_bare]
        assert any(bare[printed[0] : printed[-1]]), str(card)


def test_every_index_is_visible_in_the_longest_run() -> None:
    """No card in the longest run of a solitaire covers the index of the card above it."""
    solitaire = games()["american_toad"]
    dealt = solitaire.deal(1, {option.key: option.default for option in solitaire.info.options}, b"x")
    columns = (cards_of(RUN), *dealt.position.columns[1:])
    made = replace(dealt, position=replace(dealt.position, columns=columns))
    scene = solitaire.scene(solitaire.view(made, 0), NAMES[:1])
    run = next(item for item in scene.items if isinstance(item, Zone) and item.cards == cards_of(RUN))
    unit = IMAGE_WIDTH_PX / scene.width
    assert index_px(cards_of("JH")[0], round(run.size * unit)) * BELOW_THE_LINE <= run.step[1] * unit

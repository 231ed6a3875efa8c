"""The picture, alt text, headline and story of Frogger's table."""

from __future__ import annotations

from typing import TypeVar

import pytest

from bot.engine.alt_text import ALT_TEXT_LIMIT, describe
from bot.engine.decktet import BASIC, DecktetCard
from bot.engine.scene import Caption, Face, Mood, PathCard, PathEnd, Plate, Podium, Zone
from bot.engine.spoken_cards import spoken, suit_words
from bot.games.frogger import GAME
from bot.games.frogger.state import Back, State, spaces_of
from tests.decktet import decktet_cards_of
from tests.games.frogger.tables import CORRIDOR, joined_codes, new_state, play_moves

T = TypeVar("T")

NAMES = ("Ann", "Ben", "Cleo", "Dot", "Eve")
MARKET = "CL 7SK 5SW 8YK 2WL 9MS"


def scene_items(state: State, kind: type[T], viewer: int | None = None) -> list[T]:
    """Return the parts of one type in a viewer's picture, in their order."""
    scene = GAME.scene(GAME.view(state, viewer), NAMES[: state.seats])
    return [item for item in scene.items if isinstance(item, kind)]


def alt_text(state: State, viewer: int | None = None, names: tuple[str, ...] = NAMES) -> str:
    return describe(GAME.scene(GAME.view(state, viewer), names[: state.seats]))


def headline(state: State, viewer: int | None = None) -> str:
    return GAME.words(GAME.view(state, viewer), NAMES[: state.seats]).headline


def story_lines(state: State) -> list[str]:
    return list(GAME.words(GAME.view(state, None), NAMES[: state.seats]).story)


def history_lines(state: State) -> list[str]:
    assert GAME.history is not None
    pages = GAME.history(state.events, NAMES[: state.seats])
    return [line for page in pages for line in page.lines]


def test_cards_from_the_market_are_framed_in_the_hand() -> None:
    """F8: Cards taken in a turn are framed and named in the player's own hand only."""
    state = new_state("4WL", "", at=("8S 10Y", ""), market=MARKET)
    takes = [move for move in GAME.legal_moves(state) if isinstance(move, Back) and move.take]
    assert not framed_cards(state, 0)
    once = GAME.play(state, takes[0])
    assert framed_cards(once, 0) == (takes[0].take,)
    assert takes[0].take is not None
    assert f"{spoken(takes[0].take)} (new)" in alt_text(once, 0)
    assert all("(new)" not in alt_text(once, viewer) for viewer in (None, 1))
    again = next(move for move in GAME.legal_moves(once) if isinstance(move, Back) and move.take)
    twice = GAME.play(once, again)
    assert set(framed_cards(twice, 0)) == {takes[0].take, again.take}
    assert not framed_cards(play_moves(twice, "end"), 0)


def framed_cards(state: State, viewer: int) -> tuple[Face, ...]:
    """Return the cards that are framed in a viewer's picture."""
    return tuple(card for zone in scene_items(state, Zone, viewer) for card in zone.new)


def sample_state() -> State:
    return new_state(
        "4YK 6MW AM", "2SY CK", "5ML", at=["2L 3Y +1", "3M 8S", "+2"], market=MARKET, known="CK"
    )


# ---- the picture ---------------------------------------------------------------------------------


def test_the_corridors_cards_are_drawn_in_order() -> None:
    """F2: The corridor's twelve numbered cards are in two rows that read from the Excuse to home."""
    state = sample_state()
    stops = scene_items(state, PathCard)
    assert [stop.number for stop in stops] == list(range(1, 13))
    assert joined_codes(stop.card for stop in stops) == CORRIDOR
    rows = [[stop.x for stop in stops if stop.y == y] for y in sorted({stop.y for stop in stops})]
    assert [len(row) for row in rows] == [6, 6]
    assert all(row == sorted(row) for row in rows)
    start, home = scene_items(state, PathEnd)
    assert (start.title, start.first, home.title, home.first) == ("Excuse", True, "Home", False)
    assert start.x < rows[0][0]
    assert start.y == stops[0].y
    assert home.x > rows[1][-1]
    assert home.y == stops[-1].y


def test_frogs_are_drawn_on_their_spaces() -> None:
    """F3: Each frog has its seat's number and is drawn on its symbol only."""
    tokens = {stop.number: stop.tokens for stop in scene_items(sample_state(), PathCard)}
    assert tokens.pop(2) == (None, 0), "7ML: the moon is free, the leaf is the first seat's"
    assert tokens.pop(3) == (1, 0, None), "PMYK: the second seat's moon, the first one's wyrm"
    assert tokens.pop(8) == (1, None)
    assert all(token is None for held in tokens.values() for token in held)
    start, home = scene_items(sample_state(), PathEnd)
    assert (start.tokens, home.tokens) == ((3, 4, 4), (1, 0, 2))


def test_the_picture_shows_moved_frogs_in_their_new_places() -> None:
    """F5 to F7: After each action the picture shows the frogs that moved or went back in new places."""
    state = play_moves(sample_state(), "play AM M from 2L")
    assert next(stop for stop in scene_items(state, PathCard) if stop.number == 9).tokens == (
        0,
        None,
        None,
    )
    state = play_moves(state, "back 9M to 8Y take CL")
    assert next(stop for stop in scene_items(state, PathCard) if stop.number == 8).tokens == (1, 0)
    state = play_moves(state, "play CL L from start")
    assert scene_items(state, PathEnd)[0].tokens == (2, 4, 4)


def test_plates_show_the_state_of_each_seat() -> None:
    """A plate shows a seat's frogs home, cards held, known cards, token and whether it is to move."""
    plates = scene_items(sample_state(), Plate)
    assert [(plate.seat, plate.name) for plate in plates] == [(0, "Ann"), (1, "Ben"), (2, "Cleo")]
    assert [(plate.lives, plate.full, plate.held) for plate in plates] == [
        (1, 6, 3),
        (0, 6, 2),
        (2, 6, 1),
    ]
    assert [joined_codes(plate.shown) for plate in plates] == ["", "CK", ""]
    assert [plate.to_move for plate in plates] == [True, False, False]
    assert all(plate.token for plate in plates)
    assert plates[0].counted == "1 of 6 home"


def test_the_plate_shows_that_a_seat_gave_up() -> None:
    """The plate shows that a seat gave up, and none of its frogs are left except at home."""
    state = GAME.withdraw(sample_state(), 1)
    plate = scene_items(state, Plate)[1]
    assert (plate.badge, plate.mood, plate.out, plate.held) == ("out", Mood.BAD, True, 0)
    assert scene_items(state, PathEnd)[0].tokens == (3, 0, 4)
    assert not any(1 in stop.tokens for stop in scene_items(state, PathCard))


@pytest.mark.parametrize(("done", "left"), [(0, "3 of 3"), (1, "2 of 3"), (2, "1 of 3")])
def test_the_table_shows_the_actions_left(done: int, left: str) -> None:
    """F4: The table shows the number of actions left in the turn."""
    state = new_state("4YK", "2SY", at=["2L"], market=MARKET, done=done)
    captions = [caption.text for caption in scene_items(state, Caption)]
    assert captions[captions.index("Actions left:") + 1] == left


def test_the_table_shows_one_action_for_a_blocked_player() -> None:
    """F11: The table shows one action for a blocked player."""
    captions = [caption.text for caption in scene_items(new_state("", "2SY", market=MARKET), Caption)]
    assert captions[captions.index("Actions left:") + 1] == "1 of 3"


def test_the_picture_shows_the_card_count_of_each_pile() -> None:
    """F9: The picture counts the market, draw pile and discards, and an empty market is a gap."""
    state = play_moves(sample_state(), "play 4YK K from 2L")
    (market,) = scene_items(state, Zone)
    assert (
        market.title,
        joined_codes(card for card in market.cards if isinstance(card, DecktetCard)),
    ) == (
        "Market",
        MARKET,
    )
    captions = [caption.text for caption in scene_items(state, Caption)]
    assert {"Draw pile: 16", "Discards: 1"} <= set(captions)
    empty = new_state("2SY", "AM", at=["9L"], market="", draw="", keeper=1)
    assert "Market: empty." in alt_text(empty)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 20, 28])
def test_a_hand_of_any_size_fits_the_picture(size: int) -> None:
    """F10: A larger hand has smaller cards, then several rows, and no card covers another."""
    free = [card.code for card in BASIC if card not in decktet_cards_of(CORRIDOR)]
    state = new_state(" ".join(free[:size]), "", at=["2L"], market=" ".join(free[size:][:6]))
    scene = GAME.scene(GAME.view(state, 0), NAMES[:2])
    hand = next(item for item in scene.items if isinstance(item, Zone) and item.title == "Your hand")
    assert len(hand.cards) == max(size, 1)
    assert hand.wrap
    rows = -(-len(hand.cards) // hand.wrap)
    assert hand.x + hand.step[0] * (min(len(hand.cards), hand.wrap) - 1) + hand.size <= scene.width
    assert hand.y + hand.drop * (rows - 1) + hand.size * 1.4 <= scene.height
    assert hand.step[0] >= hand.size, "a card in the row would hide the suits of the one before"
    assert hand.drop >= hand.size * 1.4, "a row would hide the suits of the one above"


def test_the_winner_is_shown_above_all_players() -> None:
    """F12: The winner is shown in place of the market, above all players with their ranks."""
    state = play_moves(new_state("6MW", "9LK", at=["12M +5"], market=MARKET), "play 6MW M from 12M")
    (banner,) = [caption for caption in scene_items(state, Caption) if caption.loud]
    assert banner.text == "Ann wins!"
    assert not scene_items(state, Zone)
    (podium,) = scene_items(state, Podium)
    assert [(each.name, each.place, each.crowned) for each in podium.standings] == [
        ("Ann", 1, True),
        ("Ben", 2, False),
    ]
    assert not any(plate.to_move for plate in scene_items(state, Plate))


# ---- in words ------------------------------------------------------------------------------------


def test_the_alt_text_describes_the_whole_picture() -> None:
    """The alt text has the corridor's cards and frogs, both ends, the market, counts and seats."""
    assert alt_text(sample_state()) == (
        "Market: crown of leaves; seven of suns and knots; five of suns and waves; eight of wyrms and "
        "knots; two of waves and leaves; nine of moons and suns. "
        "Actions left: 3 of 3. Draw pile: 16. Discards: 0. "
        "Ann: 1 of 6 home, 3 cards, to move, Excuse 3, 2 leaves, 3 wyrms. "
        "Ben: 0 of 6 home, 2 cards, Excuse 4, 3 moons, 8 suns, shows crown of knots. "
        "Cleo: 2 of 6 home, 1 card, Excuse 4. "
        "1: two of moons and knots. 2: seven of moons and leaves. 3: pawn of moons, wyrms and knots. "
        "4: ace of suns. 5: three of leaves and wyrms. 6: pawn of waves, leaves and wyrms. "
        "7: crown of waves. 8: six of suns and wyrms. 9: pawn of moons, suns and leaves. "
        "10: nine of waves and wyrms. 11: pawn of suns, waves and knots. 12: eight of moons and suns."
    )
    hand = "Your hand: ace of moons; four of wyrms and knots; six of moons and waves. Market: "
    assert alt_text(sample_state(), 0).startswith(hand)


@pytest.mark.parametrize("viewer", [None, 0, 4])
@pytest.mark.parametrize("sizes", [(5, 5, 4, 4, 4), (22, 0, 0, 0, 0), (0, 0, 0, 0, 22)])
def test_the_fullest_table_fits_the_alt_text(viewer: int | None, sizes: tuple[int, ...]) -> None:
    """The alt text fits with five long names, a frog on every symbol and every card known.

    With a very large hand it leaves out the last cards of the corridor.
    """
    free = [card.code for card in BASIC if card not in decktet_cards_of(CORRIDOR)]
    laid = decktet_cards_of(CORRIDOR)
    spaces = [f"{at + 1}{space.letter}" for at in range(12) for space in spaces_of(laid, at)]
    starts = [6 + sum(sizes[:seat]) for seat in range(5)]
    state = new_state(
        *(" ".join(free[start : start + size]) for start, size in zip(starts, sizes, strict=True)),
        at=[" ".join(spaces[seat::5]) for seat in range(5)],
        market=" ".join(free[:6]),
        known=" ".join(free),
    )
    said = alt_text(state, viewer, tuple(letter * 32 for letter in "VWXYZ"))
    assert len(said.encode("utf-16-le")) // 2 <= ALT_TEXT_LIMIT, "however Discord counts"
    seen = "VWXYZ" if viewer != 4 else "Z"  # a waiting player sees only the hand
    assert all(letter * 12 in said for letter in seen), "names may be cut, no seat left out"
    if (viewer, sizes[0]) == (0, 22):  # with so large a hand the last cards of the course are left out
        assert said.endswith(". …")
    elif viewer != 4:
        assert said.endswith(f"12: {spoken(laid[11], terse=True)}.")
        places = [f"{at + 1} {suit_words(s.suit)}" for at in range(12) for s in spaces_of(laid, at)]
        assert all(place in said for place in places), "the course is never cut"


def test_the_headline_names_the_player_and_the_action() -> None:
    """The headline has the player to move and the action's number. It addresses the player as "you"."""
    state = sample_state()
    assert headline(state) == headline(state, 1) == "Ann's turn: action 1 of 3."
    assert headline(state, 0) == "Your turn: up to three actions. Play a card or move a frog back."
    state = play_moves(state, "play 4YK K from 2L")
    assert headline(state) == "Ann's turn: action 2 of 3."
    assert headline(state, 0) == "Action 2 of 3: play on, or end your turn."
    blocked = new_state("", "2SY", market=MARKET)
    assert "take one card from the market" in headline(blocked, 0)
    assert headline(blocked) == "Ann is blocked and can only take one market card."


def test_the_headline_names_the_winner_and_the_reason() -> None:
    """F12: The headline says if the winner has six frogs home or is the last one left."""
    state = new_state("6MW", "9LK", at=["12M +5"], market=MARKET)
    assert headline(play_moves(state, "play 6MW M from 12M")) == "🏆 Ann wins: all six frogs are home!"
    assert headline(GAME.withdraw(state, 0)) == "🏆 Ben wins as the last player left."


def test_the_story_gives_the_result_of_a_turn() -> None:
    """The table's story has a turn's result. The full story has each action with card and spaces."""
    state = new_state("AL 4YK", "6MW", at=["2M 1K", "2L 5Y"], market="CL", draw="AW AK 3SK")
    state = play_moves(state, "play AL L from 1K", "back 2M to 1M take CL", "play CL L from 5L")
    assert story_lines(state) == [
        "Ann: hit Ben on place 5 💥, took Cr🍃, moved frogs to places 1 and 6."
    ]
    assert history_lines(state)[0] == (
        "Ann: A🍃 moves a frog from place 1 🪢 to place 5 🍃; 💥 Ben's frog on place 5 🐍 goes "
        "back to the Excuse; a frog moves back from place 2 🌙 to place 1 🌙 for Cr🍃; the discards "
        "are shuffled into a new draw pile; 6 new cards in the market; Cr🍃 moves a frog from "
        "place 5 🍃 to place 6 🍃."
    )


def test_the_story_names_moves_at_the_ends_of_the_path() -> None:
    """The story names moves from and to the Excuse, moves home and moves that take nothing."""
    state = new_state("6MW 2SY", "4YK", at=["12M 1K", "9L"], market="CL")
    state = play_moves(state, "play 6MW M from 12M", "play 2SY Y from start", "end")
    assert story_lines(state) == ["Ann: brought a frog home, moved a frog to place 3."]
    assert history_lines(state) == [
        "Ann: 6🌙🌊 moves a frog from place 12 🌙 home; 2☀️🐍 moves a frog from the Excuse to place 3 🐍."
    ]
    state = play_moves(new_state("6MW", "4YK", at=["1K"], market="CL AL"), "back 1K to start take CL")
    assert story_lines(state) == ["Ann: took Cr🍃, moved a frog to the Excuse."]
    state = play_moves(new_state("6MW", "4YK", at=["9L"], market="8YK"), "back 9L to 8Y")
    assert story_lines(state) == ["Ann: moved a frog to place 8."]
    assert history_lines(state) == ["Ann: a frog moves back from place 9 🍃 to place 8 🐍 for nothing."]
    own = play_moves(new_state("AL", "6MW", at=["2L 5Y"], market="CL"), "play AL L from 2L")
    assert story_lines(own) == ["Ann: lost a frog on place 5 💥, moved a frog to place 5."]


def test_the_story_gives_the_reason_a_player_was_blocked() -> None:
    """F11: The story distinguishes a player blocked with a market from one blocked without."""
    state = play_moves(new_state("", "2SY", market=MARKET), "take CL")
    assert story_lines(state) == ["Ann: blocked, takes Cr🍃."]
    state = new_state("2SY", "", "AM", at=["9L"], market="", draw="", keeper=2)
    assert story_lines(play_moves(state, "back 9L to 8Y", "end"))[-1] == (
        "Ben: blocked, and the market is empty."
    )


def test_the_story_has_one_line_per_player() -> None:
    """Five seats make at most five lines, one each, which includes giving up after a turn."""
    state, seat = GAME.deal(5, {}, b"x" * 32), 0
    for turn in range(12):
        seat = state.turn
        while state.turn == seat:
            state = GAME.play(state, GAME.legal_moves(state)[0])
        if turn == 9:
            state = GAME.withdraw(state, seat)
        for viewer in (None, *range(5)):
            lines = GAME.words(GAME.view(state, viewer), NAMES).story
            assert len({line.partition(" ")[0].strip(":") for line in lines}) == len(lines) <= 5
    assert f"{NAMES[seat]}: " in "".join(story_lines(state))


def test_the_story_names_the_first_player_and_leavers() -> None:
    """F12, F13: The story names the first player and those who gave up.

    Only the headline names the winner.
    """
    state = GAME.deal(3, {}, b"x" * 32)
    assert story_lines(state) == [f"{NAMES[state.turn]} was drawn to go first."]
    state = GAME.withdraw(GAME.withdraw(state, 0), 1)
    assert story_lines(state)[1:] == [
        "Ann gave up. Their frogs leave the corridor.",
        "Ben gave up. Their frogs leave the corridor.",
    ]

"""The table's account of the last turns of Toad, with their results."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.engine.scene import Caption, Plate, Reveal, Zone
from bot.games.toad import GAME
from bot.games.toad.state import State
from tests.games.toad.tables import new_state, parse_cards, play_moves

NAMES = ("Ann", "Ben", "Cleo")
STOCK = "3S 4S 6S 7S"
NO_TOAD, MAXIMUS = "5H 6H", "TH TS"


def story_lines(state: State) -> list[str]:
    """Return the lines that all players read."""
    return list(GAME.words(GAME.view(state, None), NAMES).story)


def headline(state: State, viewer: int | None) -> str:
    """Return the headline for a viewer."""
    return GAME.words(GAME.view(state, viewer), NAMES).headline


def expand_lines(*told: str) -> list[str]:
    """Return lines with their cards in the table's notation."""
    return [
        re.sub(r"\b[2-9TJQKA][SHDC]\b", lambda code: str(*parse_cards(code[0])), line) for line in told
    ]


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        (("take 1", "end"), "Ben took 3S."),
        (("take 4", "discard 7S", "end"), "Ben took 7S, discarded 7S."),
        (("draw", "discard 5H", "end"), "Ben drew a card, discarded 5H."),
        (("take discard", "end"), "Ben took 2D from the discards."),
        (("take nothing", "discard 6H", "end"), "Ben discarded 6H."),
        (("end",), "Ben passed."),
        (
            ("take discard", "discard 2D", "end"),
            "Ben took 2D from the discards, discarded 2D, changing nothing.",
        ),
    ],
)
def test_the_story_has_one_line_per_turn(acts: tuple[str, ...], told: str) -> None:
    """T4, T6: A line has the cards taken and discarded, or a pass, but does not name a drawn card."""
    state = new_state("9H 2S", NO_TOAD, "9D 3H", stock=STOCK, discards="2D", turn=1)
    assert story_lines(play_moves(state, *acts)) == expand_lines(told)


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        (("pass",), "Ben ran out of time ⏰, passed."),
        (("draw", "pass"), "Ben drew a card, ran out of time ⏰."),
        (("draw", "discard 5H", "pass"), "Ben drew a card, discarded 5H, ran out of time ⏰."),
    ],
)
def test_the_story_reports_a_timeout(acts: tuple[str, ...], told: str) -> None:
    """A turn that the clock ended says so, and otherwise goes on as if Ben had ended it."""
    state = new_state("9H 2S", NO_TOAD, "9D 3H", stock=STOCK, turn=1)
    by_clock, by_ben = play_moves(state, *acts), play_moves(state, *acts[:-1], "end")
    assert story_lines(by_clock) == expand_lines(told)
    assert replace(by_clock, events=()) == replace(by_ben, events=())
    assert GAME.passing(play_moves(state, *acts[:-1])) == GAME.read("pass", state)


def test_only_the_player_sees_the_name_of_a_drawn_card() -> None:
    """T4: Only the player's own hand names a drawn card, while it is held in the turn.

    The story names a card that was taken openly.
    """
    state = play_moves(
        new_state("9H 2S", NO_TOAD, "9D 3H", stock=STOCK, draw="KH", out_of_play=2, turn=1), "draw"
    )
    (card,) = parse_cards("KH")
    assert headline(state, 1) == f"You drew {card}. Discard a card and end your turn, or keep them all."
    assert headline(play_moves(state, "discard 5H"), 1).startswith(f"You drew {card}. ")
    assert "drew" not in headline(play_moves(state, "discard KH"), 1)
    assert not any(
        "KH" in text or str(card) in text for text in (headline(state, None), *story_lines(state))
    )
    took = play_moves(new_state("9H 2S", NO_TOAD, "9D 3H", stock=STOCK, turn=1), "take 1")
    assert headline(took, 1) == "Discard a card and end your turn, or keep them all."
    assert not GAME.words(GAME.view(took, 1), NAMES).story, "who took it knows"


def test_the_story_shows_the_cards_of_a_claim() -> None:
    """T10, T11: The story of a claim has its player, its result and the hand."""
    state = new_state("8H 2D 9S AC", NO_TOAD, "9D 3H", stock=STOCK)
    assert story_lines(play_moves(state, "ribit", "ribit")) == expand_lines(
        "**Ribit! Ann has a toad:** 8H 2D 9S AC. Safe for this round.",
        "**Ben says ribit, but it's not a toad:** 5H 6H. The cards stay face up.",
    )


def test_the_story_names_a_life_won_back() -> None:
    """T14: The story names a Toadus Maximus and the life that it wins back."""
    state = new_state(NO_TOAD, MAXIMUS, "9D 3H", lives=(3, 1, 2), stock=STOCK, turn=1)
    assert story_lines(play_moves(state, "ribit")) == expand_lines(
        "👑 **Toadus Maximus! Ben shows TH TS.** Safe for this round. Ben wins a life back from the pot."
    )


@pytest.mark.parametrize(
    ("hand", "lives", "prize"),
    [
        (MAXIMUS, (1, 3), "A life back from the pot!"),
        (MAXIMUS, (3, 3), "You already had all your lives."),
        ("8H 2D 9S AC", (1, 3), ""),
    ],
)
def test_a_players_hand_shows_the_toad_until_the_next_deal(
    hand: str, lives: tuple[int, ...], prize: str
) -> None:
    """T11, T14: The hand repeats the banner of its toad until the next deal, whatever others do."""
    state = play_moves(new_state(hand, NO_TOAD, "9D 3H", lives=(*lives, 3), stock=STOCK), "ribit")
    public, own = (GAME.scene(GAME.view(state, viewer), NAMES) for viewer in (None, 0))
    [banner] = [item for item in public.items if isinstance(item, Reveal)]
    assert [item.says for item in own.items if isinstance(item, Reveal)] == [banner.says]
    assert [item.text for item in own.items if isinstance(item, Caption)] == [prize] * bool(prize)
    assert prize in GAME.words(GAME.view(state, 0), NAMES).story[0]
    later = GAME.scene(GAME.view(play_moves(state, "draw", "end"), 0), NAMES)
    assert [each for each in later.items if not isinstance(each, Plate)] == [
        each for each in own.items if not isinstance(each, Plate)
    ]


def test_a_hand_names_its_open_cards() -> None:
    """T10: After a false claim the player reads which cards are open, as long as there are any."""
    state = play_moves(new_state(NO_TOAD, "9H 2S", stock=STOCK), "ribit")
    story_of_its_player = GAME.words(GAME.view(state, 0), NAMES).story
    assert story_of_its_player[0] == expand_lines("Everybody can see 5H 6H in your hand.")[0]
    [title] = [
        item.title
        for item in GAME.scene(GAME.view(play_moves(state, "end", "take 1"), 0), NAMES).items
        if isinstance(item, Zone) and item.title.startswith("Your hand")
    ]
    assert title == "Your hand (2 face up for all)"


def test_the_turn_after_a_round_won_has_its_own_line() -> None:
    """A toad that ends a round and its player's first turn of the next round have separate lines."""
    state = play_moves(new_state(NO_TOAD, MAXIMUS, lives=(3, 1), stock=STOCK, turn=1, dealer=1), "ribit")
    state = play_moves(state, "deal", "draw", "end")
    assert [line for line in story_lines(state) if "Ben" in line][-1] == "Ben drew a card."


def test_the_story_reports_the_life_lost_by_the_last_player() -> None:
    """T12, T15: The story has the round's end and reason, the lost life, lives left and eliminations."""
    state = play_moves(new_state(NO_TOAD, MAXIMUS, lives=(1, 3), stock=STOCK, turn=1), "ribit")
    assert story_lines(state)[1:] == [
        "Ann is the last one without a toad. 💔 **Ann loses a life** and has 0 left. ☠️ **Ann is out.**",
    ]


def test_the_story_names_all_lives_lost_by_passing() -> None:
    """T13, T15: Each lost life is listed before the eliminated players, all by name."""
    state = new_state(NO_TOAD, MAXIMUS, "9D 3H", lives=(2, 3, 1), stock=STOCK, safe={1})
    assert story_lines(play_moves(state, "end", "end")) == [
        "Ann passed.",
        "Cleo passed.",
        (
            "Everybody still in the round has passed. 💔 **Ann loses a life** and has 1 left. "
            "💔 **Cleo loses a life** and has 0 left. ☠️ **Cleo is out.**"
        ),
    ]


def test_the_story_reports_a_new_draw_pile() -> None:
    """T7: The story gives the number of cards shuffled into the new draw pile."""
    state = new_state(NO_TOAD, "", "9D 3H", stock=STOCK, draw="", discards="2D 3D 4D", out_of_play=1)
    assert story_lines(play_moves(state, "draw", "end"))[0] == (
        "Ann drew a card. The discards were shuffled into a new draw pile of 2 cards."
    )


def test_the_story_names_a_leaver() -> None:
    """T16: The story names the player who gave up, and says so if no other player loses a life."""
    state = new_state(NO_TOAD, MAXIMUS, "9D 3H", stock=STOCK, safe={1})
    assert story_lines(GAME.withdraw(state, 2)) == [
        ("Cleo gives up, and 3 lives go to the pot. That ends the round, and nobody else loses a life."),
    ]


@pytest.mark.parametrize(
    ("lives", "words"),
    [
        (1, "Cleo gives up, and a life goes to the pot."),
        (2, "Cleo gives up, and 2 lives go to the pot."),
    ],
)
def test_the_story_counts_lives_that_go_to_the_pot(lives: int, words: str) -> None:
    """T16: The story of a single life does not say "their lives"."""
    state = new_state(NO_TOAD, "9D 3H", "2S 3D", lives=(3, 3, lives), stock=STOCK)
    assert story_lines(GAME.withdraw(state, 2)) == [words]


def test_the_story_describes_a_deal() -> None:
    """T2: The line of a deal has the round's number, its dealer and the end of the round before."""
    state = play_moves(
        new_state(NO_TOAD, MAXIMUS, "9D 3H", stock=STOCK, safe={1}, dealer=2), "end", "end", "deal"
    )
    (told,) = story_lines(state)
    assert told.startswith("Everybody still in the round has passed. 💔 **Ann loses a life**")
    assert told.endswith("has 2 left. Round 2: Ann deals.")


def test_the_headline_reports_a_draw() -> None:
    """T15: The headline says that the match is a draw if all players lose their last life together."""
    state = play_moves(new_state(NO_TOAD, "9D 3H", lives=(1, 1), stock=STOCK), "end", "end")
    assert GAME.words(GAME.view(state, None), NAMES).headline.startswith("It's a draw: nobody is left")
    assert story_lines(state)[-1].endswith("☠️ **Ann is out.** ☠️ **Ben is out.**")

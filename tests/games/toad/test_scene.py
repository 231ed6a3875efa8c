"""Claims and ends of rounds in the pictures of Toad."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.alt_text import describe
from bot.engine.scene import Caption, Face, FrogFace, Mood, Plate, Reveal, Scene, Zone
from bot.engine.spoken_cards import describe_cards
from bot.games.toad import GAME
from bot.games.toad.state import Phase, State
from tests.games.toad.tables import joined_codes, new_state, parse_cards, play_moves

NAMES = ("Ann", "Ben", "Cleo")
TOAD, OTHER = "8H 2D 9S AC", "7H 3S"


def scene_for(state: State, viewer: int | None = None) -> Scene:
    return GAME.scene(GAME.view(state, viewer), NAMES[: state.seats])


def reveals(state: State, viewer: int | None = None) -> list[Reveal]:
    return [item for item in scene_for(state, viewer).items if isinstance(item, Reveal)]


def framed_cards(state: State, viewer: int) -> tuple[Face, ...]:
    """Return the cards that are framed in a viewer's picture."""
    zones = (item for item in scene_for(state, viewer).items if isinstance(item, Zone))
    return tuple(card for zone in zones for card in zone.new)


def banner(state: State) -> str:
    """Return the large words of a picture."""
    (said,) = (item for item in scene_for(state).items if isinstance(item, Caption) and item.loud)
    return said.text


def ended_round() -> State:
    """Return a round of three that ended with Ben's toad and Cleo as the last one without."""
    state = new_state(TOAD, "TH TS", "7H 3S", stock="2C 3C 4C 6C", lives=(3, 3, 2))
    state = play_moves(state, "ribit", "ribit")
    assert state.phase is Phase.DEAL
    return state


@pytest.mark.parametrize("act", ["draw", "take 1", "take discard"])
def test_the_card_taken_this_turn_is_framed_in_the_hand(act: str) -> None:
    """T4: The card just taken is framed and named in its player's hand until the turn ends."""
    before = new_state(OTHER, TOAD, stock="2C 3C 4C 6C", discards="5D")
    state = play_moves(before, act)
    (card,) = set(state.hands[0]) - set(before.hands[0])
    assert framed_cards(state, 0) == (card,)
    assert f"{describe_cards((card,), colours=True)} (new)" in describe(scene_for(state, 0))
    assert not framed_cards(before, 0)
    assert not any(
        framed_cards(play_moves(state, *acts), 0) for acts in [(f"discard {card.code}",), ("end",)]
    )
    for viewer in (None, 1):
        assert "(new)" not in describe(scene_for(state, viewer))


def test_a_round_ended_by_a_leaver_has_its_own_banner() -> None:
    """T16: The banner names the player who left, or the end of the match if leaving ended it."""
    state = play_moves(ended_round(), "deal")
    while state.turn != 2:
        state = play_moves(state, "end")
    state = GAME.withdraw(replace(state, passed=frozenset({0, 1})), 2)
    assert state.phase is Phase.DEAL
    assert banner(ended_round()) == "Cleo is the last one without a toad."
    assert banner(state) == "Cleo gave up, so the round is over."
    assert banner(GAME.withdraw(state, 1)) == "Ann wins the match!"


def test_a_crown_lasts_only_for_its_round() -> None:
    """T14: A player with a Toadus Maximus a round ago and an ordinary toad now is only safe."""
    state = play_moves(ended_round(), "deal")
    hands = (state.hands[0], parse_cards(TOAD), state.hands[2])
    state = replace(
        state,
        hands=hands,
        safe=frozenset({1}),
        shown=(frozenset(), frozenset(parse_cards(TOAD)), frozenset()),
    )
    (ben,) = (item for item in scene_for(state).items if isinstance(item, Plate) and item.seat == 1)
    assert ben.badge == "safe"


def test_each_result_of_a_round_has_its_own_face() -> None:
    """At a round's end the first toad, the second toad and the lost life have different faces."""
    state = play_moves(new_state(TOAD, "TH 9C AS", OTHER, stock="2C 3C 4C 6C"), "ribit", "ribit")
    faces = {row.name: row.look for row in reveals(state)}
    assert faces == {"Ann": FrogFace.LAUGHING, "Ben": FrogFace.WRY, "Cleo": FrogFace.SAD}


def test_a_hand_of_two_cards_is_drawn_larger() -> None:
    """A hand of two cards is larger than one of four.

    The picture is no higher, as spots are beside the hand.
    """
    few, many = (scene_for(new_state(hand, OTHER, stock="2C 3C 4C 6C"), 0) for hand in ("8H 2D", TOAD))
    sizes = [max(item.size for item in seen.items if isinstance(item, Zone)) for seen in (few, many)]
    assert sizes[0] > sizes[1]
    assert few.height <= many.height


def test_a_toad_is_shown_until_the_next_move() -> None:
    """T11: Until the next move the table shows the claimant, the hand and its 10 and 10 spots."""
    state = play_moves(new_state(TOAD, OTHER, "4H 5C", stock="2C 3C 4C 6C"), "ribit")
    (moment,) = reveals(state)
    assert moment.says
    assert (moment.mood, moment.red, moment.black) == (Mood.GOOD, 10, 10)
    assert joined_codes(moment.cards) == TOAD  # type: ignore[arg-type]  # it shows no backs
    assert moment.name == "Ann"
    assert reveals(play_moves(state, "draw")) == []


def test_a_false_claim_looks_different_from_a_toad() -> None:
    """T10: A false claim shows the hand with its spots, and looks different from a toad."""
    state = play_moves(new_state(OTHER, TOAD, stock="2C 3C 4C 6C"), "ribit")
    (moment,) = reveals(state)
    assert (moment.mood, moment.red, moment.black) == (Mood.BAD, 7, 3)


def test_a_toadus_maximus_wears_a_crown() -> None:
    """T14: A Toadus Maximus has a crown, which no other toad has."""
    state = play_moves(new_state("TH TS", OTHER, "4H 5C", stock="2C 3C 4C 6C"), "ribit")
    assert [moment.crowned for moment in reveals(state)] == [True]


def test_a_toadus_maximus_banner_comes_first() -> None:
    """T14: A Toadus Maximus that ends a round of two has its banner on top, and its frog laughs."""
    state = play_moves(new_state(OTHER, "TH TS", stock="2C 3C 4C 6C", lives=(2, 2), turn=1), "ribit")
    assert state.phase is Phase.DEAL
    for viewer in (None, 0, 1):
        items = scene_for(state, viewer).items
        assert isinstance(items[0], Reveal)
        assert (items[0].name, items[0].says, items[0].crowned) == (
            "Ben",
            "Toadus Maximus! {name}",
            True,
        )
        rows = [item for item in items[1:] if isinstance(item, Reveal)]
        assert [row.look for row in rows if row.name == "Ben"] == [FrogFace.LAUGHING]


def test_the_end_of_a_round_shows_every_hand() -> None:
    """Each hand is shown with its spots, and its badge says toad, Maximus or the loss of a life."""
    banner, *rows = reveals(ended_round())
    assert banner.crowned, "Ben has a Toadus Maximus"
    assert [(row.name, row.red, row.black) for row in rows] == [
        ("Ann", 10, 10),
        ("Ben", 10, 10),
        ("Cleo", 7, 3),
    ]
    assert [row.badge for row in rows] == ["toad", "Maximus!", "loses a life"]
    assert [row.lost for row in rows] == [False, False, True]
    assert [row.lives for row in rows] == [3, 3, 1]
    said = describe(scene_for(ended_round()))
    assert "Cleo: seven of hearts, three of spades (7 red, 3 black), loses a life, 1 of 3 lives." in said


def test_the_end_of_a_round_is_the_same_picture_for_all_viewers() -> None:
    """All seats see the public picture at the end of a round, as nothing is hidden."""
    state = ended_round()
    assert {scene_for(state, viewer) for viewer in (None, 0, 1, 2)} == {scene_for(state)}


def test_hands_are_secret_until_the_round_has_ended() -> None:
    """A hand without a claim is in no other view before the round's end, and in none after the deal."""
    before = new_state(TOAD, "TH TS", "7H 3S", stock="2C 3C 4C 6C", lives=(3, 3, 2))
    assert GAME.view(before, None).seats[2].shown == ()
    assert joined_codes(GAME.view(ended_round(), None).seats[2].shown) == "7H 3S"
    assert all(not seat.shown for seat in GAME.view(play_moves(ended_round(), "deal"), None).seats)


def test_the_last_picture_includes_an_eliminated_player() -> None:
    """T15: The eliminated player's hand is still in the picture, which also names the winner."""
    state = play_moves(new_state(TOAD, OTHER, stock="2C 3C 4C 6C", lives=(3, 1)), "ribit")
    assert state.phase is Phase.OVER
    assert [(row.badge, row.lost) for row in reveals(state)] == [("winner", False), ("out", True)]
    (band,) = [item for item in scene_for(state).items if isinstance(item, Caption) and item.loud]
    assert band.text == "Ann wins the match!"


@pytest.mark.parametrize(
    ("safe", "words"), [((), "Everybody passed."), ((2,), "Everybody else passed.")]
)
def test_a_safe_player_is_not_shown_as_having_passed(safe: tuple[int, ...], words: str) -> None:
    """T13: Only players without a toad are shown as having passed."""
    state = new_state("7H", "TH TS", TOAD, stock="2C 3C 4C 6C", safe=safe)
    state = play_moves(state, *["end"] * (3 - len(safe)))
    assert state.phase is Phase.DEAL
    (band,) = [item for item in scene_for(state).items if isinstance(item, Caption) and item.loud]
    assert band.text == words


def test_a_leavers_hand_stays_hidden_when_the_round_ends() -> None:
    """T16: Cards that are out of play stay hidden when the round ends."""
    state = GAME.withdraw(new_state(TOAD, "TH TS", "7H 3S", stock="2C 3C 4C 6C"), 2)
    state = play_moves(state, "ribit")
    assert [row.name for row in reveals(state)] == ["Ann", "Ben"]
    assert GAME.view(state, None).seats[2].shown == ()

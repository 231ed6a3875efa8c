"""The buttons and texts of the player of American Toad."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import pytest

from benchmarks.solitaire import clicks_to_win
from bot.engine.alt_text import describe
from bot.engine.errors import IllegalMoveError
from bot.engine.panel import HINT, Choice, Tone
from bot.engine.scene import SuitPlace, Zone
from bot.engine.translation import speaking
from bot.games.american_toad import GAME
from bot.games.american_toad.panel import label, offered_moves
from bot.games.american_toad.rules import legal_moves
from bot.games.american_toad.state import AllUp, Place, Shift, State, Turn, TurnOn, Up
from bot.languages import load_languages
from bot.matches.match import Entry, Player
from bot.messages.components import Button, Menu, Row
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from bot.sessions.lobby import begun
from bot.sessions.match_creation import new_match
from bot.sessions.table_state import Table
from tests.games.american_toad.positions import (
    foundation_heights,
    legal_card_moves,
    new_position,
    parse_cards,
    play_moves,
)


def offered_choices(state: State) -> list[Choice]:
    """Return the offered moves of cards, the buttons of the best ones first, then the menu."""
    rows = GAME.panel(GAME.view(state, 0)).rows
    moves_cards = (Up, Place, Shift)
    return [choice for row in rows for choice in row.choices if isinstance(choice.move, moves_cards)]


def offered_labels(state: State) -> list[str]:
    return [plain_text(choice.label) for choice in offered_choices(state)]


def full_descriptions(state: State) -> list[str]:
    """Return the moves of cards with their full descriptions."""
    view = GAME.view(state, 0)
    return [plain_text(label(view, choice.move)) for choice in offered_choices(state)]


def plain_text(words: str) -> str:
    return words.replace("\N{VARIATION SELECTOR-15}", "")


def offered_move_texts(state: State) -> list[str]:
    return [GAME.write(choice.move) for choice in offered_choices(state)]


def test_moves_that_free_a_column_come_first() -> None:
    """Moves that free a column come first.

    The reserve, the waste, moves to a foundation and parts of runs follow.
    """
    state = new_position(
        "9S 8S 7S|TS|8S|AH|KH QH|9D|2C|JC",
        base=5,
        reserve="3D 7C",
        waste="9C 7S",
        heights=foundation_heights(C=2),
    )
    assert offered_move_texts(state) == [
        "1 to 2 x3",
        "5 to 4 x2",
        "waste to 3",
        "reserve up",
        "1 to 3 x1",
    ]


def test_a_move_of_a_run_names_the_card_it_uncovers() -> None:
    """A part of a run names the card that it uncovers. A whole run says that it frees its column."""
    state = new_position("9S 8S 7S|TS|8S|AH|KH QH|9D|2C|JC", base=5, reserve="3D 7C")
    assert full_descriptions(state) == [
        "9♠–7♠ from column 1 onto column 2, freeing the column",
        "K♥–Q♥ from column 5 onto column 4, freeing the column",
        "7♠ from column 1 onto column 3, uncovering 8♠",
    ]
    assert offered_labels(state) == [
        "9♠–7♠ to column 2",
        "K♥–Q♥ to column 4",
        full_descriptions(state)[2],
    ]
    alike = new_position("7S|8S|9H|9D|7S|9D|2C|JC", base=5)
    assert offered_labels(alike) == full_descriptions(alike), "in few words, both would say the same"


def test_a_column_of_one_card_is_not_offered_a_gap() -> None:
    """A card alone in its column is not offered a gap, and one entry represents all gaps."""
    state = new_position("9S|7H 6H|5D|||||", base=2, waste="JC", redeal=False)
    assert "1 to 4 x1" in legal_card_moves(state), "the rules allow it (A7)"
    assert offered_move_texts(state) == ["waste to 4", "2 to 4 x1"]
    assert full_descriptions(state)[0] == "J♣ from the waste into an empty column"


def test_more_than_25_moves_are_paged() -> None:
    """A menu holds 25 options. The last option opens the next page, and every move is on a page."""
    state = new_position("9S|9S|9S|9S|9H|9H|9H|9H", stock="2H")
    moves = [Shift(source, column, 1) for source in range(8) for column in range(8) if source != column]
    view = replace(GAME.view(state, 0), legal=(Turn(), *moves))
    found: set[object] = set()
    path: tuple[str, ...] = ()
    while rows := GAME.panel(view, path).rows:
        best, menu = rows[0].choices, rows[1].choices
        assert len(menu) <= 25
        found |= {choice.move for choice in (*best, *menu)}
        if menu[-1].move is not None:
            break
        path = (*path, menu[-1].key)
    assert found - {None} == set(moves)
    assert path == ("more", "more")


PHONE, GAP, BESIDE, LETTER = 275, 8, 32, 6.3
"""Widths in pixels of a message on a phone, a gap, a label's padding and a letter."""

TURNS = ("redeal", "turn_on")


def line_count(row: Row) -> int:
    """Return the number of lines that a row's buttons take on a phone."""
    count, room = 1, float(PHONE)
    for button in row.items:
        assert isinstance(button, Button)
        width = BESIDE + LETTER * len(plain_text(button.label or ""))
        if room < min(width, PHONE) and room < PHONE:
            count, room = count + 1, float(PHONE)
        room -= width + GAP
    return count


@pytest.mark.parametrize("language", ["en-US", "de"])
def test_a_panel_has_few_buttons_and_none_is_disabled(language: str) -> None:
    """Over a deal there are at most six lines of buttons on a phone, and each button can be pressed.

    The button to move everything up is green, and it is shown only if a card can go up.
    """
    load_languages()
    match = new_match(GAME.info, None, 1, Player(1, "Ann"), 1, {"deal": 2, "daily": 0})
    table, most, seen = begun(Table(match, GAME), b"", 0), 0, set[str]()
    while table.n < 120 and (choices := list(table.panel(0).choices())):
        with speaking(language):
            rows = [part for part in table_content(table_view(table)).parts if isinstance(part, Row)]
        assert not any(item.disabled for row in rows for item in row.items)
        most = max(most, sum(line_count(row) for row in rows if not isinstance(row.items[0], Menu)))
        up = [choice for choice in choices if choice.move == AllUp()]
        assert bool(up) == any(isinstance(move, Up) for move in legal_moves(table.state))
        assert all(choice.tone is Tone.GOOD for choice in up)
        seen |= {choice.key for choice in choices}
        pressed = next((one for one in choices if one.key in TURNS[table.n % 3 :]), choices[0])
        move = GAME.write(GAME.recorded(table.state, pressed.move))
        table = table.after_move(Entry(table.n, 0, move, 0))
    assert most <= 6
    assert {"undo", "up", "turn", "redeal"} <= seen


def test_a_choices_key_names_one_move() -> None:
    """A custom_id names its move and position, so none ever means another move in a deal with undos."""
    meant: dict[str, str] = {}
    state, moments = GAME.deal(1, {"deal": 3, "daily": 0}, b""), 0
    for step in range(80):
        choices = offered_choices(state)
        for choice in choices:
            move = GAME.write(choice.move)
            assert move.replace(" ", "_") in choice.key
            assert choice.key not in meant
            meant[choice.key] = move
        moments += bool(choices)
        move = "undo" if step % 3 == 2 else "turn on" if step % 3 == 1 or not choices else ""
        state = play_moves(state, move) if move else GAME.play(state, choices[0].move)
    assert moments > 40


def test_turning_stops_at_the_first_playable_card() -> None:
    """Turning stops at the first card that fits a column or goes up.

    The journal stores the number of turns.
    """
    state = new_position("9S|3H|3H|3H|3H|3H|3H|3H", base=5, reserve="2S", stock="6D 8S KD KC QC")
    assert GAME.recorded(state, TurnOn()) == Turn(4)
    after = play_moves(state, "turn on")
    assert after.position.waste == parse_cards("QC KC KD 8S")
    assert after == play_moves(state, "turn x4")
    assert after.moves == 1
    assert play_moves(after, "undo").position == state.position
    going = new_position("9S|3H|3H|3H|3H|3H|3H|3H", base=5, reserve="2S", stock="6D 5C KC QC")
    assert GAME.recorded(going, TurnOn()) == Turn(3)
    ending = new_position("9S|3H|3H|3H|3H|3H|3H|3H", base=5, reserve="2S", stock="KC QC")
    assert GAME.recorded(ending, TurnOn()) == Turn(2), "to the end where nothing fits"
    gap = new_position("9S|3H||||||", base=5, stock="KC QC")
    assert GAME.recorded(gap, TurnOn()) == Turn(2), "into a gap everything would go"


def test_the_text_names_a_covered_card_that_could_go_up() -> None:
    """The text names a card that could have gone up and that a turn covers."""
    state = new_position("9S|3H|3H|3H|3H|3H|3H|3H", base=5, stock="6D 8S KD", waste="QC 5C")
    told = f"{parse_cards('5C')[0]} could have gone up, but now it's covered."
    assert told in GAME.words(GAME.view(play_moves(state, "turn on"), 0), ("Ann",)).story[0]
    other = new_position("9S|3H|3H|3H|3H|3H|3H|3H", base=5, stock="6D 8S KD", waste="5C QC")
    assert "covered" not in GAME.words(GAME.view(play_moves(other, "turn on"), 0), ("Ann",)).story[0]


def test_turning_until_a_card_fits_moves_cards_up() -> None:
    """Turning on is one move until a card fits a column. All cards that can go up on the way do."""
    state = new_position("6C|9S|3H|3H|3H|3H|3H|3H", base=5, reserve="2S 5H", stock="6D 8S KC 6H 5C")
    after = play_moves(state, "turn on, up")
    assert after.position.heights == foundation_heights(H=2, C=2)
    assert after.position.waste == parse_cards("KC 8S")
    assert after.moves == 1
    assert after == play_moves(state, "turn x4, up")
    with pytest.raises(IllegalMoveError, match="that many cards"):
        play_moves(state, "turn x6, up")


def test_several_undos_can_be_made_in_one_move() -> None:
    """Undoing several moves at once counts each of them, and they can all be redone."""
    state = GAME.deal(1, {"deal": 4, "daily": 0}, b"")
    turned = play_moves(state, "turn", "turn", "turn", "turn")
    back = play_moves(turned, "undo x3")
    assert back == play_moves(turned, "undo", "undo", "undo")
    assert (back.moves, back.undos) == (1, 3)
    assert play_moves(back, "redo", "redo", "redo").position == turned.position
    with pytest.raises(IllegalMoveError, match="that many moves"):
        play_moves(back, "undo x2")


def test_the_table_reports_that_only_moves_into_gaps_are_left() -> None:
    """A11: The headline and the alt text say so if the only moves left are into empty columns."""
    state = new_position("9S|3H 2H||KD|4D|4D|4D|JC", base=5, redeal=False)
    view = GAME.view(state, 0)
    assert view.gaps_only
    assert not view.stuck
    assert "empty columns" in GAME.words(view, ["Ann"]).headline
    assert "only moves into empty columns are left" in describe(GAME.scene(view, ["Ann"]))
    for other in (new_position("9S||||||KD|", stock="2S"), new_position("9S|8S||||||")):
        assert not GAME.view(other, 0).gaps_only


def test_alt_text_names_the_base_once_and_foundations_by_suit() -> None:
    """The alt text names the base once and each foundation's suit.

    An empty foundation shows its suit.
    """
    state = GAME.deal(1, {"deal": 3, "daily": 0}, b"")
    scene = GAME.scene(GAME.view(state, None), ["Ann"])
    alt = describe(scene)
    assert alt.count("Base") == 1
    for suit in ("Clubs", "Diamonds", "Hearts", "Spades"):
        assert alt.count(f"{suit}:") == 2
    zones = [item for item in scene.items if isinstance(item, Zone)]
    awaited = [card for zone in zones for card in zone.cards if isinstance(card, SuitPlace)]
    assert len(awaited) == 7


def test_only_the_text_shows_the_moves_and_undos() -> None:
    """The text says "1 move · 1 undo", and the picture's alt text does not mention undos."""
    view = GAME.view(
        play_moves(GAME.deal(1, {"deal": 3, "daily": 0}, b""), "turn", "undo", "turn"), None
    )
    assert "1 move · 1 undo" in "\n".join(GAME.words(view, ["Ann"]).story)
    assert "undo" not in describe(GAME.scene(view, ["Ann"]))


def test_the_hinted_move_comes_first() -> None:
    """A hint's move comes first among moves of cards, in the colour of turns.

    Any other move removes the hint.
    """
    state = GAME.deal(1, {"deal": 2, "daily": 0}, b"")
    view = GAME.view(state, 0)
    for told in (*offered_moves(view), TurnOn()):
        asked = play_moves(state, f"hint: {GAME.write(told)}")
        good = [one for one in GAME.panel(GAME.view(asked, 0)).choices() if one.tone is Tone.GOOD]
        assert told in [one.move for one in good]
        assert [one.move for one in good if one.emoji == HINT] == [told]
        if told != TurnOn():
            assert next(iter(GAME.panel(GAME.view(asked, 0)).choices())).move == told
        assert (asked.hints, asked.moves) == (1, 0)
        assert play_moves(asked, f"hint: {GAME.write(told)}") == asked, (
            "told again, it is not counted again"
        )
        moved = play_moves(asked, "turn")
        assert moved.told is None
        returned = play_moves(play_moves(moved, "undo"), f"hint: {GAME.write(told)}")
        assert (returned.hints, returned.told) == (1, asked.told), "nor after a move and its undo"
        assert play_moves(moved, f"hint: {GAME.write(told)}").hints == 2
        assert play_moves(returned, f"peek: {GAME.write(told)}").peeks == 1


def test_the_table_names_the_day_or_number_of_a_deal() -> None:
    """Words, picture and alt text name the day of a deal of the day, or the deal's number."""
    for day, name in ((20261121, "deal of the day 2026-11-21"), (0, "deal 77")):
        view = GAME.view(GAME.deal(1, {"deal": 77, "daily": day}, b""), None)
        assert name in GAME.words(view, ["Ann"]).headline
        assert name in describe(GAME.scene(view, ["Ann"])).replace("Deal", "deal")


def test_a_fanned_column_shows_whole_indices() -> None:
    """The cards of a run of up to thirteen are far enough apart that a J and a Q can be read."""
    run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    view = GAME.view(new_position(f"{run}|3H||||||"), None)
    [column] = [
        item
        for item in GAME.scene(view, ["Ann"]).items
        if isinstance(item, Zone) and len(item.cards) == 13
    ]
    assert column.step[1] >= 0.55 * column.size


def test_most_deals_can_be_won_in_90_clicks() -> None:
    """Most deals won without knowledge of hidden cards take at most 90 clicks."""
    won = [clicks for clicks in map(clicks_to_win, range(1, 31)) if clicks is not None]
    assert len(won) > 12
    assert median(won) <= 90

"""The rivals' open cards and names in a hand's picture."""

from __future__ import annotations

import pytest

from bot.engine.game import AnyGame
from bot.engine.scene import Plate
from bot.games import frogger, toad
from bot.messages.computer_player_controls import with_computer_players
from tests.games.frogger import tables as ponds
from tests.games.toad import tables
from tests.rendering.legibility import shown_texts, truncated_texts

NAMES = ("Ann", "Wanda", "Basil", "Hugo", "Otto", "Maximilian Mustermann-Schulze")
COMPUTER_SEATS = (1, 2, 3, 4)
LEAST_LEFT = 11
"""Number of letters of a long name that a picture always shows."""

HANDS = ("8H 2D", "7H 3S", "6H 5S", "4H 8S", "KH QS", "JH 6S")
CLAIMED = tables.play_moves(tables.new_state(*HANDS, stock="2C 3C 4C 6C", turn=1), "ribit")
POND = ponds.new_state("2SY", "4YK", "6MW", "9LK", "AM", at=["9L", "1K"], market="CL AL")
TOOK = ponds.play_moves(POND, "back 9L to 8Y take CL", "end")


@pytest.mark.parametrize(("game", "state"), [(toad.GAME, CLAIMED), (frogger.GAME, TOOK)])
def test_the_movers_picture_shows_the_rivals_known_cards(game: AnyGame, state: object) -> None:
    """The mover's picture shows cards that all have seen, and cuts no computer player's name."""
    mover = game.to_move(state)
    assert mover is not None
    names = NAMES[: len(game.remaining(state))]
    scenes = [
        with_computer_players(game.scene(game.view(state, viewer), names), COMPUTER_SEATS)
        for viewer in (mover, None)
    ]
    hand, table = (
        {item.seat: item for item in scene.items if isinstance(item, Plate)} for scene in scenes
    )
    rivals = [seat for seat in table if seat != mover]
    assert any(table[seat].shown for seat in rivals)
    for seat in rivals:
        assert (hand[seat].shown, hand[seat].height) == (table[seat].shown, table[seat].height)
    for scene in scenes:
        assert {names[seat] for seat in COMPUTER_SEATS if seat != mover} <= shown_texts(scene)
        assert all(len(text) >= LEAST_LEFT for text in truncated_texts(scene))


@pytest.mark.parametrize(("game", "options"), [(toad.GAME, {"lives": 3}), (frogger.GAME, {})])
def test_rivals_names_fit_beside_each_other(game: AnyGame, options: dict[str, int]) -> None:
    """Rivals without open cards are lines, with room for a computer player's name and a long one."""
    for seats in range(2, game.info.most + 1):
        state = game.deal(seats, options, b"n" * 32)
        mover = game.to_move(state)
        names = (*NAMES[: seats - 1], NAMES[-1])
        scene = with_computer_players(game.scene(game.view(state, mover), names), COMPUTER_SEATS)
        assert all(len(text) >= LEAST_LEFT for text in truncated_texts(scene))
        assert {name for seat, name in enumerate(names[:-1]) if seat != mover} <= shown_texts(scene)

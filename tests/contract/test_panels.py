"""Panels offer exactly the legal moves, within Discord's limits."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.engine.panel import Buttons, ChoiceMenu, Panel
from bot.engine.scene import Zone
from tests.contract.playouts import Playout, Table, each_table, for_each_playout, law, playout_strategy
from tests.contract.traversal import nested_values, panels_by_path

MOST_ROWS = 8
MOST_BUTTONS = 5
MOST_OPTIONS = 25
LABEL, MENU_LABEL, PROMPT = 80, 100, 150
EVERY, WRONG_KEYS = 3, 8
"""The states, and the number of keys at each step, for which invalid paths are tried."""
KEY = re.compile(r"[A-Za-z0-9_]{1,20}")


def _pile_cards(playout: Playout, state: Any) -> tuple[str, ...]:
    """Return the piles of cards on the table in a state, without their positions."""
    scene = playout.game.scene(playout.game.view(state, None), playout.table.names)
    return tuple(sorted(repr(item.cards) for item in scene.items if isinstance(item, Zone)))


def _offered_moves(by_path: dict[tuple[str, ...], Panel]) -> set[Any]:
    found = (choice.move for panel in by_path.values() for choice in panel.choices())
    return {move for move in found if move is not None}


@for_each_playout
def test_the_panel_reaches_every_legal_move(playout: Playout) -> None:
    """Choosing step by step reaches every legal move and no other.

    Moves that only change positions may be missing. The result of such a move looks like the current
    table or like the result of an offered move, with the same piles in another order.
    """
    game = playout.game
    for state in playout.states:
        seat = game.to_move(state)
        if seat is None:
            continue
        offered, legal = (
            _offered_moves(panels_by_path(game, game.view(state, seat))),
            set(game.legal_moves(state)),
        )
        assert offered <= legal
        if others := legal - offered:
            known = {_pile_cards(playout, game.play(state, move)) for move in offered}
            known.add(_pile_cards(playout, state))
            assert {_pile_cards(playout, game.play(state, move)) for move in others} <= known


@for_each_playout
def test_only_the_seat_to_move_has_choices(playout: Playout) -> None:
    """A seat that is not to move has an empty panel, and after the end all panels are empty."""
    game = playout.game
    for state in playout.states:
        seat = game.to_move(state)
        for other in playout.table.viewers:
            if seat is None or other not in (None, seat):
                assert game.panel(game.view(state, other)) == Panel()


@for_each_playout
def test_the_public_panel_offers_moves_of_the_seat_to_move(playout: Playout) -> None:
    """The public panel offers only legal moves of the seat to move."""
    game = playout.game
    for state in playout.states:
        assert _offered_moves(panels_by_path(game, game.view(state, None))) <= set(
            game.legal_moves(state)
        )


@for_each_playout
def test_the_table_and_the_hand_use_the_same_paths(playout: Playout) -> None:
    """A path in the public panel leads to the same move in the player's own panel."""
    game = playout.game
    for state in playout.states:
        seat = game.to_move(state)
        if seat is not None:
            own = _moves_by_path(panels_by_path(game, game.view(state, seat)))
            public = _moves_by_path(panels_by_path(game, game.view(state, None)))
            assert {path: own[path] for path in public.keys() & own.keys()} == {
                path: move for path, move in public.items() if path in own
            }


def _moves_by_path(by_path: dict[tuple[str, ...], Panel]) -> dict[tuple[str, ...], Any]:
    """Return every move by its choice's path."""
    return {
        (*path, choice.key): choice.move
        for path, panel in by_path.items()
        for choice in panel.choices()
        if choice.move is not None
    }


@for_each_playout
def test_panels_are_within_discords_limits(playout: Playout) -> None:
    """Rows, buttons, options, labels and keys keep Discord's limits, and keys name positions."""
    game = playout.game
    for state in playout.states:
        codes = {getattr(card, "code", str(card)) for card in game.every_card(state)}
        for viewer in (None, game.to_move(state)):
            for panel in panels_by_path(game, game.view(state, viewer)).values():
                list(nested_values(panel))
                _check_sizes(panel)
                keys = [choice.key for row in panel.rows for choice in row.choices]
                assert len(set(keys)) == len(keys)
                assert all(KEY.fullmatch(key) for key in keys)
                assert not any(code in key for code in codes for key in keys)


def _check_sizes(panel: Panel) -> None:
    assert len(panel.rows) <= MOST_ROWS
    for row in panel.rows:
        match row:
            case Buttons(choices):
                assert 1 <= len(choices) <= MOST_BUTTONS
                assert all(0 < len(choice.label) <= LABEL for choice in choices)
            case ChoiceMenu(prompt, choices):
                assert len(choices) <= MOST_OPTIONS
                assert 0 < len(prompt) <= PROMPT
                assert all(0 < len(choice.label) <= MENU_LABEL for choice in choices)


@each_table
@law
@given(data=st.data())
def test_an_invalid_path_gives_an_empty_panel(table: Table, data: st.DataObject) -> None:
    """A step leads to choices, and a path through anything else is an empty panel.

    Examples are a choice that plays a move, a choice of another step, or one of another state.
    """
    game, playout = table.game, data.draw(playout_strategy(table))
    known = {"nothing": None, "": None}
    turn = data.draw(st.integers(0, 99))
    for state in playout.states[::-EVERY]:
        view = game.view(state, game.to_move(state))
        known_panels = panels_by_path(game, view)
        assert all(panel.rows for path, panel in known_panels.items() if path)
        known |= {choice.key: None for panel in known_panels.values() for choice in panel.choices()}
        for path, panel in known_panels.items():
            steps = {choice.key for choice in panel.choices() if choice.move is None}
            wrong = [key for key in known if key not in steps]
            turn += WRONG_KEYS  # so that, in time, every key is tried at every depth
            for key in (wrong * 2)[turn % len(wrong) :][:WRONG_KEYS]:
                assert game.panel(view, (*path, key)) == Panel()

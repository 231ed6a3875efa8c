"""The view of a table from which all content of its messages is made."""

from __future__ import annotations

from dataclasses import fields

import pytest

from bot.engine.opponent import Strength
from bot.matches.match import Player
from bot.messages.table_view import TableView, table_view
from tests.messages.tables import new_players, new_table, table_after


def test_a_view_is_computed_once_per_revision() -> None:
    """All messages of a revision read the same view. A move, a change and a hint make another one."""
    table = new_table("toad", new_players("Ann", "Ben"))
    seat = table.to_move
    assert seat is not None
    before = table_view(table, seat)
    assert table_view(table, seat) is before
    assert table_view(table).names is before.names, "what all viewers share is computed once"
    assert table_view(table_after(table, "draw"), seat).n == 1
    assert table_view(table.having(turn_seconds=60), seat).match.turn_seconds == 60
    table.plans[seat] = ("draw",)
    assert table_view(table, seat).hinted


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_view_contains_nothing_hidden_from_its_viewer(viewer: int | None) -> None:
    """A view has the game's view of its viewer, and nothing of the state, memories or others' hints."""
    table = new_table("toad", [*new_players("Ann"), Player(-1, "Pip", strength=Strength.TOAD)])
    mover = table.to_move
    assert mover is not None
    table.plans[mover] = ("draw",)
    seen = table_view(table, viewer)
    assert seen.view == table.game.view(table.state, viewer)
    assert bool(seen.hinted) == (viewer == mover)
    assert seen.turn_start in (None, seen.view)
    held = [getattr(seen, each.name) for each in fields(TableView)]
    assert not any(value is secret for value in held for secret in (table, table.state, table.memories))

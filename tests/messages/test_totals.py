"""Totals on the buttons of a hand."""

from __future__ import annotations

from bot.messages.appearance import Appearance
from bot.messages.components import Row
from bot.messages.hand_message import hand_content
from bot.messages.table_view import table_view
from bot.messages.text_mode import turn_in_words
from tests.messages.tables import new_players, new_table


def hand_labels(look: Appearance) -> list[str]:
    """Return the labels of the hand at the start of a turn."""
    table = new_table("toad", new_players("Ann", "Ben"))
    assert table.to_move is not None
    content = hand_content(table_view(table, table.to_move), look=look)
    if look.as_text:
        content = turn_in_words(content, table_view(table, table.to_move))
    rows = [part for part in content.parts if isinstance(part, Row)]
    return [item.label for each in rows for item in each.items]  # type: ignore[misc, union-attr]


def test_a_player_can_turn_off_totals_in_labels() -> None:
    """A button names the card and the spots after the move, or as a setting the move only."""
    assert sum(" › " in label for label in hand_labels(Appearance())) >= 4
    plain = hand_labels(Appearance(totals=False))
    assert not any("›" in label for label in plain)
    assert sum(label.startswith("Take ") for label in plain) >= 4


def test_text_mode_labels_have_the_move_before_the_totals() -> None:
    """A screen reader reads the move first and then the totals."""
    read = [label for label in hand_labels(Appearance(as_text=True)) if label.startswith("Take ")]
    assert len(read) >= 4
    assert all(": " in label and label.endswith(" black") for label in read)

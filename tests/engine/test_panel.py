"""Panels as plain data."""

from __future__ import annotations

from bot.engine.panel import Buttons, Choice, ChoiceMenu, Panel

PANEL = Panel((Buttons((Choice("a", "A"), Choice("b", "B"))), ChoiceMenu("pick", (Choice("c", "C"),))))


def test_choices_are_ordered_row_by_row() -> None:
    """Choices are in order from top to bottom, for buttons and menus."""
    assert [choice.key for choice in PANEL.choices()] == ["a", "b", "c"]
    assert list(Panel().choices()) == []


def test_a_panel_finds_a_choice_by_its_key() -> None:
    """A key that the panel lacks returns no choice."""
    found = PANEL.choice("c")
    assert found is not None
    assert found.label == "C"
    assert PANEL.choice("C") is None
    assert Panel().choice("a") is None

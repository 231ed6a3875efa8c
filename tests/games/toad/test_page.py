"""The page of rules that players read."""

from __future__ import annotations

import re

import pytest

from bot.games.toad import GAME

PAGE = GAME.rules()


def test_it_fits_beside_a_picture() -> None:
    """The page is one message with room to spare, in short lines under headings."""
    assert len(PAGE) <= 3500
    assert len(re.findall(r"^#{2,3} \S", PAGE, re.MULTILINE)) >= 5
    assert not re.search(r"^#{4,}|^\||<[a-z]+>", PAGE, re.MULTILINE), "Discord shows no such markdown"


@pytest.mark.parametrize("command", ["start", "table", "hand", "leave", "stop", "rules"])
def test_it_names_every_command(command: str) -> None:
    """Whoever reads the page knows what can be typed."""
    assert f"`/toad {command}`" in PAGE


@pytest.mark.parametrize(
    "words",
    [
        "10 red",
        "10 black",
        "Ribit!",
        "Toadus Maximus",
        "pot",
        "My hand",
        "Ace",
        "Jack",
        "Richard Smith",
        "1980",
    ],
)
def test_it_explains_what_stands_on_the_table(words: str) -> None:
    """Words of the table and its buttons, and the inventor, stand on the page."""
    assert words in PAGE

"""The page of rules that players read."""

from __future__ import annotations

import pytest

from bot.games.toad import GAME

PAGE = "\n".join(page.text for page in GAME.pages())


@pytest.mark.parametrize("command", ["start", "table", "hand", "leave", "stop", "rules"])
def test_the_page_names_every_command(command: str) -> None:
    """The page names every command that a player can type."""
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
def test_the_page_explains_the_words_of_the_table(words: str) -> None:
    """The page has the words of the table and its buttons, and the inventor."""
    assert words in PAGE

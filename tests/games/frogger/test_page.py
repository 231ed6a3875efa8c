"""The page of rules that players read."""

from __future__ import annotations

import pytest

from bot.engine.decktet import DecktetSuit
from bot.engine.scene import PathCard, Zone
from bot.engine.translation import speaking
from bot.games.frogger import GAME
from bot.games.frogger.rules import landing_ahead
from bot.games.frogger.state import Space
from bot.languages import load_languages

PAGE = "\n".join(page.text for page in GAME.pages())


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("command", ["start", "table", "hand", "leave", "stop", "rules"])
def test_the_page_names_every_command(command: str, language: str) -> None:
    """The page names every command that a player can type."""
    load_languages()
    with speaking(language):
        assert f"`/frogger {command}`" in "\n".join(page.text for page in GAME.pages())


@pytest.mark.parametrize("suit", DecktetSuit)
def test_the_page_shows_every_suit_with_its_icon(suit: DecktetSuit) -> None:
    """The page shows each suit's icon beside its name, in every language."""
    load_languages()
    assert f"{suit.symbol}\N{NO-BREAK SPACE}{suit.name.title()}" in PAGE
    with speaking("de"):
        assert f"{suit.symbol}\N{NO-BREAK SPACE}" in "\n".join(page.text for page in GAME.pages())


@pytest.mark.parametrize(
    "words",
    [
        *("José Carlos de Diego Guerrero", "Jorge Arroyo", "P. D. Magnus"),
        *("Excuse", "corridor", "market", "Pawns", "Crown", "Blocked", "Back", "My hand", "End", "home"),
    ],
)
def test_the_page_explains_the_words_of_the_table(words: str) -> None:
    """The page has the words of the table and its buttons, and the authors of the game and the deck."""
    assert words.lower() in PAGE.lower()


def test_the_example_follows_the_rules() -> None:
    """F5: The picture beside the rules shows jumps that the rules make, to card 2 and home."""
    scene = GAME.pages()[2].picture()
    stops = [item for item in scene.items if isinstance(item, PathCard)]
    (played,) = [item.cards[0] for item in scene.items if isinstance(item, Zone)]
    corridor = tuple(stop.card for stop in stops)
    where = {
        token: Space(place, suit.value)
        for place, stop in enumerate(stops)
        for suit, token in zip(stop.card.suits, stop.tokens, strict=True)
        if token is not None
    }
    assert getattr(played, "code", None) == "2MK"
    taken = frozenset(where.values())
    assert landing_ahead(corridor, taken, where[0], DecktetSuit.MOONS) == Space(1, "M")
    assert landing_ahead(corridor, taken, where[0], DecktetSuit.KNOTS) is None

"""The button that opens a table in a thread."""

from __future__ import annotations

import pytest

from bot.delivery.click_dispatch import read
from bot.engine.game import AnyGame
from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.match_type import HINTS
from bot.matches.server_settings import LONGEST_TURN
from bot.sessions.match_creation import Opening
from cogs.tables.clicks import InThread
from tests.guests.splash import GAME as SPLASH

AT_TABLES = [game for game in (*games().values(), SPLASH) if not game.info.is_solo]

CUSTOM_ID = 100


@pytest.mark.parametrize("game", AT_TABLES, ids=lambda game: game.info.key)
def test_the_custom_id_encodes_the_table_options(game: AnyGame) -> None:
    """The button's custom_id decodes to the table it was made for and fits in 100 characters."""
    info = game.info
    opening = Opening(
        game=info.key,
        limit=info.most,
        options={option.key: option.most for option in info.options} | {HINTS: 0},
        turn_seconds=LONGEST_TURN,
        computer_players=(info.most - 1) * (Strength.TOAD,) if game.thinking else (),
    )
    asked = InThread("0123456789abcdef"[:8], opening)
    assert len(asked.custom_id) <= CUSTOM_ID
    assert read(asked.custom_id, []) == asked
    assert opening.fits(game) or not game.has_clock

"""A check that a viewer cannot distinguish two tables with different hidden cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from bot.engine.alt_text import describe
from bot.engine.game import AnyGame
from tests.contract.traversal import card_types, exchange_cards

DEALS = 10


def assert_indistinguishable(
    game: AnyGame,
    state: Any,
    viewer: int | None,
    hidden: Iterable[Any],
    *,
    where: Iterable[str],
    steps: tuple[str, ...] = (),
) -> None:
    """Check that other hidden cards give the same view, picture, alt text, buttons and words.

    ``where`` names the parts of the state with hidden cards. Facts about the same cards elsewhere in the
    state stay. ``steps`` leads to a further panel that must be the same too.
    """
    chance, places, kinds = Random(4), sorted(hidden, key=str), card_types(game, state)
    names = [f"Frog {seat}" for seat in range(state.seats)]
    mine = game.view(state, viewer)
    for _deal in range(DEALS):
        others = dict(zip(places, chance.sample(places, len(places)), strict=True))
        other = replace(
            state, **{part: exchange_cards(getattr(state, part), others, kinds) for part in where}
        )
        assert other != state
        assert set(game.every_card(other)) == set(game.every_card(state))
        theirs = game.view(other, viewer)
        assert theirs == mine
        assert game.scene(theirs, names) == game.scene(mine, names)
        assert describe(game.scene(theirs, names)) == describe(game.scene(mine, names))
        assert game.words(theirs, names) == game.words(mine, names)
        for path in ((), steps):
            assert game.panel(theirs, path) == game.panel(mine, path)

"""A viewer gets only information made from the viewer's own view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.alt_text import ALT_TEXT_LIMIT, describe
from bot.engine.game import AnyGame, Viewer
from tests.contract.playouts import Playout, Table, each_table, for_each_playout, law, playout_strategy
from tests.contract.traversal import (
    card_types,
    cards_in,
    exchange_cards,
    joined_texts,
    nested_values,
    reachable_panels,
)
from tests.examples import few_or_all

HEADLINE, STORY = 300, 6000  # a message shortens the lines of a long one
AS_TEXT = "\N{VARIATION SELECTOR-15}"
"""Characters that may follow a suit. A card without them counts as named too."""


def _rendered_content(game: AnyGame, view: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Return everything made from a view."""
    scene = game.scene(view, names)
    steps = tuple(reachable_panels(partial(game.panel, view)))
    return scene, steps, game.words(view, names), describe(scene)


def _card_names_in(cards: Iterable[Any], text: str) -> list[str]:
    """Return the names and codes of cards in a text."""
    names = {str(card).strip(AS_TEXT) for card in cards} | {
        getattr(card, "code", str(card)) for card in cards
    }
    return (
        re.findall(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)", text) if names else []
    )


def _sample_states(playout: Playout, most: int) -> tuple[Any, ...]:
    """Return some of the states, including the last one."""
    return playout.states[:: -max(1, len(playout.states) // few_or_all(most // 2, most))]


def _sample_views(playout: Playout, most: int) -> Iterator[tuple[Any, Viewer, Any]]:
    """Yield some of the states with each viewer and view."""
    for state in _sample_states(playout, most):
        for viewer in playout.table.viewers:
            yield state, viewer, playout.game.view(state, viewer)


@for_each_playout
def test_no_output_names_a_card_outside_the_view(playout: Playout) -> None:
    """No picture, button, sentence or alt text has or names a card that is not in the view."""
    game, names = playout.game, playout.table.names
    for state in _sample_states(playout, 10):
        kinds, every = card_types(game, state), set(game.every_card(state))
        for viewer in playout.table.viewers:
            view = game.view(state, viewer)
            hidden = every - cards_in(view, kinds)
            shown = _rendered_content(game, view, names)
            assert not cards_in(shown, kinds) & hidden
            assert _card_names_in(hidden, joined_texts(shown)) == []


@each_table
@law
@given(data=st.data())
def test_a_view_does_not_depend_on_hidden_cards(table: Table, data: st.DataObject) -> None:
    """A view stays the same if the cards that it does not show are dealt differently."""
    game, names = table.game, table.names
    chance = Random(data.draw(st.integers(0, 999)))
    for state in _sample_states(data.draw(playout_strategy(table)), 8):
        kinds = card_types(game, state)
        for viewer in table.viewers:
            view = game.view(state, viewer)
            hidden = sorted(set(game.every_card(state)) - cards_in(view, kinds), key=repr)
            others = chance.sample(hidden, len(hidden))
            other = exchange_cards(state, dict(zip(hidden, others, strict=True)), kinds)
            assert (other == state) == (hidden == others)
            other_view = game.view(other, viewer)
            assert other_view == view
            assert _rendered_content(game, other_view, names) == _rendered_content(game, view, names)


@each_table
def test_a_seat_knows_cards_that_other_viewers_do_not(table: Table) -> None:
    """In a game with hidden hands, each seat knows cards that no other seat or spectator knows."""
    game = table.game
    if not game.info.hidden_hands:
        pytest.skip("this game has no hidden hands")
    state = table.deal(b"h" * 32)
    kinds = card_types(game, state)
    public = cards_in(game.view(state, None), kinds)
    own = [cards_in(game.view(state, seat), kinds) - public for seat in range(table.seats)]
    assert all(own)
    assert len(set().union(*own)) == sum(map(len, own))


@for_each_playout
def test_no_output_reveals_the_seed(playout: Playout) -> None:
    """No view, text or picture made from a view, or repr of a state contains the seed."""
    game = playout.game
    seed = playout.seed
    for state, _viewer, view in _sample_views(playout, 6):
        shown = (view, *_rendered_content(game, view, playout.table.names))
        assert not any(isinstance(leaf, bytes) for leaf in nested_values(shown))
        assert seed.hex() not in joined_texts(shown)
        assert repr(seed) not in repr(state)
        assert seed.hex() not in repr(state)


@for_each_playout
def test_views_and_scenes_are_equal_hashable_values(playout: Playout) -> None:
    """Views, scenes, panels and words are hashable values that are equal each time."""
    game, names = playout.game, playout.table.names
    for state, viewer, view in _sample_views(playout, 6):
        assert game.view(state, viewer) == view
        assert hash((view, _rendered_content(game, view, names))) == hash(
            (view, _rendered_content(game, view, names))
        )


@for_each_playout
def test_every_view_has_complete_text_within_discords_limits(playout: Playout) -> None:
    """The headline, the story's lines and the alt text are complete and within Discord's limits."""
    game, names = playout.game, playout.table.names
    for _state, _viewer, view in _sample_views(playout, 10):
        words, alt = game.words(view, names), describe(game.scene(view, names))
        assert 0 < len(words.headline) <= HEADLINE
        assert len("\n".join(words.story)) <= STORY
        assert all(line and "\n" not in line for line in (words.headline, *words.story))
        assert 0 < len(alt) <= ALT_TEXT_LIMIT

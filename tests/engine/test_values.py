"""Values that never change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from typing import Any

import pytest

from bot.engine.game import AnyGame
from bot.engine.lesson import Tip
from bot.engine.lots import Lots
from bot.engine.opponent import ComputerPlayer, Strength
from bot.games import games

SEED = b"frozen!!" * 4


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.info.key)
def test_game_values_are_immutable(game: AnyGame) -> None:
    """States, views, scenes, panels and their parts refuse assignment."""
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(game.info.fewest, options, SEED)
    view = game.view(state, game.to_move(state))
    names = ("Ann", "Ben")[: game.info.fewest]
    values = [*game.legal_moves(state), state, view, game.scene(view, names), game.panel(view)]
    for value in values:
        for each in _nested_values(value):
            for field in fields(each):
                with pytest.raises(FrozenInstanceError):
                    setattr(each, field.name, None)
        assert replace(value) == value


def test_generic_records_stay_frozen_with_type_arguments() -> None:
    """``ComputerPlayer[…]`` and ``Tip[…]`` refuse changes of attributes like other records."""

    def choose(_memory: int, _strength: Strength, _lots: Lots) -> str:
        return "leap"

    thinking = ComputerPlayer[str, int, str](recall=lambda _memory, view: len(view), choose=choose)
    for record in (thinking, Tip[str]("It is near.", "leap")):
        with pytest.raises(FrozenInstanceError):
            setattr(record, fields(record)[0].name, None)


def test_the_repr_of_a_game_is_short() -> None:
    """An error report names the game without its whole record."""
    assert repr(games()["toad"]) == f"<Game toad, rules {games()['toad'].info.rules_version}>"


def _nested_values(value: Any) -> list[Any]:
    """Return a value and the values in it."""
    if isinstance(value, tuple | frozenset):
        return [each for part in value for each in _nested_values(part)]
    if not is_dataclass(value):
        return []
    return [
        value,
        *(each for field in fields(value) for each in _nested_values(getattr(value, field.name))),
    ]

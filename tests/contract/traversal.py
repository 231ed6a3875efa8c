"""Traversal of plain data and of a viewer's panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.panel import Panel

PLAIN = (str, int, float, bool, bytes, type(None), Enum)


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Return the names of a type's fields, or None if it is not a dataclass."""
    if not is_dataclass(kind):
        return None
    params = kind.__dataclass_params__  # type: ignore[attr-defined]  # not in the stubs
    assert params.frozen or params.unsafe_hash, f"{kind} is not of values: use @frozen"
    return tuple(field.name for field in fields(kind))


def nested_values(value: Any) -> Iterator[Any]:
    """Yield the value and every value in it."""
    left = [value]
    while left:
        value = left.pop()
        yield value
        if isinstance(value, PLAIN):
            continue
        if isinstance(value, (tuple, frozenset)):
            left.extend(value)
            continue
        kind: type = type(value)
        parts = _field_names(kind)
        assert parts is not None, f"{value!r} is not of values"
        left.extend(getattr(value, part) for part in parts)


def joined_texts(value: Any) -> str:
    """Return every text in a value, one a line."""
    return "\n".join(leaf for leaf in nested_values(value) if isinstance(leaf, str))


def cards_in(value: Any, kinds: set[type]) -> set[Any]:
    """Return every card in a value."""
    return {leaf for leaf in nested_values(value) if type(leaf) in kinds}


def card_types(game: AnyGame, state: Any) -> set[type]:
    """Return the types of the match's cards."""
    return {type(card) for card in game.every_card(state)}


def exchange_cards(value: Any, other: Mapping[Any, Any], kinds: set[type]) -> Any:
    """Return the same data with cards exchanged for others."""
    if type(value) in kinds:
        return other.get(value, value)
    if isinstance(value, tuple):
        return tuple(exchange_cards(item, other, kinds) for item in value)
    if isinstance(value, frozenset):
        return frozenset(exchange_cards(item, other, kinds) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        new = {
            field.name: exchange_cards(getattr(value, field.name), other, kinds)
            for field in fields(value)
            if field.init
        }
        return replace(value, **new)
    return value


def reachable_panels(
    panel: Callable[[tuple[str, ...]], Panel], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Panel]]:
    """Yield every panel that choosing can reach, with its path."""
    here = panel(path)
    yield path, here
    assert len(path) < 9, f"no end to the steps of {path}"
    for choice in here.choices():
        if choice.move is None:
            yield from reachable_panels(panel, (*path, choice.key))


_REACHED: dict[tuple[str, Any], dict[tuple[str, ...], Panel]] = {}


def panels_by_path(game: AnyGame, view: Any) -> dict[tuple[str, ...], Panel]:
    """Return every panel of a view by its path, cached for the process."""
    key = (game.info.key, view)
    if key not in _REACHED:
        _REACHED[key] = dict(reachable_panels(partial(game.panel, view)))
    return _REACHED[key]

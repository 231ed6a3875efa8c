"""Immutable classes for the data of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a class a frozen dataclass that is hashed by its fields and has slots.

    A generic class has no slots, because Python could not create ``Kind[int](…)`` with them.
    """
    return dataclass(frozen=True, slots=not getattr(kind, "__parameters__", ()))(kind)


class IdentityEnum(Enum):
    """An enum that is hashed by identity.

    Enum hashes by name, which is too slow for frequent lookups.
    """

    __hash__ = object.__hash__


def replace_item(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
